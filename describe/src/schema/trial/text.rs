//! Samples of strings.

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::json::{Decimal, Json, Object};
use crate::schema::form::Form;

/// Strings as callers send them, and some that they should not.
const USUAL: [&str; 8] = ["a", "", "ä😀", "A b", "0", "true", "\u{7}\n", "null"];
/// Longer than what most types make up their minds about.
const LONG: usize = 300;

/// A value of each kind.
pub(super) fn anything() -> Vec<Json> {
    let mut members = Object::new();
    members.insert("a".to_owned(), Json::Null);
    vec![
        Json::Null,
        Json::Bool(true),
        Json::from(1),
        Json::Number("0.5".into()),
        Json::from("a"),
        Json::Array(vec![Json::from(1)]),
        Json::Object(members),
    ]
}

/// Strings that a form allows, as far as that is to be seen.
pub(super) fn strings(form: &Form<'_>) -> Vec<String> {
    let count = |keyword| match form.word(keyword) {
        Some(Json::Number(text)) => usize::try_from(Decimal::new(text).to_i128()?).ok(),
        _ => None,
    };
    let least = count("minLength").unwrap_or(0);
    let most = count("maxLength").unwrap_or(usize::MAX);
    let mut texts = match (form.word("format"), form.word("pattern")) {
        (Some(Json::String(format)), _) if is_of_strings(format) => {
            let mut texts = of_format(format);
            texts.extend(unusual(format).iter().map(|text| (*text).to_owned()));
            texts
        }
        (_, Some(Json::String(pattern))) => matching(pattern),
        _ => {
            let mut texts: Vec<String> = USUAL.map(str::to_owned).into();
            texts.push("x".repeat(LONG));
            for text in &mut texts {
                let missing = least.min(10_000).saturating_sub(text.chars().count());
                text.push_str(&"b".repeat(missing));
                *text = text.chars().take(most).collect();
            }
            texts
        }
    };
    texts.retain(|text| (least..=most).contains(&text.chars().count()));
    let mut distinct = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}

/// Some formats that generators write are about numbers, and stay where a type is either.
fn is_of_strings(format: &str) -> bool {
    !matches!(format, "float" | "double") && !format.trim_start_matches('u').starts_with("int")
}

/// Strings of a format. `None` for a custom format.
pub(in crate::schema) fn of_format(format: &str) -> Vec<String> {
    let texts: &[&str] = match format {
        "date-time" => &["2024-02-29T12:34:56Z", "1999-12-31T23:59:59.5+01:00"],
        "date" => &["2024-02-29"],
        "time" => &["12:34:56Z"],
        "duration" => &["P3DT4H"],
        "email" => &["somebody@example.com"],
        "hostname" => &["example.com"],
        "ipv4" => &["192.0.2.1"],
        "ipv6" => &["2001:db8::1"],
        "ip" => &["192.0.2.1", "2001:db8::1"],
        "uri" => &["https://example.com/a?b=c#d"],
        "uri-reference" => &["../a"],
        "uuid" => &["41544946-415a-495a-9645-454441534646"],
        "json-pointer" => &["/a/0"],
        "regex" => &["^a+$"],
        _ => &[],
    };
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// Strings of a format that many a type refuses that says it takes the format.
fn unusual(format: &str) -> &'static [&'static str] {
    match format {
        // RFC 3986 has hosts that are empty and ports of any size.
        "uri" => &["http:", "http://[::1]:99999/"],
        _ => &[],
    }
}

/// Strings that a pattern matches.
pub(in crate::schema) fn matching(pattern: &str) -> Vec<String> {
    let Ok(hir) = crate::pattern::hir(pattern) else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    for style in [Style::LEAST, Style::MORE] {
        let mut text = String::new();
        if write(&hir, style, &mut text).is_some() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Strings of some length that a pattern matches, the shortest first: what it repeats is repeated
/// until the string is long enough.
#[cfg(feature = "validate")]
pub(in crate::schema) fn matching_of_length(
    pattern: &str,
    lengths: std::ops::RangeInclusive<usize>,
) -> Vec<String> {
    const MORE: [u32; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 15, 31, 63, 127, 255];
    const MOST: usize = 10;
    let Ok(hir) = crate::pattern::hir(pattern) else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    for more in MORE {
        for style in [Style::LEAST, Style::MORE] {
            let mut text = String::new();
            let style = Style { more, ..style };
            if write(&hir, style, &mut text).is_some()
                && lengths.contains(&text.chars().count())
                && !texts.contains(&text)
            {
                texts.push(text);
            }
        }
        if texts.len() >= MOST {
            break;
        }
    }
    texts
}

impl<'j> Form<'j> {
    /// A name and a schema for each sort of members that have no names of their own.
    pub(super) fn open_members(&self) -> Vec<(String, &'j Json)> {
        let mut members = Vec::new();
        for words in self.words() {
            for keyword in ["additionalProperties", "unevaluatedProperties"] {
                if let Some(schema @ Json::Object(_)) = words.get(keyword) {
                    members.push((Self::key(words), schema));
                }
            }
            let patterns = words.get("patternProperties").and_then(Json::as_object);
            for (pattern, schema) in patterns.into_iter().flatten() {
                if let Some(name) = matching(pattern).into_iter().next() {
                    members.push((name, schema));
                }
            }
        }
        members
    }

    fn key(words: &'j Object) -> String {
        let names = words.get("propertyNames");
        let Some(names) = names else {
            return "some key".to_owned();
        };
        let form = Form {
            schemas: vec![names],
            ..Form::default()
        };
        match form.listed() {
            Some(listed) => listed
                .first()
                .and_then(|name| name.as_str())
                .unwrap_or("a")
                .to_owned(),
            None => strings(&form).into_iter().next().unwrap_or_default(),
        }
    }
}

/// The longest text that is written for a pattern, in bytes: repetitions of repetitions multiply.
const LONGEST: usize = 10_000;

/// How to write what an expression matches.
#[derive(Clone, Copy)]
struct Style {
    /// The letters to take where a class has them.
    usual: [char; 5],
    /// How often to repeat what may be repeated, beyond the least.
    more: u32,
    /// Whether to take the last of several alternatives.
    last: bool,
}

impl Style {
    const LEAST: Self = Self {
        usual: ['a', '0', 'A', ' ', 'x'],
        more: 0,
        last: false,
    };
    const MORE: Self = Self {
        usual: ['b', '1', 'B', '-', 'z'],
        more: 1,
        last: true,
    };
}

/// Appends what an expression matches: as little as it can, or a little more.
fn write(hir: &Hir, style: Style, text: &mut String) -> Option<()> {
    if text.len() > LONGEST {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(()),
        HirKind::Literal(literal) => {
            text.push_str(std::str::from_utf8(&literal.0).ok()?);
            Some(())
        }
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = || class.iter().map(|range| (range.start(), range.end()));
            let holds = |letter: &char| ranges().any(|(start, end)| (start..=end).contains(letter));
            let letter = style.usual.iter().copied().find(holds);
            text.push(letter.or_else(|| ranges().next().map(|(start, _)| start))?);
            Some(())
        }
        HirKind::Class(Class::Bytes(_)) => None,
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            let wanted = repetition.min.saturating_add(style.more).min(most);
            (0..wanted.min(1000)).try_for_each(|_| write(&repetition.sub, style, text))
        }
        HirKind::Capture(capture) => write(&capture.sub, style, text),
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, style, text)),
        HirKind::Alternation(parts) => write(
            if style.last {
                parts.last()?
            } else {
                parts.first()?
            },
            style,
            text,
        ),
    }
}
