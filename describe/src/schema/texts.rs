//! Makes texts that match a pattern.
//!
//! A text is written by walking the expression and picking one branch at each choice. There is no
//! backtracking, and assertions such as `\b` are ignored, so a text may fail to match: callers have
//! to check it.

use std::ops::RangeInclusive;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

/// The maximum length of a text that is written for a pattern, in bytes: repetitions of repetitions
/// multiply.
const MAX_TEXT_BYTES: usize = 10_000;

/// The maximum number of texts for one pattern.
const MAX_TEXTS: usize = 10;

/// The maximum number of times that a part is repeated.
const MAX_REPETITIONS: u32 = 1000;

/// The numbers of repetitions beyond the least that are tried.
const EXTRA_REPETITIONS: [u32; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 15, 31, 63, 127, 255];

/// Returns a short text that a pattern matches.
///
/// ```
/// use docent_describe::schema::text_matching;
///
/// assert_eq!(text_matching("^[a-f0-9]{4}$").as_deref(), Some("aaaa"));
/// assert_eq!(text_matching("("), None);
/// ```
pub fn text_matching(pattern: &str) -> Option<String> {
    matching_of_length(pattern, 0..=MAX_TEXT_BYTES)
        .into_iter()
        .next()
}

/// Returns texts of some length that a pattern matches, the shortest first. Its repetitions are
/// extended until the text is long enough.
pub(super) fn matching_of_length(pattern: &str, lengths: RangeInclusive<usize>) -> Vec<String> {
    let Ok(hir) = crate::pattern::hir(pattern) else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    for extra_repetitions in EXTRA_REPETITIONS {
        for choices in [FIRST_CHOICES, LAST_CHOICES] {
            let style = Style {
                extra_repetitions,
                ..choices
            };
            let mut text = String::new();
            if write(&hir, style, &mut text).is_some()
                && lengths.contains(&text.chars().count())
                && !texts.contains(&text)
            {
                texts.push(text);
            }
        }
        if texts.len() >= MAX_TEXTS {
            break;
        }
    }
    texts
}

/// The choices that are made to write a text that an expression matches.
#[derive(Clone, Copy)]
struct Style {
    /// The letters to take if a class has them.
    usual: [char; 5],
    /// The number of repetitions beyond the least.
    extra_repetitions: u32,
    /// True if the last of several alternatives is taken, and not the first.
    takes_last: bool,
}

/// Takes the first of several alternatives, and common letters.
const FIRST_CHOICES: Style = Style {
    usual: ['a', '0', 'A', ' ', 'x'],
    extra_repetitions: 0,
    takes_last: false,
};

/// Takes the last of several alternatives, and less common letters.
const LAST_CHOICES: Style = Style {
    usual: ['b', '1', 'B', '-', 'z'],
    extra_repetitions: 0,
    takes_last: true,
};

/// Appends a text that an expression matches: as short as it can be, or a little longer.
fn write(hir: &Hir, style: Style, text: &mut String) -> Option<()> {
    if text.len() > MAX_TEXT_BYTES {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(()),
        HirKind::Literal(literal) => {
            text.push_str(std::str::from_utf8(&literal.0).ok()?);
            Some(())
        }
        HirKind::Class(Class::Unicode(class)) => {
            text.push(letter(class, style)?);
            Some(())
        }
        HirKind::Class(Class::Bytes(_)) => None,
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX).min(MAX_REPETITIONS);
            let wanted = repetition.min.saturating_add(style.extra_repetitions);
            for _ in 0..wanted.min(most) {
                write(&repetition.sub, style, text)?;
            }
            Some(())
        }
        HirKind::Capture(capture) => write(&capture.sub, style, text),
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, style, text)),
        HirKind::Alternation(parts) if style.takes_last => write(parts.last()?, style, text),
        HirKind::Alternation(parts) => write(parts.first()?, style, text),
    }
}

/// Returns a letter of a class: a usual one if it has any, or else the first.
fn letter(class: &ClassUnicode, style: Style) -> Option<char> {
    for letter in style.usual {
        if class
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&letter))
        {
            return Some(letter);
        }
    }
    class.iter().next().map(ClassUnicodeRange::start)
}
