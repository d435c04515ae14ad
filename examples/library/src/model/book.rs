//! Books: find them, get one, add one.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page::{DEFAULT_LIMIT, MAX_LIMIT};
use super::{AuthorId, AuthorRef, BookId, Date, Language, LoanId, PageInfo, Subject};

/// A book of the catalogue.
///
/// The library may own several copies of it; each is lent on its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Book {
    /// The number of the book.
    pub id: BookId,
    /// The title in the language the book was written in.
    pub title: String,
    /// The title it is known by in English; null where that is the same.
    pub english_title: Option<String>,
    /// The authors in the order of the title page; empty for an anonymous work.
    pub authors: Vec<AuthorRef>,
    /// The year of the first edition as a book, the last volume's where there were several.
    ///
    /// Null for a work that was read long before it was printed, or whose first printing is not
    /// certain. A year before the common era is negative.
    pub year: Option<i16>,
    /// The language it was written in.
    pub language: Language,
    /// The subjects and genres of the book, in alphabetical order.
    pub subjects: Vec<Subject>,
    /// The number of copies that the library owns.
    pub copies: u32,
    /// The number of copies that can be borrowed now.
    pub available: u32,
}

/// A book, named in passing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BookRef {
    /// The number of the book.
    pub id: BookId,
    /// The title in the language the book was written in.
    pub title: String,
}

/// A book together with what is known of each of its copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BookDetails {
    /// The book.
    pub book: Book,
    /// Its copies, in the order of their numbers.
    pub holdings: Vec<Holding>,
}

/// One copy of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Holding {
    /// The number of the copy among the book's copies, counted from one.
    pub copy: u32,
    /// The state of the copy.
    pub state: HoldingState,
    /// The loan it is out on; null while it is in.
    pub loan: Option<LoanId>,
    /// The day it is due back; null while it is in.
    pub due: Option<Date>,
}

/// The state of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HoldingState {
    /// On the shelf: it can be borrowed.
    In,
    /// Lent, and not due before today.
    Lent,
    /// Lent, and due back on a day that has passed.
    Overdue,
}

/// One page of books.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BookPage {
    /// The position of this page among all books found.
    pub page: PageInfo,
    /// The books of this page.
    pub books: Vec<Book>,
}

/// The order in which books are listed.
///
/// Books that are equal in it follow one another by their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BookOrder {
    /// The best match first.
    ///
    /// A word in a title counts for more than one in an author's name, and that for more than one in
    /// a subject. Without words, books are listed by title.
    #[default]
    Relevance,
    /// By title, a leading article and accents aside.
    Title,
    /// By the first author's sort name; anonymous works come last.
    Author,
    /// The earliest year first; works without a year come last.
    Oldest,
    /// The latest year first; works without a year come last.
    Newest,
}

/// Finds books by words, language, author, subject, year and availability.
///
/// Every condition given must hold; without any, all books are found. Answers one page of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FindBooks {
    /// Words to look for in titles, authors' names and subjects.
    ///
    /// All of them must occur; the beginning of a word is enough. Case and accents do not matter,
    /// and neither do quotation marks and other signs.
    #[schemars(length(max = 200))]
    pub words: Option<String>,
    /// Only books written in this language.
    pub language: Option<Language>,
    /// Only books by this author, alone or with others.
    pub author: Option<AuthorId>,
    /// Only books with this subject.
    pub subject: Option<Subject>,
    /// Only books first published in this year or later.
    #[schemars(range(min = -3000, max = 9999))]
    pub from_year: Option<i16>,
    /// Only books first published in this year or earlier.
    #[schemars(range(min = -3000, max = 9999))]
    pub to_year: Option<i16>,
    /// Only books of which a copy can be borrowed now.
    pub available: bool,
    /// The order of the books.
    pub order: BookOrder,
    /// The number of books to skip.
    pub offset: u32,
    /// The maximum number of books to return.
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: u32,
}

impl Default for FindBooks {
    /// Returns the first page of all books.
    fn default() -> Self {
        Self {
            words: None,
            language: None,
            author: None,
            subject: None,
            from_year: None,
            to_year: None,
            available: false,
            order: BookOrder::default(),
            offset: 0,
            limit: DEFAULT_LIMIT,
        }
    }
}

/// Shows a book and where each of its copies is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GetBook {
    /// The number of the book.
    pub book: BookId,
}

/// Adds a book and its copies to the catalogue.
///
/// Authors who are not there yet are added with it. A book of the same title and language by one of
/// the same authors is the same book, and is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddBook {
    /// The title in the language the book was written in.
    #[schemars(length(min = 1, max = 300), regex(pattern = r"\S"))]
    pub title: String,
    /// The language it was written in.
    pub language: Language,
    /// The authors in the order of the title page; empty for an anonymous work.
    #[serde(default)]
    #[schemars(length(max = 10))]
    pub authors: Vec<Contributor>,
    /// The title it is known by in English, where that is another.
    #[serde(default)]
    #[schemars(length(min = 1, max = 300), regex(pattern = r"\S"))]
    pub english_title: Option<String>,
    /// The year of the first edition as a book; negative before the common era.
    #[serde(default)]
    #[schemars(range(min = -3000, max = 9999))]
    pub year: Option<i16>,
    /// The subjects and genres of the book.
    #[serde(default)]
    #[schemars(length(max = 10))]
    pub subjects: BTreeSet<Subject>,
    /// The number of copies that the library owns.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 20))]
    pub copies: u32,
}

fn one() -> u32 {
    1
}

/// An author of a book that is being added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Contributor {
    /// An author who is in the catalogue, by number.
    Known(AuthorId),
    /// An author who may not be in the catalogue yet, by name.
    New(NewAuthor),
}

/// An author by name.
///
/// Where the catalogue has an author of the same sort name whose year of birth is the same or not
/// known, that author is meant; otherwise a new one is added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAuthor {
    /// The name as it stands on a title page: `Jane Austen`.
    #[schemars(length(min = 1, max = 200), regex(pattern = r"\S"))]
    pub name: String,
    /// The name as it is filed: `Austen, Jane`.
    ///
    /// Without it, the last word of `name` goes first.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), regex(pattern = r"\S"))]
    pub sort_name: Option<String>,
    /// The year of birth; negative before the common era.
    #[serde(default)]
    #[schemars(range(min = -3000, max = 9999))]
    pub born: Option<i16>,
    /// The year of death; negative before the common era.
    #[serde(default)]
    #[schemars(range(min = -3000, max = 9999))]
    pub died: Option<i16>,
}
