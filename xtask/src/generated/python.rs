//! Clients in Python.

use std::process::Command;

use super::{Work, copy_calls};
use crate::command::{self, Failure};
use crate::packages::Packages;
use crate::running::TOKEN;

const PACKAGES: Packages = Packages {
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
const PYRIGHT: Packages = Packages {
    name: "pyright",
    packages: &["pyright@1.1.414"],
};

pub(super) fn test(work: &Work) -> Result<(), Failure> {
    let program = PACKAGES.pypi()?.canonicalize()?.join("bin/python");
    let folder = work.generate("python")?;
    let python = || {
        let mut python = Command::new(&program);
        python.current_dir(&folder);
        python
    };
    let calls = copy_calls("calls.py", &folder)?;
    let hostile = copy_calls("hostile.py", &folder)?;
    let odd = copy_calls("odd.py", &folder)?;
    work.copy_values("values.py", &folder)?;
    let check = ["-m", "mypy", "--strict", "--python-version", "3.10", "."];
    command::run(python().args(check))?;
    // mypy does not import the packages, so try that here.
    let names: Vec<&str> = work.names().collect();
    let import = format!("import {}", names.join(", "));
    command::run(python().args(["-W", "error", "-c", &import]))?;
    command::run(python().arg(calls).args([&*work.url, TOKEN]))?;
    work.test_odd_values(python().arg(odd))?;
    match &work.hostile {
        Some(server) => {
            let pyright = PYRIGHT.npm()?.join("node_modules/pyright/index.js");
            let mut check = Command::new("node");
            check.current_dir(&folder).arg(pyright.canonicalize()?);
            command::run(check.arg("--pythonpath").arg(&program).args(work.names()))?;
            command::run(python().arg(hostile).arg(server))
        }
        None => Ok(()),
    }
}
