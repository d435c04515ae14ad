//! `.internal()` where there is no error, or one of which nothing is known.

#![allow(unused)]

use docent_core::{Fault, ResultExt};

struct Plain;

fn first(lines: &[String]) -> Result<&String, Fault> {
    let line = lines.first().internal()?;
    //~^ an `Option` has no error to turn into an internal one
    //~^^ say what is missing: `.ok_or("…").internal()?`
    Ok(line)
}

fn plain(result: Result<u8, Plain>) -> Result<u8, Fault> {
    let number = result.internal()?;
    //~^ `Plain` is neither an error nor a text
    //~^^ `.map_err(|error| format!("{error:?}"))`
    Ok(number)
}

fn main() {}
