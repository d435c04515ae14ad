//! Renders the model in the formats that are served.
//!
//! A [`ServiceDescription`](crate::ServiceDescription) comes in. Out goes a value ([`Json`](crate::json::Json)), or its
//! text, which is written procedure by procedure where a document can be large:
//!
//! | rendering | for | what it lacks |
//! |---|---|---|
//! | [`describe`] | clients and tools of Docent | nothing: it has a member for all that the model has |
//! | [`system_describe`] | readers of JSON-RPC 1.1 | schemas, errors, subscriptions |
//! | [`openrpc`] | tools that know JSON-RPC | what is left goes into extensions (`x-…`) |
//! | [`openapi`] | tools that know HTTP | notifications, what the service sends by itself |
//! | [`json_schema`] | tools that know types only | procedures, but for their names |
//! | `tools` (feature `mcp`) | agents | all that a model does not need to make a call |
//!
//! The members of a procedure are a table, [`PROCEDURE_MEMBERS`], with a column for each format:
//!
//! ```text
//! // member        value                    in OpenRPC     OpenRPC   OpenAPI   1.1     JSON Schema
//! "idempotent"     (flag idempotent)        "x-idempotent" Extension Own       Own     LeftOut;
//! ```
//!
//! `rpc.describe` and all extensions are written from it, and `docent-tools` reads by it and reports what a format
//! leaves out. A member that a format has in its own terms (`Own`) is written in that format's file. `values` writes
//! what is not a flag or a text, and `schemas` changes schemas for readers who know less of JSON Schema. What schemas
//! mean is up to `schema`.
//!
//! Renderings are not structs with derived serialisation. A member is only there if its author said something, unknown
//! members travel along, and the order of members is that of the specification: a chain that builds an object
//! (`members`) says all of that where it is read.
//!
//! `docent-core` keeps the bytes and serves them.

mod agents;
#[cfg(any(feature = "mcp", feature = "tools"))]
mod defs;
mod describe;
#[cfg(feature = "tools")]
mod json_schema;
mod members;
mod openapi;
mod openrpc;
mod procedure_members;
#[cfg(feature = "mcp")]
mod result_outline;
mod schemas;
mod streamed;
mod system;
#[cfg(feature = "mcp")]
mod tools;
mod values;

pub use agents::{INPUT_SCHEMA, INSTRUCTIONS, TOOL, TOOL_HINTS};
pub use describe::{DescriptionText, describe};
#[cfg(feature = "tools")]
pub use json_schema::json_schema;
pub use openapi::{OpenApiOptions, OpenApiText, openapi};
pub use openrpc::{OpenRpcOptions, OpenRpcText, OpenRpcVersion, is_not_in_draft07, openrpc};
pub use procedure_members::{MemberField, MemberForm, PROCEDURE_MEMBERS, ProcedureMember};
pub use system::system_describe;
#[cfg(feature = "mcp")]
pub use tools::{ToolResult, tools};

/// The JSON Schema (2020-12) of the format of `rpc.describe`.
///
/// It does not allow unknown members, unless their names start with `$`.
pub const FORMAT_SCHEMA: &str = include_str!("../../schema/service-description.schema.json");

/// The JSON Schema (2020-12) of the format of `system.describe`: section 10 of the JSON-RPC 1.1
/// working draft, without extensions.
pub const SYSTEM_DESCRIBE_SCHEMA: &str = include_str!("../../schema/system-describe.schema.json");
