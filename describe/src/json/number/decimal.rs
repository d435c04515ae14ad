//! Compares JSON numbers by value and without loss.
//!
//! JSON puts no limit on a number, but doubles do. So the constraints of a description on numbers
//! (bounds, multiples, equality with a constant) are checked on decimal digits. There is no other
//! arithmetic here: nothing that a service checks needs it.

use std::cmp::Ordering;

use crate::json::scan::Scanner;

/// The greatest step, in its significant digits: a remainder with one digit more fits into a `u128`.
const GREATEST_STEP: u128 = u128::MAX / 10;

/// Returns whether a text is a number in JSON's grammar. Rust's own parsers also accept `inf`, `+1`
/// and `1.`.
pub fn is_number(text: &str) -> bool {
    let mut scanner = Scanner::new(text, 0);
    scanner.skip_number().is_ok() && scanner.offset() == text.len()
}

/// The value of a JSON number: `digits × 10^exponent`, negative or not.
///
/// The form is canonical: `digits` has no leading and no trailing zero, and zero has no digits. Two
/// numbers are equal exactly if their parts are.
///
/// ```
/// use docent_describe::json::Decimal;
///
/// assert_eq!(Decimal::new("4.2e1"), Decimal::new("42.0"));
/// assert!(Decimal::new("42.0").is_integer());
/// assert!(Decimal::new("0.3").is_multiple_of(&Decimal::new("0.1")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    digits: Box<[u8]>,
    exponent: i64,
}

impl Decimal {
    /// Parses a number in JSON's grammar.
    pub fn new(text: &str) -> Self {
        let magnitude = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
        let (integral, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = [integral.as_bytes(), fraction.as_bytes()].concat();
        let mut exponent =
            saturating_exponent(exponent).saturating_sub_unsigned(fraction.len() as u64);
        while digits.last() == Some(&b'0') {
            digits.pop();
            exponent = exponent.saturating_add(1);
        }
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        digits.drain(..zeros);
        if digits.is_empty() {
            return Self {
                negative: false,
                digits: Box::default(),
                exponent: 0,
            };
        }
        Self {
            negative: text.starts_with('-'),
            digits: digits.into(),
            exponent,
        }
    }

    /// Returns whether the value is an integer, in any notation (`4.2e1` is one).
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Returns the value of an integer that fits into an `i128`.
    pub fn to_i128(&self) -> Option<i128> {
        let magnitude = self.magnitude()?;
        if self.negative {
            0i128.checked_sub_unsigned(magnitude)
        } else {
            magnitude.try_into().ok()
        }
    }

    /// Returns the value of an integer that is not negative and fits into a `u128`.
    pub fn to_u128(&self) -> Option<u128> {
        self.magnitude().filter(|_| !self.negative)
    }

    /// Returns the magnitude of an integer, if it fits.
    fn magnitude(&self) -> Option<u128> {
        // 39 digits are more than any `u128` has. The bound also keeps a hostile exponent cheap.
        let zeros = usize::try_from(self.exponent).ok()?;
        if self.digits.len().checked_add(zeros)? > 39 {
            return None;
        }
        magnitude(self.digits_and_zeros(zeros))
    }

    /// Returns the significant digits, and zeros after them.
    fn digits_and_zeros(&self, zeros: usize) -> impl Iterator<Item = u8> {
        self.digits
            .iter()
            .copied()
            .chain(std::iter::repeat_n(b'0', zeros))
    }

    /// Returns whether the value is an integer multiple of `step`, which must not be zero.
    ///
    /// The result is exact for any value, and for steps of up to 37 significant digits. For longer steps it is
    /// false.
    pub fn is_multiple_of(&self, step: &Self) -> bool {
        if self.digits.is_empty() {
            return true;
        }
        // value / step = (digits / step digits) × 10^shift. Canonical digits do not end in zero, so
        // if the shift is negative, there is no factor ten to compensate.
        let shift = self.exponent.saturating_sub(step.exponent);
        let divisor = match magnitude(step.digits.iter().copied()) {
            Some(divisor @ 1..=GREATEST_STEP) if shift >= 0 => divisor,
            _ => return false,
        };
        // Powers of ten only add factors of 2 and 5, and a `u128` has at most 127 of those.
        let zeros = usize::try_from(shift.min(127)).unwrap_or_default();
        remainder(self.digits_and_zeros(zeros), divisor) == 0
    }

    /// Compares two numbers without their signs.
    fn compare_magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .digits_before_point()
                .cmp(&other.digits_before_point())
                .then_with(|| self.digits.cmp(&other.digits)),
        }
    }

    /// Returns the number of digits before the decimal point. Zeros after the point count as negative.
    fn digits_before_point(&self) -> i64 {
        self.exponent
            .saturating_add_unsigned(self.digits.len() as u64)
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the remainder of a division by at most [`GREATEST_STEP`].
fn remainder(digits: impl Iterator<Item = u8>, divisor: u128) -> u128 {
    digits.fold(0, |rest, digit| {
        (rest * 10 + u128::from(digit - b'0')) % divisor
    })
}

/// Parses an exponent. One that does not fit becomes so large or small that no digits make up for it.
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
fn magnitude(mut digits: impl Iterator<Item = u8>) -> Option<u128> {
    digits.try_fold(0u128, |value, digit| {
        value
            .checked_mul(10)?
            .checked_add(u128::from(digit.wrapping_sub(b'0')))
    })
}
