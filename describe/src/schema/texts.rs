//! Makes texts that match a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Returns a short text that a pattern matches.
pub fn text_matching(pattern: &str) -> Option<String> {
    matching_of_length(pattern, 0..=LONGEST).into_iter().next()
}

/// Returns texts of some length that a pattern matches, the shortest first: what it repeats is
/// repeated until the text is long enough.
pub(super) fn matching_of_length(
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
        HirKind::Alternation(parts) if style.last => write(parts.last()?, style, text),
        HirKind::Alternation(parts) => write(parts.first()?, style, text),
    }
}
