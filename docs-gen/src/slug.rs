//! Turns names into file names and anchors.
//!
//! A name in a description may be a path, a device of Windows, 300 characters long, empty, or the
//! same as another except for case. A file name keeps as much of the name as possible, and ends in
//! a hash of the whole name if anything was lost.
//!
//! | name | slug |
//! |---|---|
//! | `book.find` | `book.find` |
//! | `get book` | `get-book` |
//! | `con` | `x-con-` and a hash |
//! | `a/b` | `a-b-` and a hash |

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The maximum length of a slug. File names are short, so that a deep output folder does not exceed the file
/// system's limit on paths.
const MAX_SLUG_LENGTH: usize = 80;

/// The names that Windows reserves for devices, with any extension.
const WINDOWS_DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The extensions of a site's other files.
const OTHER_EXTENSIONS: [&str; 6] = [".html", ".md", ".txt", ".json", ".xml", ".js"];

/// Hands out names. Each is handed out only once, regardless of case, because some file systems ignore
/// it.
#[derive(Debug, Default)]
pub(crate) struct Slugs {
    /// The names that were handed out, in lower case.
    taken: HashSet<String>,
}

impl Slugs {
    /// Creates an empty set in which these names are taken.
    pub(crate) fn reserving(names: &[&str]) -> Self {
        Self {
            taken: names.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// Returns a unique name for `name`, made of `A–Z a–z 0–9 . _ -`.
    pub(crate) fn assign(&mut self, name: &str) -> String {
        let (mut slug, lossless) = reduce(name);
        if lossless && self.take(&slug) {
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

    /// Returns a unique name for each of these names, to be read by people: separators become hyphens.
    /// A name ends in a hash only if letters are lost, or if it reads like another.
    pub(crate) fn readable<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
        let names: Vec<&str> = names.collect();
        let plain: Vec<Option<String>> = names.iter().map(|name| readable(name)).collect();
        let mut alike: HashMap<String, usize> = HashMap::new();
        for plain in plain.iter().flatten() {
            *alike.entry(plain.to_ascii_lowercase()).or_default() += 1;
        }
        // Whatever their order, names that read like no other come first, and then, of those that
        // read alike, the one that is already written that way.
        let mut ranks = Vec::with_capacity(names.len());
        for (name, plain) in names.iter().zip(&plain) {
            ranks.push(match plain {
                Some(plain) if alike[&plain.to_ascii_lowercase()] == 1 => 0,
                Some(plain) if plain == name => 1,
                _ => 2,
            });
        }
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|&at| (ranks[at], names[at]));
        let mut slugs = Self::default();
        let mut assigned = vec![String::new(); names.len()];
        for at in order {
            let name = plain[at].as_deref().filter(|_| ranks[at] == 0);
            assigned[at] = slugs.assign(name.unwrap_or(names[at]));
        }
        assigned
    }

    /// Takes a name, and returns whether it was free.
    fn take(&mut self, slug: &str) -> bool {
        self.taken.insert(slug.to_ascii_lowercase())
    }
}

/// Returns the words of a name with hyphens between them, if no letter is lost and it can be a file
/// name.
fn readable(name: &str) -> Option<String> {
    if name
        .chars()
        .any(|character| character.is_alphanumeric() && !character.is_ascii())
    {
        return None;
    }
    let joined = name
        .split(|character: char| !character.is_ascii_alphanumeric() && !"_.".contains(character))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    let (slug, is_whole) = reduce(&joined);
    is_whole.then_some(slug)
}

/// Returns the part of a name that can be kept, and whether that is all of it.
fn reduce(name: &str) -> (String, bool) {
    let mut slug = String::with_capacity(name.len().min(MAX_SLUG_LENGTH));
    let mut lossless = true;
    for character in name.chars() {
        if slug.len() >= MAX_SLUG_LENGTH {
            lossless = false;
            break;
        }
        if character.is_ascii_alphanumeric() || matches!(character, '_' | '-') {
            slug.push(character);
        } else if character == ' ' && !slug.is_empty() && !slug.ends_with(['-', '.']) {
            // The hyphen does not count as a loss. If another name then has the same slug, `assign`
            // distinguishes them.
            slug.push('-');
        } else if character == '.' && !slug.is_empty() && !slug.ends_with('.') {
            slug.push('.');
        } else {
            lossless = false;
            if !slug.ends_with('-') {
                slug.push('-');
            }
        }
    }
    // Commands would read a leading hyphen as the start of an option. A leading dot hides the file,
    // and Windows drops a trailing one.
    let trimmed = slug
        .trim_start_matches(['-', '.'])
        .trim_end_matches(['.', '-']);
    lossless &= trimmed.len() == slug.len();
    let slug = trimmed.to_owned();
    // With clean addresses, such a page could not be distinguished from the file of that name.
    let lower = slug.to_ascii_lowercase();
    lossless &= !OTHER_EXTENSIONS
        .iter()
        .any(|extension| lower.ends_with(extension));
    if slug.is_empty() || is_device(&slug) {
        return (format!("x-{slug}").trim_end_matches('-').to_owned(), false);
    }
    (slug, lossless)
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
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
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
    fn a_readable_name_keeps_its_words() {
        let slugs = |names: &[&str]| Slugs::readable(names.iter().copied());
        assert_eq!(
            slugs(&[
                "Books & Loans",
                "Book keeping",
                " Books/Overview ",
                "(beta)",
                "a  b",
                "Part – 2",
                "eth",
            ]),
            [
                "Books-Loans",
                "Book-keeping",
                "Books-Overview",
                "beta",
                "a-b",
                "Part-2",
                "eth"
            ]
        );
    }

    #[test]
    fn readable_names_stay_apart_and_do_not_depend_on_their_order() {
        let names = [
            "a/b", "a b", "a-b", "A & B", "日本", "日木", "", "..", "con", "x.html", "📚", "\0",
            "../up",
        ];
        let slugs = Slugs::readable(names.into_iter());
        assert_eq!(slugs[2], "a-b");
        let mut folded: Vec<_> = slugs.iter().map(|slug| slug.to_lowercase()).collect();
        folded.sort();
        folded.dedup();
        assert_eq!(folded.len(), names.len(), "{slugs:?}");
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        for slug in &slugs {
            assert!(slug.bytes().all(is_plain), "{slug}");
            assert!(!slug.is_empty() && !slug.starts_with(['.', '-']), "{slug}");
        }
        let mut backwards = Slugs::readable(names.into_iter().rev());
        backwards.reverse();
        assert_eq!(slugs, backwards);
    }

    #[test]
    fn a_name_is_never_longer_than_a_file_system_allows() {
        let slug = Slugs::default().assign(&"x".repeat(10_000));
        assert!(slug.len() < 120);
    }
}
