//! Parameters that come in another form than 2.0's, put into that form: those of a query string, and
//! those of a 1.1 call, which a server should adapt where nothing is lost.
//!
//! The outcome is JSON text, which is bound like any other; so is a value that fits nothing, for
//! there is one place that says what a parameter expects, and it is not this one.

mod adapter;
mod convert;
mod form;
mod numbers;
mod query;
mod takes;
mod v1_1;

pub(crate) use adapter::{Adapted, Adapter};
