//! Authors: list them, get one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page::{DEFAULT_LIMIT, MAX_LIMIT};
use super::{AuthorId, Book, PageInfo};

/// Somebody who wrote a book of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Author {
    /// The number of the author.
    pub id: AuthorId,
    /// The name as it stands on a title page.
    pub name: String,
    /// The name as it is filed, usually the family name first.
    pub sort_name: String,
    /// The year of birth, negative before the common era; null where it is not certain.
    pub born: Option<i16>,
    /// The year of death, negative before the common era; null where it is not certain.
    pub died: Option<i16>,
    /// The number of books in the catalogue that the author wrote, alone or with others.
    pub books: u32,
}

/// An author, named in passing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorRef {
    /// The number of the author.
    pub id: AuthorId,
    /// The name as it stands on a title page.
    pub name: String,
}

/// An author together with the books they wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorDetails {
    /// The author.
    pub author: Author,
    /// The author's books, the earliest first; those without a year come last.
    pub books: Vec<Book>,
}

/// One page of authors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorPage {
    /// The position of this page among all authors listed.
    pub page: PageInfo,
    /// The authors of this page, by sort name.
    pub authors: Vec<Author>,
}

/// Lists authors by sort name, all of them or those whose sort name begins with a prefix.
///
/// Answers one page of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ListAuthors {
    /// Only authors whose sort name begins with this text, case and accents aside.
    #[schemars(length(max = 100))]
    pub prefix: Option<String>,
    /// The number of authors to skip.
    pub offset: u32,
    /// The maximum number of authors to return.
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: u32,
}

impl Default for ListAuthors {
    /// Returns the first page of all authors.
    fn default() -> Self {
        Self {
            prefix: None,
            offset: 0,
            limit: DEFAULT_LIMIT,
        }
    }
}

/// Shows an author and the books they wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GetAuthor {
    /// The number of the author.
    pub author: AuthorId,
}
