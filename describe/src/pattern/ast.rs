//! The parts of a pattern.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// What a pattern is made of. Groups are gone: nothing asks what they captured.
#[derive(Debug, Clone)]
pub(super) enum Ast {
    /// The empty text.
    Empty,
    /// One character of a set.
    Class(ClassUnicode),
    /// The beginning of the text (`^`).
    Start,
    /// The end of the text (`$`).
    End,
    /// A place between a word's character and another (`\b`), or any other place (`\B`).
    Boundary { negated: bool },
    /// One after the other.
    Concat(Vec<Ast>),
    /// One of them.
    Alternate(Vec<Ast>),
    /// Several times; without an end where there is no `most`.
    Repeat {
        inner: Box<Ast>,
        least: u32,
        most: Option<u32>,
    },
}

impl Ast {
    /// Calls `visit` with every set of characters.
    pub(super) fn each_class<'a>(&'a self, visit: &mut dyn FnMut(&'a ClassUnicode)) {
        match self {
            Self::Class(class) => visit(class),
            Self::Concat(parts) | Self::Alternate(parts) => {
                for part in parts {
                    part.each_class(visit);
                }
            }
            Self::Repeat { inner, .. } => inner.each_class(visit),
            Self::Empty | Self::Start | Self::End | Self::Boundary { .. } => {}
        }
    }

    /// Whether the pattern asks where words begin and end.
    pub(super) fn has_boundary(&self) -> bool {
        match self {
            Self::Boundary { .. } => true,
            Self::Concat(parts) | Self::Alternate(parts) => parts.iter().any(Self::has_boundary),
            Self::Repeat { inner, .. } => inner.has_boundary(),
            Self::Empty | Self::Class(_) | Self::Start | Self::End => false,
        }
    }

    /// The most characters that a text can have that matches, where the pattern itself bounds it.
    pub(super) fn longest(&self) -> Option<u64> {
        match self {
            Self::Empty | Self::Start | Self::End | Self::Boundary { .. } => Some(0),
            Self::Class(_) => Some(1),
            Self::Concat(parts) => parts
                .iter()
                .try_fold(0u64, |sum, part| Some(sum.saturating_add(part.longest()?))),
            Self::Alternate(parts) => parts
                .iter()
                .try_fold(0, |most, part| Some(part.longest()?.max(most))),
            Self::Repeat { inner, most, .. } => match (inner.longest()?, most) {
                (0, _) => Some(0),
                (_, None) => None,
                (length, Some(most)) => Some(length.saturating_mul(u64::from(*most))),
            },
        }
    }

    /// Whether every match begins where the text begins, or ends where it ends.
    pub(super) fn is_anchored(&self, end: Edge) -> bool {
        match (self, end) {
            (Self::Start, Edge::Start) | (Self::End, Edge::End) => true,
            (Self::Concat(parts), Edge::Start) => {
                parts.first().is_some_and(|part| part.is_anchored(end))
            }
            (Self::Concat(parts), Edge::End) => {
                parts.last().is_some_and(|part| part.is_anchored(end))
            }
            (Self::Alternate(parts), _) => parts.iter().all(|part| part.is_anchored(end)),
            _ => false,
        }
    }
}

/// An edge of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    End,
}

/// A set of characters from ranges of code points. Texts have no halves of surrogate pairs, so
/// those are left out.
pub(super) fn class(ranges: &[(u32, u32)]) -> ClassUnicode {
    const BEFORE_SURROGATES: u32 = 0xd7ff;
    const AFTER_SURROGATES: u32 = 0xe000;
    let ends = ranges.iter().filter_map(|&(first, last)| {
        let is_character = |code: u32| char::from_u32(code).is_some();
        let first = if is_character(first) {
            first
        } else {
            AFTER_SURROGATES
        };
        let last = if is_character(last) {
            last
        } else {
            BEFORE_SURROGATES
        };
        (first <= last).then_some((char::from_u32(first)?, char::from_u32(last)?))
    });
    ClassUnicode::new(ends.map(|(first, last)| ClassUnicodeRange::new(first, last)))
}

/// What `\d` stands for (ECMA-262 section 22.2.2.9, CharacterClassEscape).
pub(super) const DIGITS: [(u32, u32); 1] = [(0x30, 0x39)];

/// What `\w` stands for.
pub(super) const WORD: [(u32, u32); 4] = [(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];

/// What `.` does not stand for: `LineTerminator`.
pub(super) const LINE_ENDS: [(u32, u32); 3] = [(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];

/// What `\s` stands for: `WhiteSpace` and `LineTerminator`.
pub(super) const SPACES: [(u32, u32); 10] = [
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];
