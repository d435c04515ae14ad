//! Reads colours as CSS writes them.

use std::fmt;

use super::names::NAMES;

/// An opaque colour: red, green and blue from 0 to 1, as sRGB encodes them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Colour([f64; 3]);

impl Colour {
    /// Reads a name, a hexadecimal colour, or `rgb()`, `hsl()`, `hwb()` or `oklch()`. What can be seen
    /// through has no contrast of its own, so it is no colour here.
    pub(crate) fn parse(value: &str) -> Option<Self> {
        let value = value.to_ascii_lowercase();
        if let Some(digits) = value.strip_prefix('#') {
            return hexadecimal(digits);
        }
        let Some((function, arguments)) = value.split_once('(') else {
            let (_, colour) = NAMES.iter().find(|(name, _)| *name == value)?;
            return hexadecimal(colour);
        };
        let arguments = arguments.strip_suffix(')')?.replace('/', " / ");
        let arguments: Vec<&str> = arguments
            .split([',', ' '])
            .filter(|argument| !argument.is_empty())
            .collect();
        let (three, alpha) = arguments.split_at_checked(3)?;
        match alpha {
            [] | ["/", "1" | "100%"] | ["1" | "100%"] => {}
            _ => return None,
        }
        let &[a, b, c] = three else { return None };
        Some(match function {
            "rgb" | "rgba" => Self([channel(a)?, channel(b)?, channel(c)?]),
            "hsl" | "hsla" => hsl(angle(a)?, percentage(b)?, percentage(c)?),
            "hwb" => hwb(angle(a)?, percentage(b)?, percentage(c)?),
            "oklch" => oklch(
                fraction(a, 1.0)?.clamp(0.0, 1.0),
                fraction(b, 0.4)?.max(0.0),
                angle(c)?,
            ),
            _ => return None,
        })
    }

    /// Computes the contrast of two colours as WCAG 2.2 defines it, from 1 to 21.
    pub(crate) fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Mixes the colour with white; 1 is white.
    pub(crate) fn towards_white(self, part: f64) -> Self {
        if part <= 0.0 {
            return self;
        }
        // As it will be written, so that what is measured is what is shown.
        Self(
            self.0
                .map(|it| ((it + (1.0 - it) * part) * 255.0).round() / 255.0),
        )
    }

    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|encoded| {
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
        f.write_str("#")?;
        for part in self.0 {
            write!(f, "{:02x}", byte(part))?;
        }
        Ok(())
    }
}

/// A part of a colour as one of 256 steps.
fn byte(part: f64) -> u8 {
    let part = (part * 255.0).round().clamp(0.0, 255.0);
    (0..=u8::MAX)
        .find(|step| f64::from(*step) >= part)
        .unwrap_or(u8::MAX)
}

fn hexadecimal(digits: &str) -> Option<Colour> {
    let value = |digit: char| digit.to_digit(16).map(f64::from);
    let digits: Vec<f64> = digits.chars().map(value).collect::<Option<_>>()?;
    let opaque = |alpha: &[f64]| alpha.iter().all(|digit| *digit >= 15.0);
    match digits.as_slice() {
        [r, g, b, alpha @ ..] if alpha.len() <= 1 && opaque(alpha) => {
            Some(Colour([r / 15.0, g / 15.0, b / 15.0]))
        }
        [r, rr, g, gg, b, bb, alpha @ ..] if matches!(alpha.len(), 0 | 2) && opaque(alpha) => {
            let part = |high: &f64, low: &f64| (high * 16.0 + low) / 255.0;
            Some(Colour([part(r, rr), part(g, gg), part(b, bb)]))
        }
        _ => None,
    }
}

/// A number as CSS writes it: Rust reads more words than that as numbers.
fn number(text: &str) -> Option<f64> {
    let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+');
    let number: f64 = text.bytes().all(is_plain).then(|| text.parse().ok())??;
    number.is_finite().then_some(number)
}

/// `50%` as 0.5.
fn percentage(text: &str) -> Option<f64> {
    Some((number(text.strip_suffix('%')?)? / 100.0).clamp(0.0, 1.0))
}

/// A number, or the percentage of a whole.
fn fraction(text: &str, whole: f64) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percents) => Some(number(percents)? / 100.0 * whole),
        None => number(text),
    }
}

fn channel(text: &str) -> Option<f64> {
    Some((fraction(text, 255.0)? / 255.0).clamp(0.0, 1.0))
}

/// An angle in degrees, from 0 to 360.
fn angle(text: &str) -> Option<f64> {
    let (text, unit) = [("deg", 1.0), ("turn", 360.0)]
        .into_iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))
        .unwrap_or((text, 1.0));
    Some((number(text)? * unit).rem_euclid(360.0))
}

fn hsl(hue: f64, saturation: f64, lightness: f64) -> Colour {
    let reach = saturation * lightness.min(1.0 - lightness);
    Colour([0.0, 8.0, 4.0].map(|start| {
        let place = (start + hue / 30.0) % 12.0;
        lightness - reach * (place - 3.0).min(9.0 - place).clamp(-1.0, 1.0)
    }))
}

fn hwb(hue: f64, white: f64, black: f64) -> Colour {
    if white + black >= 1.0 {
        return Colour([white / (white + black); 3]);
    }
    let Colour(pure) = hsl(hue, 1.0, 0.5);
    Colour(pure.map(|part| part * (1.0 - white - black) + white))
}

/// From Oklab's polar form, as CSS Color 4 has it; what a screen cannot show is clipped.
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Colour {
    let (sin, cos) = hue.to_radians().sin_cos();
    let lab = [lightness, chroma * cos, chroma * sin];
    let cones = product(&FROM_OKLAB, lab).map(|root| root * root * root);
    Colour(product(&FROM_CONES, cones).map(|part| {
        let part = part.clamp(0.0, 1.0);
        if part <= 0.003_130_8 {
            part * 12.92
        } else {
            1.055 * part.powf(1.0 / 2.4) - 0.055
        }
    }))
}

const FROM_OKLAB: [[f64; 3]; 3] = [
    [1.0, 0.396_337_777_4, 0.215_803_757_3],
    [1.0, -0.105_561_345_8, -0.063_854_172_8],
    [1.0, -0.089_484_177_5, -1.291_485_548_0],
];

/// To linear sRGB.
const FROM_CONES: [[f64; 3]; 3] = [
    [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
    [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
    [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701_0],
];

fn product(matrix: &[[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| {
        row.iter()
            .zip(vector)
            .map(|(factor, part)| factor * part)
            .sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_colour_is_read() {
        for (written, read) in [
            ("#FA8", "#ffaa88"),
            ("#ffaa88", "#ffaa88"),
            ("#ffaa88FF", "#ffaa88"),
            ("RebeccaPurple", "#663399"),
            ("rgb(10, 20, 30)", "#0a141e"),
            ("rgb(10 20 30 / 1)", "#0a141e"),
            ("rgb(10 20 30/100%)", "#0a141e"),
            ("rgba(100%, 0%, 50%, 1)", "#ff0080"),
            ("hsl(120, 100%, 25%)", "#008000"),
            ("hsl(-120deg 100% 50%)", "#0000ff"),
            ("hsl(0.5turn 100% 50%)", "#00ffff"),
            ("hwb(0 20% 20%)", "#cc3333"),
            ("hwb(0 60% 60%)", "#808080"),
            ("oklch(62.8% 0.2577 29.23)", "#ff0000"),
            ("oklch(1 0 0)", "#ffffff"),
        ] {
            let colour = Colour::parse(written).map(|colour| colour.to_string());
            assert_eq!(colour.as_deref(), Some(read), "{written}");
        }
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        let colour = |text| Colour::parse(text).expect("a colour");
        for (text, behind, contrast) in [
            ("black", "white", "21.0"),
            ("white", "white", "1.0"),
            ("#777", "white", "4.5"),
            ("#0000ff", "#ffffff", "8.6"),
        ] {
            let found = colour(text).contrast(colour(behind));
            assert_eq!(format!("{found:.1}"), contrast, "{text} on {behind}");
        }
    }
}
