//! Finds books and authors, in order and a page at a time.

use library::model::{AuthorId, BookOrder, FindBooks, Language, ListAuthors, PageInfo, Subject};

use crate::support::{Library, titles};

#[test]
fn words_match_titles_authors_and_subjects_whatever_their_case_and_accents() {
    let library = Library::new();
    for (words, title) in [
        ("moby", "Moby-Dick; or, The Whale"),
        ("MISERABLES hugo", "Les Misérables"),
        ("misérables", "Les Misérables"),
        ("l'etranger oeuvre", ""),
        ("l'oeuvre zola", "L'Œuvre"),
        ("soren fear", "Frygt og Bæven"),
        ("strasse", ""),
        ("torless", "Die Verwirrungen des Zöglings Törleß"),
        ("chlopi reymont", "Chłopi"),
        ("преступление", "Преступление и наказание"),
        ("мертвые души", "Мёртвые души"),
        ("crime and punishment", "Преступление и наказание"),
        ("οιδιπους τυραννοσ", "Οἰδίπους Τύραννος"),
        ("源氏", "源氏物語"),
        ("महाभारत", "महाभारतम्"),
        ("truyen kieu", "Truyện Kiều"),
        ("whale adventure melville", "Moby-Dick; or, The Whale"),
        ("war peace tolstoy", "Война и мир"),
    ] {
        let found = library.find(words);
        let first = found.books.first().map_or("", |book| &book.title);
        assert_eq!(first, title, "{words}");
    }
}

#[test]
fn the_beginning_of_a_word_is_enough_and_its_end_is_not() {
    let library = Library::new();
    assert!(
        titles(&library.find("franken").books).contains(&"Frankenstein; or, The Modern Prometheus")
    );
    assert_eq!(library.find("rankenstein").page.total, 0);
}

#[test]
fn a_word_in_the_title_ranks_before_one_elsewhere() {
    let library = Library::new();
    let found = library.find("war");
    assert!(found.page.total > 5);
    assert!(
        found.books[0].title.contains("War")
            || found.books[0]
                .english_title
                .as_ref()
                .unwrap()
                .contains("War")
    );
    assert!(library.find("horace").books[0].title == "Horace");
}

#[test]
fn conditions_are_combined() {
    let library = Library::new();
    let query = FindBooks {
        language: Some(Language("fr".to_owned())),
        subject: Some(Subject("science fiction".to_owned())),
        from_year: Some(1865),
        to_year: Some(1870),
        order: BookOrder::Oldest,
        ..FindBooks::default()
    };
    let found = library.store.find_books(&query).unwrap();
    assert_eq!(
        titles(&found.books),
        ["De la Terre à la Lune", "Vingt mille lieues sous les mers"]
    );
    let none = FindBooks {
        from_year: Some(1871),
        ..query
    };
    assert_eq!(library.store.find_books(&none).unwrap().page.total, 0);
    let nobody = FindBooks {
        author: Some(AuthorId(999_999)),
        ..FindBooks::default()
    };
    assert_eq!(library.store.find_books(&nobody).unwrap().page.total, 0);
}

#[test]
fn a_book_is_found_through_each_of_its_authors() {
    let library = Library::new();
    let manifesto = library.find("communist manifesto").books.remove(0);
    assert_eq!(manifesto.authors.len(), 2);
    for author in &manifesto.authors {
        let query = FindBooks {
            author: Some(author.id),
            ..FindBooks::default()
        };
        assert!(
            library
                .store
                .find_books(&query)
                .unwrap()
                .books
                .contains(&manifesto)
        );
    }
}

#[test]
fn only_available_books_leave_out_those_with_no_copy_in() {
    let library = Library::new();
    let member = library.member();
    let book = library.book(1);
    let query = FindBooks {
        available: true,
        words: Some("test volume".to_owned()),
        ..FindBooks::default()
    };
    assert_eq!(library.store.find_books(&query).unwrap().page.total, 1);
    let loan = library.lend(book, &member).unwrap();
    assert_eq!(library.store.find_books(&query).unwrap().page.total, 0);
    library.take_back(loan.id).unwrap();
    assert_eq!(library.store.find_books(&query).unwrap().page.total, 1);
}

#[test]
fn titles_are_ordered_without_their_articles_and_accents() {
    let library = Library::new();
    let query = FindBooks {
        author: Some(library.find("germinal zola").books[0].authors[0].id),
        order: BookOrder::Title,
        ..FindBooks::default()
    };
    let found = library.store.find_books(&query).unwrap();
    assert_eq!(
        titles(&found.books),
        [
            "L'Assommoir",
            "Au Bonheur des Dames",
            "La Bête humaine",
            "La Débâcle",
            "Germinal",
            "Nana",
            "L'Œuvre",
            "La Terre",
        ]
    );
}

#[test]
fn years_and_authors_that_are_not_known_come_last_in_every_order() {
    let library = Library::new();
    for order in [BookOrder::Oldest, BookOrder::Newest, BookOrder::Author] {
        let total = library.find("").page.total;
        let query = FindBooks {
            order,
            offset: total - 1,
            ..FindBooks::default()
        };
        let last = library.store.find_books(&query).unwrap().books.remove(0);
        match order {
            BookOrder::Author => assert!(last.authors.is_empty(), "{last:?}"),
            _ => assert_eq!(last.year, None, "{last:?}"),
        }
    }
    let newest = FindBooks {
        order: BookOrder::Newest,
        ..FindBooks::default()
    };
    assert_eq!(
        library.store.find_books(&newest).unwrap().books[0].year,
        Some(1928)
    );
}

#[test]
fn pages_put_together_are_the_whole_list_in_every_order() {
    let library = Library::new();
    for order in [
        BookOrder::Relevance,
        BookOrder::Title,
        BookOrder::Author,
        BookOrder::Oldest,
        BookOrder::Newest,
    ] {
        for words in [None, Some("the".to_owned())] {
            let mut ids = Vec::new();
            let mut offset = Some(0);
            let mut total = 0;
            while let Some(at) = offset {
                let page = library
                    .store
                    .find_books(&FindBooks {
                        words: words.clone(),
                        order,
                        offset: at,
                        limit: 37,
                        ..FindBooks::default()
                    })
                    .unwrap();
                assert!(page.books.len() <= 37);
                ids.extend(page.books.iter().map(|book| book.id));
                total = page.page.total;
                offset = page.page.next;
            }
            assert_eq!(ids.len(), total as usize, "{order:?}");
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), total as usize, "{order:?}");
        }
    }
}

#[test]
fn a_page_past_the_end_is_empty_and_still_knows_the_total() {
    let library = Library::new();
    let total = library.find("").page.total;
    for (offset, limit, count, next) in [
        (total, 10, 0, None),
        (total - 10, 10, 10, None),
        (total - 11, 10, 10, Some(total - 1)),
        (u32::MAX, 100, 0, None),
        (0, 0, 0, None),
        (5, 1, 1, Some(6)),
    ] {
        let query = FindBooks {
            offset,
            limit,
            ..FindBooks::default()
        };
        let found = library.store.find_books(&query).unwrap();
        assert_eq!(found.books.len(), count, "{offset}");
        let page = PageInfo {
            total,
            offset,
            limit,
            next,
        };
        assert_eq!(found.page, page);
    }
}

#[test]
fn authors_are_listed_by_the_beginning_of_their_sort_name() {
    let library = Library::new();
    let list = |prefix: &str| {
        let query = ListAuthors {
            prefix: Some(prefix.to_owned()),
            ..ListAuthors::default()
        };
        let page = library.store.list_authors(&query).unwrap();
        assert_eq!(page.page.total as usize, page.authors.len());
        page.authors
            .into_iter()
            .map(|author| author.sort_name)
            .collect::<Vec<_>>()
    };
    assert_eq!(list("capek"), ["Čapek, Karel"]);
    assert_eq!(
        list("Bront"),
        ["Brontë, Anne", "Brontë, Charlotte", "Brontë, Emily"]
    );
    assert_eq!(list("BRONTË, E"), ["Brontë, Emily"]);
    assert_eq!(
        list("dumas"),
        ["Dumas, Alexandre", "Dumas, Alexandre, fils"]
    );
    assert!(list("%").is_empty());
    assert!(list("_").is_empty());
    assert!(list("zzz").is_empty());
}

#[test]
fn an_authors_books_come_in_the_order_they_were_published() {
    let library = Library::new();
    let dostoevsky = library.find("idiot dostoevsky").books[0].authors[0].id;
    let books = library.store.author(dostoevsky).unwrap().books;
    let years: Vec<_> = books.iter().map(|book| book.year).collect();
    assert!(years.is_sorted());
    assert_eq!(
        library.store.author(dostoevsky).unwrap().author.books as usize,
        books.len()
    );
}
