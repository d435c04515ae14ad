//! Arguments that cannot be parameters.

#![allow(unused)]

use docent_core::{Cx, Fault, procedure};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Shelf {
    room: u8,
}

#[procedure]
fn text(words: &str) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn nested(words: Option<&'static [u8]>) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn lifetime<'a>(words: Cow<'a, str>) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn pattern((a, b): (u8, u8)) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn unnamed(_: u8) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn any(values: impl IntoIterator<Item = u8>) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn generic<T>(value: T) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn two_contexts(cx: Cx, again: Cx) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn struct_and_more(#[params] shelf: Shelf, limit: u32) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn two_structs(#[params] shelf: Shelf, #[params] other: Shelf) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn described_struct(
    /// Where to look.
    #[params]
    shelf: Shelf,
) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn option_of_the_procedure(#[procedure(idempotent)] limit: u32) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn unknown_attribute(#[validate(range)] limit: u32) -> Result<(), Fault> {
    Ok(())
}

fn main() {
    let _ = text::procedure::<()>();
}
