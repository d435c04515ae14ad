//! Figures about the library.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BookRef, Date, Language, Subject};

/// The library in numbers, all of them as of the same moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stats {
    /// The day these numbers are for, by the library's calendar (UTC).
    pub today: Date,
    /// The number of books in the catalogue.
    pub books: u32,
    /// The number of their copies that the library owns.
    pub copies: u32,
    /// The number of authors in the catalogue.
    pub authors: u32,
    /// The number of members.
    pub members: u32,
    /// The loans.
    pub loans: LoanCounts,
    /// The books lent most often, the most popular first.
    pub most_lent: Vec<LentBook>,
    /// The number of books in each language, the most frequent first.
    pub languages: Vec<LanguageCount>,
    /// The number of books on each subject, the most frequent first.
    pub subjects: Vec<SubjectCount>,
}

/// Loans, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoanCounts {
    /// All loans there ever were.
    pub total: u32,
    /// Loans that have not ended, overdue or not.
    pub open: u32,
    /// Loans that have not ended and were due on a day that has passed.
    pub overdue: u32,
}

/// The number of loans of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LentBook {
    /// The book.
    pub book: BookRef,
    /// The number of its loans, ended ones included.
    pub times: u32,
}

/// The number of books in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LanguageCount {
    /// The language.
    pub language: Language,
    /// The number of books written in it.
    pub books: u32,
}

/// The number of books on a subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectCount {
    /// The subject.
    pub subject: Subject,
    /// The number of books that have it.
    pub books: u32,
}

/// Counts what the library has and what it lends, all of it as of the same moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GetStats {
    /// The number of books to name of those lent most often.
    #[schemars(range(max = 100))]
    pub top: u32,
}

impl Default for GetStats {
    /// Requests the ten books lent most often.
    fn default() -> Self {
        Self { top: 10 }
    }
}
