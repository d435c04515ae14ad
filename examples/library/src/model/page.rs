//! Pages of a list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The default number of entries on a page.
pub const DEFAULT_LIMIT: u32 = 20;

/// The maximum number of entries on a page.
pub const MAX_LIMIT: u32 = 100;

/// The position of a page in the whole list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageInfo {
    /// The number of entries in the whole list.
    pub total: u32,
    /// The number of entries before this page.
    pub offset: u32,
    /// The maximum number of entries on a page.
    pub limit: u32,
    /// The `offset` of the page after this one; null on the last page.
    pub next: Option<u32>,
}

impl PageInfo {
    /// Returns the position of the page that starts at `offset` in a list of `total` entries.
    pub fn new(total: u32, offset: u32, limit: u32) -> Self {
        let end = offset.saturating_add(limit);
        Self {
            total,
            offset,
            limit,
            next: (limit > 0 && end < total).then_some(end),
        }
    }
}
