//! The order of versions.
//!
//! A service's version is any text. The order is for lists of versions and the comparison of two
//! descriptions, so it has to be total and plausible; it is not that of Semantic Versioning.

/// A part of a version, from the oldest kind to the newest.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum VersionPart<'v> {
    /// A word, which stands for a pre-release.
    Word(&'v str),
    /// The end of the version: `2.0` is newer than `2.0-rc`, and older than `2.0.1`.
    End,
    Number(u64),
}

/// Returns the key that sorts versions part by part, numbers by value. A version with a suffix, such
/// as `2.0-rc.1`, is older than the same without.
///
/// ```
/// use docent_describe::version_order;
///
/// let mut versions = ["1.10", "2.0", "1.9", "2.0-rc.1"];
/// versions.sort_by_key(|&version| version_order(version));
/// assert_eq!(versions, ["1.9", "1.10", "2.0-rc.1", "2.0"]);
/// ```
pub fn version_order(version: &str) -> impl Ord + use<'_> {
    let mut parts = Vec::new();
    for part in version.split(['.', '-', '+']) {
        parts.push(match parse_number(part) {
            Some(number) => VersionPart::Number(number),
            None => VersionPart::Word(part),
        });
    }
    parts.push(VersionPart::End);
    parts
}

/// Parses the number of a part, which a `v` may precede.
fn parse_number(part: &str) -> Option<u64> {
    part.strip_prefix('v').unwrap_or(part).parse().ok()
}

/// Returns whether a version comes before another one. Versions that do not begin with a number have no order, and
/// neither have the builds that follow `+`.
///
/// ```
/// use docent_describe::is_older;
///
/// assert!(is_older("1.9", "1.10"));
/// assert!(!is_older("dev", "main") && !is_older("1.0+a", "1.0+b"));
/// ```
#[cfg(feature = "tools")]
pub fn is_older(version: &str, than: &str) -> bool {
    match (numbered_release(version), numbered_release(than)) {
        (Some(version), Some(than)) => version_order(version) < version_order(than),
        _ => false,
    }
}

/// Returns a version without its build, if it begins with a number.
#[cfg(feature = "tools")]
fn numbered_release(version: &str) -> Option<&str> {
    let release = version.split('+').next()?;
    parse_number(release.split(['.', '-']).next()?)?;
    Some(release)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (older, newer) in [
            ("1", "2"),
            ("1.9", "1.10"),
            ("1.0", "1.0.1"),
            ("v1", "v2"),
            ("2.0-rc.1", "2.0"),
            ("2.0-beta", "2.0-rc"),
            ("2024-05", "2024-11"),
            ("9", "10.0"),
        ] {
            assert!(
                version_order(older) < version_order(newer),
                "{older} {newer}"
            );
        }
    }

    #[test]
    fn only_numbered_versions_go_down() {
        for (version, than) in [("1.9", "1.10"), ("2.0-rc.1", "2.0"), ("v1", "v2")] {
            assert!(is_older(version, than) && !is_older(than, version));
        }
        for (version, than) in [("1.0+9f3", "1.0+b21"), ("dev", "main"), ("1", "b21")] {
            assert!(!is_older(version, than) && !is_older(than, version));
        }
    }
}
