//! Many concurrent callers.

use std::collections::HashSet;
use std::sync::Barrier;
use std::thread;

use library::model::{AddMember, FindBooks, GetStats, LibraryError, StartLoan};
use library::store::Error;

use crate::support::{Library, Writes, book_named};

#[test]
fn of_many_who_want_the_same_copy_exactly_one_gets_it() {
    let library = Library::new();
    // A second pool on the same file stands in for a second process.
    let stores = [&library.store, &library.again()];
    for _ in 0..5 {
        let book = library.book(1);
        let members: Vec<_> = (0..16).map(|_| library.member()).collect();
        let start = Barrier::new(members.len());
        let outcomes: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = members
                .iter()
                .enumerate()
                .map(|(i, member)| {
                    let start = &start;
                    scope.spawn(move || {
                        let request = StartLoan {
                            book,
                            member: member.clone(),
                            due: None,
                        };
                        start.wait();
                        stores[i % 2].start_loan(&request)
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        for outcome in outcomes.into_iter().filter_map(Result::err) {
            assert!(
                matches!(outcome, Error::Library(LibraryError::AlreadyLent(_))),
                "{outcome}"
            );
        }
        assert_eq!(library.store.book(book).unwrap().book.available, 0);
    }
}

#[test]
fn members_who_are_added_at_once_get_cards_of_their_own() {
    let library = Library::new();
    let stores = [&library.store, &library.again()];
    let members = || library.store.stats(&GetStats::default()).unwrap().members;
    let before = members();
    let cards: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|n| {
                let store = stores[n % 2];
                scope.spawn(move || {
                    let add = |number| {
                        let name = format!("Reader {n}.{number}");
                        let member = store.add_member(&AddMember { name }).unwrap();
                        assert_eq!(store.member(&member.card).unwrap().member, member);
                        member.card.0
                    };
                    (0..20).map(add).collect::<Vec<_>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(members() - before, 160);
    let mut numbers = HashSet::new();
    for card in &cards {
        assert_eq!((card.len(), &card[..1]), (7, "L"), "{card}");
        numbers.insert(card[1..].parse::<u32>().unwrap());
    }
    assert_eq!(numbers.len(), cards.len());
    assert!(numbers.iter().all(|number| *number > before));
}

#[test]
fn readers_see_whole_states_while_others_write() {
    let library = Library::new();
    let before = library.store.stats(&GetStats::default()).unwrap();
    thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let store = &library.store;
                scope.spawn(move || {
                    for n in 0..20 {
                        let mut request = book_named(&format!("Parallel {writer} {n}"));
                        request.copies = 3;
                        store.add_book(&request).unwrap();
                    }
                })
            })
            .collect();
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let stats = library.store.stats(&GetStats::default()).unwrap();
                    let books = stats.books - before.books;
                    assert_eq!(stats.copies - before.copies, 3 * books);
                    library.store.find_books(&FindBooks::default()).unwrap();
                }
            });
        }
        for writer in writers {
            writer.join().unwrap();
        }
    });
    let after = library.store.stats(&GetStats::default()).unwrap();
    assert_eq!(after.books - before.books, 40);
}
