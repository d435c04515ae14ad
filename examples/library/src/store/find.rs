//! Searches for books.
//!
//! A text is cut into words before it gets to a full-text index, so that no sign in it is an operator there.

use super::books;
use super::error::Result;
use super::filter::Filter;
use super::{Store, fold};
use crate::model::{BookOrder, BookPage, FindBooks, PageInfo};

/// The number of words of a search that count. People type fewer, but a program might send more.
const MAX_WORDS: usize = 64;

impl Store {
    /// Returns one page of the books that match every condition.
    pub fn find_books(&self, query: &FindBooks) -> Result<BookPage> {
        let dialect = self.dialect();
        let mut filter = Filter::on("books b");
        let mut order = order(query.order);
        let text = query.words.as_deref().unwrap_or_default().trim();
        if !text.is_empty() {
            let mut words = fold::words(text);
            words.truncate(MAX_WORDS);
            if words.is_empty() {
                // Signs without a letter or a digit are in no index.
                return Ok(BookPage {
                    page: PageInfo::new(0, query.offset, query.limit),
                    books: Vec::new(),
                });
            }
            filter = Filter::on(dialect.words);
            // The first condition, so the query is `?1` in the order.
            filter.and_with(dialect.has_words, (dialect.query)(&words));
            if query.order == BookOrder::Relevance {
                order = dialect.relevance;
            }
        }
        filter.and_if("b.language = ?", query.language.as_ref());
        filter.and_if(
            "b.id IN (SELECT book FROM book_authors WHERE author = ?)",
            query.author,
        );
        filter.and_if(
            "b.id IN (SELECT book FROM book_subjects WHERE subject = ?)",
            query.subject.as_ref(),
        );
        filter.and_if("b.year >= ?", query.from_year);
        filter.and_if("b.year <= ?", query.to_year);
        if query.available {
            filter.and(
                "EXISTS (SELECT 1 FROM copies c WHERE c.book = b.id AND NOT EXISTS \
                 (SELECT 1 FROM loans l WHERE l.copy = c.id AND l.returned IS NULL))",
            );
        }
        self.read(|db| {
            let place = (query.offset, query.limit);
            let (page, ids) = filter.page(db, "b.id", order, place, |row| row.get(0))?;
            let books = books::load(db, &ids)?;
            Ok(BookPage { page, books })
        })
    }
}

fn order(order: BookOrder) -> &'static str {
    match order {
        BookOrder::Relevance | BookOrder::Title => "b.filing, b.id",
        BookOrder::Author => {
            "(SELECT a.filing FROM book_authors ba JOIN authors a ON a.id = ba.author \
             WHERE ba.book = b.id AND ba.position = 0) NULLS LAST, b.filing, b.id"
        }
        BookOrder::Oldest => "b.year NULLS LAST, b.filing, b.id",
        BookOrder::Newest => "b.year DESC NULLS LAST, b.filing, b.id",
    }
}
