//! Standard input, which can be read only once.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static IS_READ: AtomicBool = AtomicBool::new(false);

/// Reads all of standard input.
pub(crate) fn read() -> Result<Vec<u8>, Failure> {
    if IS_READ.swap(true, Ordering::Relaxed) {
        return Err(Failure::usage("standard input can be read only once"));
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Failure::system(format_args!("standard input: {error}")))?;
    Ok(bytes)
}
