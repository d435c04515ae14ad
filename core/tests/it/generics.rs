//! Generic types, which have one name for all their uses unless they ask for more.

use docent_core::{Cx, Fault, Procedure, ServiceBuilder};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{assert_fine, assert_one, builder, taking};

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

/// A procedure that takes the one type, and another that answers with the other.
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

#[derive(Deserialize, JsonSchema)]
struct Together {
    _a: Plain<Money>,
    _b: Plain<Color>,
}

#[test]
fn two_uses_of_a_generic_type_clash_until_its_parameters_are_in_its_name() {
    assert_one(
        two_uses::<Plain<Money>, Plain<Color>>(),
        Some("get"),
        &[
            "`put` and `get`",
            "if both are the same generic type",
            r#"`#[schemars(rename = "Plain_of_{T}")]`"#,
        ],
    );
    // serde takes the braces for a part of the name.
    assert_one(
        two_uses::<Sheet<Money>, Sheet<Color>>(),
        Some("get"),
        &[r#"`#[schemars(rename = "Sheet_of_{T}")]`"#],
    );
    assert_fine(two_uses::<Page<Money>, Page<Color>>());
    assert_fine(two_uses::<Pair<Money, Color>, Pair<Color, Money>>());
    let nested = two_uses::<Page<Vec<Money>>, Page<Option<Color>>>().build();
    let nested = nested.unwrap_or_else(|error| panic!("{error}"));
    let names = nested.description().components.schemas.keys();
    assert!(names.eq([
        "Color",
        "Money",
        "Page_of_Array_of_Money",
        "Page_of_Nullable_Color"
    ]));

    assert_one(
        builder().procedure(taking::<Together>("together")),
        Some("together"),
        &[r#"`#[schemars(rename = "Plain_of_{T}")]`"#],
    );
}
