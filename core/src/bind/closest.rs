//! Which of the names there are was probably meant.

/// Names longer than this are not compared: the work grows with the product of their lengths.
const LONGEST: usize = 40;

/// The candidate that differs fewest from `name`, if one is close enough to be a slip of the pen.
pub(super) fn closest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let name: Vec<char> = folded(name)?;
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let letters = folded(candidate)?;
            let allowed = letters.len().max(name.len()) / 3;
            if letters.len().abs_diff(name.len()) > allowed {
                return None;
            }
            let distance = distance(&name, &letters);
            (distance <= allowed).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The letters that count: neither case nor the usual ways of joining words make a name another.
fn folded(name: &str) -> Option<Vec<char>> {
    if name.len() > LONGEST {
        return None;
    }
    let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-'));
    Some(letters.flat_map(char::to_lowercase).collect())
}

/// How many letters have to be put in, taken out, changed or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    // Three rows of the table: two back, one back, and the one being filled.
    let mut older = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut current = last.clone();
    for i in 1..=a.len() {
        current[0] = i;
        for j in 1..=b.len() {
            let changed = usize::from(a[i - 1] != b[j - 1]);
            let mut fewest = (last[j] + 1)
                .min(current[j - 1] + 1)
                .min(last[j - 1] + changed);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                fewest = fewest.min(older[j - 2] + 1);
            }
            current[j] = fewest;
        }
        std::mem::swap(&mut older, &mut last);
        std::mem::swap(&mut last, &mut current);
    }
    last[b.len()]
}
