//! Turns names into file names and anchors.
//!
//! A name in a description may be a path, a device of Windows, 300 characters long, empty, or the
//! same as another except for case. A file name has the words of the name with hyphens between them, and
//! ends in a hash of the name if letters are lost or another has it already.
//!
//! | name | slug |
//! |---|---|
//! | `book.find` | `book.find` |
//! | `get book`, `get/book` | `get-book`, and with a hash for the second |
//! | `con` | `x-con-` and a hash |
//! | `Bücher` | `B-cher-` and a hash |

use std::collections::HashSet;
use std::fmt::Write;

/// The maximum length of a slug. File names are short, so that a deep output folder does not exceed the file
/// system's limit on paths.
const MAX_SLUG_LENGTH: usize = 80;

/// The names that Windows reserves for devices, with any extension.
const WINDOWS_DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The extensions of a site's other files.
const OTHER_EXTENSIONS: [&str; 6] = [".html", ".md", ".txt", ".json", ".xml", ".js"];

/// Assigns slugs. Each is assigned only once, regardless of case, because some file systems ignore it.
#[derive(Debug, Default)]
pub(crate) struct Slugs {
    /// The slugs that have been assigned, in lower case.
    taken: HashSet<String>,
}

impl Slugs {
    /// Creates an empty set in which these names are taken.
    pub(crate) fn reserving(names: &[&str]) -> Self {
        Self {
            taken: names.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// Returns a unique slug for a name, made of `A–Z a–z 0–9 . _ -`.
    pub(crate) fn assign(&mut self, name: &str) -> String {
        let ReducedName {
            mut slug,
            is_complete,
        } = reduce(name);
        if is_complete && self.take(&slug) {
            return slug;
        }
        let _ = write!(slug, "-{:08x}", hash(name.as_bytes()) & 0xffff_ffff);
        let base = slug.len();
        let mut count = 2;
        while !self.take(&slug) {
            slug.truncate(base);
            let _ = write!(slug, "-{count}");
            count += 1;
        }
        slug
    }

    /// Takes a slug, and returns whether it was free.
    fn take(&mut self, slug: &str) -> bool {
        self.taken.insert(slug.to_ascii_lowercase())
    }
}

/// The words of a name with hyphens or dots between them.
struct ReducedName {
    slug: String,
    /// True if the slug has every letter and digit of the name, and may be a file name.
    is_complete: bool,
}

/// Reduces a name to characters that all file systems accept.
fn reduce(name: &str) -> ReducedName {
    let mut slug = String::with_capacity(name.len().min(MAX_SLUG_LENGTH));
    let mut is_complete = true;
    for character in name.chars() {
        if slug.len() >= MAX_SLUG_LENGTH {
            is_complete = false;
            break;
        }
        // Commands would read a leading hyphen as the start of an option. A leading dot hides the file.
        let is_hyphen = character == '-' && !slug.is_empty();
        if character.is_ascii_alphanumeric() || character == '_' || is_hyphen {
            slug.push(character);
            continue;
        }
        is_complete &= !character.is_alphanumeric();
        if !slug.is_empty() && !slug.ends_with(['-', '.']) {
            slug.push(if character == '.' { '.' } else { '-' });
        }
    }
    // Windows drops a trailing dot.
    slug.truncate(slug.trim_end_matches(['-', '.']).len());
    // With clean addresses, such a page could not be distinguished from the file of that name.
    let lower = slug.to_ascii_lowercase();
    is_complete &= !OTHER_EXTENSIONS
        .iter()
        .any(|extension| lower.ends_with(extension));
    if slug.is_empty() || is_device(&slug) {
        return ReducedName {
            slug: format!("x-{slug}").trim_end_matches('-').to_owned(),
            is_complete: false,
        };
    }
    ReducedName { slug, is_complete }
}

/// Returns whether Windows would open a device instead of a file of this name.
fn is_device(slug: &str) -> bool {
    let stem = slug
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let numbered = stem.len() == 4
        && (stem.starts_with("com") || stem.starts_with("lpt"))
        && stem.ends_with(|last: char| last.is_ascii_digit());
    numbered || WINDOWS_DEVICES.contains(&stem.as_str())
}

/// Computes FNV-1a: short, and the same on every machine and in every build.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::Slugs;

    #[test]
    fn ordinary_names_stay_as_they_are() {
        let mut slugs = Slugs::default();
        assert_eq!(slugs.assign("book.find"), "book.find");
        assert_eq!(slugs.assign("eth_getBlock"), "eth_getBlock");
    }

    #[test]
    fn names_that_a_file_system_would_confuse_stay_apart() {
        let mut slugs = Slugs::reserving(&["index"]);
        let hostile = [
            "index",
            "Index",
            "a",
            "A",
            "../../etc/passwd",
            "..",
            ".",
            "",
            "con",
            "CON.txt",
            "lpt1",
            "a/b",
            "a\\b",
            "a:b",
            "-rf",
            "a.",
            "a..b",
            "\u{202e}gpj",
            "日本",
            "日木",
            "\0",
        ];
        let all: Vec<_> = hostile.iter().map(|name| slugs.assign(name)).collect();
        let mut folded: Vec<_> = all.iter().map(|slug| slug.to_lowercase()).collect();
        folded.sort();
        folded.dedup();
        assert_eq!(folded.len(), hostile.len(), "{all:?}");
        for slug in &all {
            assert!(
                slug.bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)),
                "{slug}"
            );
            assert!(
                !slug.starts_with(['.', '-']) && !slug.contains(".."),
                "{slug}"
            );
        }
    }

    #[test]
    fn a_name_keeps_its_words() {
        let mut slugs = Slugs::default();
        for (name, slug) in [
            ("Books & Loans", "Books-Loans"),
            (" Books/Overview ", "Books-Overview"),
            ("(beta)", "beta"),
            ("a  b", "a-b"),
            ("Part – 2", "Part-2"),
            ("Vec<Book>", "Vec-Book"),
        ] {
            assert_eq!(slugs.assign(name), slug);
        }
        // Letters are lost, or another name reads alike.
        for name in ["Bücher", "a/b", "A-B"] {
            let slug = slugs.assign(name);
            assert_eq!(slug.rsplit('-').next().map(str::len), Some(8), "{slug}");
        }
    }

    #[test]
    fn a_name_is_never_longer_than_a_file_system_allows() {
        let slug = Slugs::default().assign(&"x".repeat(10_000));
        assert!(slug.len() < 120);
    }
}
