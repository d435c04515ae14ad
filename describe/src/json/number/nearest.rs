//! Converts JSON numbers to Rust types of at most 64 bits.
//!
//! The text has passed the scanner. Rust's own parsers do the conversion; short integers, which
//! most numbers are, take a faster path.

use std::str::FromStr;

use super::decimal::Decimal;

/// The maximum number of digits of a plain integer: so many always fit into 64 bits.
const MAX_PLAIN_DIGITS: usize = 19;

/// An integer that is written with an optional minus sign and digits.
pub(crate) struct PlainInteger {
    pub(crate) negative: bool,
    pub(crate) magnitude: u64,
    /// The offset after the integer.
    pub(crate) end: usize,
}

/// Reads the number at `at` if it is a plain integer of so few digits that they fit.
#[inline]
pub(crate) fn plain_integer(bytes: &[u8], at: usize) -> Option<PlainInteger> {
    let negative = bytes.get(at) == Some(&b'-');
    let start = at + usize::from(negative);
    let mut end = start;
    let mut magnitude = 0u64;
    while let Some(digit @ b'0'..=b'9') = bytes.get(end) {
        magnitude = magnitude.wrapping_mul(10);
        magnitude = magnitude.wrapping_add(u64::from(digit - b'0'));
        end += 1;
    }
    let is_plain = (1..=MAX_PLAIN_DIGITS).contains(&(end - start))
        && !matches!(bytes.get(end), Some(b'.' | b'e' | b'E'));
    is_plain.then_some(PlainInteger {
        negative,
        magnitude,
        end,
    })
}

/// Returns the double that is nearest to the number at `at`, and the offset after the number.
/// Returns `None` if there is no number or the nearest one is infinite.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "the nearest double is meant")]
pub(crate) fn double(text: &str, at: usize) -> Option<(f64, usize)> {
    // Many numbers are short integers, which are converted faster than they are parsed.
    if let Some(integer) = plain_integer(text.as_bytes(), at) {
        let magnitude = integer.magnitude as f64;
        let value = if integer.negative {
            -magnitude
        } else {
            magnitude
        };
        return Some((value, integer.end));
    }
    let (value, end) = parse_at::<f64>(text, at)?;
    value.is_finite().then_some((value, end))
}

/// Like [`double`], for 32 bits and without going through a double, which would round twice.
///
/// Returns `None` also for numbers slightly beyond the published bounds, which would round to the
/// greatest value.
pub(crate) fn single(text: &str, at: usize) -> Option<(f32, usize)> {
    let (value, end) = parse_at::<f32>(text, at)?;
    if value.abs() < f32::MAX || is_within_single(&text[at..end]) {
        Some((value, end))
    } else {
        None
    }
}

/// Returns whether a number, as written, is within the bounds of 32 bits that schemas publish.
fn is_within_single(number: &str) -> bool {
    let magnitude = number.trim_start_matches('-');
    Decimal::new(magnitude) <= Decimal::new("3.4028235e38")
}

/// Parses the number at `at`, and returns the offset after it.
#[inline]
fn parse_at<F: FromStr>(text: &str, at: usize) -> Option<(F, usize)> {
    let rest = text.get(at..)?;
    let length = rest
        .bytes()
        .take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
        .count();
    Some((rest[..length].parse().ok()?, at + length))
}
