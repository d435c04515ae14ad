//! Numbers as they are written.

use crate::json::scan::Scanner;

/// Returns whether a text is a number in JSON's grammar. Rust's own parsers also accept `inf`, `+1`
/// and `1.`.
pub fn is_number(text: &str) -> bool {
    let mut scanner = Scanner::new(text, 0);
    scanner.skip_number().is_ok() && scanner.offset() == text.len()
}

/// The parts of a number as written: `whole.fraction × 10^exponent`.
pub(super) struct Literal<'t> {
    pub(super) negative: bool,
    pub(super) whole: &'t str,
    pub(super) fraction: &'t str,
    pub(super) exponent: i64,
}

impl<'t> Literal<'t> {
    /// Splits a number that follows JSON's grammar.
    pub(super) fn new(text: &'t str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, saturating_exponent(exponent)),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        Self {
            negative,
            whole,
            fraction,
            exponent,
        }
    }

    pub(super) fn digits(&self) -> impl Iterator<Item = u8> + 't {
        self.whole.bytes().chain(self.fraction.bytes())
    }
}

fn saturating_exponent(text: &str) -> i64 {
    text.strip_prefix('+').unwrap_or(text).parse().unwrap_or(
        // Half of the range, so that adding the digits' own positions cannot wrap around.
        if text.starts_with('-') {
            i64::MIN / 2
        } else {
            i64::MAX / 2
        },
    )
}

/// Returns the number with these digits, if it fits into a `u128`.
pub(super) fn magnitude(mut digits: impl Iterator<Item = u8>) -> Option<u128> {
    digits.try_fold(0u128, |value, digit| {
        let digit = digit.wrapping_sub(b'0');
        value.checked_mul(10)?.checked_add(u128::from(digit))
    })
}
