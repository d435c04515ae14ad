//! All tests, and what they need.

use crate::browser;
use crate::command::{self, Failure, cargo};
use crate::crowds;
use crate::scale;

pub(crate) fn run() -> Result<(), Failure> {
    command::run(cargo().args(["test", "--workspace", "--locked"]))?;
    crowds::run()?;
    browser::run()?;
    scale::run()
}
