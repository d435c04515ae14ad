//! Clients in Python: checked by mypy and pyright, imported with warnings as errors, and called.

use std::path::Path;
use std::process::Command;

use super::{ClientTests, copy_calls};
use crate::command::{self, BoxError};
use crate::packages::Packages;
use crate::running::WRITE_TOKEN;

const PYTHON_PACKAGES: Packages = Packages {
    name: "python",
    packages: &[
        "anyio==4.16.0",
        "ast_serialize==0.13.1",
        "certifi==2026.10.18",
        "h11==0.16.0",
        "httpcore==1.0.9",
        "httpx==0.28.1",
        "idna==3.20",
        "librt==0.16.0",
        "mypy==2.4.1",
        "mypy_extensions==1.2.0",
        "pathspec==1.1.1",
        "typing_extensions==4.16.0",
    ],
};

/// Another checker of types, which many editors use.
const PYRIGHT_PACKAGES: Packages = Packages {
    name: "pyright",
    packages: &["pyright@1.1.414"],
};

pub(super) fn test(tests: &ClientTests) -> Result<(), BoxError> {
    let program = PYTHON_PACKAGES.pypi()?.canonicalize()?.join("bin/python");
    let folder = tests.generate("python")?;
    let calls = copy_calls("calls.py", &folder)?;
    let hostile = copy_calls("hostile.py", &folder)?;
    let odd = copy_calls("odd.py", &folder)?;
    let subscriptions = copy_calls("subscriptions.py", &folder)?;
    tests.copy_values("values.py", &folder)?;
    let check = ["-m", "mypy", "--strict", "--python-version", "3.10", "."];
    command::run(python(&program, &folder).args(check))?;
    // mypy does not import the packages, so try that here.
    let names: Vec<&str> = tests.names().collect();
    let import = format!("import {}", names.join(", "));
    command::run(python(&program, &folder).args(["-W", "error", "-c", &import]))?;
    let mut caller = python(&program, &folder);
    command::run(caller.arg(calls).args([&*tests.url, WRITE_TOKEN]))?;
    tests.test_odd_values(python(&program, &folder).arg(odd))?;
    let mut follower = python(&program, &folder);
    let servers = [&tests.streams, &tests.counter];
    command::run(follower.arg(subscriptions).args(servers))?;
    if let Some(server) = &tests.hostile {
        let pyright = PYRIGHT_PACKAGES
            .npm()?
            .join("node_modules/pyright/index.js");
        let mut check = Command::new("node");
        check.current_dir(&folder).arg(pyright.canonicalize()?);
        command::run(check.arg("--pythonpath").arg(&program).args(tests.names()))?;
        command::run(python(&program, &folder).arg(hostile).arg(server))?;
    }
    Ok(())
}

fn python(program: &Path, folder: &Path) -> Command {
    let mut python = Command::new(program);
    python.current_dir(folder);
    python
}
