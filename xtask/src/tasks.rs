//! All tests, and what they need.

use crate::command::{self, Failure, cargo};
use crate::{browser, clients, crowds, proxy, scale, soak};

pub(crate) fn run() -> Result<(), Failure> {
    command::run(cargo().args(["test", "--workspace", "--locked"]))?;
    crowds::run()?;
    proxy::run()?;
    browser::run()?;
    clients::run()?;
    scale::run()?;
    soak::run_briefly()
}
