//! Reads numbers digit by digit: whether a text is an integer, and which.
//!
//! The binding of Docent does the same in another way. Digits are slow, and leave nothing to round.

/// The value of a JSON number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// An integer that fits into 64 bits.
    Whole(i128),
    /// Zero with a sign. It is an integer, but not the same as zero to a double.
    MinusZero,
    /// Any other number that a double can hold.
    Real(f64),
    /// A number too large for a double.
    Beyond,
}

/// Reads a JSON number.
pub(crate) fn number(text: &str) -> Number {
    let negative = text.starts_with('-');
    match whole(text) {
        Some(0) if negative => Number::MinusZero,
        Some(value) if i128::from(i64::MIN) <= value && value <= i128::from(u64::MAX) => {
            Number::Whole(value)
        }
        _ => match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Number::Real(value),
            _ => Number::Beyond,
        },
    }
}

/// Returns the value of a text that is an integer and not too large.
fn whole(text: &str) -> Option<i128> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (text, "0"),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = after.trim_end_matches('0');
    let digits = format!("{before}{after}");
    let significant = digits.trim_start_matches(['-', '0']);
    if significant.is_empty() {
        return Some(0);
    }
    let trimmed = significant.trim_end_matches('0');
    let zeros = i64::try_from(significant.len() - trimmed.len()).ok()?;
    let shift = exponent
        .parse::<i64>()
        .ok()?
        .checked_sub(i64::try_from(after.len()).ok()?)?
        .checked_add(zeros)?;
    let appended_zeros = usize::try_from(shift).ok()?;
    if trimmed.len().checked_add(appended_zeros)? > 30 {
        return None;
    }
    let value: i128 = format!("{trimmed}{}", "0".repeat(appended_zeros))
        .parse()
        .ok()?;
    Some(if text.starts_with('-') { -value } else { value })
}
