//! What the library says no to.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::{AuthorId, BookId, Card, Date, LoanId, RequestId};

/// A request that was understood and refused, with what a caller needs to do better.
///
/// It serialises as its fields alone: the kind of the error is what the error's code says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LibraryError {
    /// The catalogue has no book of that number.
    NoSuchBook {
        /// The number that was asked for.
        book: BookId,
    },
    /// The catalogue has no author of that number.
    NoSuchAuthor {
        /// The number that was asked for.
        author: AuthorId,
    },
    /// There is no member with that card.
    NoSuchMember {
        /// The card that was named.
        card: Card,
    },
    /// There is no loan of that number.
    NoSuchLoan {
        /// The number that was asked for.
        loan: LoanId,
    },
    /// Every copy of the book is lent.
    AlreadyLent {
        /// The book.
        book: BookId,
        /// The day the first of its copies is due back; it may have passed.
        due: Date,
    },
    /// The member has as many books as a member may have.
    TooManyLoans {
        /// The member's card.
        card: Card,
        /// How many books the member has.
        open: u32,
        /// How many books a member may have.
        limit: u32,
    },
    /// The day a loan was to end lies in the past or too far in the future.
    DueOutOfRange {
        /// The day that was asked for.
        due: Date,
        /// The earliest day possible: today.
        earliest: Date,
        /// The latest day possible.
        latest: Date,
    },
    /// The loan has ended before.
    AlreadyReturned {
        /// The loan.
        loan: LoanId,
        /// The day it ended.
        returned: Date,
    },
    /// The catalogue has this book: the same title, language and author.
    DuplicateBook {
        /// The book that is in the catalogue.
        book: BookId,
    },
    /// An author would have died before being born.
    ImpossibleLife {
        /// The author's name.
        name: String,
        /// The year of birth that was given.
        born: i16,
        /// The year of death that was given.
        died: i16,
    },
    /// The request's name was used before, for a different request.
    RequestIdReused {
        /// The name.
        request_id: RequestId,
    },
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchBook { .. } => "no such book",
            Self::NoSuchAuthor { .. } => "no such author",
            Self::NoSuchMember { .. } => "no such member",
            Self::NoSuchLoan { .. } => "no such loan",
            Self::AlreadyLent { .. } => "every copy is lent",
            Self::TooManyLoans { .. } => "the member has too many books",
            Self::DueOutOfRange { .. } => "not a possible day for a loan to end",
            Self::AlreadyReturned { .. } => "the loan has ended before",
            Self::DuplicateBook { .. } => "the catalogue has this book",
            Self::ImpossibleLife { .. } => "an author cannot die before being born",
            Self::RequestIdReused { .. } => "the request's name was used for another request",
        })
    }
}

impl std::error::Error for LibraryError {}
