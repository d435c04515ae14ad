//! JSON-RPC services that describe themselves, over HTTP on actix-web.
//!
//! Handlers are registered once, with typed parameters; from that come the JSON-RPC 2.0 server, the
//! description (`rpc.describe`), and GET for the procedures marked idempotent and for no others.
//!
//! - [`Server`] stands alone: it mounts services, listens, and leaves in good order.
//! - [`Mount`] puts a service into an `App` of your own.
//! - The [guide] says how to write a service, what happens, and what goes wrong.
//!
//! Beside this crate a service needs `serde` (with `derive`) and `schemars`, whose derives name
//! them, and `actix-web` for `#[actix_web::main]`.

mod actix;
mod bearer;
#[cfg(feature = "docs")]
mod docs;
// Prose: a build of the library has no use for it.
mod contract;
#[cfg(any(doc, doctest, test))]
pub mod guide;
mod health;
#[cfg(feature = "metrics")]
mod metrics;
mod options;
mod runtime;

pub use docent_core::{
    Attempt, BoxFuture, BuildError, CallError, CheckResults, Cx, DeclaredError, Denial, Ending,
    ErrorList, Extensions, Fault, Fields, Finished, Guard, Incoming, Limits, Mistake, Observer,
    Procedure, Protocol, Protocols, Refusal, Refused, Reply, RpcError, Runtime, Service,
    ServiceBuilder, TraceParent, code, errors,
};
pub use docent_describe as describe;
#[cfg(feature = "docs")]
pub use docent_docs_gen as docs_gen;
pub use serde_json::json;

pub use actix::{BoundServer, Mount, Server};
pub use bearer::BearerToken;
pub use contract::Headers;
pub use contract::Peer;
#[cfg(feature = "docs")]
pub use docs::{Docs, DocsBuilder};
pub use health::Health;
#[cfg(feature = "metrics")]
pub use metrics::Metrics;
pub use options::HttpOptions;
pub use runtime::TokioRuntime;

// The code of the crate's README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
