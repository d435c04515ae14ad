//! Lends books and takes them back.
//!
//! The rules of lending are checked in the transaction that lends: two desks may want the last copy.

use super::db::{Db, Row};
use super::error::{Error, Result};
use super::filter::Filter;
use super::value::values;
use super::{Store, WriteTransaction, members};
use crate::model::{
    AlreadyLent, AlreadyReturned, BookId, BookRef, Date, DueOutOfRange, EndLoan, LOAN_DAYS,
    LONGEST_LOAN_DAYS, LibraryError, ListLoans, Loan, LoanEvent, LoanEventKind, LoanId, LoanPage,
    LoanSelection, LoanState, MAX_LOANS, MemberRef, NoSuchBook, NoSuchLoan, StartLoan,
    TooManyLoans,
};

/// The columns that [`loan`] reads.
const LOAN_COLUMNS: &str =
    "l.id, b.id, b.title, c.number, m.card, m.name, l.lent, l.due, l.returned";

/// The tables with these columns.
const LOAN_TABLES: &str = "loans l JOIN copies c ON c.id = l.copy JOIN books b ON b.id = c.book \
    JOIN members m ON m.id = l.member";

impl Store {
    /// Lists one page of the loans that match every condition, the latest first.
    pub fn list_loans(&self, query: &ListLoans) -> Result<LoanPage> {
        let today = self.today();
        let mut filter = Filter::on(LOAN_TABLES);
        filter.and_if("m.card = ?", query.member.as_ref());
        filter.and_if("b.id = ?", query.book);
        filter.and_if("l.lent >= ?", query.lent_from);
        filter.and_if("l.lent <= ?", query.lent_to);
        match query.state {
            LoanSelection::All => {}
            LoanSelection::Open => filter.and("l.returned IS NULL"),
            LoanSelection::Overdue => filter.and_with("l.returned IS NULL AND l.due < ?", today),
            LoanSelection::Returned => filter.and("l.returned IS NOT NULL"),
        }
        self.read(|db| {
            let order = "l.lent DESC, l.id DESC";
            let place = (query.offset, query.limit);
            let (page, loans) =
                filter.page(db, LOAN_COLUMNS, order, place, |row| loan(row, today))?;
            Ok(LoanPage { page, loans })
        })
    }
}

impl WriteTransaction<'_> {
    /// Lends a copy of a book to a member, from today.
    ///
    /// Fails with `NoSuchBook`, `NoSuchMember`, `DueOutOfRange`, `TooManyLoans` or `AlreadyLent`.
    pub fn start_loan(&self, request: &StartLoan) -> Result<Loan> {
        let loan = start(self.db, request, self.today)?;
        self.tell(LoanEventKind::Lent, loan)
    }

    /// Takes a book back today.
    ///
    /// Fails with `NoSuchLoan` or `AlreadyReturned`.
    pub fn end_loan(&self, request: &EndLoan) -> Result<Loan> {
        let loan = end(self.db, request.loan, self.today)?;
        self.tell(LoanEventKind::Returned, loan)
    }

    fn tell(&self, kind: LoanEventKind, loan: Loan) -> Result<Loan> {
        let event = LoanEvent { kind, loan };
        (self.append)(&event)?;
        Ok(event.loan)
    }
}

fn start(db: &Db<'_>, request: &StartLoan, today: Date) -> Result<Loan> {
    let StartLoan {
        book, member: card, ..
    } = request;
    if !db.exists("SELECT 1 FROM books WHERE id = ?1", values![*book])? {
        return Err(LibraryError::NoSuchBook(NoSuchBook { book: *book }).into());
    }
    let (member, _) = members::find(db, card)?;
    let latest = today.plus_days(LONGEST_LOAN_DAYS);
    let due = request.due.unwrap_or_else(|| today.plus_days(LOAN_DAYS));
    if due < today || due > latest {
        return Err(LibraryError::DueOutOfRange(DueOutOfRange {
            due,
            earliest: today,
            latest,
        })
        .into());
    }
    let open: u32 = db.one(
        "SELECT count(*) FROM loans WHERE member = ?1 AND returned IS NULL",
        values![member],
    )?;
    if open >= MAX_LOANS {
        return Err(LibraryError::TooManyLoans(TooManyLoans {
            card: card.clone(),
            open,
            limit: MAX_LOANS,
        })
        .into());
    }
    let copy = free_copy(db, *book)?;
    let id = insert(db, copy, member, today, due)?;
    one(db, id, today)
}

/// Returns a copy of the book that can be lent, or an error if there is none.
pub(super) fn free_copy(db: &Db<'_>, book: BookId) -> Result<i64> {
    let copy = db.first(
        "SELECT c.id FROM copies c WHERE c.book = ?1 AND NOT EXISTS \
         (SELECT 1 FROM loans l WHERE l.copy = c.id AND l.returned IS NULL) \
         ORDER BY c.number LIMIT 1",
        values![book],
        |row| row.get(0),
    )?;
    match copy {
        Some(copy) => Ok(copy),
        None => Err(LibraryError::AlreadyLent(AlreadyLent {
            book,
            due: db.one(
                "SELECT min(l.due) FROM copies c JOIN loans l ON l.copy = c.id \
                 WHERE c.book = ?1 AND l.returned IS NULL",
                values![book],
            )?,
        })
        .into()),
    }
}

/// Inserts an open loan.
pub(super) fn insert(db: &Db<'_>, copy: i64, member: i64, lent: Date, due: Date) -> Result<LoanId> {
    db.one(
        "INSERT INTO loans (copy, member, lent, due) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        values![copy, member, lent, due],
    )
}

fn end(db: &Db<'_>, id: LoanId, today: Date) -> Result<Loan> {
    let loan = one(db, id, today)?;
    if let Some(returned) = loan.returned {
        return Err(LibraryError::AlreadyReturned(AlreadyReturned { loan: id, returned }).into());
    }
    // If the clock was set back, a book must still be returnable.
    close(db, id, today.max(loan.lent))?;
    one(db, id, today)
}

/// Ends a loan on a given day.
pub(super) fn close(db: &Db<'_>, id: LoanId, returned: Date) -> Result<()> {
    db.execute(
        "UPDATE loans SET returned = ?2 WHERE id = ?1",
        values![id, returned],
    )
}

/// Returns a member's open loans, the first due first.
pub(super) fn open_loans(db: &Db<'_>, member: i64, today: Date) -> Result<Vec<Loan>> {
    let open = format!(
        "SELECT {LOAN_COLUMNS} FROM {LOAN_TABLES} WHERE l.member = ?1 AND l.returned IS NULL ORDER BY l.due, l.id"
    );
    db.all(&open, values![member], |row| loan(row, today))
}

fn one(db: &Db<'_>, id: LoanId, today: Date) -> Result<Loan> {
    let one = format!("SELECT {LOAN_COLUMNS} FROM {LOAN_TABLES} WHERE l.id = ?1");
    db.first(&one, values![id], |row| loan(row, today))?
        .ok_or(Error::Library(LibraryError::NoSuchLoan(NoSuchLoan {
            loan: id,
        })))
}

fn loan(row: &Row<'_>, today: Date) -> Result<Loan> {
    let due = row.get(7)?;
    let returned = row.get(8)?;
    Ok(Loan {
        id: row.get(0)?,
        book: BookRef {
            id: row.get(1)?,
            title: row.get(2)?,
        },
        copy: row.get(3)?,
        member: MemberRef {
            card: row.get(4)?,
            name: row.get(5)?,
        },
        lent: row.get(6)?,
        due,
        returned,
        state: LoanState::on(today, due, returned),
    })
}
