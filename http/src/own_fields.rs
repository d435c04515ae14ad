//! Header fields that handlers add to the response of their exchange.
//!
//! A handler may add anything that the contract does not decide, such as `Set-Cookie`. What the
//! contract decides stays true, whatever a handler does.

use docent_core::Extensions;
use http::HeaderName;

use crate::headers::{Value, is_value};

/// The fields that the contract or the carrier writes.
const CONTRACT_FIELDS: [&str; 24] = [
    "accept-encoding",
    "accept-post",
    "age",
    "allow",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "etag",
    "expires",
    "idempotent-replayed",
    "keep-alive",
    "link",
    "location",
    "retry-after",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "vary",
    "www-authenticate",
    "x-content-type-options",
    "x-request-id",
];

/// The beginnings of the names of other fields that the contract writes.
const CONTRACT_PREFIXES: [&str; 2] = ["access-control-", "sec-"];

/// Takes the fields that the handlers of an exchange have added. Those that cannot be sent are left out, and
/// logged, since only the author of a handler can mend that.
pub(crate) fn take(extensions: &Extensions) -> Vec<(HeaderName, Value)> {
    let mut fields = Vec::new();
    for (name, value) in extensions.take_response_fields() {
        match HeaderName::from_bytes(name.as_bytes()) {
            Ok(name) if is_free(name.as_str()) && is_value(&value) => {
                fields.push((name, value.into()));
            }
            _ => tracing::error!(name, "a handler added a header field that cannot be sent"),
        }
    }
    fields
}

/// Returns whether the contract leaves a field to handlers. The name is in lower case.
fn is_free(name: &str) -> bool {
    let is_reserved = CONTRACT_PREFIXES
        .iter()
        .any(|prefix| name.starts_with(prefix));
    !is_reserved && CONTRACT_FIELDS.binary_search(&name).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_the_contract_are_sorted_and_not_free() {
        assert!(CONTRACT_FIELDS.is_sorted());
        for name in CONTRACT_FIELDS {
            assert!(!is_free(name), "{name}");
        }
        assert!(!is_free("access-control-allow-origin"));
        assert!(is_free("set-cookie"));
    }
}
