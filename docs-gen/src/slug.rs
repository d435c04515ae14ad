//! Turns names into file names and anchors.
//!
//! A name in a description may be a path, a device of Windows, 300 characters long, empty, or the
//! same as another except for case. A file name keeps as much of the name as possible, and ends in
//! a hash of the whole name if anything was lost.

use std::collections::HashSet;
use std::fmt::Write;

/// File systems compare file names, and some ignore case. File names are also short, so that a deep
/// output folder does not exceed the limit on paths.
const LONGEST: usize = 80;

/// Names that Windows reserves for devices, whatever follows after a dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The ends of the names of a site's other files.
const FILES: [&str; 6] = [".html", ".md", ".txt", ".json", ".xml", ".js"];

/// Hands out names. Each is handed out only once, regardless of case.
#[derive(Debug, Default)]
pub(crate) struct Slugs {
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
        let hash = hash(name.as_bytes());
        if !lossless || self.is_taken(&slug) {
            let _ = write!(slug, "-{:08x}", hash & 0xffff_ffff);
        }
        let base = slug.len();
        let mut count = 2;
        while self.is_taken(&slug) {
            slug.truncate(base);
            let _ = write!(slug, "-{count}");
            count += 1;
        }
        self.taken.insert(slug.to_ascii_lowercase());
        slug
    }

    fn is_taken(&self, slug: &str) -> bool {
        self.taken.contains(&slug.to_ascii_lowercase())
    }
}

/// Returns what can be kept of a name, and whether that is everything.
fn reduce(name: &str) -> (String, bool) {
    let mut slug = String::with_capacity(name.len().min(LONGEST));
    let mut lossless = true;
    for character in name.chars() {
        if slug.len() >= LONGEST {
            lossless = false;
            break;
        }
        if character.is_ascii_alphanumeric() || matches!(character, '_' | '-') {
            slug.push(character);
        } else if character == ' ' && !slug.is_empty() && !slug.ends_with(['-', '.']) {
            // What only the space makes different from another name is told apart like any twins.
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
    // Commands would take a leading hyphen for an option. A leading dot hides the file, and Windows
    // drops a trailing one.
    let trimmed = slug
        .trim_start_matches(['-', '.'])
        .trim_end_matches(['.', '-']);
    if trimmed.len() != slug.len() {
        lossless = false;
        slug = trimmed.to_owned();
    }
    // With clean addresses, such a page could not be told from the file of that name.
    if FILES.iter().any(|extension| {
        let start = slug.len().saturating_sub(extension.len());
        slug.get(start..)
            .is_some_and(|end| end.eq_ignore_ascii_case(extension))
    }) {
        lossless = false;
    }
    if slug.is_empty() || is_device(&slug) {
        return (format!("x-{slug}").trim_end_matches('-').to_owned(), false);
    }
    (slug, lossless)
}

fn is_device(slug: &str) -> bool {
    let stem = slug.split('.').next().unwrap_or_default();
    let stem = stem.to_ascii_lowercase();
    let numbered = stem.len() == 4
        && (stem.starts_with("com") || stem.starts_with("lpt"))
        && stem.ends_with(|last: char| last.is_ascii_digit());
    numbered || DEVICES.contains(&stem.as_str())
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
    fn a_name_is_never_longer_than_a_file_system_allows() {
        let slug = Slugs::default().assign(&"x".repeat(10_000));
        assert!(slug.len() < 120);
    }
}
