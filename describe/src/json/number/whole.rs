//! Integers, read from their decimal digits and not through a double.

use super::literal::{Literal, magnitude};

/// An integer of at most 128 bits, in any notation: `4.2e1` is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    negative: bool,
    magnitude: u128,
}

/// The reason why a number is not a [`Whole`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWhole {
    /// It is an integer that no Rust type can hold.
    TooLarge,
    /// It is not an integer.
    Fraction,
}

impl Whole {
    /// Parses a number in JSON's grammar. It allocates nothing, and takes time linear in the text,
    /// not in the number: `1e999999999` is as fast as any.
    ///
    /// # Errors
    /// [`NotWhole`] if the number is not an integer or does not fit.
    pub fn new(text: &str) -> Result<Self, NotWhole> {
        let number = Literal::new(text);
        let (whole, fraction) = (number.whole.len(), number.fraction.len());
        if number.digits().all(|digit| digit == b'0') {
            return Ok(Self::from_parts(false, 0));
        }
        // The number of digits before the decimal point once the exponent has moved it.
        let before = number.exponent.saturating_add_unsigned(whole as u64);
        let before = usize::try_from(before).unwrap_or(0);
        if number.digits().skip(before).any(|digit| digit != b'0') {
            return Err(NotWhole::Fraction);
        }
        // The number of zeros that the exponent adds after the last digit. The number is not zero,
        // so at most 38 zeros fit.
        let zeros = before.saturating_sub(whole + fraction).min(40);
        let digits = number.digits().take(before);
        let magnitude = magnitude(digits.chain(std::iter::repeat_n(b'0', zeros)));
        let magnitude = magnitude.ok_or(NotWhole::TooLarge)?;
        Ok(Self::from_parts(number.negative, magnitude))
    }

    pub(super) fn from_parts(negative: bool, magnitude: u128) -> Self {
        Self {
            // There is only one zero, and it is not negative.
            negative: negative && magnitude != 0,
            magnitude,
        }
    }

    /// Returns the number if it fits.
    pub fn to_u64(self) -> Option<u64> {
        self.to_u128()?.try_into().ok()
    }

    /// Returns the number if it is not negative.
    pub fn to_u128(self) -> Option<u128> {
        (!self.negative).then_some(self.magnitude)
    }

    /// Returns the number if it fits.
    pub fn to_i64(self) -> Option<i64> {
        self.to_i128()?.try_into().ok()
    }

    /// Returns the number if it fits.
    pub fn to_i128(self) -> Option<i128> {
        if self.negative {
            0i128.checked_sub_unsigned(self.magnitude)
        } else {
            self.magnitude.try_into().ok()
        }
    }
}
