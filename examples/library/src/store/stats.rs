//! Counts what the library has.

use super::Store;
use super::db::Db;
use super::error::Result;
use super::value::values;
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

fn count(db: &Db<'_>, table: &'static str) -> Result<u32> {
    db.one(&format!("SELECT count(*) FROM {table}"), &[])
}

fn loans(db: &Db<'_>, today: Date) -> Result<LoanCounts> {
    db.row(
        "SELECT count(*), count(*) FILTER (WHERE returned IS NULL), \
         count(*) FILTER (WHERE returned IS NULL AND due < ?1) FROM loans",
        values![today],
        |row| {
            Ok(LoanCounts {
                total: row.get(0)?,
                open: row.get(1)?,
                overdue: row.get(2)?,
            })
        },
    )
}

fn most_lent(db: &Db<'_>, top: u32) -> Result<Vec<LentBook>> {
    db.all(
        "SELECT b.id, b.title, count(*) FROM loans l JOIN copies c ON c.id = l.copy \
         JOIN books b ON b.id = c.book GROUP BY b.id ORDER BY count(*) DESC, b.filing, b.id LIMIT ?1",
        values![top],
        |row| {
            Ok(LentBook {
                book: BookRef {
                    id: row.get(0)?,
                    title: row.get(1)?,
                },
                times: row.get(2)?,
            })
        },
    )
}

fn languages(db: &Db<'_>) -> Result<Vec<LanguageCount>> {
    db.all(
        "SELECT language, count(*) FROM books GROUP BY language ORDER BY count(*) DESC, language",
        &[],
        |row| {
            Ok(LanguageCount {
                language: row.get(0)?,
                books: row.get(1)?,
            })
        },
    )
}

fn subjects(db: &Db<'_>) -> Result<Vec<SubjectCount>> {
    db.all(
        "SELECT subject, count(*) FROM book_subjects GROUP BY subject \
         ORDER BY count(*) DESC, subject",
        &[],
        |row| {
            Ok(SubjectCount {
                subject: row.get(0)?,
                books: row.get(1)?,
            })
        },
    )
}
