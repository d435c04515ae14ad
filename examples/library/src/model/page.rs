//! Lists come a page at a time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many entries a page has when the caller does not say.
pub const DEFAULT_LIMIT: u32 = 20;

/// How many entries a page has at most.
pub const MAX_LIMIT: u32 = 100;

/// Where a page stands in the whole list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageInfo {
    /// How many entries the whole list has.
    pub total: u32,
    /// How many entries come before this page.
    pub offset: u32,
    /// How many entries a page has at most.
    pub limit: u32,
    /// The `offset` of the page after this one; null on the last page.
    pub next: Option<u32>,
}

impl PageInfo {
    /// Describes the page that starts at `offset` in a list of `total` entries.
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

/// For serde, which wants a function.
pub(super) fn default_limit() -> u32 {
    DEFAULT_LIMIT
}
