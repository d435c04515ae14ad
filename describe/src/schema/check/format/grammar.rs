//! Formats that a pattern can express. Some patterns are published too, so that readers of a pattern
//! and callers are told the same.

use std::sync::LazyLock;

use crate::pattern::Pattern;
use crate::schema::format::PATTERNS;

/// The name of the pattern of the part of an e-mail address before the `@`.
pub(super) const LOCAL_PART: &str = "local-part";

/// The name of the pattern of a URI after its scheme, or of a relative reference.
pub(super) const HIERARCHY: &str = "hierarchy";

/// Returns further patterns: JSON Pointers (RFC 6901, section 3), relative ones
/// (draft-handrews-relative-json-pointer-01), the part of an e-mail address before the `@`, plain
/// or between quotation marks (RFC 5321, section 4.1.2), and an authority or a path with a query and a
/// fragment (RFC 3986, appendix A).
fn further() -> [(&'static str, String); 4] {
    let pointer = "(?:/(?:[^/~]|~[01])*)*";
    let atom = "[-!#-'*+/-9=?A-Z^-~]+";
    let quoted = r#""(?:[ !#-\[\]-~]|\\[ -~])*""#;
    // Characters that are allowed everywhere: unreserved ones, subdelimiters, and encoded ones.
    let plain = "[-0-9A-Za-z._~!$&'()*+,;=]";
    let char = format!("{plain}|%[0-9A-Fa-f]{{2}}");
    let literal = format!(r"\[(?:[vV][0-9A-Fa-f]+\.(?:{plain}|:)+|[0-9A-Fa-f:.]+)\]");
    let authority = format!("(?:(?:{char}|:)*@)?(?:(?:{char})*|{literal})(?::[0-9]*)?");
    let path = format!("(?:{char}|[/:@])*");
    let rest = format!("(?:{char}|[/?:@])*");
    // Two slashes begin an authority.
    let own_path = format!("/?(?:(?:{char}|[:@]){path})?");
    let hierarchy = format!("(?://{authority}(?:/{path})?|{own_path})(?:\\?{rest})?(?:#{rest})?");
    [
        ("json-pointer", format!("^{pointer}$")),
        (
            "relative-json-pointer",
            format!("^(?:0|[1-9][0-9]*)(?:#|{pointer})$"),
        ),
        (LOCAL_PART, format!(r"^(?:{atom}(?:\.{atom})*|{quoted})$")),
        (HIERARCHY, format!("^{hierarchy}$")),
    ]
}

/// Returns whether a text matches the pattern of this name.
pub(super) fn follows(name: &str, text: &str) -> bool {
    static COMPILED: LazyLock<Vec<(&str, Pattern)>> = LazyLock::new(|| {
        PATTERNS
            .clone()
            .into_iter()
            .chain(further())
            .filter_map(|(name, text)| Some((name, Pattern::new(&text).ok()?)))
            .collect()
    });
    COMPILED
        .iter()
        .any(|(known, pattern)| *known == name && pattern.is_match(text))
}
