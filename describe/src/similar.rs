//! Finds the existing names that a misspelled name may stand for.
//!
//! Callers send unknown names at no cost to themselves, so a search is bounded, however many names there
//! are: it compares at most [`MAX_COMPARISONS`] of them. If there are more, an index selects them. It cuts each
//! name into one piece more than a name may have typos. In a similar name at least
//! one piece is intact, unless letters are swapped, and moved by no more letters than there are typos. Names
//! that share a rare piece with the wanted name are compared first.
//!
//! ```text
//! wanted      bok.find
//! book.find → bo | ok | .f | ind    `ind` is intact, one letter to the right
//! ```

use std::collections::{BTreeSet, HashMap};
use std::ops::{Range, RangeInclusive};

use strsim::osa_distance;

/// The maximum length of a name that is searched for, in bytes. A longer one is not a typo.
const MAX_NAME_BYTES: usize = 40;
/// The maximum number of typos in a name, however long it is.
const MAX_TYPOS: usize = 3;
/// The maximum number of names that a search compares with the wanted one.
const MAX_COMPARISONS: usize = 96;
/// The number of pieces of a name.
const PIECES: usize = MAX_TYPOS + 1;
/// The maximum length of a name that can be similar to a wanted one, in letters.
const MAX_LETTERS: usize = MAX_NAME_BYTES + MAX_TYPOS;

/// Names that can be searched for those that a misspelled name may stand for.
///
/// A search among ten thousand names takes about as long as one among a hundred.
///
/// ```
/// use docent_describe::SimilarNames;
///
/// let names = SimilarNames::new(["book.find", "book.lend", "member.find"]);
/// assert_eq!(names.closest("bok.find", 1), ["book.find"]);
/// assert_eq!(names.closest("find", 3), ["book.find", "member.find"]);
/// ```
#[derive(Debug)]
pub struct SimilarNames {
    /// The names in alphabetical order. The maps have indexes of it.
    names: Box<[SimilarName]>,
    /// The names that have these letters after a dot.
    by_ending: HashMap<Box<str>, Vec<usize>>,
    /// The names that have a piece. Empty if there are so few names that all are compared.
    by_piece: HashMap<Piece, Vec<usize>>,
}

/// A name in two spellings: the one that is compared, and the one that is suggested.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SimilarName {
    letters: Box<str>,
    written: Box<str>,
}

/// A piece of a name.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Piece {
    /// The length of the name, in letters.
    name_length: usize,
    /// The index among the pieces of the name.
    index: usize,
    /// The letters, and zeros after them.
    letters: [char; MAX_LETTERS.div_ceil(PIECES)],
}

impl Piece {
    fn new(name_length: usize, index: usize, letters: &[char]) -> Self {
        let mut piece = Self {
            name_length,
            index,
            letters: ['\0'; _],
        };
        piece.letters[..letters.len()].copy_from_slice(letters);
        piece
    }

    /// Returns the range of the letters of a name that make up a piece.
    fn range(name_length: usize, index: usize) -> Range<usize> {
        name_length * index / PIECES..name_length * (index + 1) / PIECES
    }
}

impl SimilarNames {
    /// Prepares names for searching.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut names: Box<[_]> = names
            .into_iter()
            .map(|name| SimilarName {
                letters: letters(name),
                written: name.into(),
            })
            .collect();
        names.sort_unstable();
        let mut by_ending: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        let mut by_piece: HashMap<Piece, Vec<usize>> = HashMap::new();
        for (name_index, name) in names.iter().enumerate() {
            for ending in endings(&name.letters) {
                by_ending.entry(ending.into()).or_default().push(name_index);
            }
            let letters: Vec<char> = name.letters.chars().collect();
            if names.len() <= MAX_COMPARISONS || letters.len() > MAX_LETTERS {
                continue;
            }
            for index in 0..PIECES {
                let range = Piece::range(letters.len(), index);
                let piece = Piece::new(letters.len(), index, &letters[range]);
                by_piece.entry(piece).or_default().push(name_index);
            }
        }
        Self {
            names,
            by_ending,
            by_piece,
        }
    }

    /// Returns whether any name can be similar to this one.
    pub fn can_be_meant(name: &str) -> bool {
        name.len() <= MAX_NAME_BYTES
    }

    /// Returns at most `most` names that differ from `name` by no more than typos: the closest
    /// first, equally close ones in alphabetical order. If there are none, returns names that
    /// only have an additional prefix, such as `book.find` for `find`.
    ///
    /// It may miss one among more than a hundred names that are all alike.
    pub fn closest(&self, name: &str, most: usize) -> Vec<&str> {
        if !Self::can_be_meant(name) {
            return Vec::new();
        }
        let wanted = letters(name);
        let mut found = self.with_typos(&wanted);
        if found.is_empty() {
            found = self.with_another_prefix(&wanted, most);
        }
        found.truncate(most);
        found.iter().map(|name| &*name.written).collect()
    }

    /// Returns the names that differ from these letters by no more than typos, the closest first.
    fn with_typos(&self, wanted: &str) -> Vec<&SimilarName> {
        let mut found = Vec::new();
        for index in self.candidates(wanted) {
            let name = &self.names[index];
            if let Some(typos) = typos(&name.letters, wanted) {
                found.push((typos, name));
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, name)| name).collect()
    }

    /// Returns names that are these letters with another prefix or without one, in alphabetical order: at most `most`
    /// of each kind.
    fn with_another_prefix(&self, wanted: &str, most: usize) -> Vec<&SimilarName> {
        let mut found = Vec::new();
        for index in self.by_ending.get(wanted).into_iter().flatten().take(most) {
            found.push(&self.names[*index]);
        }
        for ending in endings(wanted) {
            let first = self.names.partition_point(|name| *name.letters < *ending);
            found.extend(
                self.names[first..]
                    .iter()
                    .take_while(|name| *name.letters == *ending)
                    .take(most),
            );
        }
        found.sort_unstable();
        found
    }

    /// Returns the indexes of the names that are compared with these letters.
    fn candidates(&self, wanted: &str) -> BTreeSet<usize> {
        if self.names.len() <= MAX_COMPARISONS {
            return (0..self.names.len()).collect();
        }
        let mut lists = self.with_a_piece_of(&wanted.chars().collect::<Vec<_>>());
        // A rare piece comes first.
        lists.sort_by_key(|list| list.len());
        let mut candidates = BTreeSet::new();
        for index in lists.into_iter().flatten() {
            candidates.insert(*index);
            if candidates.len() == MAX_COMPARISONS {
                break;
            }
        }
        candidates
    }

    /// Returns the lists of names that have a piece in common with these letters.
    fn with_a_piece_of(&self, wanted: &[char]) -> Vec<&[usize]> {
        let mut lists = Vec::new();
        for length in wanted.len().saturating_sub(MAX_TYPOS)..=wanted.len() + MAX_TYPOS {
            for index in 0..PIECES {
                let piece_length = Piece::range(length, index).len();
                for start in starts_in(wanted.len(), length, index) {
                    if let Some(letters) = wanted.get(start..start + piece_length)
                        && let Some(names) = self.by_piece.get(&Piece::new(length, index, letters))
                    {
                        lists.push(names.as_slice());
                    }
                }
            }
        }
        lists
    }
}

/// Returns the offsets at which a piece of a name can start in a wanted name. Of similar names, one piece is intact that
/// has no more typos before it than there are pieces before it, and no more after it than there are pieces after it
/// (Pass-Join, PVLDB 5(3), section 4). One more is allowed, so that a rarer piece is found, too.
fn starts_in(wanted_length: usize, name_length: usize, index: usize) -> RangeInclusive<usize> {
    let start = Piece::range(name_length, index).start;
    let typos_before = index + 1;
    let typos_after = PIECES - index;
    let from_the_end = wanted_length + start;
    let first = from_the_end.saturating_sub(name_length + typos_after);
    let last = (from_the_end + typos_after).saturating_sub(name_length);
    first.max(start.saturating_sub(typos_before))..=last.min(start + typos_before)
}

/// Returns the number of typos by which two names differ, unless there are too many.
fn typos(one: &str, other: &str) -> Option<usize> {
    let length = one.chars().count();
    let other_length = other.chars().count();
    let max_typos = MAX_TYPOS.min(length.max(other_length) / 3);
    // Each typo changes the length by at most one.
    if length.abs_diff(other_length) > max_typos {
        return None;
    }
    let typos = osa_distance(one, other);
    (typos <= max_typos).then_some(typos)
}

/// Returns the texts after each dot of a name.
fn endings(letters: &str) -> impl Iterator<Item = &str> {
    letters
        .match_indices('.')
        .map(|(dot, _)| &letters[dot + 1..])
        .filter(|ending| !ending.is_empty())
}

/// Returns a name in lower case and without word separators, because these do not distinguish names.
fn letters(name: &str) -> Box<str> {
    name.chars()
        .filter(|letter| !matches!(letter, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect::<String>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::{MAX_COMPARISONS, SimilarNames, letters, typos};

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

    /// Returns ten thousand names that differ in their numbers and little else.
    fn alike(first: usize) -> Vec<String> {
        let words = [
            "book.list_shelf",
            "find_loan",
            "loan.add_copy",
            "item.",
            "x",
        ];
        (0..2_000)
            .flat_map(|number| words.map(|word| format!("{word}{}", first + number)))
            .collect()
    }

    #[test]
    fn a_typo_in_one_of_thousands_of_names_is_recognised_wherever_it_stands() {
        let mut names = alike(1);
        names.extend(["book.list_shelf", "find_lona1x", "member.renew"].map(str::to_owned));
        let names = SimilarNames::new(names.iter().map(String::as_str));
        for (written, meant) in [
            ("book.list_shel", "book.list_shelf"),
            ("book.list_shelf_1", "book.list_shelf1"),
            ("book.lsit_shelf777", "book.list_shelf777"),
            ("find_lona1", "find_loan1"),
            ("find_lona1999", "find_loan1999"),
            ("findloan12", "find_loan12"),
            ("lian.add_copy1", "loan.add_copy1"),
            ("loan.ad_copy2000", "loan.add_copy2000"),
            ("loan.addd_copy1024", "loan.add_copy1024"),
            ("itm.1234x", "item.1234"),
            ("mebmer.renew", "member.renew"),
            ("member.renwe", "member.renew"),
        ] {
            assert_eq!(names.closest(written, 3)[0], meant, "{written}");
        }
        assert_eq!(names.closest("renew", 3), ["member.renew"]);
        assert_eq!(names.closest("a.member.renew", 3), ["member.renew"]);
    }

    #[test]
    fn a_search_compares_no_more_of_ten_thousand_names_than_of_a_hundred_and_some() {
        for first in [1, 10_000, 10_000_000] {
            let names = alike(first);
            let index = SimilarNames::new(names.iter().map(String::as_str));
            let wanted = names.iter().step_by(97).cloned().chain([
                String::new(),
                "x".to_owned(),
                "book.list_shelf".to_owned(),
                "nothing.like.any.of.these".to_owned(),
                "loan.add_copy1loan.add_copy1loan.add_copy".to_owned(),
            ]);
            for wanted in wanted {
                for wanted in [&wanted[..], &format!("{wanted}a"), &format!("a{wanted}")] {
                    let compared = index.candidates(&letters(wanted)).len();
                    assert!(compared <= MAX_COMPARISONS, "{wanted}: {compared}");
                }
            }
        }
    }

    #[test]
    fn the_index_finds_what_a_comparison_with_each_name_finds() {
        let syllables = ["ka", "lo", "mi", "nu", "re", "sa", "ti", "vo"];
        let word = |mut number: usize| {
            let mut word = String::new();
            for _ in 0..4 {
                word += syllables[number % 8];
                number /= 8;
            }
            word
        };
        let names: Vec<String> = (0..400)
            .map(|number| format!("{}.{}", word(number * 37), word(number * 101 + 5)))
            .collect();
        let index = SimilarNames::new(names.iter().map(String::as_str));
        for (number, name) in names.iter().enumerate() {
            // One letter left out, two swapped, and one changed at either end.
            let at = number % (name.len() - 2) + 1;
            let without = format!("{}{}", &name[..at], &name[at + 1..]);
            let (front, back) = name.split_at(at);
            let mut swapped: Vec<char> = back.chars().collect();
            swapped.swap(0, 1);
            let swapped = front.to_owned() + &swapped.iter().collect::<String>();
            let at_both_ends = format!("q{}q", &name[1..name.len() - 1]);
            for written in [without, swapped, at_both_ends] {
                let found = index.closest(&written, names.len());
                let mut expected: Vec<_> = names
                    .iter()
                    .filter_map(|name| Some((typos(name, &written)?, &**name)))
                    .collect();
                expected.sort_unstable();
                expected.dedup();
                let expected: Vec<_> = expected.into_iter().map(|(_, name)| name).collect();
                assert_eq!(found, expected, "{name} as {written}");
            }
        }
    }
}
