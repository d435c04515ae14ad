//! Reads authors, and finds or adds the authors of a new book.

use super::db::{Db, Row};
use super::error::Result;
use super::filter::Filter;
use super::value::values;
use super::{Store, books, fold};
use crate::model::{
    Author, AuthorDetails, AuthorId, AuthorPage, BookId, Contributor, ImpossibleLife, LibraryError,
    ListAuthors, NewAuthor, NoSuchAuthor,
};

/// The columns that [`author`] reads.
const AUTHOR_COLUMNS: &str = "a.id, a.name, a.sort_name, a.born, a.died, \
    (SELECT count(*) FROM book_authors ba WHERE ba.author = a.id)";

impl Store {
    /// Lists one page of the authors whose sort name starts with the prefix.
    pub fn list_authors(&self, query: &ListAuthors) -> Result<AuthorPage> {
        let first = fold::fold(query.prefix.as_deref().unwrap_or_default());
        let mut filter = Filter::on("authors a");
        // An upper bound for every text that starts with the prefix.
        filter.and_with("a.filing < ?", format!("{first}{}", char::MAX));
        filter.and_with("a.filing >= ?", first);
        self.read(|db| {
            let place = (query.offset, query.limit);
            let (page, authors) =
                filter.page(db, AUTHOR_COLUMNS, "a.filing, a.id", place, author)?;
            Ok(AuthorPage { page, authors })
        })
    }

    /// Returns an author with the author's books.
    ///
    /// Fails with `NoSuchAuthor`.
    pub fn author(&self, id: AuthorId) -> Result<AuthorDetails> {
        self.read(|db| {
            let one = format!("SELECT {AUTHOR_COLUMNS} FROM authors a WHERE a.id = ?1");
            let author = db
                .first(&one, values![id], author)?
                .ok_or(LibraryError::NoSuchAuthor(NoSuchAuthor { author: id }))?;
            let ids: Vec<BookId> = db.all(
                "SELECT b.id FROM book_authors ba JOIN books b ON b.id = ba.book \
                 WHERE ba.author = ?1 ORDER BY b.year NULLS LAST, b.filing, b.id",
                values![id],
                |row| row.get(0),
            )?;
            let books = books::load(db, &ids)?;
            Ok(AuthorDetails { author, books })
        })
    }
}

/// Reads an author from a row with [`AUTHOR_COLUMNS`].
fn author(row: &Row<'_>) -> Result<Author> {
    Ok(Author {
        id: row.get(0)?,
        name: row.get(1)?,
        sort_name: row.get(2)?,
        born: row.get(3)?,
        died: row.get(4)?,
        books: row.get(5)?,
    })
}

/// Returns the number of a contributor, whom the catalogue has, or who is added to it.
pub(super) fn resolve(db: &Db<'_>, contributor: &Contributor) -> Result<AuthorId> {
    match contributor {
        Contributor::Known(id) => {
            if db.exists("SELECT 1 FROM authors WHERE id = ?1", values![*id])? {
                Ok(*id)
            } else {
                Err(LibraryError::NoSuchAuthor(NoSuchAuthor { author: *id }).into())
            }
        }
        Contributor::New(author) => find_or_insert(db, author),
    }
}

/// Returns the number of the author with this name and year of birth, who is added if there is none. An author
/// without a year of birth, in the catalogue or in the request, has the name alone to be found by.
fn find_or_insert(db: &Db<'_>, new: &NewAuthor) -> Result<AuthorId> {
    let name = new.name.trim();
    if let (Some(born), Some(died)) = (new.born, new.died)
        && died < born
    {
        let name = name.to_owned();
        return Err(LibraryError::ImpossibleLife(ImpossibleLife { name, born, died }).into());
    }
    let sort_name = match &new.sort_name {
        Some(given) => given.trim().to_owned(),
        None => sort_name(name),
    };
    let found = db.first(
        "SELECT id FROM authors WHERE filing = ?1 \
         AND (born IS NULL OR ?2 IS NULL OR born = ?2) ORDER BY born IS NULL, id LIMIT 1",
        values![fold::fold(&sort_name), new.born],
        |row| row.get(0),
    )?;
    match found {
        Some(id) => Ok(id),
        None => insert(db, name, &sort_name, new.born, new.died),
    }
}

/// Inserts an author, even if another has the same name.
pub(super) fn insert(
    db: &Db<'_>,
    name: &str,
    sort_name: &str,
    born: Option<i16>,
    died: Option<i16>,
) -> Result<AuthorId> {
    db.one(
        "INSERT INTO authors (name, sort_name, filing, born, died) \
         VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        values![name, sort_name, fold::fold(sort_name), born, died],
    )
}

/// Returns `Austen, Jane` for `Jane Austen`.
fn sort_name(name: &str) -> String {
    match name.rsplit_once(char::is_whitespace) {
        Some((first, last)) => format!("{last}, {}", first.trim_end()),
        None => name.to_owned(),
    }
}
