//! The starting catalogue, and additions to it.

use std::collections::{BTreeSet, HashSet};

use library::model::{
    AddBook, AuthorId, BookId, BookOrder, Contributor, DuplicateBook, FindBooks, GetStats,
    HoldingState, ImpossibleLife, LibraryError, ListAuthors, MAX_LIMIT, NewAuthor, NoSuchAuthor,
    NoSuchBook, Subject,
};

use crate::support::{Library, Writes, book_named, library_error, titles};

#[test]
fn the_starting_catalogue_is_large_and_every_entry_is_plausible() {
    let library = Library::new();
    let mut seen = HashSet::new();
    let mut offset = 0;
    loop {
        let page = library
            .store
            .find_books(&FindBooks {
                order: BookOrder::Title,
                offset,
                limit: MAX_LIMIT,
                ..FindBooks::default()
            })
            .unwrap();
        for book in &page.books {
            let by: Vec<_> = book.authors.iter().map(|author| author.id).collect();
            assert!(seen.insert((book.title.clone(), by)), "twice: {book:?}");
            assert!(!book.subjects.is_empty(), "{book:?}");
            assert!((1..=3).contains(&book.copies), "{book:?}");
            assert!(
                book.year.is_none_or(|year| (1400..1930).contains(&year)),
                "{book:?}"
            );
            assert_ne!(book.english_title.as_ref(), Some(&book.title), "{book:?}");
            assert!((2..=3).contains(&book.language.0.len()), "{book:?}");
        }
        match page.page.next {
            Some(next) => offset = next,
            None => break,
        }
    }
    assert!(seen.len() >= 320, "{}", seen.len());
}

#[test]
fn every_author_of_the_starting_catalogue_wrote_something_and_lived_a_possible_life() {
    let library = Library::new();
    let mut offset = Some(0);
    while let Some(at) = offset {
        let page = library
            .store
            .list_authors(&ListAuthors {
                offset: at,
                limit: MAX_LIMIT,
                ..ListAuthors::default()
            })
            .unwrap();
        for author in &page.authors {
            assert!(author.books >= 1, "{author:?}");
            if let (Some(born), Some(died)) = (author.born, author.died) {
                assert!((20..100).contains(&(died - born)), "{author:?}");
            }
            assert!(author.died.is_none_or(|year| year < 1950), "{author:?}");
        }
        offset = page.page.next;
    }
}

#[test]
fn opening_a_library_again_changes_nothing() {
    let library = Library::new();
    let before = library.store.stats(&GetStats::default()).unwrap();
    assert_eq!(library.again().stats(&GetStats::default()).unwrap(), before);
    assert_eq!(library.again().stats(&GetStats::default()).unwrap(), before);
}

#[test]
fn the_numbers_agree_with_each_other() {
    let library = Library::new();
    let stats = library.store.stats(&GetStats { top: 3 }).unwrap();
    assert_eq!(stats.most_lent.len(), 3);
    assert_eq!(
        stats.languages.iter().map(|l| l.books).sum::<u32>(),
        stats.books
    );
    assert!(stats.loans.overdue > 0 && stats.loans.overdue < stats.loans.open);
    assert!(stats.loans.open < stats.loans.total);
    assert!(
        stats
            .languages
            .windows(2)
            .all(|pair| pair[0].books >= pair[1].books)
    );
}

#[test]
fn a_book_is_shown_with_its_authors_in_order_and_each_of_its_copies() {
    let library = Library::new();
    let federalist = library.find("federalist").books.remove(0);
    let names: Vec<_> = federalist.authors.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["Alexander Hamilton", "James Madison", "John Jay"]);

    let book = library.book(2);
    let member = library.member();
    let loan = library.lend(book, &member).unwrap();
    let shown = library.store.book(book).unwrap();
    assert_eq!((shown.book.copies, shown.book.available), (2, 1));
    assert_eq!(shown.holdings[0].state, HoldingState::Lent);
    assert_eq!(shown.holdings[0].loan, Some(loan.id));
    assert_eq!(shown.holdings[0].due, Some(loan.due));
    assert_eq!(shown.holdings[1].state, HoldingState::In);

    library.set_today("2024-06-01");
    let shown = library.store.book(book).unwrap();
    assert_eq!(shown.holdings[0].state, HoldingState::Overdue);
}

#[test]
fn a_book_or_an_author_that_is_not_there_is_refused() {
    let library = Library::new();
    let book = BookId(4_000_000_000);
    assert_eq!(
        library_error(library.store.book(book)),
        LibraryError::NoSuchBook(NoSuchBook { book })
    );
    let author = AuthorId(0);
    assert_eq!(
        library_error(library.store.author(author)),
        LibraryError::NoSuchAuthor(NoSuchAuthor { author })
    );
}

#[test]
fn an_added_book_can_be_found_and_brings_its_new_author_along() {
    let library = Library::new();
    let austen = library.find("persuasion austen");
    assert_eq!(austen.page.total, 0);
    let added = library
        .store
        .add_book(&AddBook {
            authors: vec![
                Contributor::New(NewAuthor {
                    name: "  Jane Austen ".to_owned(),
                    sort_name: None,
                    born: Some(1775),
                    died: None,
                }),
                Contributor::New(NewAuthor {
                    name: "Zoë Ångström".to_owned(),
                    sort_name: None,
                    born: None,
                    died: None,
                }),
            ],
            year: Some(1817),
            subjects: BTreeSet::from([Subject("novel".to_owned())]),
            copies: 3,
            ..book_named(" Persuasion ")
        })
        .unwrap();
    assert_eq!(added.title, "Persuasion");
    assert_eq!((added.copies, added.available), (3, 3));
    assert_eq!(
        library.find("persuas zoe angst").books,
        std::slice::from_ref(&added)
    );

    let austen = library.store.author(added.authors[0].id).unwrap();
    assert_eq!(austen.author.sort_name, "Austen, Jane");
    assert!(
        titles(&austen.books).contains(&"Emma"),
        "the Jane Austen there was"
    );
    let new = library.store.author(added.authors[1].id).unwrap();
    assert_eq!(new.author.sort_name, "Ångström, Zoë");
    assert_eq!(titles(&new.books), ["Persuasion"]);
}

#[test]
fn a_book_that_is_there_is_not_added_again() {
    let library = Library::new();
    let emma = library.find("emma austen").books.remove(0);
    let again = AddBook {
        authors: vec![Contributor::Known(emma.authors[0].id)],
        ..book_named("EMMA")
    };
    assert_eq!(
        library_error(library.store.add_book(&again)),
        LibraryError::DuplicateBook(DuplicateBook { book: emma.id })
    );
    let beowulf = library.find("beowulf").books.remove(0);
    let anonymous = AddBook {
        language: beowulf.language.clone(),
        ..book_named("Beowulf")
    };
    assert_eq!(
        library_error(library.store.add_book(&anonymous)),
        LibraryError::DuplicateBook(DuplicateBook { book: beowulf.id })
    );
    // Another author may well have written another Emma.
    library.store.add_book(&book_named("Emma")).unwrap();
}

#[test]
fn a_refused_book_leaves_nothing_behind() {
    let library = Library::new();
    let before = library.store.stats(&GetStats::default()).unwrap();
    let nobody = AuthorId(999_999);
    let newcomer = |died| {
        Contributor::New(NewAuthor {
            name: "New Comer".to_owned(),
            sort_name: None,
            born: Some(1800),
            died,
        })
    };
    let mut request = AddBook {
        authors: vec![newcomer(None), Contributor::Known(nobody)],
        ..book_named("Half Written")
    };
    assert_eq!(
        library_error(library.store.add_book(&request)),
        LibraryError::NoSuchAuthor(NoSuchAuthor { author: nobody })
    );
    request.authors = vec![newcomer(Some(1799))];
    assert!(matches!(
        library_error(library.store.add_book(&request)),
        LibraryError::ImpossibleLife(ImpossibleLife {
            born: 1800,
            died: 1799,
            ..
        })
    ));
    assert_eq!(library.store.stats(&GetStats::default()).unwrap(), before);
}

#[test]
fn naming_an_author_twice_is_naming_an_author() {
    let library = Library::new();
    let emma = library.find("emma austen").books.remove(0);
    let austen = emma.authors[0].clone();
    let added = library
        .store
        .add_book(&AddBook {
            authors: vec![
                Contributor::Known(austen.id),
                Contributor::New(NewAuthor {
                    name: "JANE AUSTEN".to_owned(),
                    sort_name: None,
                    born: None,
                    died: None,
                }),
            ],
            ..book_named("Sanditon")
        })
        .unwrap();
    assert_eq!(added.authors, [austen]);
}
