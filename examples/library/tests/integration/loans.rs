//! The rules of lending.

use library::model::{
    AlreadyLent, AlreadyReturned, BookId, Card, DueOutOfRange, LibraryError, ListLoans, LoanId,
    LoanSelection, LoanState, MAX_LOANS, NoSuchBook, NoSuchLoan, NoSuchMember, TooManyLoans,
};

use crate::support::{Library, day, library_error};

#[test]
fn a_loan_runs_for_28_days_from_today_unless_the_caller_says_otherwise() {
    let library = Library::new();
    let (book, member) = (library.book(2), library.member());
    let loan = library.lend(book, &member).unwrap();
    assert_eq!(loan.lent, day("2024-02-28"));
    assert_eq!(loan.due, day("2024-03-27"));
    assert_eq!((loan.returned, loan.state), (None, LoanState::Open));
    assert_eq!(
        (loan.book.id, loan.copy, &loan.member.card),
        (book, 1, &member)
    );
    let loan = library.lend_until(book, &member, "2024-02-28").unwrap();
    assert_eq!((loan.due, loan.copy), (day("2024-02-28"), 2));
}

#[test]
fn a_day_in_the_past_or_too_far_away_is_refused() {
    let library = Library::new();
    let (book, member) = (library.book(1), library.member());
    for due in ["2024-02-27", "2024-05-23", "0001-01-01", "9999-12-31"] {
        assert_eq!(
            library_error(library.lend_until(book, &member, due)),
            LibraryError::DueOutOfRange(DueOutOfRange {
                due: day(due),
                earliest: day("2024-02-28"),
                latest: day("2024-05-22"),
            })
        );
    }
    library.lend_until(book, &member, "2024-05-22").unwrap();
}

#[test]
fn a_book_with_no_copy_in_is_refused_and_the_caller_learns_when_to_come_again() {
    let library = Library::new();
    let (book, member) = (library.book(2), library.member());
    library.lend_until(book, &member, "2024-03-10").unwrap();
    library.lend_until(book, &member, "2024-03-05").unwrap();
    let error = LibraryError::AlreadyLent(AlreadyLent {
        book,
        due: day("2024-03-05"),
    });
    assert_eq!(library_error(library.lend(book, &library.member())), error);
}

#[test]
fn a_member_has_only_so_many_books_at_a_time() {
    let library = Library::new();
    let (book, member) = (library.book(MAX_LOANS + 1), library.member());
    let first = library.lend(book, &member).unwrap();
    for _ in 1..MAX_LOANS {
        library.lend(book, &member).unwrap();
    }
    assert_eq!(
        library_error(library.lend(book, &member)),
        LibraryError::TooManyLoans(TooManyLoans {
            card: member.clone(),
            open: MAX_LOANS,
            limit: MAX_LOANS
        })
    );
    library.lend(book, &library.member()).unwrap();
    library.take_back(first.id).unwrap();
    library.lend(book, &member).unwrap();
    let shown = library.store.member(&member).unwrap();
    assert_eq!(shown.open_loans.len(), MAX_LOANS as usize);
}

#[test]
fn nobody_and_nothing_cannot_be_lent() {
    let library = Library::new();
    let (book, member) = (library.book(1), library.member());
    let nobody = Card("L999999".to_owned());
    assert_eq!(
        library_error(library.lend(book, &nobody)),
        LibraryError::NoSuchMember(NoSuchMember {
            card: nobody.clone()
        })
    );
    assert_eq!(
        library_error(library.store.member(&nobody)),
        LibraryError::NoSuchMember(NoSuchMember { card: nobody })
    );
    let nothing = BookId(999_999);
    assert_eq!(
        library_error(library.lend(nothing, &member)),
        LibraryError::NoSuchBook(NoSuchBook { book: nothing })
    );
}

#[test]
fn a_loan_ends_once() {
    let library = Library::new();
    let (book, member) = (library.book(1), library.member());
    let loan = library.lend(book, &member).unwrap().id;
    library.set_today("2024-03-01");
    let ended = library.take_back(loan).unwrap();
    assert_eq!(ended.returned, Some(day("2024-03-01")));
    assert_eq!(ended.state, LoanState::Returned);
    library.set_today("2024-03-02");
    assert_eq!(
        library_error(library.take_back(loan)),
        LibraryError::AlreadyReturned(AlreadyReturned {
            loan,
            returned: day("2024-03-01")
        })
    );
    let nothing = LoanId(999_999);
    assert_eq!(
        library_error(library.take_back(nothing)),
        LibraryError::NoSuchLoan(NoSuchLoan { loan: nothing })
    );
    library.lend(book, &member).unwrap();
}

#[test]
fn a_clock_that_was_set_back_does_not_keep_a_book_from_being_returned() {
    let library = Library::new();
    let loan = library.lend(library.book(1), &library.member()).unwrap();
    library.set_today("2024-01-01");
    let ended = library.take_back(loan.id).unwrap();
    assert_eq!(ended.returned, Some(loan.lent));
}

#[test]
fn a_loan_is_overdue_from_the_day_after_it_was_due() {
    let library = Library::new();
    let member = library.member();
    library
        .lend_until(library.book(1), &member, "2024-02-29")
        .unwrap();
    for (today, state) in [
        ("2024-02-28", LoanState::Open),
        ("2024-02-29", LoanState::Open),
        ("2024-03-01", LoanState::Overdue),
    ] {
        library.set_today(today);
        let loans = library.store.member(&member).unwrap().open_loans;
        assert_eq!(loans[0].state, state, "{today}");
        let overdue = ListLoans {
            member: Some(member.clone()),
            state: LoanSelection::Overdue,
            ..ListLoans::default()
        };
        let count = library.store.list_loans(&overdue).unwrap().page.total;
        assert_eq!(count == 1, state == LoanState::Overdue, "{today}");
    }
}

#[test]
fn loans_are_listed_by_member_book_state_and_day() {
    let library = Library::new();
    let (ada, ben) = (library.member(), library.member());
    let (one, two) = (library.book(2), library.book(2));
    let first = library.lend_until(one, &ada, "2024-03-01").unwrap().id;
    library.set_today("2024-03-05");
    let second = library.lend(two, &ada).unwrap().id;
    let third = library.lend(two, &ben).unwrap().id;
    library.set_today("2024-03-10");
    library.take_back(third).unwrap();

    let list = |query: ListLoans| -> Vec<LoanId> {
        let page = library.store.list_loans(&query).unwrap();
        assert_eq!(page.page.total as usize, page.loans.len());
        page.loans.iter().map(|loan| loan.id).collect()
    };
    let hers = ListLoans {
        member: Some(ada.clone()),
        ..ListLoans::default()
    };
    assert_eq!(list(hers.clone()), [second, first], "the latest first");
    let state = |state| ListLoans {
        state,
        ..hers.clone()
    };
    assert_eq!(list(state(LoanSelection::Open)), [second, first]);
    assert_eq!(list(state(LoanSelection::Overdue)), [first]);
    assert!(list(state(LoanSelection::Returned)).is_empty());
    let of_two = ListLoans {
        book: Some(two),
        ..ListLoans::default()
    };
    assert_eq!(list(of_two.clone()), [third, second]);
    let ended = ListLoans {
        state: LoanSelection::Returned,
        ..of_two
    };
    assert_eq!(list(ended), [third]);
    let days = |from: &str, to: &str| ListLoans {
        lent_from: Some(day(from)),
        lent_to: Some(day(to)),
        ..hers.clone()
    };
    assert_eq!(list(days("2024-02-28", "2024-02-28")), [first]);
    assert_eq!(list(days("2024-02-29", "2024-03-05")), [second]);
    assert!(list(days("2024-03-06", "2024-03-05")).is_empty());
}

#[test]
fn loans_come_a_page_at_a_time() {
    let library = Library::new();
    let total = library
        .store
        .stats(&library::model::GetStats::default())
        .unwrap()
        .loans
        .total;
    let mut ids = Vec::new();
    let mut offset = Some(0);
    while let Some(at) = offset {
        let query = ListLoans {
            offset: at,
            limit: 7,
            ..ListLoans::default()
        };
        let page = library.store.list_loans(&query).unwrap();
        ids.extend(page.loans.iter().map(|loan| loan.id));
        offset = page.page.next;
    }
    assert_eq!(ids.len(), total as usize);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), total as usize);
}
