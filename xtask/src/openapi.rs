//! Tests with the tools of OpenAPI, against live services: validators, clients, viewers, and schemathesis,
//! which makes up requests.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{self, BoxError, root};
use crate::install::Program;
use crate::packages::Packages;
use crate::running::{ANY_PORT, RunningService, WRITE_TOKEN};

pub(crate) const OPENAPI_PROGRAMS: &[Program] = &[
    Program::new("node", "nodejs"),
    Program::new("npm", "npm"),
    Program::new("python3", "python3"),
    Program::new("chromium", "chromium"),
];

const NODE_PACKAGES: Packages = Packages {
    name: "openapi",
    packages: &[
        "@redocly/cli@2.77.0",
        "@scalar/api-reference@1.72.1",
        "@types/node@24.19.2",
        "openapi-fetch@0.17.0",
        "openapi-typescript@7.13.0",
        "playwright-core@1.65.1",
        "swagger-ui-dist@5.35.0",
        "typescript@5.9.3",
    ],
};

const PYTHON_PACKAGES: Packages = Packages {
    name: "openapi-python",
    packages: &[
        "annotated-types==0.8.0",
        "anyio==4.16.0",
        "attrs==26.1.0",
        "certifi==2026.10.18",
        "charset-normalizer==3.5.2",
        "click==8.5.1",
        "graphql-core==3.3.2",
        "harfile==0.6.0",
        "hypothesis==6.170.15",
        "hypothesis-graphql==0.13.5",
        "idna==3.20",
        "iniconfig==2.3.1",
        "jsonschema==4.26.0",
        "jsonschema-path==0.5.0",
        "jsonschema-specifications==2025.9.1",
        "jsonschema_rs==0.60.3",
        "lazy-object-proxy==1.13.0",
        "markdown-it-py==4.3.0",
        "MarkupSafe==3.0.4",
        "mdurl==0.1.2",
        "openapi-schema-validator==0.9.0",
        "openapi-spec-validator==0.9.0",
        "packaging==26.3",
        "pathable==0.6.0",
        "pluggy==1.7.0",
        "pydantic==2.14.3",
        "pydantic-settings==2.16.3",
        "pydantic_core==2.50.4",
        "Pygments==2.21.0",
        "pyrate-limiter==4.5.1",
        "pytest==9.2.0",
        "python-dotenv==1.2.4",
        "PyYAML==6.0.3",
        "referencing==0.37.0",
        "requests==2.34.2",
        "rfc3339-validator==0.1.4",
        "rich==15.0.0",
        "rpds-py==2026.9.1",
        "schemathesis==4.32.5",
        "six==1.17.0",
        "sortedcontainers==2.4.0",
        "typing-inspection==0.4.5",
        "typing_extensions==4.16.0",
        "urllib3==2.8.0",
        "Werkzeug==3.1.9",
    ],
};

pub(crate) fn run() -> Result<(), BoxError> {
    let node = NODE_PACKAGES.npm()?.canonicalize()?;
    let python = PYTHON_PACKAGES.pypi()?;
    let library = RunningService::library("openapi", ANY_PORT, &[])?;
    // A call that sleeps must not hold up the tools.
    let short_timeout = ["--listen", ANY_PORT, "--timeout-ms", "500"];
    let conformance = RunningService::start("conformance", &short_timeout)?;
    let documents =
        [&library, &conformance].map(|running| format!("{}/openapi.json", running.address));
    let scripts = root().join("examples/conformance/tests/openapi");
    for name in ["client.mts", "viewers.mjs"] {
        fs::copy(scripts.join(name), node.join(name))?;
    }
    command::run(
        Command::new(python.join("bin/python"))
            .arg(scripts.join("validate.py"))
            .args(&documents),
    )?;
    for document in &documents {
        command::run(tool(&node, "redocly").args(["lint", "--format=summary", document]))?;
        let mut schemathesis = Command::new(python.join("bin/st"));
        schemathesis
            .current_dir(&node)
            .arg("--config-file")
            .arg(scripts.join("schemathesis.toml"))
            .args(["run", document, "--no-color", "--generation-deterministic"])
            .args(["--max-examples=20", "--request-timeout=10"])
            .args(["--header", &format!("Authorization: Bearer {WRITE_TOKEN}")]);
        command::run(&mut schemathesis)?;
    }
    let mut types = tool(&node, "openapi-typescript");
    command::run(types.args([&documents[0], "--output", "library.d.ts"]))?;
    let modern = "--strict --target es2022 --module nodenext --skipLibCheck client.mts";
    command::run(tool(&node, "tsc").args(modern.split(' ')))?;
    for script in ["client.mjs", "viewers.mjs"] {
        let mut program = Command::new("node");
        command::run(program.current_dir(&node).args([script, &library.address]))?;
    }
    Ok(())
}

/// Returns a program of the packages, started in their folder.
fn tool(packages: &Path, name: &str) -> Command {
    let mut tool = Command::new(packages.join("node_modules/.bin").join(name));
    tool.current_dir(packages);
    tool
}
