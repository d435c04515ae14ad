//! HTTP clients that offer to go on in another protocol, and whose calls must not be lost by it.

use std::process::Command;

use crate::command::{self, Failure, cargo};
use crate::packages;
use crate::running::Running;

/// Programs, and the packages of Debian that have them.
const PROGRAMS: &[(&str, &str)] = &[("javac", "default-jdk-headless"), ("curl", "curl")];

/// Enough for about forty failures where offers are answered as actix-http answers them.
const CALLS: &str = "4000";

const THREADS: &str = "4";

pub(crate) fn run() -> Result<(), Failure> {
    packages::need(PROGRAMS)?;
    command::run(cargo().args(["build", "--locked", "--package", "conformance"]))?;
    let service = Running::conformance()?;
    let mount = format!("{}/rpc", service.address);
    java(&mount)?;
    curl(&mount)
}

/// The client of the JDK, as it comes.
fn java(mount: &str) -> Result<(), Failure> {
    let source = command::root().join("examples/conformance/tests/clients/Calls.java");
    command::run(
        Command::new("java")
            .arg(source)
            .args([mount, THREADS, CALLS]),
    )
}

/// curl, with an offer of HTTP/2 on each of two requests: both are answered on one connection.
fn curl(mount: &str) -> Result<(), Failure> {
    let get = format!("{mount}/get_data");
    let told = ["--silent", "--output", "/dev/null", "--http2"];
    let format = ["--write-out", "%{http_code} on %{num_connects}\n"];
    let output = Command::new("curl")
        .args(told)
        .args(format)
        .args([&get, "--next"])
        .args(told)
        .args(format)
        .arg(&get)
        .output()
        .map_err(Failure::new)?;
    match &*String::from_utf8_lossy(&output.stdout) {
        "200 on 1\n200 on 0\n" => Ok(()),
        other => Err(Failure::new(format_args!(
            "curl --http2: {other:?} instead of two answers on one connection"
        ))),
    }
}
