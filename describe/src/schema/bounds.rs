//! The bounds of Rust's integer types, which serde enforces and the generator mostly leaves out.

use crate::json::{Decimal, Json, Object};

/// Adds the bounds of the integer type that `format` names, or tightens looser ones: an attribute
/// may say `range(min = -5)` on a `u8`, and zero is still the least that decodes.
pub(super) fn close(schema: &mut Object) {
    let Some((minimum, maximum)) = schema
        .get("format")
        .and_then(Json::as_str)
        .filter(|_| is_integer(schema))
        .and_then(of_format)
    else {
        return;
    };
    tighten(schema, "minimum", minimum, |said, real| said < real);
    tighten(schema, "maximum", maximum, |said, real| said > real);
}

/// The bounds of a format. Sizes count as 64 bits wide: that is what servers run on, and a
/// description must not differ between the machine that writes it and the one that serves.
fn of_format(format: &str) -> Option<(String, String)> {
    macro_rules! bounds {
        ($type:ty) => {
            Some((<$type>::MIN.to_string(), <$type>::MAX.to_string()))
        };
    }
    match format {
        "int8" => bounds!(i8),
        "int16" => bounds!(i16),
        "int32" => bounds!(i32),
        "int64" | "int" => bounds!(i64),
        "int128" => bounds!(i128),
        "uint8" => bounds!(u8),
        "uint16" => bounds!(u16),
        "uint32" => bounds!(u32),
        "uint64" | "uint" => bounds!(u64),
        "uint128" => bounds!(u128),
        _ => None,
    }
}

fn is_integer(schema: &Object) -> bool {
    match schema.get("type") {
        Some(Json::String(word)) => word == "integer",
        Some(Json::Array(words)) => words.iter().any(|word| word.as_str() == Some("integer")),
        _ => false,
    }
}

fn tighten(
    schema: &mut Object,
    keyword: &str,
    bound: String,
    looser: fn(&Decimal, &Decimal) -> bool,
) {
    match schema.get(keyword) {
        Some(Json::Number(said)) if !looser(&Decimal::new(said), &Decimal::new(&bound)) => {}
        Some(Json::Number(_)) => {
            schema.insert(keyword.to_owned(), Json::Number(bound.into()));
        }
        _ => insert_in_place(schema, keyword, Json::Number(bound.into())),
    }
}

/// Inserts a keyword where the canonical order has it.
fn insert_in_place(schema: &mut Object, keyword: &str, value: Json) {
    let rank = super::keyword::rank(keyword);
    let place = schema
        .keys()
        .position(|other| super::keyword::rank(other) > rank)
        .unwrap_or(schema.len());
    schema.shift_insert(place, keyword.to_owned(), value);
}
