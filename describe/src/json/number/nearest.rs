//! Converts JSON numbers to Rust types of at most 64 bits: all of them exactly, and common ones
//! quickly.

use super::Decimal;

/// The maximum number of digits that always fit into 64 bits.
const DIGITS: usize = 19;

/// A number as `mantissa × 10^exponent`, as far as it has been read.
#[derive(Clone, Copy)]
struct Parts {
    negative: bool,
    mantissa: u64,
    exponent: i32,
    /// The number of digits that have been read.
    digits: usize,
    /// The offset after the last byte that has been read.
    end: usize,
}

impl Parts {
    /// Reads the sign and the digits up to a decimal point from the number at `at`.
    #[inline]
    fn before_point(bytes: &[u8], at: usize) -> Self {
        let negative = bytes.get(at) == Some(&b'-');
        let mut parts = Self {
            negative,
            mantissa: 0,
            exponent: 0,
            digits: 0,
            end: at + usize::from(negative),
        };
        parts.digits = parts.take_digits(bytes);
        parts
    }

    /// Reads the rest of the number. Returns `None` if the exponent has too many digits for a
    /// shortcut.
    #[inline]
    fn complete(mut self, bytes: &[u8]) -> Option<Self> {
        if bytes.get(self.end) == Some(&b'.') {
            self.end += 1;
            let places = self.take_digits(bytes);
            self.digits += places;
            self.exponent = -i32::try_from(places).ok()?;
        }
        match bytes.get(self.end) {
            Some(b'e' | b'E') => self.with_exponent(bytes),
            _ => Some(self),
        }
    }

    /// Reads the exponent, whose letter is next.
    #[cold]
    fn with_exponent(mut self, bytes: &[u8]) -> Option<Self> {
        const EXPONENT_DIGITS: usize = 3;
        self.end += 1;
        let mut power = Self::before_point(bytes, self.end);
        if bytes.get(self.end) == Some(&b'+') {
            power = Self::before_point(bytes, self.end + 1);
        }
        if power.digits > EXPONENT_DIGITS {
            return None;
        }
        self.end = power.end;
        let magnitude = i32::try_from(power.mantissa).ok()?;
        self.exponent += if power.negative {
            -magnitude
        } else {
            magnitude
        };
        Some(self)
    }

    #[inline]
    fn take_digits(&mut self, bytes: &[u8]) -> usize {
        let start = self.end;
        while let Some(digit) = digit(bytes, self.end) {
            self.mantissa = self
                .mantissa
                .wrapping_mul(10)
                .wrapping_add(u64::from(digit));
            self.end += 1;
        }
        self.end - start
    }

    /// Returns whether the mantissa equals its digits. Otherwise there are no digits, or too many.
    #[inline]
    fn is_exact(&self) -> bool {
        (1..=DIGITS).contains(&self.digits)
    }
}

/// Reads the number at `at` if it consists of an optional minus sign and so few digits that they
/// fit. Returns whether it is negative, its magnitude, and the offset after it.
#[inline]
pub(in crate::json) fn plain(bytes: &[u8], at: usize) -> Option<(bool, u64, usize)> {
    let parts = Parts::before_point(bytes, at);
    let usual = parts.is_exact() && !matches!(bytes.get(parts.end), Some(b'.' | b'e' | b'E'));
    usual.then_some((parts.negative, parts.mantissa, parts.end))
}

/// Returns the greatest integer that is not greater than the number at `at`, whether the number
/// also has a fraction, and the offset after it. Returns `None` if the number has an exponent, or
/// if the integer may not fit.
#[inline]
pub(in crate::json) fn floor(bytes: &[u8], at: usize) -> Option<(i64, bool, usize)> {
    let parts = Parts::before_point(bytes, at);
    let mut end = parts.end;
    let mut has_fraction = false;
    if bytes.get(end) == Some(&b'.') {
        end += 1;
        while let Some(digit) = digit(bytes, end) {
            has_fraction |= digit != 0;
            end += 1;
        }
    }
    if !parts.is_exact() || matches!(bytes.get(end), Some(b'e' | b'E')) {
        return None;
    }
    let magnitude = i64::try_from(parts.mantissa).ok()?;
    let floor = if parts.negative {
        -magnitude - i64::from(has_fraction)
    } else {
        magnitude
    };
    Some((floor, has_fraction, end))
}

#[inline]
fn digit(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit < 10).then_some(digit)
}

/// Reads a number into a floating-point type.
///
/// If both the mantissa and the power of ten are exact in the type, one multiplication or division
/// rounds once and so returns the nearest number (Clinger, "How to read floating point numbers
/// accurately"). That covers nearly every number that people write. Rust's own parser handles the
/// rest, exactly but more slowly.
macro_rules! nearest {
    ($name:ident, $decimal:ident, $any:ident, $float:ident, $powers:expr) => {
        /// Returns the number at `at` and the offset after it, or `None` if there is no number or
        /// the nearest one is infinite.
        #[inline]
        pub(in crate::json) fn $name(text: &str, at: usize) -> Option<($float, usize)> {
            let parts = Parts::before_point(text.as_bytes(), at);
            if parts.is_exact()
                && !matches!(text.as_bytes().get(parts.end), Some(b'.' | b'e' | b'E'))
                && let Ok(magnitude) = i64::try_from(parts.mantissa)
            {
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "rounds to the nearest, as documented"
                )]
                let magnitude = magnitude as $float;
                let value = if parts.negative {
                    -magnitude
                } else {
                    magnitude
                };
                return Some((value, parts.end));
            }
            $decimal(text, at)
        }

        /// Reads the number again from its start. Passing on the parts that were just written to
        /// memory would take longer than reading a few digits again.
        fn $decimal(text: &str, at: usize) -> Option<($float, usize)> {
            const POWERS: [$float; $powers] = powers_of_ten!($float, $powers);
            const EXACT: u64 = 1 << $float::MANTISSA_DIGITS;
            let parts = Parts::before_point(text.as_bytes(), at);
            if let Some(parts) = parts.complete(text.as_bytes())
                && parts.is_exact()
                && parts.mantissa <= EXACT
                && let Some(power) = POWERS.get(parts.exponent.unsigned_abs() as usize)
            {
                #[expect(clippy::cast_precision_loss, reason = "at most as large as is exact")]
                let mantissa = parts.mantissa as $float;
                let magnitude = if parts.exponent < 0 {
                    mantissa / power
                } else {
                    mantissa * power
                };
                let value = if parts.negative {
                    -magnitude
                } else {
                    magnitude
                };
                return Some((value, parts.end));
            }
            $any(text, at)
        }

        #[cold]
        fn $any(text: &str, at: usize) -> Option<($float, usize)> {
            let rest = text.get(at..)?;
            let length = rest
                .bytes()
                .take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
                .count();
            let value: $float = rest.get(..length)?.parse().ok()?;
            value.is_finite().then_some((value, at + length))
        }
    };
}

macro_rules! powers_of_ten {
    ($float:ident, $count:expr) => {{
        let mut powers = [1.0; $count];
        let mut at = 1;
        while at < $count {
            powers[at] = powers[at - 1] * 10.0;
            at += 1;
        }
        powers
    }};
}

nearest!(double, decimal_double, any_double, f64, 23);
nearest!(single, decimal_single, any_single, f32, 11);

/// Returns whether a number that was rounded to this value is within the published bounds of `f32`.
/// Numbers slightly beyond the bounds round to the greatest value, too.
#[inline]
pub(in crate::json) fn fits_single(value: f32, text: &str) -> bool {
    value.abs() < f32::MAX || is_within_single(text)
}

#[cold]
fn is_within_single(text: &str) -> bool {
    let magnitude = text.strip_prefix('-').unwrap_or(text);
    Decimal::new(magnitude) <= Decimal::new("3.4028235e38")
}
