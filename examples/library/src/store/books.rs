//! Reads books and adds them.
//!
//! A book is found by its words through an index that each database builds in its own way; the rest of a query
//! is the same SQL.

use std::collections::{BTreeSet, HashMap};

use super::db::Db;
use super::error::Result;
use super::value::values;
use super::{Store, WriteTransaction, authors, fold};
use crate::model::{
    AddBook, AuthorId, AuthorRef, Book, BookDetails, BookId, Date, DuplicateBook, Holding,
    HoldingState, Language, LibraryError, NoSuchBook, Subject,
};

impl Store {
    /// Returns a book and where each of its copies is.
    ///
    /// Fails with `NoSuchBook`.
    pub fn book(&self, id: BookId) -> Result<BookDetails> {
        let today = self.today();
        self.read(|db| {
            let book = load(db, &[id])?
                .pop()
                .ok_or(LibraryError::NoSuchBook(NoSuchBook { book: id }))?;
            let holdings = holdings(db, id, today)?;
            Ok(BookDetails { book, holdings })
        })
    }
}

impl WriteTransaction<'_> {
    /// Adds a book with its copies, and its authors if the catalogue does not have them yet.
    ///
    /// Fails with `NoSuchAuthor`, `ImpossibleLife` or `DuplicateBook`.
    pub fn add_book(&self, request: &AddBook) -> Result<Book> {
        add(self.db, request)
    }
}

fn add(db: &Db<'_>, request: &AddBook) -> Result<Book> {
    let mut by = Vec::with_capacity(request.authors.len());
    for contributor in &request.authors {
        let author = authors::resolve(db, contributor)?;
        // The request may name an author twice, by number and by name.
        if !by.contains(&author) {
            by.push(author);
        }
    }
    let title = request.title.trim();
    let entry = BookRow {
        title,
        english_title: request.english_title.as_deref().map(str::trim),
        authors: &by,
        year: request.year,
        language: &request.language,
        subjects: &request.subjects,
        copies: request.copies,
    };
    if let Some(book) = duplicate(db, &entry)? {
        return Err(LibraryError::DuplicateBook(DuplicateBook { book }).into());
    }
    let book = insert(db, &entry)?;
    Ok(load(db, &[book])?
        .pop()
        .ok_or(LibraryError::NoSuchBook(NoSuchBook { book }))?)
}

/// A book to insert. Its authors are in the catalogue.
pub(super) struct BookRow<'a> {
    pub title: &'a str,
    pub english_title: Option<&'a str>,
    pub authors: &'a [AuthorId],
    pub year: Option<i16>,
    pub language: &'a Language,
    pub subjects: &'a BTreeSet<Subject>,
    pub copies: u32,
}

/// Returns the book with this title and language that shares an author with the entry, or that,
/// like the entry, has no known author.
fn duplicate(db: &Db<'_>, entry: &BookRow<'_>) -> Result<Option<BookId>> {
    let filing = fold::filing_title(entry.title, &entry.language.0);
    let authors = db.dialect().third;
    db.first(
        &format!(
            "SELECT b.id FROM books b WHERE b.filing = ?1 AND b.language = ?2 AND CASE ?3 \
             WHEN '[]' THEN NOT EXISTS (SELECT 1 FROM book_authors WHERE book = b.id) \
             ELSE EXISTS (SELECT 1 FROM book_authors WHERE book = b.id \
             AND author IN ({authors})) END LIMIT 1"
        ),
        values![
            filing,
            entry.language,
            serde_json::to_string(entry.authors)?
        ],
        |row| row.get(0),
    )
}

/// Inserts a book, its copies and its words.
pub(super) fn insert(db: &Db<'_>, entry: &BookRow<'_>) -> Result<BookId> {
    let id: BookId = db.one(
        "INSERT INTO books (title, english_title, filing, year, language) \
         VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        values![
            entry.title,
            entry.english_title,
            fold::filing_title(entry.title, &entry.language.0),
            entry.year,
            entry.language,
        ],
    )?;
    let mut names = String::new();
    for (position, author) in (0_u32..).zip(entry.authors) {
        let name: String = db.one(
            "INSERT INTO book_authors (book, position, author) VALUES (?1, ?2, ?3) \
             RETURNING (SELECT name FROM authors WHERE id = author)",
            values![id, position, *author],
        )?;
        names.push_str(&name);
        names.push(' ');
    }
    let mut topics = String::new();
    for subject in entry.subjects {
        db.execute(
            "INSERT INTO book_subjects (book, subject) VALUES (?1, ?2)",
            values![id, subject],
        )?;
        topics.push_str(&subject.0);
        topics.push(' ');
    }
    for number in 1..=entry.copies {
        db.execute(
            "INSERT INTO copies (book, number) VALUES (?1, ?2)",
            values![id, number],
        )?;
    }
    let titles = format!(
        "{} {}",
        entry.title,
        entry.english_title.unwrap_or_default()
    );
    let indexed = db.dialect().indexed;
    db.execute(
        db.dialect().add_words,
        values![id, indexed(&titles), indexed(&names), indexed(&topics)],
    )?;
    Ok(id)
}

/// Returns the books with these numbers, in this order. Numbers without a book are skipped.
///
/// This takes three statements for any number of books, instead of two more for each book.
pub(super) fn load(db: &Db<'_>, ids: &[BookId]) -> Result<Vec<Book>> {
    let ids = serde_json::to_string(ids)?;
    let ids = values![ids];
    let list = db.dialect().list;
    let mut books: Vec<Book> = db.all(
        &format!(
            "SELECT b.id, b.title, b.english_title, b.year, b.language, \
             (SELECT count(*) FROM copies c WHERE c.book = b.id), \
             (SELECT count(*) FROM copies c JOIN loans l ON l.copy = c.id AND l.returned IS NULL \
              WHERE c.book = b.id) \
             FROM {list} JOIN books b ON b.id = j.value ORDER BY j.key"
        ),
        ids,
        |row| {
            let copies: u32 = row.get(5)?;
            let lent: u32 = row.get(6)?;
            Ok(Book {
                id: row.get(0)?,
                title: row.get(1)?,
                english_title: row.get(2)?,
                authors: Vec::new(),
                year: row.get(3)?,
                language: row.get(4)?,
                subjects: Vec::new(),
                copies,
                // A copy has at most one open loan, so this cannot be negative.
                available: copies.saturating_sub(lent),
            })
        },
    )?;
    let place: HashMap<BookId, usize> = books.iter().enumerate().map(|(i, b)| (b.id, i)).collect();

    let by = format!(
        "SELECT ba.book, a.id, a.name FROM {list} JOIN book_authors ba ON ba.book = j.value \
         JOIN authors a ON a.id = ba.author ORDER BY ba.book, ba.position"
    );
    db.all(&by, ids, |row| {
        if let Some(&i) = place.get(&row.get(0)?) {
            books[i].authors.push(AuthorRef {
                id: row.get(1)?,
                name: row.get(2)?,
            });
        }
        Ok(())
    })?;
    let on = format!(
        "SELECT bs.book, bs.subject FROM {list} JOIN book_subjects bs ON bs.book = j.value \
         ORDER BY bs.book, bs.subject"
    );
    db.all(&on, ids, |row| {
        if let Some(&i) = place.get(&row.get(0)?) {
            books[i].subjects.push(row.get(1)?);
        }
        Ok(())
    })?;
    Ok(books)
}

fn holdings(db: &Db<'_>, book: BookId, today: Date) -> Result<Vec<Holding>> {
    db.all(
        "SELECT c.number, l.id, l.due FROM copies c \
         LEFT JOIN loans l ON l.copy = c.id AND l.returned IS NULL \
         WHERE c.book = ?1 ORDER BY c.number",
        values![book],
        |row| {
            let due: Option<Date> = row.get(2)?;
            Ok(Holding {
                copy: row.get(0)?,
                state: match due {
                    None => HoldingState::In,
                    Some(due) if due < today => HoldingState::Overdue,
                    Some(_) => HoldingState::Lent,
                },
                loan: row.get(1)?,
                due,
            })
        },
    )
}
