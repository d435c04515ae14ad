//! The tests that put a cache in front of instances of the library.

use crate::command::{self, Failure, cargo};
use crate::packages;

pub(crate) fn run() -> Result<(), Failure> {
    packages::need(&[("nginx", "nginx")])?;
    let arguments = [
        "test",
        "--locked",
        "--package",
        "library",
        "--test",
        "proxy",
    ];
    command::run(cargo().args(arguments))
}
