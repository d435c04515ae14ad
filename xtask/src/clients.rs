//! HTTP clients that offer to go on in another protocol, and whose calls must not be lost by it.

use std::process::Command;

use crate::command::{self, Failure, cargo, output};
use crate::install::Program;
use crate::running::Running;

pub(crate) const NEEDS: &[Program] = &[
    ("java", "default-jdk-headless"),
    ("javac", "default-jdk-headless"),
    ("curl", "curl"),
];

pub(crate) fn run() -> Result<(), Failure> {
    command::run(cargo().args(["build", "--locked", "--package", "conformance"]))?;
    let service = Running::conformance()?;
    let mount = format!("{}/rpc", service.address);
    // The client of the JDK, as it comes: four threads, and enough calls for about forty failures
    // where offers are answered as actix-http answers them.
    let source = command::root().join("examples/conformance/tests/clients/Calls.java");
    command::run(Command::new("java").arg(source).args([&mount, "4", "4000"]))?;
    curl(&mount)
}

/// curl, with an offer of HTTP/2 on each of two requests: both are answered on one connection.
fn curl(mount: &str) -> Result<(), Failure> {
    let get = format!("{mount}/get_data");
    let ask = [
        "--silent",
        "--output",
        "/dev/null",
        "--http2",
        "--write-out",
    ];
    let ask = [&ask[..], &["%{http_code} on %{num_connects}\n", &get]].concat();
    let mut curl = Command::new("curl");
    match &*output(curl.args(&ask).arg("--next").args(&ask))? {
        "200 on 1\n200 on 0\n" => Ok(()),
        other => {
            Err(format!("curl --http2: {other:?} instead of two answers on one connection").into())
        }
    }
}
