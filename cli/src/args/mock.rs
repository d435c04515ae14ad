//! The arguments of `docent mock`.

use std::net::SocketAddr;

use super::{EXIT_CODES_HELP, INPUTS_HELP, input_parser};
use crate::input::Input;

/// Serve a mock of a service, made from its description
///
/// Prints its address. The mock checks parameters as the service would, and answers with the example whose
/// parameters match, otherwise with the first example, otherwise with a value that fits the schema of the
/// result. Its reference site is at /docs/. Credentials are not checked, and nothing is stored.
#[derive(clap::Args)]
#[command(after_help = format!("{INPUTS_HELP}\n\n{EXIT_CODES_HELP}"))]
pub(crate) struct MockArgs {
    /// A file, `-` for standard input, or the URL of a live service
    #[arg(value_name = "INPUT", value_parser = input_parser())]
    pub(crate) input: Input,
    /// The address to listen on; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8918", value_parser = listen)]
    pub(crate) listen: SocketAddr,
}

fn listen(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse()
        .map_err(|_| "expected an IP address and a port, such as 127.0.0.1:8918")
}
