//! What callers send and receive.
//!
//! Every type here is part of the service's contract: its documentation and its constraints are
//! what the description publishes, so they are written for people who call the service and not for
//! people who read this code. Ranges, lengths and patterns are enforced before a procedure runs;
//! the store relies on that for manners and never for safety.

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
    NoSuchAuthor, NoSuchBook, NoSuchLoan, NoSuchMember, RequestIdReused, TooManyLoans,
};
pub use id::{AuthorId, BookId, Card, Language, LoanId, RequestId, Subject};
pub use loan::{
    EndLoan, LOAN_DAYS, LONGEST_LOAN_DAYS, ListLoans, Loan, LoanPage, LoanSelection, LoanState,
    MAX_LOANS, StartLoan,
};
pub use member::{AddMember, GetMember, Member, MemberDetails, MemberRef};
pub use page::{DEFAULT_LIMIT, MAX_LIMIT, PageInfo};
pub use stats::{GetStats, LanguageCount, LentBook, LoanCounts, Stats, SubjectCount};
