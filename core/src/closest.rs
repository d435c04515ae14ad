//! Which of the names there are was probably meant.
//!
//! The names are kept sorted, so that those with a beginning in common stand together. A search goes
//! through them as through a tree, with one row of the table of edit distances for each letter: a
//! beginning that is too far off already is left out with all that goes on from it, and what
//! neighbours have in common is computed once. Names that are very close are looked for first, for
//! which little has to be gone through. The work is bounded however many names there are and whatever
//! is looked for.

/// Longer names are not searched for: a typo does not make a name this long.
const LONGEST: usize = 40;
/// How many slips of the pen are seen through, in the longest of names.
const FARTHEST: usize = 3;
/// The maximum number of rows that a search computes: a batch of a thousand unknown names must not
/// cost twice as much as one of known names. A service with ten thousand names stays below it,
/// unless the name resembles all of them.
const ROWS: usize = 14_000;
/// The distance of what is too far off.
const FAR: u8 = u8::MAX / 2;

/// Names to search for what is like one.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// By letters, then as they are written.
    sorted: Box<[Name]>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    letters: Box<[char]>,
    written: Box<str>,
}

impl Names {
    /// Makes names fit to be searched.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let names = names.into_iter().map(|name| Name {
            letters: letters(name),
            written: name.into(),
        });
        let mut sorted: Box<[_]> = names.collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// Whether anything can be like this name.
    pub(crate) fn can_be_meant(name: &str) -> bool {
        name.len() <= LONGEST
    }

    /// At most so many names that differ little enough from `name` for it to be a slip of the pen:
    /// the closest first, equally close ones in the order of the alphabet.
    pub(crate) fn closest(&self, name: &str, most: usize) -> Vec<&str> {
        if !Self::can_be_meant(name) || most == 0 {
            return Vec::new();
        }
        let mut search = Search::new(letters(name));
        let mut found = Vec::new();
        for distance in 0..=FARTHEST {
            let mut at = 0;
            search.begin(distance);
            while found.len() < most
                && let Some(candidate) = self.sorted.get(at)
            {
                at = match search.try_one(&candidate.letters) {
                    Tried::Compared(fits) => {
                        found.extend(fits.then_some(&*candidate.written));
                        at + 1
                    }
                    Tried::TooFarFrom(length) => {
                        let beginning = &candidate.letters[..length];
                        let rest = &self.sorted[at..];
                        at + rest.partition_point(|name| name.letters.starts_with(beginning))
                    }
                    Tried::Enough => return found,
                };
            }
        }
        found
    }
}

/// The letters that count: neither case nor the usual ways of joining words make a name another.
fn letters(name: &str) -> Box<[char]> {
    let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

/// What came of trying a name.
enum Tried {
    /// The name has been compared, and differs by as much as was looked for, or not.
    Compared(bool),
    /// The name is too far off, as is every other with so many of its letters at the beginning.
    TooFarFrom(usize),
    /// Too much has been tried.
    Enough,
}

/// One search.
struct Search {
    wanted: Box<[char]>,
    /// The letters of the name that was tried last, as far as there are rows for them.
    path: Vec<char>,
    /// A row for no letter, and one for each letter of the path: how far its beginning is from each
    /// beginning of what is wanted. Entries that cannot matter are [`FAR`].
    rows: Vec<u8>,
    /// By how much a name differs that is looked for.
    distance: usize,
    left: usize,
}

impl Search {
    fn new(wanted: Box<[char]>) -> Self {
        Self {
            rows: (0..=wanted.len())
                .map(|length| u8::try_from(length).unwrap_or(FAR))
                .collect(),
            path: Vec::new(),
            distance: 0,
            left: ROWS,
            wanted,
        }
    }

    /// Begins to look for names that differ by this much.
    fn begin(&mut self, distance: usize) {
        self.distance = distance;
        self.keep(0);
    }

    /// Keeps the rows for so many letters of the path.
    fn keep(&mut self, letters: usize) {
        self.path.truncate(letters);
        self.rows.truncate((letters + 1) * (self.wanted.len() + 1));
    }

    fn try_one(&mut self, letters: &[char]) -> Tried {
        let common = self.path.iter().zip(letters);
        let common = common.take_while(|(a, b)| a == b).count();
        self.keep(common);
        for &letter in &letters[common..] {
            if self.left == 0 {
                return Tried::Enough;
            }
            self.left -= 1;
            if self.push_row(letter) > self.distance {
                return Tried::TooFarFrom(self.path.len());
            }
        }
        let distance = self.rows.last().map_or(0, |last| usize::from(*last));
        let longer = letters.len().max(self.wanted.len());
        Tried::Compared(distance == self.distance && distance <= longer / 3)
    }

    /// Adds the row for one more letter and gives the least of it: how many letters have to be put
    /// in, taken out, changed or swapped with their neighbour, at least.
    fn push_row(&mut self, letter: char) -> usize {
        let width = self.wanted.len() + 1;
        let depth = self.path.len() + 1;
        let last = self.rows.len() - width;
        self.rows.resize(self.rows.len() + width, FAR);
        let (above, row) = self.rows.split_at_mut(last + width);
        let before = self.path.last();
        let mut fewest_of_all = FAR;
        // Further from the diagonal than this, the difference in length alone is too much.
        let from = depth.saturating_sub(self.distance);
        for j in from..width.min(depth + self.distance + 1) {
            let Some(i) = j.checked_sub(1) else {
                row[0] = u8::try_from(depth).unwrap_or(FAR);
                fewest_of_all = row[0];
                continue;
            };
            let changed = u8::from(self.wanted[i] != letter);
            let mut fewest = (above[last + i] + changed)
                .min(above[last + j] + 1)
                .min(row[i] + 1);
            if i > 0 && depth > 1 && self.wanted[i - 1] == letter && before == Some(&self.wanted[i])
            {
                fewest = fewest.min(above[last - width + i - 1] + 1);
            }
            row[j] = fewest.min(FAR);
            fewest_of_all = fewest_of_all.min(row[j]);
        }
        self.path.push(letter);
        usize::from(fewest_of_all)
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_slip_of_the_pen_is_seen_through() {
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
    fn the_closest_come_first_and_no_more_than_are_asked_for() {
        let names = Names::new(["book.get", "book.set", "book.got", "book.gets", "loan.get"]);
        let closest = ["book.get", "book.gets", "book.got", "book.set"];
        assert_eq!(names.closest("book.get", 9), closest);
        assert_eq!(names.closest("book.get", 2), closest[..2]);
        assert_eq!(names.closest("bok.get", 1), closest[..1]);
        assert!(names.closest("book.get", 0).is_empty());
    }

    /// The distance by the book, with a table of its own for each two names.
    fn distance(a: &[char], b: &[char]) -> usize {
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
    fn a_search_finds_what_comparing_with_every_name_finds() {
        // Names of few letters, so that many are close to each other.
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
                    (distance(&letters, &other_letters), other.as_str())
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
