//! Reads books and adds them.

use std::collections::{BTreeSet, HashMap};

use rusqlite::{OptionalExtension, Transaction, params};

use super::error::Result;
use super::once::once;
use super::{Store, authors, fold};
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

    /// Adds a book with its copies, and its authors if the catalogue does not have them yet.
    ///
    /// Fails with `NoSuchAuthor`, `ImpossibleLife`, `DuplicateBook` or `RequestIdReused`.
    pub fn add_book(&self, request: &AddBook) -> Result<Book> {
        self.write(|db| {
            let name = request.request_id.as_ref();
            once(db, self.today(), "book.add", name, request, || {
                add(db, request)
            })
        })
    }
}

fn add(db: &Transaction<'_>, request: &AddBook) -> Result<Book> {
    let mut by = Vec::with_capacity(request.authors.len());
    for contributor in &request.authors {
        let author = authors::resolve(db, contributor)?;
        // The request may name an author twice, by number and by name.
        if !by.contains(&author) {
            by.push(author);
        }
    }
    let title = request.title.trim();
    let entry = Entry {
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
pub(super) struct Entry<'a> {
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
fn duplicate(db: &Transaction<'_>, entry: &Entry<'_>) -> Result<Option<BookId>> {
    let filing = fold::filing_title(entry.title, &entry.language.0);
    Ok(db
        .prepare_cached(
            "SELECT b.id FROM books b WHERE b.filing = ?1 AND b.language = ?2 AND CASE ?3 \
             WHEN '[]' THEN NOT EXISTS (SELECT 1 FROM book_authors WHERE book = b.id) \
             ELSE EXISTS (SELECT 1 FROM book_authors WHERE book = b.id \
             AND author IN (SELECT value FROM json_each(?3))) END LIMIT 1",
        )?
        .query_row(
            params![
                filing,
                entry.language,
                serde_json::to_string(entry.authors)?
            ],
            |row| row.get(0),
        )
        .optional()?)
}

/// Inserts a book, its copies and its words.
pub(super) fn insert(db: &Transaction<'_>, entry: &Entry<'_>) -> Result<BookId> {
    let id: BookId = db
        .prepare_cached(
            "INSERT INTO books (title, english_title, filing, year, language) \
             VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        )?
        .query_row(
            params![
                entry.title,
                entry.english_title,
                fold::filing_title(entry.title, &entry.language.0),
                entry.year,
                entry.language,
            ],
            |row| row.get(0),
        )?;
    let mut names = String::new();
    let mut by = db.prepare_cached(
        "INSERT INTO book_authors (book, position, author) VALUES (?1, ?2, ?3) \
         RETURNING (SELECT name FROM authors WHERE id = author)",
    )?;
    for (position, author) in (0_u32..).zip(entry.authors) {
        let name: String = by.query_row(params![id, position, author], |row| row.get(0))?;
        names.push_str(&name);
        names.push(' ');
    }
    let mut topics = String::new();
    let mut on = db.prepare_cached("INSERT INTO book_subjects (book, subject) VALUES (?1, ?2)")?;
    for subject in entry.subjects {
        on.execute(params![id, subject])?;
        topics.push_str(&subject.0);
        topics.push(' ');
    }
    let mut copy = db.prepare_cached("INSERT INTO copies (book, number) VALUES (?1, ?2)")?;
    for number in 1..=entry.copies {
        copy.execute(params![id, number])?;
    }
    let titles = format!(
        "{} {}",
        entry.title,
        entry.english_title.unwrap_or_default()
    );
    db.prepare_cached(
        "INSERT INTO book_words (rowid, titles, authors, subjects) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![
        id,
        fold::fold(&titles),
        fold::fold(&names),
        fold::fold(&topics)
    ])?;
    Ok(id)
}

/// Returns the books with these numbers, in this order. Numbers without a book are skipped.
///
/// This takes three statements for any number of books, instead of two more for each book.
pub(super) fn load(db: &Transaction<'_>, ids: &[BookId]) -> Result<Vec<Book>> {
    let ids = serde_json::to_string(ids)?;
    let mut books = db.prepare_cached(
        "SELECT b.id, b.title, b.english_title, b.year, b.language, \
         (SELECT count(*) FROM copies c WHERE c.book = b.id), \
         (SELECT count(*) FROM copies c JOIN loans l ON l.copy = c.id AND l.returned IS NULL \
          WHERE c.book = b.id) \
         FROM json_each(?1) j JOIN books b ON b.id = j.value ORDER BY j.key",
    )?;
    let mut books: Vec<Book> = books
        .query_map([&ids], |row| {
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
        })?
        .collect::<rusqlite::Result<_>>()?;
    let place: HashMap<BookId, usize> = books.iter().enumerate().map(|(i, b)| (b.id, i)).collect();

    let mut by = db.prepare_cached(
        "SELECT ba.book, a.id, a.name FROM book_authors ba JOIN authors a ON a.id = ba.author \
         WHERE ba.book IN (SELECT value FROM json_each(?1)) ORDER BY ba.book, ba.position",
    )?;
    let mut rows = by.query([&ids])?;
    while let Some(row) = rows.next()? {
        if let Some(&i) = place.get(&row.get(0)?) {
            books[i].authors.push(AuthorRef {
                id: row.get(1)?,
                name: row.get(2)?,
            });
        }
    }
    let mut on = db.prepare_cached(
        "SELECT book, subject FROM book_subjects \
         WHERE book IN (SELECT value FROM json_each(?1)) ORDER BY book, subject",
    )?;
    let mut rows = on.query([&ids])?;
    while let Some(row) = rows.next()? {
        if let Some(&i) = place.get(&row.get(0)?) {
            books[i].subjects.push(row.get(1)?);
        }
    }
    Ok(books)
}

fn holdings(db: &Transaction<'_>, book: BookId, today: Date) -> Result<Vec<Holding>> {
    let mut statement = db.prepare_cached(
        "SELECT c.number, l.id, l.due FROM copies c \
         LEFT JOIN loans l ON l.copy = c.id AND l.returned IS NULL \
         WHERE c.book = ?1 ORDER BY c.number",
    )?;
    let rows = statement.query_map([book], |row| {
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
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
