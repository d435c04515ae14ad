//! The ways to request a description from a live service.

use std::fmt;

/// A way to request a description from a live service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// POST this message, which calls this procedure.
    Call(&'static str, &'static str),
    /// GET `rpc.describe` at the URL, which can be repeated at little cost.
    Query,
    /// GET the URL as it is.
    Get,
}

impl Way {
    /// Returns a word for the way, to store.
    pub(crate) fn as_word(self) -> &'static str {
        match self {
            Self::Call(_, message) => message,
            Self::Query => "query",
            Self::Get => "get",
        }
    }

    /// Returns the way that a word stands for.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        let mut ways = WAYS.into_iter().chain([Self::Query]);
        ways.find(|way| way.as_word() == word)
    }

    /// Returns whether the service speaks JSON-RPC 1.1, and not 2.0.
    pub(crate) fn is_1_1(self) -> bool {
        matches!(self, Self::Call(_, message) if message.contains("\"version\""))
    }
}

/// The ways in the order in which they are tried, those with the most detail first.
///
/// Services that know only 1.1 or 1.0 reject a 2.0 message, and the other way round, so
/// `system.describe` is called in both versions.
pub(super) const WAYS: [Way; 5] = [
    Way::Call(
        "rpc.describe",
        r#"{"jsonrpc":"2.0","method":"rpc.describe","id":1}"#,
    ),
    Way::Call(
        "rpc.discover",
        r#"{"jsonrpc":"2.0","method":"rpc.discover","params":[],"id":1}"#,
    ),
    Way::Call(
        "system.describe",
        r#"{"version":"1.1","method":"system.describe","params":[],"id":1}"#,
    ),
    Way::Call(
        "system.describe",
        r#"{"jsonrpc":"2.0","method":"system.describe","params":[],"id":1}"#,
    ),
    Way::Get,
];

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(procedure, _) => f.write_str(procedure),
            Self::Query => f.write_str("rpc.describe"),
            Self::Get => f.write_str("GET"),
        }
    }
}
