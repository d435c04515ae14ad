//! Renders the model in the formats that are served.
//!
//! In goes a [`ServiceDescription`](crate::ServiceDescription), out comes a value ([`Json`](crate::json::Json)), or its
//! text, written piece by piece where a document can be large:
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
//! [`PROCEDURE_MEMBERS`] is a table of the members of a procedure, with their form in each format. So a new member is a
//! row there, and readers can report what a format leaves out. `values` writes the values of members,
//! `schemas` the schemas of readers who know less of JSON Schema; `schema` decides what schemas mean.
//!
//! Renderings are not structs with derived serialisation. A member is only there if its author said something, unknown
//! members travel along, and the order of members is that of the specification: a chain that builds an object
//! (`members`) says all of that where it is read.
//!
//! Formats are read again in `docent-tools`. `docent-core` keeps the bytes and serves them.

mod agents;
mod describe;
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
