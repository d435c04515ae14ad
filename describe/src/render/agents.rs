//! The extensions of a description that are about tools for agents. `tools` renders these tools.

/// The extension of a procedure that names its tool.
pub const TOOL: &str = "$tool";

/// The extension of a procedure with more about its tool: a `title`, and hints under the names of the protocol.
pub const TOOL_HINTS: &str = "$toolHints";

/// The extension with the schema of all parameters of a tool together, if there are constraints on several of
/// them at once, or on names that are not listed.
pub const INPUT_SCHEMA: &str = "$inputSchema";

/// The extension of a service with the text that models read before they use its tools.
pub const INSTRUCTIONS: &str = "$instructions";
