//! The library's errors.
//!
//! Each error has a type of its own, so that the error from the store, the error that a procedure
//! declares and the `data` that a caller receives are the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AuthorId, BookId, Card, Date, LoanId};

/// The book that the catalogue does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoSuchBook {
    /// The number that was asked for.
    pub book: BookId,
}

/// The author whom the catalogue does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoSuchAuthor {
    /// The number that was asked for.
    pub author: AuthorId,
}

/// The card that no member has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoSuchMember {
    /// The card that was named.
    pub card: Card,
}

/// The loan that there never was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoSuchLoan {
    /// The number that was asked for.
    pub loan: LoanId,
}

/// The day to come again for a book of which every copy is lent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AlreadyLent {
    /// The book.
    pub book: BookId,
    /// The day the first of its copies is due back; it may have passed.
    pub due: Date,
}

/// The number of books that a member has, and may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TooManyLoans {
    /// The member's card.
    pub card: Card,
    /// The number of books that the member has.
    pub open: u32,
    /// The number of books that a member may have.
    pub limit: u32,
}

/// The days on which a loan can end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DueOutOfRange {
    /// The day that was asked for.
    pub due: Date,
    /// The earliest day possible: today.
    pub earliest: Date,
    /// The latest day possible.
    pub latest: Date,
}

/// The day on which a loan ended that was to end again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AlreadyReturned {
    /// The loan.
    pub loan: LoanId,
    /// The day it ended.
    pub returned: Date,
}

/// The book that was to be added and is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DuplicateBook {
    /// The book that is in the catalogue.
    pub book: BookId,
}

/// An author who would have died before being born.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImpossibleLife {
    /// The author's name.
    pub name: String,
    /// The year of birth that was given.
    pub born: i16,
    /// The year of death that was given.
    pub died: i16,
}

/// A request that was understood but rejected, with the details that a caller needs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// The catalogue has no book of that number.
    #[error("no such book")]
    NoSuchBook(NoSuchBook),
    /// The catalogue has no author of that number.
    #[error("no such author")]
    NoSuchAuthor(NoSuchAuthor),
    /// There is no member with that card.
    #[error("no such member")]
    NoSuchMember(NoSuchMember),
    /// There is no loan of that number.
    #[error("no such loan")]
    NoSuchLoan(NoSuchLoan),
    /// Every copy of the book is lent.
    #[error("every copy is lent")]
    AlreadyLent(AlreadyLent),
    /// The member has as many books as a member may have.
    #[error("the member has too many books")]
    TooManyLoans(TooManyLoans),
    /// The day a loan was to end lies in the past or too far in the future.
    #[error("not a possible day for a loan to end")]
    DueOutOfRange(DueOutOfRange),
    /// The loan has ended before.
    #[error("the loan has ended before")]
    AlreadyReturned(AlreadyReturned),
    /// The catalogue has this book: the same title, language and author.
    #[error("the catalogue has this book")]
    DuplicateBook(DuplicateBook),
    /// An author would have died before being born.
    #[error("an author cannot die before being born")]
    ImpossibleLife(ImpossibleLife),
}
