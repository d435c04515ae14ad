//! Converts JSON numbers to Rust types of at most 64 bits.

use std::str::FromStr;

use super::decimal::Decimal;

/// The maximum number of digits that always fit into 64 bits.
const DIGITS: usize = 19;

/// Reads the number at `at` if it consists of an optional minus sign and so few digits that they
/// fit. Returns whether it is negative, its magnitude, and the offset after it.
#[inline]
pub(crate) fn plain(bytes: &[u8], at: usize) -> Option<(bool, u64, usize)> {
    let negative = bytes.get(at) == Some(&b'-');
    let start = at + usize::from(negative);
    let mut end = start;
    let mut magnitude = 0u64;
    while let Some(digit @ b'0'..=b'9') = bytes.get(end) {
        magnitude = magnitude.wrapping_mul(10);
        magnitude = magnitude.wrapping_add(u64::from(digit - b'0'));
        end += 1;
    }
    let is_plain = (1..=DIGITS).contains(&(end - start))
        && !matches!(bytes.get(end), Some(b'.' | b'e' | b'E'));
    is_plain.then_some((negative, magnitude, end))
}

/// Returns the double that is nearest to the number at `at`, and the offset after the number.
/// Returns `None` if there is no number or the nearest one is infinite.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "the nearest double is meant")]
pub(crate) fn double(text: &str, at: usize) -> Option<(f64, usize)> {
    // Many numbers are short integers, which are converted faster than they are parsed.
    if let Some((negative, magnitude, end)) = plain(text.as_bytes(), at) {
        let value = magnitude as f64;
        return Some((if negative { -value } else { value }, end));
    }
    let (value, end) = parsed::<f64>(text, at)?;
    value.is_finite().then_some((value, end))
}

/// Like [`double`], for 32 bits and without going through a double, which would round twice.
///
/// Returns `None` also for numbers slightly beyond the published bounds, which would round to the
/// greatest value.
pub(crate) fn single(text: &str, at: usize) -> Option<(f32, usize)> {
    let (value, end) = parsed::<f32>(text, at)?;
    let is_within = || {
        let magnitude = text[at..end].trim_start_matches('-');
        Decimal::new(magnitude) <= Decimal::new("3.4028235e38")
    };
    (value.abs() < f32::MAX || is_within()).then_some((value, end))
}

#[inline]
fn parsed<F: FromStr>(text: &str, at: usize) -> Option<(F, usize)> {
    let rest = text.get(at..)?;
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    let length = rest.bytes().take_while(is_part).count();
    Some((rest[..length].parse().ok()?, at + length))
}
