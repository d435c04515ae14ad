//! The bounds of Rust's numeric types, which serde enforces but the generator mostly omits.

use super::kinds::Kinds;
use crate::json::{Decimal, Json, Object};

/// The generator's name of each numeric type, and its bounds. If several
/// names have the same bounds, the first one is used to name them.
///
/// `usize` and `isize` are taken as 64 bits wide: servers are, and a description must not depend on
/// the machine that writes it. The bounds of floating-point numbers are the shortest texts for the
/// last finite ones.
const WIDTHS: [(&str, &str, &str); 14] = [
    ("int8", "-128", "127"),
    ("int16", "-32768", "32767"),
    ("int32", "-2147483648", "2147483647"),
    ("int64", "-9223372036854775808", "9223372036854775807"),
    ("int", "-9223372036854775808", "9223372036854775807"),
    (
        "int128",
        "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105727",
    ),
    ("uint8", "0", "255"),
    ("uint16", "0", "65535"),
    ("uint32", "0", "4294967295"),
    ("uint64", "0", "18446744073709551615"),
    ("uint", "0", "18446744073709551615"),
    ("uint128", "0", "340282366920938463463374607431768211455"),
    ("float", "-3.4028235e38", "3.4028235e38"),
    (
        "double",
        "-1.7976931348623157e308",
        "1.7976931348623157e308",
    ),
];

/// Adds the bounds of the numeric type that `format` names, and tightens looser ones: an attribute
/// may say `range(min = -5)` on a `u8`, but zero is still the least value that decodes.
pub(super) fn close(schema: &mut Object) {
    let format = schema.get("format").and_then(Json::as_str);
    let kinds = schema.get("type").and_then(Kinds::of_type);
    let bounds = format.and_then(|format| bounds_of_format(format, kinds?));
    let Some((minimum, maximum)) = bounds else {
        return;
    };
    tighten(schema, "minimum", minimum, |said, real| said < real);
    tighten(schema, "maximum", maximum, |said, real| said > real);
}

/// Returns the least and the greatest number of a generated `format`, if it names a numeric type of
/// `kinds`.
pub(super) fn bounds_of_format(format: &str, kinds: Kinds) -> Option<(&'static str, &'static str)> {
    let (name, least, greatest) = named(format)?;
    has_numbers_of(kinds, name).then_some((*least, *greatest))
}

/// Returns whether a number is the least or the greatest of a numeric type.
pub fn is_bound_of_width(number: &str) -> bool {
    WIDTHS
        .iter()
        .any(|(_, least, greatest)| [least, greatest].contains(&&number))
}

/// Returns whether a format is the generator's name for a numeric type, which its bounds already
/// express.
pub fn is_numeric_format(format: &str) -> bool {
    named(format).is_some()
}

/// Returns the numeric type of which these are the least and the greatest number: `uint8`, `double`.
pub(super) fn width_between(kinds: Kinds, least: &str, greatest: &str) -> Option<&'static str> {
    let is = |one: &str, other: &str| Decimal::new(one) == Decimal::new(other);
    let mut widths = WIDTHS.iter();
    let (name, ..) = widths.find(|(name, smallest, largest)| {
        has_numbers_of(kinds, name) && is(least, smallest) && is(greatest, largest)
    })?;
    Some(name)
}

/// Returns the least and the greatest value of each integer type.
pub(super) fn integers() -> impl Iterator<Item = (i128, u128)> {
    WIDTHS
        .iter()
        .filter_map(|(_, least, most)| Some((least.parse().ok()?, most.parse().ok()?)))
}

fn named(format: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    WIDTHS.iter().find(|(name, ..)| *name == format)
}

/// Returns whether the numbers of some kinds are those of a numeric type.
fn has_numbers_of(kinds: Kinds, name: &str) -> bool {
    let numbers = match name {
        "float" | "double" => Kinds::NUMBER,
        _ => Kinds::INTEGER,
    };
    kinds & Kinds::NUMBER == numbers
}

fn tighten(
    schema: &mut Object,
    keyword: &str,
    bound: &str,
    looser: fn(&Decimal, &Decimal) -> bool,
) {
    match schema.get(keyword) {
        Some(Json::Number(said)) if !looser(&Decimal::new(said), &Decimal::new(bound)) => {}
        _ => _ = schema.insert(keyword, Json::Number(bound.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::bounds_of_format;
    use crate::schema::kinds::Kinds;

    #[test]
    fn a_format_has_bounds_only_for_numbers_of_its_type() {
        assert_eq!(bounds_of_format("int8", Kinds::NUMBER), None);
        assert!(bounds_of_format("double", Kinds::NUMBER).is_some());
        assert!(bounds_of_format("int8", Kinds::INTEGER | Kinds::NULL).is_some());
    }
}
