//! Loans: who has what, and until when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::page::{DEFAULT_LIMIT, MAX_LIMIT};
use super::{BookId, BookRef, Card, Date, LoanId, MemberRef, PageInfo};

/// The number of days that a loan lasts by default.
pub const LOAN_DAYS: i32 = 28;

/// The maximum number of days that a loan may last.
pub const LONGEST_LOAN_DAYS: i32 = 84;

/// The maximum number of books that a member may have at a time.
pub const MAX_LOANS: u32 = 5;

/// One copy of a book in the hands of one member, from a day to a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loan {
    /// The number of the loan.
    pub id: LoanId,
    /// The book that was lent.
    pub book: BookRef,
    /// The number of the copy among the book's copies, counted from one.
    pub copy: u32,
    /// The member who borrowed it.
    pub member: MemberRef,
    /// The day it was lent.
    pub lent: Date,
    /// The day it is to be back.
    pub due: Date,
    /// The day it came back; null while it is out.
    pub returned: Option<Date>,
    /// The state of the loan today.
    pub state: LoanState,
}

/// The state of a loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoanState {
    /// The book is out, and not due before today.
    Open,
    /// The book is out, and was due on a day that has passed.
    Overdue,
    /// The book has come back.
    Returned,
}

impl LoanState {
    /// Returns the state of a loan with these dates on the day `today`.
    pub fn on(today: Date, due: Date, returned: Option<Date>) -> Self {
        match returned {
            Some(_) => Self::Returned,
            None if due < today => Self::Overdue,
            None => Self::Open,
        }
    }
}

/// A beginning or an end of a loan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoanEvent {
    /// The kind of the event.
    pub kind: LoanEventKind,
    /// The loan as it was after that.
    pub loan: Loan,
}

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoanEventKind {
    /// A copy was lent.
    Lent,
    /// The copy has come back.
    Returned,
}

/// One page of loans.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoanPage {
    /// The position of this page among all loans listed.
    pub page: PageInfo,
    /// The loans of this page, the latest first.
    pub loans: Vec<Loan>,
}

/// A selection of loans by their state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoanSelection {
    /// All loans there ever were.
    #[default]
    All,
    /// Loans that have not ended, overdue or not.
    Open,
    /// Loans that have not ended and were due on a day that has passed.
    Overdue,
    /// Loans that have ended.
    Returned,
}

/// Lists loans, the latest first.
///
/// Every condition given must hold; without any, all loans there ever were are listed. Answers one
/// page of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ListLoans {
    /// Only loans to the member with this card.
    pub member: Option<Card>,
    /// Only loans of this book.
    pub book: Option<BookId>,
    /// Only loans in this state.
    pub state: LoanSelection,
    /// Only loans that began on this day or later.
    pub lent_from: Option<Date>,
    /// Only loans that began on this day or earlier.
    pub lent_to: Option<Date>,
    /// The number of loans to skip.
    pub offset: u32,
    /// The maximum number of loans to return.
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: u32,
}

impl Default for ListLoans {
    /// Returns the first page of all loans.
    fn default() -> Self {
        Self {
            member: None,
            book: None,
            state: LoanSelection::default(),
            lent_from: None,
            lent_to: None,
            offset: 0,
            limit: DEFAULT_LIMIT,
        }
    }
}

/// Lends a copy of a book to a member, from today.
///
/// A member may have five books at a time. Where several callers want the last copy, one gets it,
/// and the others learn when to come again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartLoan {
    /// The book to lend.
    ///
    /// Which of its copies it will be is the library's choice.
    pub book: BookId,
    /// The card of the member who borrows it.
    pub member: Card,
    /// The day it is to be back: today at the earliest, 84 days from today at the latest.
    ///
    /// Without it, 28 days from today.
    #[serde(default)]
    pub due: Option<Date>,
}

/// Takes a book back, today.
///
/// The copy can be borrowed again at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndLoan {
    /// The number of the loan.
    pub loan: LoanId,
}

/// Tells when a book is lent and when it comes back, as it happens.
///
/// Events come in the order of their transactions, each once. They are kept for a week: a caller that
/// comes back within that time misses none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchLoans {
    /// The cursor of the last event that you know.
    ///
    /// Without it, events are told from now on.
    #[serde(default)]
    pub after: Option<String>,
}
