//! The behaviour of Docent: procedures, services, parameter binding, the JSON-RPC wire, dispatch.
//!
//! A [`Service`] is made of [`Procedure`]s and answers JSON-RPC bodies in process, with
//! [`Service::handle`]. This crate does no I/O: it knows no HTTP, no sockets, no clock and no
//! runtime that it was not given; a transport brings them.

mod bind;
mod brief;
mod check;
mod closest;
pub mod code;
mod cx;
mod denial;
mod errors;
mod extensions;
mod fault;
mod finite;
mod guard;
mod incident;
mod limits;
mod observer;
mod output;
mod procedure;
mod runtime;
mod service;
mod trace;
mod wire;

pub use cx::Cx;
pub use denial::Denial;
pub use errors::{DeclaredError, ErrorList, RpcError};
pub use extensions::{Extensions, Fields};
pub use fault::Fault;
pub use guard::{Attempt, Guard, Refused};
pub use limits::Limits;
pub use observer::{Ending, Finished, Observer};
pub use procedure::Procedure;
pub use runtime::{BoxFuture, Runtime};
pub use service::{
    BuildError, CallError, CheckResults, Incoming, Mistake, Refusal, Reply, Service, ServiceBuilder,
};
pub use trace::TraceParent;
pub use wire::{Protocol, Protocols};

// The code of the crate's README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
