//! Colours in CSS's hexadecimal notation.
//!
//! Other notations are not read, because a colour is more than text here: its contrast is computed, and some colours
//! are mixed with white.

use std::fmt;

/// An opaque colour: red, green and blue.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Colour([u8; 3]);

impl Colour {
    /// Reads `#rgb` or `#rrggbb`.
    pub(crate) fn parse(value: &str) -> Option<Self> {
        let digits = value.strip_prefix('#')?;
        // `from_str_radix` would accept a sign.
        if !digits.starts_with(|digit: char| digit.is_ascii_hexdigit()) {
            return None;
        }
        let six_digits: String = match digits.len() {
            3 => digits.chars().flat_map(|digit| [digit; 2]).collect(),
            6 => digits.to_owned(),
            _ => return None,
        };
        let number = u32::from_str_radix(&six_digits, 16).ok()?;
        let [_, parts @ ..] = number.to_be_bytes();
        Some(Self(parts))
    }

    /// Computes the contrast of two colours as WCAG 2.2 defines it, from 1 to 21.
    pub(crate) fn contrast(self, other: Self) -> f64 {
        let own = self.luminance();
        let other = other.luminance();
        (own.max(other) + 0.05) / (own.min(other) + 0.05)
    }

    /// Mixes the colour with this percentage of white.
    pub(crate) fn towards_white(self, percent: u8) -> Self {
        let percent = u16::from(percent.min(100));
        Self(self.0.map(|part| {
            let added = u16::from(u8::MAX - part) * percent / 100;
            part.saturating_add(u8::try_from(added).unwrap_or(u8::MAX))
        }))
    }

    /// Computes the relative luminance as WCAG 2.2 defines it, from 0 for black to 1 for white.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|part| {
            let encoded = f64::from(part) / 255.0;
            if encoded <= 0.040_45 {
                encoded / 12.92
            } else {
                ((encoded + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hexadecimal_colour_is_read_in_any_case() {
        for (written, read) in [
            ("#FA8", "#ffaa88"),
            ("#ffaa88", "#ffaa88"),
            ("#FFAA88", "#ffaa88"),
        ] {
            let colour = Colour::parse(written).map(|colour| colour.to_string());
            assert_eq!(colour.as_deref(), Some(read), "{written}");
        }
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        for (text, background, contrast) in [
            ("#000", "#fff", "21.0"),
            ("#fff", "#fff", "1.0"),
            ("#777", "#fff", "4.5"),
            ("#0000ff", "#ffffff", "8.6"),
        ] {
            let text_colour = Colour::parse(text).expect("a colour");
            let found = text_colour.contrast(Colour::parse(background).expect("a colour"));
            assert_eq!(format!("{found:.1}"), contrast, "{text} on {background}");
        }
    }
}
