//! The IDs of requests, for logs and for callers.

use std::sync::LazyLock;

use docent_core::RequestId;
use docent_core::carrier::RequestIds;

use crate::runtime::TokioRuntime;

/// The name of the field with the ID of a request, and of its response.
pub const REQUEST_ID: http::HeaderName = http::HeaderName::from_static("x-request-id");

/// Returns the ID of a request whose field [`REQUEST_ID`] has these values: the value if there is only one and
/// it is well-formed, otherwise a new ID.
pub fn request_id<'v>(mut values: impl Iterator<Item = &'v [u8]>) -> RequestId {
    if let (Some(only), None) = (values.next(), values.next())
        && let Ok(text) = str::from_utf8(only)
        && let Some(id) = RequestId::new(text)
    {
        return id;
    }
    generated_request_id()
}

/// Returns an ID for a request that has none.
pub fn generated_request_id() -> RequestId {
    // One generator for the whole process, so that no two of its requests have the same ID.
    static REQUEST_IDS: LazyLock<RequestIds> = LazyLock::new(|| RequestIds::new(&TokioRuntime));
    REQUEST_IDS.generate()
}
