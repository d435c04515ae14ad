//! Tests with the tools of OpenRPC, against live services.
//!
//! The scripts are in `examples/conformance/tests/openrpc`; this task installs what they need and starts
//! services.

use std::fs;
use std::process::Command;

use crate::command::{self, BoxError, root};
use crate::install::Program;
use crate::packages::Packages;
use crate::running::{RunningService, unused_address};

pub(crate) const OPENRPC_PROGRAMS: &[Program] =
    &[Program::new("node", "nodejs"), Program::new("npm", "npm")];

/// The packages that read documents of OpenRPC.
const TOOL_PACKAGES: Packages = Packages {
    name: "openrpc",
    packages: &[
        "@open-rpc/client-js@2.1.0",
        "@open-rpc/generator@1.22.3",
        "@open-rpc/mock-server@1.7.8",
        "@open-rpc/schema-utils-js@2.2.1",
        "@open-rpc/test-coverage@2.2.4",
    ],
};

/// The packages that a generated client needs, in the versions that it requires.
const CLIENT_PACKAGES: Packages = Packages {
    name: "openrpc-client",
    packages: &[
        "@open-rpc/client-js@1.7.1",
        "@open-rpc/meta-schema@1.14.2",
        "@open-rpc/schema-utils-js@1.15.0",
        "@types/json-schema@7.0.3",
        "@types/lodash@4.17.27",
        "@types/ws@6.0.4",
        "lodash@4.18.1",
        "typescript@5.9.3",
    ],
};

pub(crate) fn run() -> Result<(), BoxError> {
    let tools = TOOL_PACKAGES.npm()?;
    let client = CLIENT_PACKAGES.npm()?.canonicalize()?;
    // test-coverage reads the service's address from the document, so the port must be known in
    // advance.
    let listen = unused_address()?;
    let public = format!("http://{listen}/rpc");
    let library = RunningService::library("openrpc", &listen, &["--public-url", &public])?;
    let conformance = RunningService::conformance()?;
    let script = root().join("examples/conformance/tests/openrpc/run.mjs");
    fs::copy(script, tools.join("run.mjs"))?;
    let mut node = Command::new("node");
    node.arg(tools.join("run.mjs")).arg(client);
    let urls = [&library, &conformance].map(|running| format!("{}/rpc", running.address));
    command::run(node.args(urls))
}
