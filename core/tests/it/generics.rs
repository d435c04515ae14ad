//! Generic types, whose names include their parameters.

use std::borrow::Cow;
use std::collections::BTreeMap;

use docent_core::{Cx, Fault, Procedure, ServiceBuilder};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{assert_one, builder, mistakes, taking};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Money {
    cents: i64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Color {
    name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Plain<T> {
    items: Vec<T>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Sheet_of_{T}")]
struct Sheet<T> {
    items: Vec<T>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Page_of_{T}")]
struct Page<T> {
    items: Vec<T>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Pair_of_{A}_and_{B}")]
struct Pair<A, B> {
    a: A,
    b: B,
}

/// A page of pages of itself.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree<T> {
    value: T,
    branches: Vec<Tree<T>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Grid<T, const WIDTH: usize> {
    cells: Vec<T>,
}

/// A type that is not generic, but has the name of a generic type that got a number.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Plain2 {
    items: i64,
}

/// A type with a hand-written name.
#[derive(Serialize, Deserialize)]
struct Handmade<T>(T);

impl<T: JsonSchema> JsonSchema for Handmade<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}ByHand", T::schema_name()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("generics::Handmade<{}>", T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Returns a procedure that takes one type, and another that returns the other.
fn two_uses<A, B>() -> ServiceBuilder
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    B: Serialize + JsonSchema + Send + 'static,
{
    #[derive(Deserialize, JsonSchema)]
    struct First<A> {
        _value: A,
    }
    let get = |_: Cx, (): ()| Err::<B, _>(Fault::internal("nothing"));
    builder()
        .procedure(taking::<First<A>>("put"))
        .procedure(Procedure::sync("get", get))
}

/// Returns the names of the types of a service.
#[track_caller]
fn names(builder: ServiceBuilder) -> Vec<String> {
    let service = builder.build().unwrap_or_else(|error| panic!("{error}"));
    let schemas = &service.description().components.schemas;
    let text = String::from_utf8(service.rendered_description().to_vec()).expect("UTF-8");
    for part in text.split("#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap_or_default();
        assert!(schemas.contains_key(name), "{name} is referred to");
    }
    schemas.keys().cloned().collect()
}

#[test]
fn a_generic_type_is_named_with_its_parameters() {
    assert_eq!(
        names(two_uses::<Plain<Money>, Plain<Color>>()),
        ["Color", "Money", "Plain_of_Color", "Plain_of_Money"]
    );
    assert_eq!(
        names(two_uses::<(Pair<Money, Color>, Pair<Color, Money>), ()>()),
        [
            "Color",
            "Money",
            "Pair_of_Color_and_Money",
            "Pair_of_Money_and_Color"
        ]
    );
    assert_eq!(
        names(two_uses::<Page<Vec<Money>>, Page<Option<Color>>>()),
        [
            "Color",
            "Money",
            "Page_of_Array_of_Money",
            "Page_of_Nullable_Color"
        ]
    );
    // serde takes the braces as part of the name.
    assert_eq!(
        names(two_uses::<Sheet<i32>, Sheet<String>>()),
        ["Sheet_of_int32", "Sheet_of_string"]
    );
}

type Inner = Option<Plain<Box<Money>>>;

type Parts = (
    Plain<(Money, i32)>,
    Plain<[u8; 3]>,
    Plain<BTreeMap<String, Money>>,
    Plain<BTreeMap<i64, Option<String>>>,
    Pair<i32, String>,
);

#[test]
fn the_parameters_of_a_generic_type_may_be_anything() {
    assert_eq!(
        names(two_uses::<Inner, &'static Plain<Plain<Color>>>()),
        [
            "Color",
            "Money",
            "Plain_of_Color",
            "Plain_of_Money",
            "Plain_of_Plain_of_Color"
        ]
    );
    assert_eq!(
        names(two_uses::<Parts, ()>()),
        [
            "Money",
            "Pair_of_int32_and_string",
            "Plain_of_Array_size_3_of_uint8",
            "Plain_of_Map_from_int64_to_Nullable_string",
            "Plain_of_Map_of_Money",
            "Plain_of_Tuple_of_Money_and_int32",
        ]
    );
    assert_eq!(
        names(two_uses::<(Grid<Money, 2>, Grid<Money, 3>), ()>()),
        ["Grid_of_2_and_Money", "Grid_of_3_and_Money", "Money"]
    );
    assert_eq!(
        names(two_uses::<Tree<i32>, Tree<String>>()),
        ["Tree_of_int32", "Tree_of_string"]
    );
    assert_eq!(
        names(two_uses::<(Page<Plain<Money>>, Page<Plain<Color>>), ()>()),
        [
            "Color",
            "Money",
            "Page_of_Plain_of_Color",
            "Page_of_Plain_of_Money",
            "Plain_of_Color",
            "Plain_of_Money"
        ]
    );
    assert_eq!(
        names(two_uses::<
            Result<Plain<Money>, Color>,
            Result<Plain<Color>, Color>,
        >()),
        [
            "Color",
            "Money",
            "Plain_of_Color",
            "Plain_of_Money",
            "Result_of_Plain_of_Color_or_Color",
            "Result_of_Plain_of_Money_or_Color",
        ]
    );
}

#[test]
fn names_do_not_depend_on_the_order_of_uses() {
    type There = (Plain<Money>, Plain<Color>, Plain2, Tree<Money>);
    type Back = (Tree<Money>, Plain2, Plain<Color>, Plain<Money>);
    let there = names(two_uses::<There, Back>());
    assert_eq!(there, names(two_uses::<Back, There>()));
    assert_eq!(
        there,
        [
            "Color",
            "Money",
            "Plain2",
            "Plain_of_Color",
            "Plain_of_Money",
            "Tree_of_Money"
        ]
    );
}

#[test]
fn a_name_that_is_written_by_hand_stays() {
    assert_eq!(
        names(two_uses::<(Handmade<Money>, Handmade<Color>), ()>()),
        ["ColorByHand", "MoneyByHand"]
    );
}

mod elsewhere {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Money {
        _euros: i64,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Plain<T> {
        _all: T,
    }
}

#[test]
fn two_generic_types_of_one_name_clash() {
    assert_one(
        builder().procedure(taking::<Wrapper<(Plain<i32>, elsewhere::Plain<i32>)>>(
            "put",
        )),
        Some("put"),
        &["two different types are both named `Plain_of_int32`"],
    );
    let mistakes = mistakes(builder().procedure(taking::<
        Wrapper<(Plain<Money>, Plain<elsewhere::Money>)>,
    >("put")));
    assert_eq!(mistakes.len(), 2, "{mistakes:?}");
    assert!(
        mistakes
            .iter()
            .any(|mistake| mistake.text().contains("both named `Money`"))
    );
}

#[derive(Deserialize, JsonSchema)]
struct Wrapper<T> {
    _value: T,
}
