//! `?` on an error that callers should not see.

// expect: of the errors of other crates: `.internal()?`
// absent: BindError

#![allow(unused)]

use docent_core::{Cx, Fault};

fn count(_: Cx, (): ()) -> Result<usize, Fault> {
    let text = std::fs::read_to_string("shelf")?;
    //~^ `?` couldn't convert the error to `docent_core::Fault`
    Ok(text.len())
}

fn main() {}
