//! Identifiers of generated clients, made from names on the wire, which may be any text.
//!
//! An identifier has only the words of ASCII letters and digits of a name. Two names may become the same by that, so an
//! [`IdentifierScope`] gives each an identifier of its own. Generated clients and the samples of pages share
//! this code.

use std::collections::{HashMap, HashSet};

use crate::name_words;

/// The maximum number of characters of a name that go into an identifier.
const MAX_NAME_LENGTH: usize = 60;

/// The members of a client in TypeScript, and of every object.
const TYPESCRIPT_MEMBERS: &[&str] = &[
    "constructor",
    "send",
    "batch",
    "notify",
    "subscribe",
    "close",
    "then",
    "toString",
    "valueOf",
    "toJSON",
];

/// Splits a name into the words of an identifier.
pub fn words(name: &str) -> Vec<String> {
    let beginning: String = name.chars().take(MAX_NAME_LENGTH).collect();
    name_words(&beginning)
}

/// Joins words as the name of a type.
pub fn pascal(words: &[String]) -> String {
    words.iter().map(|word| capitalized(word)).collect()
}

/// Joins words as the name of a method in TypeScript.
pub fn camel(words: &[String]) -> String {
    match words.split_first() {
        Some((first, rest)) => first.to_ascii_lowercase() + &pascal(rest),
        None => String::new(),
    }
}

/// Returns the names of the methods that call procedures in a TypeScript client. They depend on each other, so
/// pass the names of all that is called over HTTP, in the order of the description; see
/// [`ServiceDescription::is_called_over_http`](crate::ServiceDescription::is_called_over_http).
///
/// ```
/// use docent_describe::identifiers::typescript_methods;
///
/// let methods = typescript_methods(["book.find", "book_find", "send"].into_iter());
/// assert_eq!(methods, ["bookFind", "bookFind2", "send_"]);
/// ```
pub fn typescript_methods<'n>(procedures: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut scope = IdentifierScope::new("procedure", TYPESCRIPT_MEMBERS);
    procedures
        .map(|name| scope.take(&camel(&words(name))))
        .collect()
}

/// Joins words as the name of a function in Python and Rust.
pub fn snake(words: &[String]) -> String {
    words.join("_").to_ascii_lowercase()
}

fn capitalized(word: &str) -> String {
    let mut capitalized = word.to_ascii_lowercase();
    if let Some(first) = capitalized.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    capitalized
}

/// The identifiers of one scope. No two differ only in case.
///
/// ```
/// use docent_describe::identifiers::IdentifierScope;
///
/// let mut scope = IdentifierScope::new("value", &["class"]);
/// assert_eq!(scope.take("class"), "class_");
/// assert_eq!(scope.take("a"), "a");
/// assert_eq!(scope.take("A"), "A2");
/// assert_eq!(scope.take("1"), "value1");
/// ```
#[derive(Debug)]
pub struct IdentifierScope {
    /// The identifiers so far, in lower case.
    taken: HashSet<String>,
    /// The next number to try after a name that is taken.
    numbers: HashMap<String, u64>,
    /// The words that the language or the client itself uses.
    reserved: &'static [&'static str],
    /// The identifier for names without any ASCII letter or digit.
    nameless: &'static str,
}

impl IdentifierScope {
    /// Creates a scope in which `reserved` cannot be used. `nameless` is put before names that are empty or
    /// begin with a digit.
    pub fn new(nameless: &'static str, reserved: &'static [&'static str]) -> Self {
        Self {
            taken: HashSet::new(),
            numbers: HashMap::new(),
            reserved,
            nameless,
        }
    }

    /// Takes a free identifier like `wanted`, and returns it. A reserved word gets a `_`; any other name that
    /// cannot be used gets a number.
    pub fn take(&mut self, wanted: &str) -> String {
        let mut wanted = wanted.to_owned();
        if wanted.is_empty() || wanted.starts_with(|first: char| first.is_ascii_digit()) {
            wanted.insert_str(0, self.nameless);
        }
        let is_variable = wanted.starts_with(|first: char| first.is_ascii_lowercase());
        if is_variable && self.is_reserved(&wanted) {
            wanted.push('_');
        }
        // Separate digits, so that `a1` and `a` do not soon collide when they are numbered.
        let is_numbered = wanted.ends_with(|last: char| last.is_ascii_digit());
        let gap = if is_numbered { "_" } else { "" };
        let mut name = wanted.clone();
        while self.is_reserved(&name) || !self.taken.insert(name.to_ascii_lowercase()) {
            let number = self.numbers.entry(wanted.to_ascii_lowercase()).or_insert(2);
            name = format!("{wanted}{gap}{number}");
            *number += 1;
        }
        name
    }

    fn is_reserved(&self, name: &str) -> bool {
        self.reserved
            .iter()
            .any(|reserved| reserved.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words_and_identifiers() {
        for (name, pascal_case, camel_case, snake_case) in [
            ("book.find", "BookFind", "bookFind", "book_find"),
            (
                "getBookByISBN",
                "GetBookByIsbn",
                "getBookByIsbn",
                "get_book_by_isbn",
            ),
            ("BLOCK_ID", "BlockId", "blockId", "block_id"),
            ("HTTPServer2", "HttpServer2", "httpServer2", "http_server2"),
            ("__proto__", "Proto", "proto", "proto"),
            ("*/ alert(1)", "Alert1", "alert1", "alert_1"),
            ("книга", "", "", ""),
        ] {
            let words = words(name);
            assert_eq!(pascal(&words), pascal_case, "{name}");
            assert_eq!(camel(&words), camel_case, "{name}");
            assert_eq!(snake(&words), snake_case, "{name}");
        }
    }

    #[test]
    fn no_two_identifiers_differ_only_in_case() {
        let mut scope = IdentifierScope::new("value", &["class"]);
        let taken = ["class", "Class", "a", "A", "", "1", "a2"].map(|name| scope.take(name));
        let expected = ["class_", "Class2", "a", "A2", "value", "value1", "a2_2"];
        assert_eq!(taken, expected);
    }
}
