//! Formats that a pattern can express. Some patterns are published too, so that readers of a pattern
//! and callers are told the same.

use std::sync::LazyLock;

use crate::pattern::Pattern;
use crate::schema::format::PATTERNS;

/// Further patterns: JSON Pointers (RFC 6901, section 3), relative ones
/// (draft-handrews-relative-json-pointer-01), and the part of an e-mail address before the `@`, plain
/// or between quotation marks (RFC 5321, section 4.1.2).
const FURTHER: [(&str, &str); 3] = [
    ("json-pointer", "^(?:/(?:[^/~]|~[01])*)*$"),
    (
        "relative-json-pointer",
        "^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^/~]|~[01])*)*)$",
    ),
    (
        LOCAL_PART,
        r#"^(?:[-!#-'*+/-9=?A-Z^-~]+(?:\.[-!#-'*+/-9=?A-Z^-~]+)*|"(?:[ !#-\[\]-~]|\\[ -~])*")$"#,
    ),
];

/// The name of the pattern of the part of an e-mail address before the `@`.
pub(super) const LOCAL_PART: &str = "local-part";

/// Returns whether a text matches the pattern of this name.
pub(super) fn follows(name: &str, text: &str) -> bool {
    static COMPILED: LazyLock<Vec<(&str, Pattern)>> = LazyLock::new(|| {
        let patterns = PATTERNS.into_iter().chain(FURTHER);
        let compiled = patterns.filter_map(|(name, text)| Some((name, Pattern::new(text).ok()?)));
        compiled.collect()
    });
    let mut patterns = COMPILED.iter();
    patterns.any(|(known, pattern)| *known == name && pattern.is_match(text))
}
