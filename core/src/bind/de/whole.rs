//! Whole numbers, decided on their decimal digits and not on a double.

/// A whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Whole {
    pub(super) negative: bool,
    pub(super) magnitude: u128,
}

impl Whole {
    pub(super) fn to_u64(self) -> Option<u64> {
        let unsigned = !self.negative || self.magnitude == 0;
        unsigned.then_some(self.magnitude)?.try_into().ok()
    }

    pub(super) fn to_u128(self) -> Option<u128> {
        let unsigned = !self.negative || self.magnitude == 0;
        unsigned.then_some(self.magnitude)
    }

    pub(super) fn to_i64(self) -> Option<i64> {
        self.to_i128()?.try_into().ok()
    }

    pub(super) fn to_i128(self) -> Option<i128> {
        if self.negative {
            0i128.checked_sub_unsigned(self.magnitude)
        } else {
            self.magnitude.try_into().ok()
        }
    }
}

/// What a number is to somebody who wants a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wholeness {
    /// A whole number of at most 128 bits.
    Whole(Whole),
    /// A whole number that no type of Rust takes.
    Huge,
    /// Not a whole number.
    Fraction,
}

/// Reads a number that follows JSON's grammar. The time it takes grows with the text and not with
/// the number: `1e999999999` is as good as any.
pub(super) fn wholeness(text: &str) -> Wholeness {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, saturating_exponent(exponent)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = || whole.bytes().chain(fraction.bytes());
    if digits().all(|digit| digit == b'0') {
        return Wholeness::Whole(Whole {
            negative,
            magnitude: 0,
        });
    }
    // How many of the digits stand before the decimal point once the exponent has moved it.
    let before = exponent.saturating_add_unsigned(whole.len() as u64);
    let before = usize::try_from(before).unwrap_or(0);
    if digits().skip(before).any(|digit| digit != b'0') {
        return Wholeness::Fraction;
    }
    // Zeros that the exponent asks for behind the last digit. As the number is not zero, the 39th
    // of them at the latest is one too many.
    let zeros = before.saturating_sub(whole.len() + fraction.len()).min(40);
    let magnitude = digits()
        .take(before)
        .chain(std::iter::repeat_n(b'0', zeros))
        .try_fold(0u128, |value, digit| {
            let digit = digit.wrapping_sub(b'0');
            value.checked_mul(10)?.checked_add(u128::from(digit))
        });
    match magnitude {
        Some(magnitude) => Wholeness::Whole(Whole {
            negative,
            magnitude,
        }),
        None => Wholeness::Huge,
    }
}

fn saturating_exponent(text: &str) -> i64 {
    text.strip_prefix('+').unwrap_or(text).parse().unwrap_or(
        // Far beyond any text's length, and far from the type's own limits.
        if text.starts_with('-') {
            i64::MIN / 2
        } else {
            i64::MAX / 2
        },
    )
}
