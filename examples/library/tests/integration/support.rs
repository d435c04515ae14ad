//! A separate library for each test, on any day.

use std::sync::{Arc, Mutex};

use library::clock::Clock;
use library::model::{
    AddBook, AddMember, Book, BookId, BookPage, Card, Date, EndLoan, FindBooks, Language,
    LibraryError, Loan, LoanId, Member, StartLoan,
};
use library::store::{Error, Result, Store};

use crate::database::Database;

/// The day on which every test library was opened.
pub(crate) const FIRST_DAY: &str = "2024-02-28";

pub(crate) fn day(text: &str) -> Date {
    text.parse().unwrap()
}

/// A clock that a test can set.
pub(crate) struct Calendar(Mutex<Date>);

impl Clock for Calendar {
    fn today(&self) -> Date {
        *self.0.lock().unwrap()
    }
}

pub(crate) struct Library {
    pub(crate) store: Store,
    pub(crate) database: Database,
    calendar: Arc<Calendar>,
}

impl Library {
    pub(crate) fn new() -> Self {
        let database = Database::new();
        let calendar = Arc::new(Calendar(Mutex::new(day(FIRST_DAY))));
        Self {
            store: database.open(calendar.clone()),
            database,
            calendar,
        }
    }

    /// Opens the same database once more, as another instance does.
    pub(crate) fn again(&self) -> Store {
        self.database.open(self.calendar.clone())
    }

    pub(crate) fn set_today(&self, today: &str) {
        *self.calendar.0.lock().unwrap() = day(today);
    }

    pub(crate) fn member(&self) -> Card {
        let name = "Mira Test".to_owned();
        self.store.add_member(&AddMember { name }).unwrap().card
    }

    /// Adds a book with all its copies on the shelf.
    pub(crate) fn book(&self, copies: u32) -> BookId {
        let count = self.find("").page.total;
        let request = AddBook {
            copies,
            ..book_named(&format!("Test Volume {count}"))
        };
        self.store.add_book(&request).unwrap().id
    }

    pub(crate) fn find(&self, words: &str) -> BookPage {
        self.store
            .find_books(&FindBooks {
                words: Some(words.to_owned()),
                ..FindBooks::default()
            })
            .unwrap()
    }

    pub(crate) fn lend(&self, book: BookId, member: &Card) -> Result<Loan> {
        self.store.start_loan(&StartLoan {
            book,
            member: member.clone(),
            due: None,
        })
    }

    pub(crate) fn lend_until(&self, book: BookId, member: &Card, due: &str) -> Result<Loan> {
        self.store.start_loan(&StartLoan {
            book,
            member: member.clone(),
            due: Some(day(due)),
        })
    }

    pub(crate) fn take_back(&self, loan: LoanId) -> Result<Loan> {
        self.store.end_loan(&EndLoan { loan })
    }
}

/// Writes that belong to no call.
pub(crate) trait Writes {
    fn add_book(&self, request: &AddBook) -> Result<Book>;
    fn add_member(&self, request: &AddMember) -> Result<Member>;
    fn start_loan(&self, request: &StartLoan) -> Result<Loan>;
    fn end_loan(&self, request: &EndLoan) -> Result<Loan>;
}

impl Writes for Store {
    fn add_book(&self, request: &AddBook) -> Result<Book> {
        self.write(|write| write.add_book(request))
    }

    fn add_member(&self, request: &AddMember) -> Result<Member> {
        self.write(|write| write.add_member(request))
    }

    fn start_loan(&self, request: &StartLoan) -> Result<Loan> {
        self.write(|write| write.start_loan(request))
    }

    fn end_loan(&self, request: &EndLoan) -> Result<Loan> {
        self.write(|write| write.end_loan(request))
    }
}

/// Returns a book without an author, in one copy.
pub(crate) fn book_named(title: &str) -> AddBook {
    AddBook {
        title: title.to_owned(),
        language: Language("en".to_owned()),
        authors: Vec::new(),
        english_title: None,
        year: None,
        subjects: std::collections::BTreeSet::new(),
        copies: 1,
    }
}

pub(crate) fn titles(books: &[Book]) -> Vec<&str> {
    books.iter().map(|book| book.title.as_str()).collect()
}

/// Returns the library's reason for rejecting a request.
#[track_caller]
pub(crate) fn library_error<T: std::fmt::Debug>(result: Result<T>) -> LibraryError {
    match result {
        Err(Error::Library(error)) => error,
        other => panic!("not rejected: {other:?}"),
    }
}
