//! The arguments of `docent mcp`.

use std::path::PathBuf;

use super::EXIT_CODES;

/// Let an agent find procedures in a site by words, as a server of MCP
///
/// It speaks over standard input and output, and has one tool, `find_procedures`. Agents start it: their settings
/// take a command, docent, and its arguments, mcp and FOLDER. The site is read once, at the start.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct McpArgs {
    /// The folder of a site that docent docs has written, of one service or a catalogue
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}
