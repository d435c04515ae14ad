//! The types that callers see.

use library::model::{
    AddBook, AddMember, Book, BookDetails, Contributor, Date, FindBooks, GetStats, ListAuthors,
    ListLoans, Loan, LoanPage, StartLoan, Stats,
};
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};

use crate::support::day;

#[test]
fn only_days_of_the_calendar_written_in_one_way_are_dates() {
    for text in [
        "2024-02-29",
        "2000-02-29",
        "1900-02-28",
        "0000-01-01",
        "0001-01-01",
        "9999-12-31",
        "1970-01-01",
    ] {
        assert_eq!(day(text).to_string(), text);
        assert_eq!(
            serde_json::from_value::<Date>(json!(text)).unwrap(),
            day(text)
        );
        assert_eq!(serde_json::to_value(day(text)).unwrap(), json!(text));
    }
    for text in [
        "",
        "2023-02-29",
        "1900-02-29",
        "2024-13-01",
        "2024-00-10",
        "2024-01-00",
        "2024-01-32",
        "2024-04-31",
        "-001-01-01",
        "+024-01-01",
        "2024-1-1",
        "2024-01-1",
        "24-01-01",
        "10000-01-01",
        "2024/01/01",
        "20240101",
        "2024-01-01T00:00:00Z",
        " 2024-01-01",
        "2024-01-01 ",
        "2024-01-0１",
        "２024-01-01",
        "2024-+1-01",
        "2024-01- 1",
        "today",
    ] {
        assert!(text.parse::<Date>().is_err(), "{text:?}");
        assert!(
            serde_json::from_value::<Date>(json!(text)).is_err(),
            "{text:?}"
        );
    }
    for value in [json!(20_240_101), json!(null), json!(["2024-01-01"])] {
        assert!(serde_json::from_value::<Date>(value).is_err());
    }
    assert!(serde_json::from_str::<Date>(r#""2024\u002d01-01""#).is_ok());
}

#[test]
fn days_are_counted_across_months_years_and_the_ends_of_the_calendar() {
    for (from, days, to) in [
        ("2024-02-28", 1, "2024-02-29"),
        ("2023-02-28", 1, "2023-03-01"),
        ("2024-12-31", 1, "2025-01-01"),
        ("2025-01-01", -1, "2024-12-31"),
        ("2000-01-01", 146_097, "2400-01-01"),
        ("9999-12-31", 1, "9999-12-31"),
        ("0000-01-01", -1, "0000-01-01"),
        ("2024-01-01", i32::MAX, "9999-12-31"),
        ("2024-01-01", i32::MIN, "0000-01-01"),
    ] {
        assert_eq!(day(from).plus_days(days), day(to), "{from} {days}");
    }
}

#[test]
fn parameters_that_are_left_out_have_their_defaults() {
    let decoded: FindBooks = serde_json::from_value(json!({})).unwrap();
    assert_eq!(decoded, FindBooks::default());
    assert_eq!(decoded.limit, 20);
    let decoded: ListAuthors = serde_json::from_value(json!({})).unwrap();
    assert_eq!(decoded, ListAuthors::default());
    let decoded: ListLoans = serde_json::from_value(json!({})).unwrap();
    assert_eq!(decoded, ListLoans::default());
    let decoded: GetStats = serde_json::from_value(json!({})).unwrap();
    assert_eq!(decoded, GetStats::default());
    let decoded: AddBook = serde_json::from_value(json!({"title": "T", "language": "en"})).unwrap();
    assert_eq!((decoded.copies, decoded.authors.len()), (1, 0));
}

#[test]
fn an_author_of_a_new_book_is_known_by_number_or_new_by_name() {
    let known: Contributor = serde_json::from_value(json!({"known": 3})).unwrap();
    assert!(matches!(known, Contributor::Known(id) if id.0 == 3));
    let new = json!({"new": {"name": "Jane Austen"}});
    assert!(matches!(
        serde_json::from_value(new),
        Ok(Contributor::New(_))
    ));
    assert!(serde_json::from_value::<Contributor>(json!({"name": "Jane Austen"})).is_err());
}

#[test]
fn schemas_carry_constraints_defaults_and_formats() {
    let find = schema_for!(FindBooks).to_value();
    assert_eq!(find["properties"]["limit"]["minimum"], 1);
    assert_eq!(find["properties"]["limit"]["maximum"], 100);
    assert_eq!(find["properties"]["limit"]["default"], 20);
    assert_eq!(find["properties"]["words"]["maxLength"], 200);
    assert_eq!(find["properties"]["from_year"]["minimum"], -3000);
    assert_eq!(find["$defs"]["Subject"]["maxLength"], 40);
    assert_eq!(find["$defs"]["Language"]["pattern"], "^[a-z]{2,3}$");
    assert_eq!(find["$defs"]["AuthorId"]["minimum"], 1);

    let start = schema_for!(StartLoan).to_value();
    assert_eq!(start["$defs"]["Date"]["format"], "date");
    assert_eq!(start["required"], json!(["book", "member"]));
    let add = schema_for!(AddBook).to_value();
    assert_eq!(add["properties"]["subjects"]["uniqueItems"], true);
    assert_eq!(add["properties"]["authors"]["maxItems"], 10);
    assert_eq!(add["properties"]["title"]["pattern"], r"\S");
    assert_eq!(add["properties"]["copies"]["default"], 1);
}

#[test]
fn everything_a_caller_sees_is_documented_in_one_sentence_first() {
    fn undocumented<T: JsonSchema>(found: &mut Vec<String>) {
        let schema = schema_for!(T).to_value();
        let name = T::schema_name();
        walk(&schema, &name, found);
        for (name, schema) in schema["$defs"].as_object().into_iter().flatten() {
            walk(schema, name, found);
        }
    }
    fn walk(schema: &Value, name: &str, found: &mut Vec<String>) {
        if !begins_with_one_sentence(schema) {
            found.push(name.to_owned());
        }
        for variant in schema["oneOf"].as_array().into_iter().flatten() {
            if !begins_with_one_sentence(variant) {
                found.push(format!("{name}: {variant}"));
            }
        }
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            if !begins_with_one_sentence(property) {
                found.push(format!("{name}.{field}"));
            }
        }
    }
    fn begins_with_one_sentence(schema: &Value) -> bool {
        let text = schema["description"].as_str().unwrap_or_default();
        let first = text.split("\n\n").next().unwrap();
        first.ends_with('.') && !first.contains(". ") && !first.contains(".\n")
    }
    let mut found = Vec::new();
    undocumented::<Book>(&mut found);
    undocumented::<BookDetails>(&mut found);
    undocumented::<FindBooks>(&mut found);
    undocumented::<AddBook>(&mut found);
    undocumented::<ListAuthors>(&mut found);
    undocumented::<Loan>(&mut found);
    undocumented::<LoanPage>(&mut found);
    undocumented::<ListLoans>(&mut found);
    undocumented::<StartLoan>(&mut found);
    undocumented::<AddMember>(&mut found);
    undocumented::<Stats>(&mut found);
    undocumented::<GetStats>(&mut found);
    assert!(found.is_empty(), "{found:?}");
}
