//! The versions of the protocol.

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// JSON-RPC 2.0.
    V2_0,
    /// The working draft of JSON-RPC 1.1.
    V1_1,
    /// JSON-RPC 1.0.
    V1_0,
}
