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
//~^ an argument cannot borrow: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn nested(words: Option<&'static [u8]>) -> Result<(), Fault> {
//~^ an argument cannot borrow: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn lifetime<'a>(words: Cow<'a, str>) -> Result<(), Fault> {
//~^ a procedure cannot be generic, because each parameter has one type
//~^^ an argument cannot borrow: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn pattern((a, b): (u8, u8)) -> Result<(), Fault> {
//~^ a parameter needs a name, because callers use it: destructure the value inside the function
    Ok(())
}

#[procedure]
fn unnamed(_: u8) -> Result<(), Fault> {
//~^ a parameter needs a name, because callers use it: destructure the value inside the function
    Ok(())
}

#[procedure]
fn generic<T>(value: T) -> Result<(), Fault> {
//~^ a procedure cannot be generic, because each parameter has one type
    Ok(())
}

#[procedure]
fn two_contexts(cx: Cx, again: Cx) -> Result<(), Fault> {
//~^ use of moved value
    Ok(())
}

#[procedure]
fn struct_and_more(#[params] shelf: Shelf, limit: u32) -> Result<(), Fault> {
//~^ a `#[params]` struct holds all parameters: add the others to the struct, or make each field an argument
    Ok(())
}

#[procedure]
fn two_structs(#[params] shelf: Shelf, #[params] other: Shelf) -> Result<(), Fault> {
//~^ a `#[params]` struct holds all parameters: add the others to the struct, or make each field an argument
    Ok(())
}

#[procedure]
fn described_struct(
    /// The shelf to look at.
    //~^ only a parameter can have documentation and attributes: remove them, or write those of a `#[params]` struct on the struct
    #[params]
    shelf: Shelf,
) -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn option_of_the_procedure(#[procedure(idempotent)] limit: u32) -> Result<(), Fault> {
//~^ unknown option `idempotent`; a parameter can have `default` or `default = …`, and options of the procedure belong above its function
    Ok(())
}

#[procedure]
fn unknown_attribute(#[validate(range)] limit: u32) -> Result<(), Fault> {
//~^ unknown attribute; a parameter can have `#[procedure(default = …)]`, `#[serde(…)]` or `#[schemars(…)]`
    Ok(())
}

#[procedure]
fn borrowed_context(cx: &Cx) -> Result<(), Fault> {
//~^ an argument cannot borrow: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
    Ok(())
}

#[procedure]
fn borrowed_caller(user: &Option<Caller<Shelf>>) -> Result<(), Fault> {
//~^ an argument cannot borrow: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
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
