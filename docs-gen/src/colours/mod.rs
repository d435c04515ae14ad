//! The colours of a site: their syntax, and the contrast of text in them.
//!
//! The author's replacements come in by name (`SiteBuilder::colour`), and [`rules`] returns lines of CSS for the style
//! sheet, or problems:
//!
//! ```text
//! accent = "#0b6b47"   →  --accent: light-dark(#0b6b47, …);  (with a lighter one for the dark scheme)
//! accent = "#eeeeee"   →  colour accent: cannot be read on `paper` in the light scheme: …
//! ```
//!
//! The style sheet declares each colour at its top, as `--name: light-dark(#rrggbb, #rrggbb)`. A replacement is a rule
//! after it, so a colour that is not replaced needs none. `TEXT_BACKGROUNDS` lists the backgrounds on which a colour of
//! text has to be readable.
//!
//! A value is parsed completely (`parse`) and never only filtered, as text for a style sheet might be: a value that
//! cannot be parsed cannot be compared with its background either.

mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::problem::Problem;
pub(crate) use parse::Colour;

/// The minimum contrast of text with its background (WCAG 2.2, success criterion 1.4.3).
const MIN_CONTRAST: f64 = 4.5;

/// The colours of text, and the backgrounds on which each of them is written.
pub(crate) const TEXT_BACKGROUNDS: [(&str, &[&str]); 10] = [
    ("ink", &["paper", "panel"]),
    ("soft", &["paper", "panel"]),
    ("accent", &["paper"]),
    ("get", &["paper", "get-tint"]),
    ("warn", &["paper", "warn-tint"]),
    ("must", &["paper"]),
    ("code-name", &["panel"]),
    ("code-string", &["panel"]),
    ("code-value", &["panel"]),
    ("code-word", &["panel"]),
];

/// A colour in both schemes.
#[derive(Clone, Copy, PartialEq)]
struct SchemeColours {
    /// The colour in the light scheme.
    light: Colour,
    /// The colour in the dark scheme.
    dark: Colour,
}

/// Returns the rules that replace colours of the style sheet.
pub(crate) fn rules(
    style: &str,
    replacements: &BTreeMap<String, String>,
    problems: &mut Vec<Problem>,
) -> String {
    let mut palette = palette(style);
    let mut replaced = BTreeSet::new();
    for (name, value) in replacements {
        let reason = match (palette.get_mut(name.as_str()), schemes(value)) {
            (Some(colour), Some(schemes)) => {
                *colour = schemes;
                replaced.insert(name.as_str());
                continue;
            }
            (None, _) => "unknown colour; the top of `style.css` lists the names".to_owned(),
            (_, None) => format!(
                "{value:?} is not a colour; write `#rrggbb` or `light-dark(#rrggbb, #rrggbb)`"
            ),
        };
        problems.push(Problem::new(format!("colour {name}"), reason));
    }
    let mut rules = String::new();
    for name in &replaced {
        let SchemeColours { light, mut dark } = palette[name];
        let is_single = !replacements[*name].contains(',');
        if is_single
            && let Some((_, backgrounds)) = TEXT_BACKGROUNDS.iter().find(|(text, _)| text == name)
        {
            // A single colour is meant for the light scheme. It is lightened for the dark one.
            let backgrounds: Vec<Colour> =
                backgrounds.iter().map(|name| palette[name].dark).collect();
            dark = lightened(dark, &backgrounds);
            palette.insert(name, SchemeColours { light, dark });
        }
        // Writing to a `String` cannot fail.
        let _ = writeln!(rules, "  --{name}: light-dark({light}, {dark});");
    }
    for (name, backgrounds) in TEXT_BACKGROUNDS {
        for background in backgrounds {
            // All other pairs are those of the style sheet, whose contrast the tests below check.
            if replaced.contains(name) || replaced.contains(background) {
                compare(name, background, &palette, problems);
            }
        }
    }
    rules
}

/// Reports a colour of text that cannot be read on a background. Both schemes are compared, because readers choose
/// between them.
fn compare(
    name: &str,
    background: &str,
    palette: &BTreeMap<&str, SchemeColours>,
    problems: &mut Vec<Problem>,
) {
    let text = palette[name];
    let under = palette[background];
    for (scheme, text, under) in [
        ("light", text.light, under.light),
        ("dark", text.dark, under.dark),
    ] {
        let contrast = text.contrast(under);
        if contrast < MIN_CONTRAST {
            problems.push(Problem::new(
                format!("colour {name}"),
                format!(
                    "cannot be read on `{background}` in the {scheme} scheme: {text} on {under} has \
                     a contrast of {contrast:.1}, and text needs {MIN_CONTRAST}; give one colour for each \
                     scheme with light-dark(…, …)"
                ),
            ));
        }
    }
}

/// Returns the colour, lightened just enough to be readable on these backgrounds, or unchanged if even white is not.
fn lightened(colour: Colour, backgrounds: &[Colour]) -> Colour {
    for percent in (0..=100).step_by(5) {
        let lighter = colour.towards_white(percent);
        if backgrounds
            .iter()
            .all(|background| lighter.contrast(*background) >= MIN_CONTRAST)
        {
            return lighter;
        }
    }
    colour
}

/// Returns the colours at the top of the style sheet.
fn palette(style: &str) -> BTreeMap<&str, SchemeColours> {
    style
        .lines()
        .filter_map(|line| {
            let (name, value) = line.strip_prefix("  --")?.split_once(": ")?;
            Some((name, schemes(value.strip_suffix(';')?)?))
        })
        .collect()
}

/// Reads a colour, or `light-dark(a, b)`.
fn schemes(value: &str) -> Option<SchemeColours> {
    let value = value.trim();
    if let Some(arguments) = value.strip_prefix("light-dark(")
        && let Some(arguments) = arguments.strip_suffix(')')
    {
        let (light, dark) = arguments.split_once(',')?;
        return Some(SchemeColours {
            light: Colour::parse(light.trim())?,
            dark: Colour::parse(dark.trim())?,
        });
    }
    let colour = Colour::parse(value)?;
    Some(SchemeColours {
        light: colour,
        dark: colour,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::STYLE_SHEET;

    fn rules_of(name: &str, value: &str) -> Result<String, String> {
        let mut problems = Vec::new();
        let replacements = BTreeMap::from([(name.to_owned(), value.to_owned())]);
        let rules = rules(STYLE_SHEET, &replacements, &mut problems);
        match problems.first() {
            None => Ok(rules),
            Some(problem) => Err(problem.to_string()),
        }
    }

    #[test]
    fn the_style_sheet_itself_can_be_read_in_both_schemes() {
        let palette = palette(STYLE_SHEET);
        for (name, on) in TEXT_BACKGROUNDS {
            for background in on {
                let mut problems = Vec::new();
                compare(name, background, &palette, &mut problems);
                assert_eq!(problems, [], "{name} on {background}");
            }
        }
    }

    #[test]
    fn one_colour_is_lightened_for_the_dark_scheme() {
        let rule = rules_of("accent", "#0b6b47").expect("it can be read on white");
        let dark = rule
            .strip_prefix("  --accent: light-dark(#0b6b47, ")
            .and_then(|rest| rest.strip_suffix(");\n"))
            .and_then(Colour::parse)
            .expect("a colour for the dark scheme");
        assert!(dark.contrast(palette(STYLE_SHEET)["paper"].dark) >= MIN_CONTRAST);
    }

    #[test]
    fn what_cannot_be_read_is_a_problem() {
        for (name, value, scheme) in [
            ("accent", "#eee", "light"),
            ("ink", "light-dark(#000, #000)", "dark"),
            ("accent", "light-dark(#fff, #fff)", "light"),
            ("paper", "#000", "light"),
        ] {
            let problem = rules_of(name, value).expect_err("too little contrast");
            assert!(
                problem.contains(&format!("in the {scheme} scheme")),
                "{name} {value}: {problem}"
            );
        }
        assert!(rules_of("paper", "light-dark(#fffef8, #101010)").is_ok());
    }

    #[test]
    fn what_is_not_exactly_a_colour_is_a_problem() {
        for value in [
            "",
            "red",
            "rgb(0 0 0)",
            "red;",
            "red; } body { display: none",
            "light-dark(red, blue",
            "light-dark(red)",
            "light-dark(red, blue, green)",
            "url(https://evil.example/x)",
            "image(red)",
            "var(--ink)",
            "red/**/",
            "#12",
            "#12345g",
            "rgb(1, 2)",
            "rgb(1, 2, 3, 4, 5)",
            "rgb(0 0 0 / 0.5)",
            "#00000080",
            "transparent",
            "hsl(NaN 1% 1%)",
            "rgb(inf 0 0)",
            "expression(alert(1))",
            "\\72 ed",
        ] {
            let problem = rules_of("accent", value).expect_err("not a colour");
            assert!(
                problem.contains("is not a colour; write `#rrggbb`"),
                "{value}: {problem}"
            );
        }
    }
}
