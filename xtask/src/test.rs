//! All tests, and what they need.

use crate::browser;
use crate::command::{self, Failure, cargo};
use crate::{crowds, proxy, scale, soak};

pub(crate) fn run() -> Result<(), Failure> {
    command::run(cargo().args(["test", "--workspace", "--locked"]))?;
    crowds::run()?;
    proxy::run()?;
    browser::run()?;
    scale::run()?;
    soak::run_briefly()
}
