//! The starting data: the catalogue, a few members and their loans so far.
//!
//! The data is part of the program. The first test finds an invalid line, so reading one panics
//! instead of returning an error that nothing could handle.

use std::collections::HashMap;

use super::db::Db;
use super::error::Result;
use super::{authors, books, loans, members};
use crate::model::{AuthorId, BookId, Card, Date, LOAN_DAYS, Language, Subject};

const AUTHOR_ROWS: &str = include_str!("../../data/authors.tsv");
const BOOK_ROWS: &str = include_str!("../../data/books.tsv");
const MEMBER_ROWS: &str = include_str!("../../data/members.tsv");
const LOAN_ROWS: &str = include_str!("../../data/loans.tsv");

/// Fills a new database as if the library had been open for a while before `today`.
pub(super) fn fill(db: &Db<'_>, today: Date) -> Result<()> {
    let authors = fill_authors(db)?;
    let books = fill_books(db, &authors)?;
    fill_members(db, today)?;
    fill_loans(db, &books, today)
}

fn fill_authors(db: &Db<'_>) -> Result<HashMap<&'static str, AuthorId>> {
    let mut ids = HashMap::new();
    for [name, sort_name, born, died] in lines(AUTHOR_ROWS) {
        let id = authors::insert(db, name, sort_name, year(born), year(died))?;
        assert!(ids.insert(name, id).is_none(), "two authors named {name}");
    }
    Ok(ids)
}

fn fill_books(
    db: &Db<'_>,
    authors: &HashMap<&str, AuthorId>,
) -> Result<HashMap<&'static str, BookId>> {
    let mut ids = HashMap::new();
    for (number, [title, english_title, by, published, language, subjects]) in
        (0_u32..).zip(lines(BOOK_ROWS))
    {
        let by: Vec<_> = parts(by, "; ")
            .map(|name| {
                *authors
                    .get(name)
                    .unwrap_or_else(|| panic!("no author {name}"))
            })
            .collect();
        let book = books::BookRow {
            title,
            english_title: (!english_title.is_empty()).then_some(english_title),
            authors: &by,
            year: year(published),
            language: &Language(language.to_owned()),
            subjects: &parts(subjects, ", ")
                .map(|s| Subject(s.to_owned()))
                .collect(),
            // Titles have one, two and three copies in turn, so there are enough of each kind to
            // try out.
            copies: 1 + number % 3,
        };
        ids.insert(title, books::insert(db, &book)?);
    }
    Ok(ids)
}

fn fill_members(db: &Db<'_>, today: Date) -> Result<()> {
    for [name, days_ago] in lines(MEMBER_ROWS) {
        members::insert(db, name, today.plus_days(-days(days_ago)))?;
    }
    Ok(())
}

fn fill_loans(db: &Db<'_>, books: &HashMap<&str, BookId>, today: Date) -> Result<()> {
    for [card, title, days_ago, kept] in lines(LOAN_ROWS) {
        let (member, _) = members::find(db, &Card(card.to_owned()))?;
        let book = *books
            .get(title)
            .unwrap_or_else(|| panic!("no book {title}"));
        let lent = today.plus_days(-days(days_ago));
        let copy = loans::free_copy(db, book)?;
        let loan = loans::insert(db, copy, member, lent, lent.plus_days(LOAN_DAYS))?;
        if !kept.is_empty() {
            loans::close(db, loan, lent.plus_days(days(kept)))?;
        }
    }
    Ok(())
}

/// Returns the lines other than comments, each split at its tabs.
fn lines<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            fields
                .try_into()
                .unwrap_or_else(|_| panic!("not {N} fields: {line}"))
        })
}

fn parts<'a>(text: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(separator).filter(|part| !part.is_empty())
}

fn year(text: &str) -> Option<i16> {
    (!text.is_empty()).then(|| {
        text.parse()
            .unwrap_or_else(|_| panic!("not a year: {text}"))
    })
}

fn days(text: &str) -> i32 {
    text.parse()
        .unwrap_or_else(|_| panic!("not a number of days: {text}"))
}
