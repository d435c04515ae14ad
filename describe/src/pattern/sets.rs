//! Sets of characters.
//!
//! These are the sets of ECMA-262, which differ from those that Rust has under the same escapes.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// Builds a set from ranges of code points. Halves of surrogate pairs are left out, because texts
/// have none.
pub(super) fn set(ranges: &[(u32, u32)]) -> ClassUnicode {
    let mut of_characters = Vec::with_capacity(ranges.len());
    for &(first, last) in ranges {
        let first = char::from_u32(first).unwrap_or('\u{e000}');
        let last = char::from_u32(last).unwrap_or('\u{d7ff}');
        if first <= last {
            of_characters.push(ClassUnicodeRange::new(first, last));
        }
    }
    ClassUnicode::new(of_characters)
}

/// Builds the set of all characters outside of these ranges.
pub(super) fn all_but(ranges: &[(u32, u32)]) -> ClassUnicode {
    let mut set = set(ranges);
    set.negate();
    set
}

/// The characters that `\d` stands for (ECMA-262 section 22.2.2.9, CharacterClassEscape).
pub(super) const DIGIT_RANGES: [(u32, u32); 1] = [(0x30, 0x39)];

/// The characters that `\w` stands for.
pub(super) const WORD_RANGES: [(u32, u32); 4] =
    [(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];

/// The characters that `.` does not stand for: `LineTerminator`.
pub(super) const LINE_END_RANGES: [(u32, u32); 3] = [(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];

/// The characters that `\s` stands for: `WhiteSpace` and `LineTerminator`.
pub(super) const SPACE_RANGES: [(u32, u32); 10] = [
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
