//! Counts what the library has.

use rusqlite::Transaction;

use super::Store;
use super::error::Result;
use crate::model::{
    BookRef, Date, GetStats, LanguageCount, LentBook, LoanCounts, Stats, SubjectCount,
};

impl Store {
    /// Returns figures about the library.
    pub fn stats(&self, query: &GetStats) -> Result<Stats> {
        let today = self.today();
        self.read(|db| {
            Ok(Stats {
                today,
                books: count(db, "books")?,
                copies: count(db, "copies")?,
                authors: count(db, "authors")?,
                members: count(db, "members")?,
                loans: loans(db, today)?,
                most_lent: most_lent(db, query.top)?,
                languages: languages(db)?,
                subjects: subjects(db)?,
            })
        })
    }
}

fn count(db: &Transaction<'_>, table: &'static str) -> Result<u32> {
    let mut statement = db.prepare_cached(&format!("SELECT count(*) FROM {table}"))?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

fn loans(db: &Transaction<'_>, today: Date) -> Result<LoanCounts> {
    let mut statement = db.prepare_cached(
        "SELECT count(*), count(*) FILTER (WHERE returned IS NULL), \
         count(*) FILTER (WHERE returned IS NULL AND due < ?1) FROM loans",
    )?;
    Ok(statement.query_row([today], |row| {
        Ok(LoanCounts {
            total: row.get(0)?,
            open: row.get(1)?,
            overdue: row.get(2)?,
        })
    })?)
}

fn most_lent(db: &Transaction<'_>, top: u32) -> Result<Vec<LentBook>> {
    let mut statement = db.prepare_cached(
        "SELECT b.id, b.title, count(*) FROM loans l JOIN copies c ON c.id = l.copy \
         JOIN books b ON b.id = c.book GROUP BY b.id ORDER BY count(*) DESC, b.filing, b.id LIMIT ?1",
    )?;
    let rows = statement.query_map([top], |row| {
        Ok(LentBook {
            book: BookRef {
                id: row.get(0)?,
                title: row.get(1)?,
            },
            times: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn languages(db: &Transaction<'_>) -> Result<Vec<LanguageCount>> {
    let mut statement = db.prepare_cached(
        "SELECT language, count(*) FROM books GROUP BY language ORDER BY count(*) DESC, language",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(LanguageCount {
            language: row.get(0)?,
            books: row.get(1)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn subjects(db: &Transaction<'_>) -> Result<Vec<SubjectCount>> {
    let mut statement = db.prepare_cached(
        "SELECT subject, count(*) FROM book_subjects GROUP BY subject \
         ORDER BY count(*) DESC, subject",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(SubjectCount {
            subject: row.get(0)?,
            books: row.get(1)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
