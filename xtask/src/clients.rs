//! Tests with HTTP clients that offer to upgrade to HTTP/2: none of their calls may be lost.

use std::process::Command;

use crate::command::{self, BoxError, output};
use crate::install::Program;
use crate::running::RunningService;

pub(crate) const CLIENT_PROGRAMS: &[Program] = &[
    Program::new("java", "default-jdk-headless"),
    Program::new("javac", "default-jdk-headless"),
    Program::new("curl", "curl"),
];

pub(crate) fn run() -> Result<(), BoxError> {
    command::build()?;
    let service = RunningService::conformance()?;
    let mount = format!("{}/rpc", service.address);
    // The JDK's client with its defaults, on four threads. If the server handled the offer as
    // actix-http does, about forty of these calls would fail.
    let source = command::root().join("examples/conformance/tests/clients/Calls.java");
    command::run(Command::new("java").arg(source).args([&mount, "4", "4000"]))?;
    curl(&mount)
}

/// Lets curl offer HTTP/2 on each of two requests; one connection must serve both.
fn curl(mount: &str) -> Result<(), BoxError> {
    let get = format!("{mount}/get_data");
    let request = [
        "--silent",
        "--output",
        "/dev/null",
        "--http2",
        "--write-out",
        "%{http_code} on %{num_connects}\n",
        &get,
    ];
    let mut curl = Command::new("curl");
    match &*output(curl.args(request).arg("--next").args(request))? {
        "200 on 1\n200 on 0\n" => Ok(()),
        other => {
            Err(format!("curl --http2: {other:?} instead of two answers on one connection").into())
        }
    }
}
