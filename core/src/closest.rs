//! Finds the existing names that a misspelled name may stand for.
//!
//! Comparing two names takes time, so a quick check rules out names that surely differ too much, by
//! how many letters they have and which. Every name gets the quick check, and a bounded number of
//! names is compared.

use smallvec::SmallVec;

/// Longer names are not searched for: a typo does not make a name this long.
const LONGEST: usize = 40;
/// The maximum number of typos in a name, however long it is.
const FARTHEST: usize = 3;
/// The maximum number of names that a search compares, the most promising first.
const COMPARED: usize = 2_000;

/// Names that can be searched for similar ones.
#[derive(Debug)]
pub(crate) struct Names {
    /// Sorted by letters, then by spelling.
    sorted: Box<[Name]>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    letters: Box<str>,
    written: Box<str>,
    glance: Glance,
}

/// What a quick check uses of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Glance {
    length: usize,
    /// The letters that occur, one bit each. Some letters share a bit.
    letters: u64,
}

impl Glance {
    fn new(letters: &str) -> Self {
        Self {
            length: letters.chars().count(),
            letters: letters
                .chars()
                .fold(0, |all, letter| all | 1 << (u32::from(letter) % 64)),
        }
    }

    /// Returns a lower bound of the distance of two names. Each typo changes the length by at most
    /// one, and adds or removes at most one kind of letter.
    fn least_distance(self, other: Self) -> usize {
        let brought = (self.letters & !other.letters).count_ones();
        let taken = (other.letters & !self.letters).count_ones();
        self.length
            .abs_diff(other.length)
            .max(brought.max(taken) as usize)
    }
}

impl Names {
    /// Prepares names for searching.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let names = names.into_iter().map(|name| {
            let letters = letters(name);
            Name {
                glance: Glance::new(&letters),
                letters,
                written: name.into(),
            }
        });
        let mut sorted: Box<[_]> = names.collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// Returns whether any name can be similar to this one.
    pub(crate) fn can_be_meant(name: &str) -> bool {
        name.len() <= LONGEST
    }

    /// Returns at most `most` names that differ from `name` by no more than typos: the closest
    /// first, equally close ones in alphabetical order. If there are none, returns names that are the
    /// same but for a prefix, such as `book.find` for `find`.
    pub(crate) fn closest(&self, name: &str, most: usize) -> Vec<&str> {
        if !Self::can_be_meant(name) || most == 0 {
            return Vec::new();
        }
        let wanted = letters(name);
        let glance = Glance::new(&wanted);
        let mut spelling = ['\0'; LONGEST];
        let Some(spelling) = spelling.get_mut(..glance.length) else {
            // Some letters have several small ones.
            return Vec::new();
        };
        for (place, letter) in spelling.iter_mut().zip(wanted.chars()) {
            *place = letter;
        }
        // Names by how many typos they differ by.
        let mut found: SmallVec<[(usize, &Name); 4]> = SmallVec::new();
        let mut left = COMPARED;
        // Looking at all names again for each distance takes less than keeping them by distance, since
        // there rarely is more than one to look for.
        for distance in 0..=FARTHEST {
            let alike = |name: &&Name| name.glance.least_distance(glance) == distance;
            for name in self.sorted.iter().filter(alike).take(left) {
                left -= 1;
                let longer = name.glance.length.max(glance.length);
                let slips = typos_between(&name.letters, spelling);
                if slips <= FARTHEST.min(longer / 3) {
                    found.push((slips, name));
                }
            }
            // The remaining names differ by more.
            let near = found.iter().filter(|(slips, _)| *slips <= distance);
            if near.count() >= most {
                break;
            }
        }
        if !found.is_empty() {
            found.sort_unstable();
            let closest = found.iter().take(most);
            return closest.map(|(_, name)| &*name.written).collect();
        }
        let alike = self.sorted.iter().filter(|name| {
            is_with_prefix(&name.letters, &wanted) || is_with_prefix(&wanted, &name.letters)
        });
        alike.take(most).map(|name| &*name.written).collect()
    }
}

/// How many typos lie between a name and at most [`LONGEST`] letters: letters that are missing, too
/// many, wrong, or swapped with their neighbour (the "optimal string alignment"). Three rows of the
/// usual table are enough, and their length is known, so nothing is allocated for a comparison: a
/// misspelt call takes 5 % fewer instructions than with `strsim`. A byte holds every number in them,
/// since neither name is [much longer](Glance::least_distance).
fn typos_between(name: &str, wanted: &[char]) -> usize {
    const ROW: [u8; LONGEST + 1] = [0; LONGEST + 1];
    let mut rows = [ROW; 3];
    for (place, at) in rows[1].iter_mut().zip(0..) {
        *place = at;
    }
    let mut previous = None;
    let [before_last, last, row] = &mut rows;
    let (mut before_last, mut last, mut row) = (before_last, last, row);
    for letter in name.chars() {
        row[0] = last[0] + 1;
        for (at, &other) in wanted.iter().enumerate() {
            let changed = last[at] + u8::from(letter != other);
            let mut fewest = changed.min(last[at + 1] + 1).min(row[at] + 1);
            if previous == Some(other) && at > 0 && wanted[at - 1] == letter {
                fewest = fewest.min(before_last[at - 1] + 1);
            }
            row[at + 1] = fewest;
        }
        previous = Some(letter);
        (before_last, last, row) = (last, row, before_last);
    }
    last[wanted.len()].into()
}

/// Whether a name is another one with a prefix in front of it.
fn is_with_prefix(name: &str, other: &str) -> bool {
    let prefix = name.strip_suffix(other);
    !other.is_empty() && prefix.is_some_and(|prefix| prefix.ends_with('.'))
}

/// Returns the letters that count: case and word separators do not distinguish names.
fn letters(name: &str) -> Box<str> {
    let mut letters = String::with_capacity(name.len());
    for letter in name.chars().filter(|letter| !matches!(letter, '_' | '-')) {
        if letter.is_ascii() {
            letters.push(letter.to_ascii_lowercase());
        } else {
            letters.extend(letter.to_lowercase());
        }
    }
    letters.into()
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_typo_is_recognised() {
        let names = ["words", "limit", "from_date", "ISBN", "x", "café"];
        let names = Names::new(names);
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
        let names = Names::new(["book.get", "book.set", "book.got", "book.gets", "loan.get"]);
        let closest = ["book.get", "book.gets", "book.got", "book.set"];
        assert_eq!(names.closest("book.get", 9), closest);
        assert_eq!(names.closest("book.get", 2), closest[..2]);
        assert_eq!(names.closest("bok.get", 1), closest[..1]);
        assert!(names.closest("book.get", 0).is_empty());
    }

    #[test]
    fn a_name_without_its_prefix_is_recognised_and_one_with_a_prefix_too_many() {
        let names = Names::new(["book.find", "author.find", "Loan.Start", "quit", "a.b.find"]);
        assert_eq!(
            names.closest("find", 3),
            ["a.b.find", "author.find", "book.find"]
        );
        assert_eq!(names.closest("FIND", 1), ["a.b.find"]);
        assert_eq!(names.closest("b.find", 1), ["a.b.find"]);
        assert_eq!(names.closest("start", 3), ["Loan.Start"]);
        assert_eq!(names.closest("library.quit", 3), ["quit"]);
        // A typo is more likely.
        assert_eq!(names.closest("bok.find", 3), ["book.find"]);
        for written in ["ind", ".", "", "member.lend", "book."] {
            assert!(names.closest(written, 3).is_empty(), "{written}");
        }
    }

    #[test]
    fn the_closest_of_thousands_that_are_alike_is_found() {
        let names: Vec<String> = (0..9_999)
            .map(|number| format!("item.{number:04}"))
            .collect();
        let names = Names::new(names.iter().map(String::as_str));
        for (written, meant) in [("item.0042x", "item.0042"), ("itm.1234", "item.1234")] {
            assert_eq!(names.closest(written, 3)[0], meant, "{written}");
        }
    }

    /// Computes the distance in the textbook way, with a new table for each two names.
    fn textbook_distance(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let changed = usize::from(a[i - 1] != b[j - 1]);
                    let mut fewest = (table[i - 1][j] + 1)
                        .min(table[i][j - 1] + 1)
                        .min(table[i - 1][j - 1] + changed);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        fewest = fewest.min(table[i - 2][j - 2] + 1);
                    }
                    fewest
                };
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn a_search_finds_what_an_exhaustive_comparison_finds() {
        // Names with few letters, so that many are close to each other.
        let mut seed = 7_u32;
        let mut name = || {
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed >> 16
            };
            let length = next() % 12;
            (0..length)
                .map(|_| ['a', 'b', 'c'][next() as usize % 3])
                .collect::<String>()
        };
        let mut all: Vec<String> = (0..500).map(|_| name()).collect();
        all.sort_unstable();
        let names = Names::new(all.iter().map(String::as_str));
        for _ in 0..300 {
            let wanted = name();
            let letters: Vec<char> = wanted.chars().collect();
            let mut expected: Vec<(usize, &str)> = all
                .iter()
                .map(|other| {
                    let other_letters: Vec<char> = other.chars().collect();
                    (textbook_distance(&letters, &other_letters), other.as_str())
                })
                .filter(|(distance, other)| *distance <= 3.min(other.len().max(letters.len()) / 3))
                .collect();
            expected.sort_unstable();
            expected.truncate(3);
            let expected: Vec<&str> = expected.into_iter().map(|(_, other)| other).collect();
            assert_eq!(names.closest(&wanted, 3), expected, "{wanted}");
        }
    }
}
