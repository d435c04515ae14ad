//! The words of the interface, which can be translated.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use docent_describe::schema::facts::{FACTS, fill};

use crate::problem::Problem;

/// `key = text` a line; what a site says unless it is told otherwise, beside the words for facts.
const ENGLISH: &str = include_str!("../strings/en.txt");

static DEFAULTS: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    (ENGLISH.lines().chain(FACTS.lines()))
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
        .collect()
});

/// The interface's texts by key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strings {
    translated: BTreeMap<String, String>,
}

impl Strings {
    /// The defaults with some of them replaced; a key that does not exist is a problem.
    pub(crate) fn new(translated: BTreeMap<String, String>, problems: &mut Vec<Problem>) -> Self {
        for key in translated.keys() {
            if !DEFAULTS.contains_key(key.as_str()) {
                problems.push(Problem::new(
                    format!("string {key}"),
                    "unknown key; `strings/en.txt` and `facts.txt` of docent-describe list the keys",
                ));
            }
        }
        Self { translated }
    }

    /// The text of a key, where there is one.
    pub(crate) fn find(&self, key: &str) -> Option<&str> {
        self.translated
            .get(key)
            .map(String::as_str)
            .or_else(|| DEFAULTS.get(key).copied())
    }

    /// The text of a key that the program itself names. The keys used in this crate are checked
    /// against the file by a test; a missing one shows itself instead of failing the page.
    pub(crate) fn get<'s>(&'s self, key: &'s str) -> &'s str {
        self.find(key).unwrap_or(key)
    }

    /// The text of a key with `{}` replaced.
    pub(crate) fn with(&self, key: &str, value: &str) -> String {
        self.get(key).replacen("{}", value, 1)
    }

    /// The text of a key with its `{}`s replaced.
    pub(crate) fn with_all(&self, key: &str, values: &[&str]) -> String {
        fill(self.get(key), values)
    }

    /// The text of `{key}.one` or `{key}.many` with `{}` replaced by the number.
    pub(crate) fn count(&self, key: &str, count: usize) -> String {
        let form = if count == 1 { "one" } else { "many" };
        self.with(&format!("{key}.{form}"), &grouped(count))
    }

    /// The texts whose keys start with `prefix`, without it: what a script says.
    pub(crate) fn of_script(&self, prefix: &str) -> BTreeMap<&str, &str> {
        DEFAULTS
            .keys()
            .filter_map(|key| Some((key.strip_prefix(prefix)?, self.get(key))))
            .collect()
    }
}

/// The number with a thin space between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}
