//! Definitions that the procedures of a service share.

use docent_describe::json::Json;
use docent_describe::schema::{
    ComponentsBuilder, SharedComponents, Side, TypeClash, params_of, return_of,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Describes a procedure `put` that takes a `P`, and a procedure `get` that returns an `R`.
fn service<P, R>() -> Result<SharedComponents, Vec<TypeClash>>
where
    P: DeserializeOwned + JsonSchema,
    R: JsonSchema,
{
    let mut builder = ComponentsBuilder::new();
    builder.merge_params("put", &params_of::<P>().unwrap());
    builder.merge("get", Side::Output, &return_of::<R>().unwrap().definitions);
    builder.finish()
}

fn names(shared: &SharedComponents) -> Vec<&str> {
    shared
        .components
        .schemas
        .keys()
        .map(String::as_str)
        .collect()
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Plain {
    a: u8,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Book {
    title: String,
    #[serde(default)]
    pages: u32,
    plain: Plain,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Shelf {
    books: Vec<Book>,
    plain: Plain,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Put<T> {
    value: T,
}

#[test]
fn a_type_that_is_taken_and_given_alike_is_one_component() {
    let shared = service::<Put<Plain>, Plain>().unwrap();
    assert_eq!(names(&shared), ["Plain"]);
}

#[test]
fn a_type_that_takes_less_than_it_gives_has_two_names() {
    let shared = service::<Put<Shelf>, Shelf>().unwrap();
    assert_eq!(
        names(&shared),
        ["Book", "BookInput", "Plain", "Shelf", "ShelfInput"]
    );
    let schemas = &shared.components.schemas;
    assert!(
        schemas["ShelfInput"]
            .to_string()
            .contains("schemas/BookInput\"")
    );
    assert!(schemas["Shelf"].to_string().contains("schemas/Book\""));
    let mut param: Json = r##"{"items": {"$ref": "#/components/schemas/Book"}}"##
        .parse()
        .unwrap();
    shared.rewrite_input(&mut param);
    assert_eq!(
        param.to_string(),
        r##"{"items":{"$ref":"#/components/schemas/BookInput"}}"##
    );
}

#[test]
fn what_is_only_taken_keeps_its_name_and_follows_the_others() {
    let shared = service::<Put<Shelf>, Book>().unwrap();
    assert_eq!(names(&shared), ["Book", "BookInput", "Plain", "Shelf"]);
    let shelf = shared.components.schemas["Shelf"].to_string();
    assert!(shelf.contains("schemas/BookInput\""));
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Account {
    name: String,
    #[serde(skip_serializing)]
    #[expect(dead_code, reason = "only its description is of interest")]
    password: String,
    #[serde(skip_deserializing)]
    balance: i64,
}

#[test]
fn fields_of_one_direction_only_do_not_make_two_types() {
    let shared = service::<Put<Account>, Vec<Account>>().unwrap();
    assert_eq!(names(&shared), ["Account", "AccountInput"]);
}

mod other {
    #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub(super) struct Plain {
        b: String,
    }

    #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub(super) struct BookInput {
        b: String,
    }
}

#[test]
fn two_types_of_one_name_are_a_clash_that_names_both_procedures() {
    let clashes = service::<Put<Plain>, other::Plain>().unwrap_err();
    assert_eq!(
        clashes[0].to_string(),
        "the procedures `put` and `get` use two different types named `Plain`; rename one of them \
         with `#[schemars(rename = \"…\")]`"
    );
    let mut builder = ComponentsBuilder::new();
    builder.merge_params("a", &params_of::<Put<Plain>>().unwrap());
    builder.merge_params("b", &params_of::<Put<other::Plain>>().unwrap());
    let clashes = builder.finish().unwrap_err();
    assert_eq!(clashes.len(), 1);
    assert_eq!(clashes[0].procedure, "b");
    let text = clashes[0].to_string();
    assert!(text.starts_with("the procedures `a` and `b` use two different types named `Plain`"));
}

#[test]
fn the_name_of_an_input_side_may_be_taken() {
    let clashes = service::<Put<Book>, (Book, other::BookInput)>().unwrap_err();
    assert_eq!(clashes.len(), 1);
    assert!(
        clashes[0]
            .to_string()
            .contains("uses a type named `BookInput`")
    );
}

#[test]
fn ten_thousand_procedures_share_their_components() {
    let input = params_of::<Put<Shelf>>().unwrap();
    let output = return_of::<Shelf>().unwrap();
    let mut builder = ComponentsBuilder::new();
    for number in 0..10_000 {
        let name = format!("procedure.{number}");
        builder.merge_params(&name, &input);
        builder.merge(&name, Side::Output, &output.definitions);
    }
    let shared = builder.finish().unwrap();
    assert!(!output.definitions.is_empty());
    for name in output.definitions.keys() {
        assert!(shared.components.schemas.contains_key(name), "{name}");
    }
    let most = input.definitions.len() + output.definitions.len();
    assert!(shared.components.schemas.len() <= most);
}
