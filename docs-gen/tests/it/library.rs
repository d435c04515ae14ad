//! A small service with one of everything, as the tests' and the example's subject.

use docent_describe::json::Json;
use docent_describe::{
    Credential, Deprecation, ErrorDescription, Example, ParamDescription, ProcedureDescription,
    ReturnDescription, ServiceDescription, TypeCode,
};

pub(crate) fn json(text: &str) -> Json {
    text.parse().expect("the fixture is JSON")
}

pub(crate) fn param(
    name: &str,
    type_code: TypeCode,
    required: bool,
    description: &str,
    schema: &str,
) -> ParamDescription {
    let schema = json(schema);
    ParamDescription {
        name: name.to_owned(),
        type_code,
        required,
        default: schema.get("default").cloned(),
        description: Some(description.to_owned()),
        schema,
        ..ParamDescription::default()
    }
}

fn returns(type_code: TypeCode, description: &str, schema: &str) -> ReturnDescription {
    ReturnDescription {
        type_code,
        description: Some(description.to_owned()),
        schema: json(schema),
        ..ReturnDescription::default()
    }
}

fn error(code: i64, message: &str, status: u16, description: &str) -> ErrorDescription {
    ErrorDescription {
        code,
        message: message.to_owned(),
        description: Some(description.to_owned()),
        status: Some(status),
        ..ErrorDescription::default()
    }
}

/// A library that finds and lends books.
pub(crate) fn library() -> ServiceDescription {
    let mut service = ServiceDescription {
        name: "Library".to_owned(),
        id: "urn:uuid:6d1f0a52-7c2e-4e7b-9a53-0d5a4b8f2c11".to_owned(),
        version: Some("1.4".to_owned()),
        summary: Some("Finds and lends the books of the town’s libraries.".to_owned()),
        description: Some(
            "Every branch keeps its own shelves; a *loan* is made at one branch and can end at any other.\n\n\
             ## Before you begin\n\n1. Get a reader’s card.\n2. Send its number with each loan.\n\n\
             See the [house rules](https://library.example/rules) for what may be lent.\n\n\
             | Card | Loans at once |\n|---|---|\n| child | 5 |\n| adult | 20 |\n"
                .to_owned(),
        ),
        address: Some("https://library.example/rpc".to_owned()),
        procs: vec![find(), get(), search(), lend(), give_back(), total(), returned(), old_find()],
        ..ServiceDescription::default()
    };
    for (name, schema) in SCHEMAS {
        service
            .components
            .schemas
            .insert((*name).to_owned(), json(schema));
    }
    service.security_schemes.insert(
        "card".to_owned(),
        json(r#"{"type": "http", "scheme": "bearer", "description": "The number of a reader’s card, as a bearer token."}"#),
    );
    service
}

const SCHEMAS: &[(&str, &str)] = &[
    (
        "Book",
        r##"{"type": "object", "description": "A book, in one of its editions.", "required": ["isbn", "title"], "properties": {
        "isbn": {"$ref": "#/components/schemas/Isbn"},
        "title": {"type": "string", "description": "As it stands on the title page.", "minLength": 1},
        "authors": {"type": "array", "items": {"$ref": "#/components/schemas/Person"}, "description": "In the order of the title page."},
        "year": {"type": ["integer", "null"], "minimum": 1450, "description": "The year of this edition, where it is known."},
        "place": {"$ref": "#/components/schemas/Place"},
        "sequel": {"anyOf": [{"$ref": "#/components/schemas/Book"}, {"type": "null"}], "description": "The book that follows."},
        "prices": {"type": "object", "additionalProperties": {"type": "number", "exclusiveMinimum": 0}, "description": "What a replacement costs, by currency."}}}"##,
    ),
    (
        "Isbn",
        r#"{"type": "string", "description": "An ISBN of 13 digits, without hyphens.", "pattern": "^97[89][0-9]{10}$", "examples": ["9780142437247"]}"#,
    ),
    (
        "Person",
        r#"{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "born": {"type": "string", "format": "date"}}}"#,
    ),
    (
        "Place",
        r##"{"description": "Where a copy is.", "oneOf": [
        {"title": "On a shelf", "type": "object", "required": ["kind", "shelf"], "properties": {"kind": {"const": "shelf"}, "shelf": {"type": "string"}}},
        {"title": "On loan", "type": "object", "required": ["kind", "until"], "properties": {"kind": {"const": "loan"}, "until": {"type": "string", "format": "date"}, "reader": {"$ref": "#/components/schemas/Person"}}},
        {"title": "Lost", "type": "object", "required": ["kind"], "properties": {"kind": {"const": "lost"}}}]}"##,
    ),
    (
        "Order",
        r#"{"oneOf": [{"const": "title", "description": "By title, articles left out.\n\nEach language has its own."}, {"const": "year", "description": "The oldest first."}, {"const": "relevance", "description": "The best match first."}]}"#,
    ),
    (
        "Loan",
        r##"{"type": "object", "description": "A copy in a reader’s hands.", "required": ["id", "book", "until"], "properties": {
        "id": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615}, "book": {"$ref": "#/components/schemas/Book"}, "until": {"type": "string", "format": "date"}}}"##,
    ),
];

fn find() -> ProcedureDescription {
    ProcedureDescription {
        name: "book.find".to_owned(),
        summary: Some("Finds books by words in their title.".to_owned()),
        description: Some("Words are compared without regard to case and accents. A book is found when *every* word is in its title.".to_owned()),
        idempotent: true,
        tags: vec!["catalogue".to_owned()],
        params: vec![
            param("words", TypeCode::Str, true, "What to look for, separated by spaces.", r#"{"type": "string", "minLength": 1, "maxLength": 200}"#),
            param("limit", TypeCode::Num, false, "How many books to answer at most.", r#"{"type": "integer", "minimum": 1, "maximum": 100, "default": 20}"#),
            param("order", TypeCode::Str, false, "What comes first.", r##"{"$ref": "#/components/schemas/Order", "default": "relevance"}"##),
        ],
        returns: Some(returns(TypeCode::Arr, "The books that were found, the best match first.", r##"{"type": "array", "items": {"$ref": "#/components/schemas/Book"}}"##)),
        errors: vec![
            ErrorDescription { retry: Some(false), data: Some(json(r#"{"type": "string", "description": "The shelf."}"#)), ..error(1404, "No such shelf", 404, "The shelf was closed or never existed.") },
            ErrorDescription { retry: Some(true), ..error(1503, "Catalogue is being rebuilt", 503, "Happens each night for about a minute.") },
        ],
        examples: vec![
            Example {
                summary: Some("Two hits".to_owned()),
                params: Some(json(r#"{"words": "moby", "limit": 2}"#)),
                result: Some(json(r#"[{"isbn": "9780142437247", "title": "Moby-Dick, or, The Whale", "authors": [{"name": "Herman Melville", "born": "1819-08-01"}], "year": 2002, "place": {"kind": "shelf", "shelf": "M 14"}}, {"isbn": "9780099518518", "title": "Moby-Duck", "year": null}]"#)),
                ..Example::default()
            },
            Example {
                summary: Some("A shelf that is gone".to_owned()),
                params: Some(json(r#"{"words": "whale"}"#)),
                error: Some(json(r#"{"code": 1404, "message": "No such shelf", "data": "M 14"}"#)),
                ..Example::default()
            },
        ],
        ..ProcedureDescription::default()
    }
}

fn get() -> ProcedureDescription {
    ProcedureDescription {
        name: "book.get".to_owned(),
        summary: Some("Answers one book.".to_owned()),
        idempotent: true,
        tags: vec!["catalogue".to_owned()],
        params: vec![param(
            "isbn",
            TypeCode::Str,
            true,
            "The book’s number.",
            r##"{"$ref": "#/components/schemas/Isbn"}"##,
        )],
        returns: Some(returns(
            TypeCode::Obj,
            "",
            r##"{"$ref": "#/components/schemas/Book"}"##,
        )),
        errors: vec![error(
            1405,
            "No such book",
            404,
            "Nobody ever catalogued it.",
        )],
        ..ProcedureDescription::default()
    }
}

fn search() -> ProcedureDescription {
    ProcedureDescription {
        name: "book.search".to_owned(),
        summary: Some("Searches with a query of any depth.".to_owned()),
        tags: vec!["catalogue".to_owned()],
        by_name_only: true,
        params: vec![param(
            "query",
            TypeCode::Obj,
            true,
            "What to look for.",
            r##"{"oneOf": [
            {"type": "object", "required": ["all"], "properties": {"all": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Place"}}}},
            {"type": "object", "required": ["near"], "properties": {"near": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "description": "Latitude and longitude."}}},
            {"const": "everything"}]}"##,
        )],
        returns: Some(returns(
            TypeCode::Arr,
            "",
            r##"{"type": "array", "items": {"$ref": "#/components/schemas/Book"}}"##,
        )),
        errors_open: true,
        ..ProcedureDescription::default()
    }
}

fn lend() -> ProcedureDescription {
    ProcedureDescription {
        name: "loan.begin".to_owned(),
        summary: Some("Lends a book to a reader.".to_owned()),
        description: Some("A reader who has a *hold* on the book goes first.".to_owned()),
        tags: vec!["loans".to_owned()],
        params: vec![
            param(
                "isbn",
                TypeCode::Str,
                true,
                "The book.",
                r##"{"$ref": "#/components/schemas/Isbn"}"##,
            ),
            param(
                "reader",
                TypeCode::Num,
                true,
                "The number on the reader’s card; 64 bits.",
                r#"{"type": "integer", "minimum": 1, "maximum": 18446744073709551615}"#,
            ),
            param(
                "remind",
                TypeCode::Bit,
                false,
                "Whether to send a reminder.",
                r#"{"type": "boolean", "default": true}"#,
            ),
        ],
        returns: Some(returns(
            TypeCode::Obj,
            "The loan.",
            r##"{"$ref": "#/components/schemas/Loan"}"##,
        )),
        errors: vec![
            error(
                1409,
                "Already on loan",
                409,
                "Somebody else has the only copy.",
            ),
            error(
                1500,
                "Card reader failed",
                500,
                "The card could not be read.",
            ),
        ],
        examples: vec![Example {
            params: Some(json(
                r#"{"isbn": "9780142437247", "reader": 9223372036854775809}"#,
            )),
            result: Some(json(
                r#"{"id": 18446744073709551615, "book": {"isbn": "9780142437247", "title": "Moby-Dick, or, The Whale"}, "until": "2026-03-01"}"#,
            )),
            ..Example::default()
        }],
        security: vec![
            Credential {
                scheme: "card".to_owned(),
                scopes: Vec::new(),
            }
            .into(),
        ],
        ..ProcedureDescription::default()
    }
}

fn give_back() -> ProcedureDescription {
    ProcedureDescription {
        name: "loan.end".to_owned(),
        summary: Some("Takes a book back.".to_owned()),
        tags: vec!["loans".to_owned()],
        params: vec![param(
            "id",
            TypeCode::Num,
            true,
            "The loan.",
            r#"{"type": "integer", "minimum": 0}"#,
        )],
        returns: Some(returns(TypeCode::Nil, "", r#"{"type": "null"}"#)),
        ..ProcedureDescription::default()
    }
}

fn total() -> ProcedureDescription {
    ProcedureDescription {
        name: "loan.fees".to_owned(),
        summary: Some("Adds up fees.".to_owned()),
        idempotent: true,
        tags: vec!["loans".to_owned()],
        params: vec![ParamDescription {
            variadic: true,
            ..param(
                "values",
                TypeCode::Arr,
                true,
                "The fees, in cents.",
                r#"{"type": "array", "items": {"type": "integer"}}"#,
            )
        }],
        returns: Some(returns(TypeCode::Num, "", r#"{"type": "integer"}"#)),
        examples: vec![Example {
            params: Some(json("[120, 80, 1]")),
            result: Some(json("201")),
            ..Example::default()
        }],
        ..ProcedureDescription::default()
    }
}

fn returned() -> ProcedureDescription {
    ProcedureDescription {
        name: "branch.returned".to_owned(),
        summary: Some("Tells a branch that a book is on its way.".to_owned()),
        notification: true,
        params: vec![param(
            "isbn",
            TypeCode::Str,
            true,
            "The book.",
            r##"{"$ref": "#/components/schemas/Isbn"}"##,
        )],
        ..ProcedureDescription::default()
    }
}

fn old_find() -> ProcedureDescription {
    ProcedureDescription {
        name: "find_book".to_owned(),
        summary: Some("Finds books, the old way.".to_owned()),
        deprecated: Some(Deprecation {
            since: Some("1.2".to_owned()),
            reason: Some("It cannot order its answer.".to_owned()),
            instead: Some("book.find".to_owned()),
        }),
        params: vec![param(
            "words",
            TypeCode::Str,
            true,
            "What to look for.",
            r#"{"type": "string"}"#,
        )],
        returns: Some(returns(
            TypeCode::Arr,
            "",
            r##"{"type": "array", "items": {"$ref": "#/components/schemas/Book"}}"##,
        )),
        ..ProcedureDescription::default()
    }
}
