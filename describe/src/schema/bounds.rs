//! The bounds of Rust's numeric types, which serde enforces but the generator mostly omits.
//!
//! The generator names a type in `format`, as in `uint8`. These names never reach a description:
//! see `publish.rs`.

use super::kinds::Kinds;
use super::range::IntegerRange;
use crate::json::{Decimal, Json, Object};

/// A numeric type of Rust.
pub(super) struct NumericType {
    /// The generator's name of the type.
    pub(super) name: &'static str,
    /// The least number of the type.
    pub(super) least: &'static str,
    /// The greatest number of the type.
    pub(super) greatest: &'static str,
}

/// Creates a row of the table of numeric types.
const fn numeric_type(
    name: &'static str,
    least: &'static str,
    greatest: &'static str,
) -> NumericType {
    NumericType {
        name,
        least,
        greatest,
    }
}

/// The numeric types. If several have the same bounds, the first one is used to name them.
///
/// `usize` and `isize` are taken as 64 bits wide: servers are, and a description must not depend on
/// the machine that writes it. The bounds of floating-point numbers are the shortest texts for the
/// last finite ones.
static NUMERIC_TYPES: [NumericType; 14] = [
    numeric_type("int8", "-128", "127"),
    numeric_type("int16", "-32768", "32767"),
    numeric_type("int32", "-2147483648", "2147483647"),
    numeric_type("int64", "-9223372036854775808", "9223372036854775807"),
    numeric_type("int", "-9223372036854775808", "9223372036854775807"),
    numeric_type(
        "int128",
        "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105727",
    ),
    numeric_type("uint8", "0", "255"),
    numeric_type("uint16", "0", "65535"),
    numeric_type("uint32", "0", "4294967295"),
    numeric_type("uint64", "0", "18446744073709551615"),
    numeric_type("uint", "0", "18446744073709551615"),
    numeric_type("uint128", "0", "340282366920938463463374607431768211455"),
    numeric_type("float", "-3.4028235e38", "3.4028235e38"),
    numeric_type(
        "double",
        "-1.7976931348623157e308",
        "1.7976931348623157e308",
    ),
];

/// Adds the bounds of the numeric type that `format` names, and tightens looser ones: an attribute
/// may say `range(min = -5)` on a `u8`, but zero is still the least value that decodes.
pub(super) fn add_type_bounds(schema: &mut Object) {
    let format = schema.get_str("format");
    let kinds = schema.get("type").and_then(Kinds::of_type);
    if let (Some(format), Some(kinds)) = (format, kinds)
        && let Some(numeric) = type_of_format(format, kinds)
    {
        tighten(schema, "minimum", numeric.least, Decimal::lt);
        tighten(schema, "maximum", numeric.greatest, Decimal::gt);
    }
}

/// Returns the numeric type that a generated `format` names, if its numbers are those of `kinds`.
pub(super) fn type_of_format(format: &str, kinds: Kinds) -> Option<&'static NumericType> {
    NUMERIC_TYPES
        .iter()
        .find(|numeric| numeric.name == format && numeric.has_numbers_of(kinds))
}

/// Returns the integer type that a `format` names together with its number of bits, as `int64` does.
pub(super) fn integer_type(format: &str, kinds: Kinds) -> Option<&'static NumericType> {
    let numeric = type_of_format(format, kinds)?;
    format
        .ends_with(|last: char| last.is_ascii_digit())
        .then_some(numeric)
}

/// Returns whether a format is the generator's name for a numeric type, which its bounds already
/// express.
pub fn is_numeric_format(format: &str) -> bool {
    NUMERIC_TYPES.iter().any(|numeric| numeric.name == format)
}

/// Returns the name of the numeric type of which these are the least and the greatest number:
/// `uint8`, `double`.
pub(super) fn width_between(kinds: Kinds, least: &str, greatest: &str) -> Option<&'static str> {
    let least = Decimal::new(least);
    let greatest = Decimal::new(greatest);
    NUMERIC_TYPES
        .iter()
        .find(|numeric| {
            numeric.has_numbers_of(kinds)
                && Decimal::new(numeric.least) == least
                && Decimal::new(numeric.greatest) == greatest
        })
        .map(|numeric| numeric.name)
}

/// Returns the least and the greatest value of each integer type.
pub(super) fn integer_ranges() -> impl Iterator<Item = (i128, u128)> {
    NUMERIC_TYPES
        .iter()
        .filter_map(|numeric| Some((numeric.least.parse().ok()?, numeric.greatest.parse().ok()?)))
}

impl NumericType {
    /// Returns the integers of the type.
    pub(super) fn integers(&self) -> IntegerRange {
        IntegerRange {
            least: self.least.parse().ok(),
            greatest: self.greatest.parse().ok(),
        }
    }

    /// Returns whether the numbers among some kinds are those of the type.
    fn has_numbers_of(&self, kinds: Kinds) -> bool {
        let numbers = match self.name {
            "float" | "double" => Kinds::NUMBER,
            _ => Kinds::INTEGER,
        };
        kinds & Kinds::NUMBER == numbers
    }
}

/// Sets a bound, unless the schema has one that is as tight.
fn tighten(
    schema: &mut Object,
    keyword: &str,
    bound: &str,
    is_looser: fn(&Decimal, &Decimal) -> bool,
) {
    if let Some(Json::Number(stated)) = schema.get(keyword)
        && !is_looser(&Decimal::new(stated), &Decimal::new(bound))
    {
        return;
    }
    schema.insert(keyword, Json::Number(bound.into()));
}

#[cfg(test)]
mod tests {
    use super::type_of_format;
    use crate::schema::kinds::Kinds;

    #[test]
    fn a_format_has_bounds_only_for_numbers_of_its_type() {
        assert!(type_of_format("int8", Kinds::NUMBER).is_none());
        assert!(type_of_format("double", Kinds::NUMBER).is_some());
        assert!(type_of_format("int8", Kinds::INTEGER | Kinds::NULL).is_some());
    }
}
