//! Arguments that cannot be parameters.

#![allow(unused)]

use docent_core::{Caller, Cx, Fault, procedure};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Shelf {
    room: u8,
}

#[procedure]
fn text(words: &str) -> Result<(), Fault> {
//~^ each call has arguments of its own: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn nested(words: Option<&'static [u8]>) -> Result<(), Fault> {
//~^ each call has arguments of its own: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn lifetime<'a>(words: Cow<'a, str>) -> Result<(), Fault> {
//~^ a procedure has one type for each parameter, so its function cannot be generic
//~^^ each call has arguments of its own: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn pattern((a, b): (u8, u8)) -> Result<(), Fault> {
//~^ a parameter needs one name, because callers use it: take the value apart inside the function
    Ok(())
}

#[procedure]
fn unnamed(_: u8) -> Result<(), Fault> {
//~^ a parameter needs one name, because callers use it: take the value apart inside the function
    Ok(())
}

#[procedure]
fn generic<T>(value: T) -> Result<(), Fault> {
//~^ a procedure has one type for each parameter, so its function cannot be generic
    Ok(())
}

#[procedure]
fn two_contexts(cx: Cx, again: Cx) -> Result<(), Fault> {
//~^ use of moved value
    Ok(())
}

#[procedure]
fn struct_and_more(#[params] shelf: Shelf, limit: u32) -> Result<(), Fault> {
//~^ the fields of a `#[params]` struct are all the parameters: add the other ones to the struct, or make each field an argument
    Ok(())
}

#[procedure]
fn two_structs(#[params] shelf: Shelf, #[params] other: Shelf) -> Result<(), Fault> {
//~^ the fields of a `#[params]` struct are all the parameters: add the other ones to the struct, or make each field an argument
    Ok(())
}

#[procedure]
fn described_struct(
    /// The shelf to look at.
    //~^ this is no parameter, so it has no documentation and attributes; those of a `#[params]` struct are on the struct
    #[params]
    shelf: Shelf,
) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn option_of_the_procedure(#[procedure(idempotent)] limit: u32) -> Result<(), Fault> {
//~^ unknown option `idempotent`; a parameter has `default` or `default = …`, and the options of the procedure are above its function
    Ok(())
}

#[procedure]
fn unknown_attribute(#[validate(range)] limit: u32) -> Result<(), Fault> {
//~^ unknown attribute; a parameter has `#[procedure(default = …)]`, `#[serde(…)]` or `#[schemars(…)]`
    Ok(())
}

#[procedure]
fn borrowed_context(cx: &Cx) -> Result<(), Fault> {
//~^ each call has arguments of its own: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn borrowed_caller(user: &Option<Caller<Shelf>>) -> Result<(), Fault> {
//~^ each call has arguments of its own: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn one_name(limit: u8, limit: u8) -> Result<(), Fault> {
//~^ identifier `limit` is bound more than once in this parameter list
    Ok(())
}

fn main() {
    let _ = text::procedure::<()>();
}
