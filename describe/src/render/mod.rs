//! From the model to what is served.
//!
//! Every format is a rendering of the same [`ServiceDescription`](crate::ServiceDescription);
//! none of them is written anywhere else. Renderings are values ([`Json`](crate::json::Json)), so
//! that callers choose between one line and indentation; what has to be fast is text that was
//! made beforehand ([`Pieces`]).

mod describe;
mod members;
mod openrpc;
mod pieces;
mod system;

pub use describe::describe;
pub use openrpc::{OpenRpcOptions, OpenRpcVersion, openrpc};
pub use pieces::{Pieces, UnknownProcedures};
pub use system::system_describe;

/// The JSON Schema (2020-12) of the format of `rpc.describe`.
///
/// It does not allow unknown members, unless their names start with `$`.
pub const FORMAT_SCHEMA: &str = include_str!("../../schema/service-description.schema.json");

/// The JSON Schema (2020-12) of the format of `system.describe`: section 10 of the JSON-RPC 1.1
/// working draft, without extensions.
pub const SYSTEM_DESCRIBE_SCHEMA: &str = include_str!("../../schema/system-describe.schema.json");
