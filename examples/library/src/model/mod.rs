//! The types that callers send and receive.
//!
//! Each type is part of the service's contract. The description publishes its documentation and its
//! constraints, so they are written for people who call the service, not for people who read this
//! code. Ranges, lengths and patterns are enforced before a procedure runs. The store relies on
//! that for good error messages, never for safety.

mod author;
mod book;
mod date;
mod error;
mod id;
mod loan;
mod member;
mod page;
mod stats;

pub use author::{Author, AuthorDetails, AuthorPage, AuthorRef, GetAuthor, ListAuthors};
pub use book::{
    AddBook, Book, BookDetails, BookOrder, BookPage, BookRef, Contributor, FindBooks, GetBook,
    Holding, HoldingState, NewAuthor,
};
pub use date::{Date, InvalidDate};
pub use error::{
    AlreadyLent, AlreadyReturned, DueOutOfRange, DuplicateBook, ImpossibleLife, LibraryError,
    NoSuchAuthor, NoSuchBook, NoSuchLoan, NoSuchMember, TooManyLoans,
};
pub use id::{AuthorId, BookId, Card, Language, LoanId, Subject};
pub use loan::{
    EndLoan, LOAN_DAYS, LONGEST_LOAN_DAYS, ListLoans, Loan, LoanEvent, LoanEventKind, LoanPage,
    LoanSelection, LoanState, MAX_LOANS, StartLoan, WatchLoans,
};
pub use member::{AddMember, Member, MemberDetails, MemberRef};
pub use page::{DEFAULT_LIMIT, MAX_LIMIT, PageInfo};
pub use stats::{GetStats, LanguageCount, LentBook, LoanCounts, Stats, SubjectCount};
