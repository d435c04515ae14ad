//! All tests, and what they need.

use crate::browser;
use crate::command::{self, Failure, cargo};
use crate::scale;
use crate::soak;

pub(crate) fn run() -> Result<(), Failure> {
    command::run(cargo().args(["test", "--workspace", "--locked"]))?;
    browser::run()?;
    scale::run()?;
    soak::run_briefly()
}
