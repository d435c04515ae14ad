//! Finds the existing names that a misspelled name may stand for.
//!
//! Callers send unknown names at no cost to themselves, so a search is bounded in the length of the
//! name, and the names are prepared once.

use strsim::osa_distance;

/// The maximum length of a name that is searched for, in bytes. A longer one is not a typo.
const MAX_NAME_BYTES: usize = 40;
/// The maximum number of typos in a name, however long it is.
const MAX_TYPOS: usize = 3;

/// Names that can be searched for those that a misspelled name may stand for.
///
/// ```
/// use docent_describe::SimilarNames;
///
/// let names = SimilarNames::new(["book.find", "book.lend", "member.find"]);
/// assert_eq!(names.closest("bok.find", 1), ["book.find"]);
/// assert_eq!(names.closest("find", 3), ["book.find", "member.find"]);
/// ```
#[derive(Debug)]
pub struct SimilarNames(Box<[SimilarName]>);

/// A name in two spellings: the one that is compared, and the one that is suggested.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SimilarName {
    letters: Box<str>,
    written: Box<str>,
}

impl SimilarNames {
    /// Prepares names for searching.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut sorted: Box<[_]> = names
            .into_iter()
            .map(|name| SimilarName {
                letters: letters(name),
                written: name.into(),
            })
            .collect();
        sorted.sort_unstable();
        Self(sorted)
    }

    /// Returns whether any name can be similar to this one.
    pub fn can_be_meant(name: &str) -> bool {
        name.len() <= MAX_NAME_BYTES
    }

    /// Returns at most `most` names that differ from `name` by no more than typos: the closest
    /// first, equally close ones in alphabetical order. If there are none, returns names that
    /// only have an additional prefix, such as `book.find` for `find`.
    pub fn closest(&self, name: &str, most: usize) -> Vec<&str> {
        if !Self::can_be_meant(name) {
            return Vec::new();
        }
        let wanted = letters(name);
        let length = wanted.chars().count();
        let mut found: Vec<(usize, &SimilarName)> = Vec::new();
        for name in &self.0 {
            let other_length = name.letters.chars().count();
            let max_typos = MAX_TYPOS.min(other_length.max(length) / 3);
            // Each typo changes the length by at most one.
            if other_length.abs_diff(length) > max_typos {
                continue;
            }
            let typos = osa_distance(&name.letters, &wanted);
            if typos <= max_typos {
                found.push((typos, name));
            }
        }
        if found.is_empty() {
            let alike = self.0.iter().filter(|name| {
                is_with_prefix(&name.letters, &wanted) || is_with_prefix(&wanted, &name.letters)
            });
            found.extend(alike.map(|name| (0, name)));
        }
        found.sort_unstable();
        found
            .iter()
            .take(most)
            .map(|(_, name)| &*name.written)
            .collect()
    }
}

/// Returns whether a name is another one with a prefix in front of it.
fn is_with_prefix(name: &str, other: &str) -> bool {
    let prefix = name.strip_suffix(other);
    !other.is_empty() && prefix.is_some_and(|prefix| prefix.ends_with('.'))
}

/// Returns the letters that count: case and word separators do not distinguish names.
fn letters(name: &str) -> Box<str> {
    name.chars()
        .filter(|letter| !matches!(letter, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect::<String>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::SimilarNames;

    #[test]
    fn a_typo_is_recognised() {
        let names = ["words", "limit", "from_date", "ISBN", "x", "café"];
        let names = SimilarNames::new(names);
        for (written, meant) in [
            ("word", "words"),
            ("wrods", "words"),
            ("Limit", "limit"),
            ("lmit", "limit"),
            ("fromDate", "from_date"),
            ("from-dates", "from_date"),
            ("isbn", "ISBN"),
            ("cafe", "café"),
            ("X", "x"),
        ] {
            assert_eq!(names.closest(written, 1), [meant], "{written}");
        }
        for written in ["", "w", "y", "sorts", "date", &"words".repeat(100)] {
            assert!(names.closest(written, 1).is_empty(), "{written}");
        }
    }

    #[test]
    fn the_closest_come_first_and_no_more_than_requested() {
        let names =
            SimilarNames::new(["book.get", "book.set", "book.got", "book.gets", "loan.get"]);
        let closest = ["book.get", "book.gets", "book.got", "book.set"];
        assert_eq!(names.closest("book.get", 9), closest);
        assert_eq!(names.closest("book.get", 2), closest[..2]);
        assert_eq!(names.closest("bok.get", 1), closest[..1]);
        assert!(names.closest("book.get", 0).is_empty());
    }

    #[test]
    fn a_name_without_its_prefix_is_recognised_and_one_with_a_prefix_too_many() {
        let names =
            SimilarNames::new(["book.find", "author.find", "Loan.Start", "quit", "a.b.find"]);
        assert_eq!(
            names.closest("find", 3),
            ["a.b.find", "author.find", "book.find"]
        );
        assert_eq!(names.closest("FIND", 1), ["a.b.find"]);
        assert_eq!(names.closest("b.find", 1), ["a.b.find"]);
        assert_eq!(names.closest("start", 3), ["Loan.Start"]);
        assert_eq!(names.closest("library.quit", 3), ["quit"]);
        // A typo is more likely.
        assert_eq!(names.closest("bok.find", 1), ["book.find"]);
        for written in ["ind", ".", "", "member.lend", "book."] {
            assert!(names.closest(written, 3).is_empty(), "{written}");
        }
    }

    #[test]
    fn the_closest_of_thousands_that_are_alike_is_found() {
        let names: Vec<String> = (0..9_999)
            .map(|number| format!("item.{number:04}"))
            .collect();
        let names = SimilarNames::new(names.iter().map(String::as_str));
        for (written, meant) in [("item.0042x", "item.0042"), ("itm.1234", "item.1234")] {
            assert_eq!(names.closest(written, 3)[0], meant, "{written}");
        }
    }
}
