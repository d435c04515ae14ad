//! Patterns for whole numbers of a range, as keys of objects are written.
//!
//! A map with integers as keys takes only some names, and JSON Schema can describe these with patterns only.
//! Messages and pages recognise these patterns and write the range instead.

use crate::schema::bounds::integer_ranges;

/// Returns the pattern of the numbers from minus `below` to `above`, written without leading zeros.
/// Zero is among them if `has_zero` is true.
pub(super) fn pattern_of_range(below: u128, above: u128, has_zero: bool) -> String {
    let mut choices = Vec::new();
    if has_zero {
        choices.push("0".to_owned());
    }
    if below == 0 {
        choices.extend(patterns_up_to(above));
    } else if below == above {
        choices.push(format!("-?({})", patterns_up_to(above).join("|")));
    } else {
        choices.extend(patterns_up_to(above));
        choices.push(format!("-({})", patterns_up_to(below).join("|")));
    }
    format!("^({})$", choices.join("|"))
}

/// Returns the range of the whole numbers that a pattern of this kind matches, for messages: `from
/// 0 to 255`.
pub(crate) fn range_of_names(names: &str) -> Option<String> {
    if let r"^\d+$" = names {
        return Some("of at least 0".to_owned());
    }
    for (least, greatest) in integer_ranges() {
        let below = least.unsigned_abs();
        if pattern_of_range(below, greatest, true) == names {
            return Some(format!("from {least} to {greatest}"));
        }
        if pattern_of_range(below, greatest, false) == names {
            return Some(match least {
                0 => format!("from 1 to {greatest}"),
                _ => format!("from {least} to {greatest}, other than 0"),
            });
        }
    }
    None
}

/// Returns patterns that match the numbers from 1 to a greatest one between them.
fn patterns_up_to(greatest: u128) -> Vec<String> {
    let digits = greatest.to_string();
    let length = digits.len();
    let mut patterns = Vec::new();
    // All numbers with fewer digits.
    match length {
        1 => {}
        2 => patterns.push("[1-9]".to_owned()),
        _ => patterns.push(format!("[1-9][0-9]{{0,{}}}", length - 2)),
    }
    // Those of the same length that are smaller at some digit and equal before it.
    for (position, digit) in digits.bytes().enumerate() {
        let least = if position == 0 { b'1' } else { b'0' };
        let is_last = position + 1 == length;
        let most = if is_last {
            digit
        } else {
            digit.wrapping_sub(1)
        };
        if most < least {
            continue;
        }
        let equal = &digits[..position];
        let smaller = if least == most {
            char::from(least).to_string()
        } else {
            format!("[{}-{}]", char::from(least), char::from(most))
        };
        let rest = match length - position - 1 {
            0 => String::new(),
            1 => "[0-9]".to_owned(),
            more => format!("[0-9]{{{more}}}"),
        };
        patterns.push(format!("{equal}{smaller}{rest}"));
    }
    patterns
}

#[cfg(test)]
mod tests {
    use super::{pattern_of_range, range_of_names};

    #[test]
    fn a_pattern_of_a_range_is_written_digit_by_digit() {
        assert_eq!(
            pattern_of_range(0, 255, true),
            "^(0|[1-9][0-9]{0,1}|1[0-9]{2}|2[0-4][0-9]|25[0-5])$"
        );
        assert_eq!(
            pattern_of_range(128, 127, false),
            "^([1-9][0-9]{0,1}|1[0-1][0-9]|12[0-7]|-([1-9][0-9]{0,1}|1[0-1][0-9]|12[0-8]))$"
        );
    }

    #[test]
    fn a_pattern_of_a_range_is_recognised() {
        let of = |below, above, zero| range_of_names(&pattern_of_range(below, above, zero));
        assert_eq!(of(0, 255, true).as_deref(), Some("from 0 to 255"));
        assert_eq!(of(0, 255, false).as_deref(), Some("from 1 to 255"));
        assert_eq!(of(128, 127, true).as_deref(), Some("from -128 to 127"));
        assert_eq!(
            of(128, 127, false).as_deref(),
            Some("from -128 to 127, other than 0")
        );
        assert_eq!(range_of_names("^[a-z]+$"), None);
    }
}
