//! What takes too long for every change: `.ci/run full`.

use crate::command::Failure;
use crate::{crates, features, instructions};

pub(crate) fn run() -> Result<(), Failure> {
    features::run()?;
    crates::run()?;
    instructions::run()
}
