//! Renders the model in the formats that are served.
//!
//! Every format is a rendering of the same [`ServiceDescription`](crate::ServiceDescription) and is
//! written nowhere else. A rendering is a value ([`Json`](crate::json::Json)).

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
