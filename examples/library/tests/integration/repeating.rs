//! Retries after a response was lost.

use library::model::{
    AddBook, AddMember, EndLoan, GetStats, LibraryError, RequestId, RequestIdReused, StartLoan,
};

use crate::support::{Library, Writes, book_named, library_error};

fn name(text: &str) -> RequestId {
    RequestId(text.to_owned())
}

#[test]
fn a_request_sent_again_is_answered_as_before_and_done_once() {
    let library = Library::new();
    let request = AddBook {
        request_id: Some(name("add-1")),
        ..book_named("Twice Asked")
    };
    let book = library.store.add_book(&request).unwrap();
    let start = StartLoan {
        book: book.id,
        member: library.member(),
        due: None,
        request_id: Some(name("start-1")),
    };
    let loan = library.store.start_loan(&start).unwrap();
    let end = EndLoan {
        loan: loan.id,
        request_id: Some(name("end-1")),
    };
    let ended = library.store.end_loan(&end).unwrap();
    let admit = AddMember {
        name: "Once Only".to_owned(),
        request_id: Some(name("member-1")),
    };
    let member = library.store.add_member(&admit).unwrap();
    let before = library.store.stats(&GetStats::default()).unwrap();

    let again = library.again();
    for store in [&library.store, &again] {
        assert_eq!(store.add_book(&request).unwrap(), book);
        assert_eq!(store.start_loan(&start).unwrap(), loan);
        assert_eq!(store.end_loan(&end).unwrap(), ended);
        assert_eq!(store.add_member(&admit).unwrap(), member);
    }
    assert_eq!(library.store.stats(&GetStats::default()).unwrap(), before);
}

#[test]
fn a_name_stands_for_one_request() {
    let library = Library::new();
    let first = AddBook {
        request_id: Some(name("x")),
        ..book_named("First")
    };
    library.store.add_book(&first).unwrap();
    let reused = LibraryError::RequestIdReused(RequestIdReused {
        request_id: name("x"),
    });
    let second = AddBook {
        request_id: Some(name("x")),
        ..book_named("Second")
    };
    assert_eq!(library_error(library.store.add_book(&second)), reused);
    let other = AddMember {
        name: "First".to_owned(),
        request_id: Some(name("x")),
    };
    assert_eq!(library_error(library.store.add_member(&other)), reused);
}

#[test]
fn a_refused_request_may_succeed_under_the_same_name_later() {
    let library = Library::new();
    let book = library.book(1);
    let loan = library.lend(book, &library.member()).unwrap();
    let request = StartLoan {
        book,
        member: library.member(),
        due: None,
        request_id: Some(name("patient")),
    };
    library_error(library.store.start_loan(&request));
    library.take_back(loan.id).unwrap();
    library.store.start_loan(&request).unwrap();
}

#[test]
fn names_are_forgotten_after_30_days() {
    let library = Library::new();
    let request = AddMember {
        name: "Again".to_owned(),
        request_id: Some(name("monthly")),
    };
    let first = library.store.add_member(&request).unwrap();
    library.set_today("2024-03-29");
    assert_eq!(library.store.add_member(&request).unwrap(), first);
    library.set_today("2024-03-30");
    assert_ne!(library.store.add_member(&request).unwrap().card, first.card);
}
