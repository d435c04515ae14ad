//! Searches for text that is hardly meant as words.

use std::time::{Duration, Instant};

use library::model::{AddBook, Card, Contributor, ListAuthors, ListLoans, NewAuthor};
use library::store::Error;

use crate::support::{Library, Writes, book_named};

const NASTY: [&str; 28] = [
    "\"",
    "\"\"",
    "'",
    "';--",
    "'; DROP TABLE books; --",
    "a\" OR \"b",
    "titles:moby",
    "{titles authors}: x",
    "NOT",
    "AND OR NOT NEAR",
    "NEAR(a b, 2)",
    "moby NOT dick",
    "^moby",
    "mob*",
    "* *",
    "a + b",
    "-",
    "(((((",
    ")",
    "a\0b",
    "\0",
    "\"\0\"",
    "🐳",
    "🐳 moby",
    "\u{202e}\u{200b}\u{feff}",
    "\u{301}\u{301}",
    "\u{1e922}\u{16ec0}",
    "%_?1 :x @y $z",
];

#[test]
fn whatever_is_looked_for_is_only_words() {
    let library = Library::new();
    let all = library.find("").page.total;
    for text in NASTY {
        let found = library.find(text);
        assert!(found.page.total < all, "{text:?}");
    }
    assert_eq!(
        library.find(" \t\n").page.total,
        all,
        "no words, no condition"
    );
    assert_eq!(
        library.find("🐳").page.total,
        0,
        "signs alone match nothing"
    );
    assert_eq!(library.find("🐳 \"moby\" (dick)*").page.total, 1);
    assert_eq!(library.find("moby\0dick").page.total, 1);
    assert_eq!(
        library.find("moby NOT dick").page.total,
        0,
        "`not` is a word like any other"
    );
}

#[test]
fn a_very_long_search_ends_soon() {
    let library = Library::new();
    let start = Instant::now();
    for text in [
        "a ".repeat(500_000),
        "moby".repeat(250_000),
        "\"".repeat(1_000_000),
        "é".repeat(500_000),
        "\u{301}".repeat(500_000),
        (0..100_000).map(|n| n.to_string() + " ").collect(),
    ] {
        library.find(&text);
    }
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn hostile_text_is_kept_as_it_is_and_found_by_the_words_in_it() {
    let library = Library::new();
    for (n, text) in NASTY.into_iter().enumerate() {
        let title = format!("x{text} oddity{n}");
        let added = library
            .store
            .add_book(&AddBook {
                authors: vec![Contributor::New(NewAuthor {
                    name: format!("Nasty{n} {text}"),
                    sort_name: None,
                    born: None,
                    died: None,
                })],
                english_title: Some(text.to_owned()),
                ..book_named(&title)
            })
            .unwrap();
        assert_eq!(added.title, title);
        assert_eq!(
            library.find(&format!("oddity{n}")).books[0].id,
            added.id,
            "{text:?}"
        );
        assert_eq!(
            library.find(&format!("nasty{n}")).books[0].id,
            added.id,
            "{text:?}"
        );
    }
}

#[test]
fn hostile_prefixes_and_cards_find_nothing_and_break_nothing() {
    let library = Library::new();
    for text in NASTY {
        let query = ListAuthors {
            prefix: Some(text.to_owned()),
            ..ListAuthors::default()
        };
        library.store.list_authors(&query).unwrap();
        let card = Card(text.to_owned());
        assert!(matches!(
            library.store.member(&card),
            Err(Error::Library(_))
        ));
        let query = ListLoans {
            member: Some(card),
            ..ListLoans::default()
        };
        assert_eq!(library.store.list_loans(&query).unwrap().page.total, 0);
    }
}
