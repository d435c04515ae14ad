//! Parameters that are not in the form of 2.0, converted into that form: those of a query string,
//! and those of a 1.1 call, which a server should adapt if nothing is lost.
//!
//! The result is JSON text, which is bound like any other. Values that no type accepts are passed
//! on too, because binding says what a parameter expects.

mod adapter;
mod arguments;
mod convert;
mod form;
mod plain;
mod query;
mod takes;
mod v1_1;

pub use arguments::Argument;

pub(crate) use adapter::{Adapted, Adapter};
