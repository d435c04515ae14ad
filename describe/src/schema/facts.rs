//! The texts that describe a schema's constraints.
//!
//! The errors that callers get and the pages that people read use the same texts. Errors are always in English.
//! Pages may replace each text by its key.

use std::sync::LazyLock;

/// The English texts, one `key = text` on each line. `{}` stands for a number or another literal.
pub const FACT_TEXTS: &str = include_str!("facts.txt");

/// Returns a fact in English, with its values filled in.
pub(crate) fn fact(key: &str, values: &[&str]) -> String {
    // Callers wait for these texts, and splitting the lines takes longer than finding one.
    static ENGLISH_TEXTS: LazyLock<Vec<(&str, &str)>> =
        LazyLock::new(|| texts(FACT_TEXTS).collect());
    match ENGLISH_TEXTS.iter().find(|(own_key, _)| *own_key == key) {
        Some((_, text)) => fill(text, values),
        None => fill(key, values),
    }
}

/// Reads the keys and texts of a file with `key = text` on each line. Lines that begin with `#` are
/// comments.
pub fn texts(file: &str) -> impl Iterator<Item = (&str, &str)> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
}

/// Returns a text with its `{}`s replaced, in order.
pub fn fill(text: &str, values: &[impl AsRef<str>]) -> String {
    let mut parts = text.split("{}");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        filled.push_str(values.get(index).map_or("{}", AsRef::as_ref));
        filled.push_str(part);
    }
    filled
}

/// Returns the key and the values of the fact that limits the number of a unit: `length`, `items`
/// or `members`. Returns `None` if any number is allowed.
///
/// ```
/// use docent_describe::schema::facts::count;
///
/// let (key, values) = count("items", Some("1"), Some("3")).unwrap();
/// assert_eq!(key, "fact.items.range");
/// assert_eq!(values, ["1", "3"]);
/// assert_eq!(count("items", None, None), None);
/// ```
pub fn count<'v>(
    unit: &str,
    least: Option<&'v str>,
    most: Option<&'v str>,
) -> Option<(String, Vec<&'v str>)> {
    let (bound, values) = match (least, most) {
        (None, None) => return None,
        (Some(least), Some(most)) if least == most => ("exactly", vec![least]),
        (Some(least), Some(most)) => ("range", vec![least, most]),
        (Some(least), None) => ("least", vec![least]),
        (None, Some(most)) => ("most", vec![most]),
    };
    let form = if values == ["1"] { ".one" } else { "" };
    Some((format!("fact.{unit}.{bound}{form}"), values))
}

#[cfg(test)]
mod tests {
    use super::{count, fact};

    #[test]
    fn a_count_is_said_in_the_number_that_it_has() {
        assert_eq!(count("items", None, None), None);
        for (least, most, phrase) in [
            (Some("1"), Some("1"), "exactly 1 element"),
            (Some("2"), Some("2"), "exactly 2 elements"),
            (Some("1"), None, "at least 1 element"),
            (None, Some("3"), "at most 3 elements"),
            (Some("1"), Some("3"), "1 to 3 elements"),
        ] {
            let (key, values) = count("items", least, most).expect("a limit");
            assert_eq!(fact(&key, &values), phrase);
        }
        assert_eq!(fact("fact.between", &["0", "255"]), "0 to 255");
    }
}
