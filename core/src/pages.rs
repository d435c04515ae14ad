//! Parameters and results for lists that callers read page by page: by offset, or by cursor.
//!
//! Flatten the parameters into those of a procedure, and list their order if callers should be able
//! to pass them by position:
//!
//! ```
//! use docent::pages::{Page, PageParams};
//! use docent::{Cx, Fault, Procedure, Service};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! /// Finds books by words in their title.
//! #[derive(Deserialize, JsonSchema)]
//! struct FindBooks {
//!     words: String,
//!     #[serde(flatten)]
//!     page: PageParams,
//! }
//!
//! fn find(_: Cx, p: FindBooks) -> Result<Page<String>, Fault> {
//!     let found = vec![p.words; 50];
//!     Ok(p.page.of(&found))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c23")
//!     .procedure(Procedure::sync("book.find", find).order(["words", "offset", "limit"]))
//!     .build()?;
//! let page: Page<String> = service.call("book.find", &("whale", 45)).await?;
//! assert_eq!((page.items.len(), page.total), (5, 50));
//! # Ok(())
//! # }
//! ```
//!
//! The `limit` of `PageParams<50>` is at most 50. The default is 20, or the maximum if that is less.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// The greatest number of items that is published: every integer up to it is a double, so clients need no
/// type of their own for it.
const MAX_ITEMS: u64 = (1 << 53) - 1;

/// Parameters that select a page by offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct PageParams<const MAX_LIMIT: u32 = 100> {
    /// The number of items to skip.
    #[serde(default)]
    #[schemars(range(max = MAX_ITEMS))]
    pub offset: u64,
    /// The maximum number of items to return.
    #[serde(default = "default_limit::<MAX_LIMIT>")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: u32,
}

/// A page of a list that is read by offset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Page<T> {
    /// The items of this page.
    pub items: Vec<T>,
    /// The number of items on all pages.
    #[schemars(range(max = MAX_ITEMS), example = 1)]
    pub total: u64,
}

/// Parameters that select a page by cursor.
///
/// ```
/// use docent::pages::{CursorPage, CursorParams};
/// use docent::{Cx, Fault};
///
/// fn list(_: Cx, page: CursorParams) -> Result<CursorPage<u64>, Fault> {
///     let start = match &page.cursor {
///         Some(cursor) => cursor.parse::<u64>().map_err(|_| page.invalid())?,
///         None => 0,
///     };
///     let end = start.saturating_add(page.limit.into());
///     Ok(CursorPage {
///         items: (start..end).collect(),
///         next: Some(end.to_string()),
///     })
/// }
/// # let _ = docent::Procedure::sync("list", list);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct CursorParams<const MAX_LIMIT: u32 = 100> {
    /// The `next` of the previous page. The first page needs none.
    // The format says that not every text is a cursor.
    #[serde(default)]
    #[schemars(extend("x-format" = "cursor"))]
    pub cursor: Option<String>,
    /// The maximum number of items to return.
    #[serde(default = "default_limit::<MAX_LIMIT>")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    pub limit: u32,
}

/// A page of a list that is read by cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CursorPage<T> {
    /// The items of this page.
    pub items: Vec<T>,
    /// The cursor of the next page; null on the last one.
    pub next: Option<String>,
}

fn default_limit<const MAX_LIMIT: u32>() -> u32 {
    MAX_LIMIT.min(20)
}

impl<const MAX_LIMIT: u32> Default for PageParams<MAX_LIMIT> {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: default_limit::<MAX_LIMIT>(),
        }
    }
}

impl<const MAX_LIMIT: u32> Default for CursorParams<MAX_LIMIT> {
    fn default() -> Self {
        Self {
            cursor: None,
            limit: default_limit::<MAX_LIMIT>(),
        }
    }
}

impl<const MAX_LIMIT: u32> PageParams<MAX_LIMIT> {
    /// Returns the selected page of items in memory, such as a slice, the values of a map, or a filtered iterator.
    /// Only the items of the page are cloned.
    pub fn of<'a, T: Clone + 'a>(&self, all: impl IntoIterator<Item = &'a T>) -> Page<T> {
        let offset = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let mut rest = all.into_iter();
        let before = rest.by_ref().take(offset).count();
        let items: Vec<T> = rest.by_ref().take(limit).cloned().collect();
        let total = before + items.len() + rest.count();
        Page {
            items,
            total: total as u64,
        }
    }
}

impl<const MAX_LIMIT: u32> CursorParams<MAX_LIMIT> {
    /// Returns the error for a cursor that the procedure did not issue, or that has expired: -32602
    /// for the parameter `cursor`.
    pub fn invalid(&self) -> Fault {
        Fault::invalid_params("cursor", "expected the `next` of the previous page")
    }
}
