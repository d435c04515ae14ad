//! Figures about the library.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BookRef, Date, Language, Subject};

/// The library in numbers, all of them as of the same moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stats {
    /// The day these numbers are for, by the library's calendar (UTC).
    pub today: Date,
    /// How many books the catalogue has.
    pub books: u32,
    /// How many copies of them the library owns.
    pub copies: u32,
    /// How many authors the catalogue has.
    pub authors: u32,
    /// How many members there are.
    pub members: u32,
    /// The loans.
    pub loans: LoanCounts,
    /// The books lent most often, the most popular first.
    pub most_lent: Vec<LentBook>,
    /// How many books there are in each language, the most frequent first.
    pub languages: Vec<LanguageCount>,
    /// How many books there are on each subject, the most frequent first.
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

/// How often a book was lent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LentBook {
    /// The book.
    pub book: BookRef,
    /// How many loans of it there ever were.
    pub times: u32,
}

/// How many books there are in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LanguageCount {
    /// The language.
    pub language: Language,
    /// How many books were written in it.
    pub books: u32,
}

/// How many books there are on a subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectCount {
    /// The subject.
    pub subject: Subject,
    /// How many books have it.
    pub books: u32,
}

/// Counts what the library has and what it lends, all of it as of the same moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GetStats {
    /// How many of the books lent most often to name.
    #[serde(default = "ten")]
    #[schemars(range(max = 100))]
    pub top: u32,
}

impl Default for GetStats {
    /// Requests the ten books lent most often.
    fn default() -> Self {
        Self { top: ten() }
    }
}

fn ten() -> u32 {
    10
}
