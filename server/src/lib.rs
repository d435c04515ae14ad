//! JSON-RPC services that describe themselves.
//!
//! Write a function with typed parameters, and Docent serves it over HTTP, checks every call against its types,
//! describes it to programs and agents, and gives it a page in a reference site:
//!
//! ```
//! use docent::{Fault, Server, Service, procedure};
//!
//! /// Adds two numbers.
//! #[procedure(idempotent, example(params = [1, 2], result = 3.0))]
//! fn sum(
//!     /// The left addend.
//!     #[schemars(range(min = -1e9, max = 1e9))]
//!     a: f64,
//!     /// The right addend.
//!     #[schemars(range(min = -1e9, max = 1e9))]
//!     b: f64,
//! ) -> Result<f64, Fault> {
//!     Ok(a + b)
//! }
//!
//! #[actix_web::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let service = Service::builder("calculator", "https://example.com/calculator")
//!         .procedures([sum::procedure()])
//!         .build()?;
//!
//!     // In tests, call it without a socket:
//!     let total: f64 = service.call("sum", &[1, 2]).await?;
//!     assert_eq!(total, 3.0);
//!
//!     // Calls go to /rpc, and the reference site is at /docs/:
//!     let server = Server::new(service).bind("127.0.0.1:0")?;
//! #   if false {
//!     server.run().await?;
//! #   }
//!     Ok(())
//! }
//! ```
//!
//! The command `docent new` (`cargo install docent-cli`) creates a project with such a service, its tests and a workflow
//! for CI. By hand, add `docent`, `actix-web` for the attribute on `main`, and `serde` and `schemars` to derive types of
//! your own.
//!
//! | to | see |
//! |---|---|
//! | learn Docent step by step | the [tutorial](guide::tutorial) in the [guide] |
//! | write procedures | [`procedure`], [`procedures`], [`Procedure`] |
//! | build a service | [`Service::builder`] |
//! | declare errors | [`RpcError`](macro@RpcError) |
//! | serve it | [`Server`]; in an `App` of your own, [`Mount`] and [`AppRoutes`]; in axum, the crate `docent-tower` |
//! | require credentials | [`Authenticator`], [`Guard`], [Access](guide::access) |
//! | test it | [`Service::call`], [`testing`] |
//! | call it from Rust | [Clients](guide::clients) |
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `basic` | no | the authenticator `Basic`, for names and passwords |
//! | `client` | no | typed clients of services, over HTTP and in process |
//! | `client-tls` | no | clients of services at `https://…` |
//! | `docs` | yes | the reference site at `/docs/` |
//! | `keys` | no | keys with which callers can repeat writes |
//! | `mcp` | no | procedures as tools for agents, over the Model Context Protocol at `/mcp` |
//! | `metrics` | no | counts of calls for Prometheus at `/metrics`, for the servers that ask for them |
//! | `rate-limits` | no | limits on how often each caller calls a procedure, and shows wrong credentials |
//! | `tls` | no | TLS, with rustls |

mod actix;
#[cfg(feature = "client")]
pub mod client;
// The guide is prose, which a build of the library does not need.
#[cfg(any(doc, doctest, test))]
pub mod guide;
#[cfg(feature = "mcp")]
mod lines;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::actix::fuzzing::{Connections, Stream};
}
#[cfg(feature = "mcp")]
pub mod mcp;

#[doc(inline)]
pub use docent_core::__private::RpcError;
pub use docent_core::{
    Authentication, Authenticator, BoxFuture, BuildError, Bytes, CallError, CallInfo, CallRecord,
    Caller, CallerArg, CarrierHandle, CheckResults, Credentials, Cx, DeclaredError, Either, Ending,
    ErrorList, Extensions, Fault, Fields, Guard, Identity, Incoming, Limits, Mistake, Observer,
    Permit, PreparedCall, Procedure, Procedures, Protocol, Protocols, Rejection, RejectionKind,
    Reply, ReplyBody, RequestError, RequestId, RequestIds, ResultExt, ResultVersion, Runtime,
    Service, ServiceBuilder, TraceParent, VersionCheck, code, either, pages, present,
};
#[cfg(feature = "keys")]
pub use docent_core::{
    BegunTransaction, Claim, KeptOutcome, KeyRoom, KeyStore, KeyUsage, KeyedCall, MemoryKeyStore,
    Once, RunningKey, TransactionStore,
};
#[cfg(feature = "mcp")]
pub use docent_core::{McpHeaders, McpReply, McpStatus, McpVersion, ToolHints};
pub use docent_describe as describe;
#[doc(no_inline)]
pub use docent_describe::json::Json;
#[cfg(feature = "docs")]
pub use docent_docs_gen as docs_gen;
#[doc(hidden)]
pub use docent_macros::RpcError;

/// Makes a function a procedure.
///
/// The arguments of the function are the parameters, except for the context `cx: Cx<…>` and a struct
/// marked with `#[params]`. The function stays as it is; a type of the same name has the procedure:
///
/// ```
/// use docent::{Fault, Service, procedure};
///
/// /// Adds two numbers.
/// #[procedure(idempotent)]
/// fn sum(a: f64, b: f64) -> Result<f64, Fault> {
///     Ok(a + b)
/// }
///
/// let service = Service::builder("calculator", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1d")
///     .procedure(sum::procedure())
///     .build()?;
/// assert_eq!(service.description().procs[0].params[1].name, "b");
/// # Ok::<(), docent::BuildError>(())
/// ```
///
/// See [Procedures](guide::procedures) in the guide.
#[doc(inline)]
pub use docent_macros::procedure;

/// Registers the methods of an `impl` as procedures.
///
/// `&self` is the state that all calls share. The other arguments of a method are its parameters,
/// except for the context `cx: Cx` and a struct marked with `#[params]`. The attribute makes two
/// functions, `procedures(self)` and `shared_procedures(self: &Arc<Self>)`:
///
/// ```
/// use docent::{Fault, Service, procedures};
///
/// struct Library;
///
/// #[procedures(prefix = "book", tag = "catalogue")]
/// impl Library {
///     /// Finds books by words.
///     #[procedure(idempotent, cache_for = "60s")]
///     async fn find(
///         &self,
///         /// Words to look for.
///         words: Option<String>,
///         /// How many books to return at most.
///         #[procedure(default = 20)]
///         #[schemars(range(min = 1, max = 100))]
///         limit: u32,
///     ) -> Result<Vec<String>, Fault> {
///         Ok(words.into_iter().take(limit as usize).collect())
///     }
/// }
///
/// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1e")
///     .procedures(Library.procedures())
///     .build()?;
/// assert_eq!(service.description().procs[0].name, "book.find");
/// # Ok::<(), docent::BuildError>(())
/// ```
///
/// See [Procedures](guide::procedures) in the guide.
#[doc(inline)]
pub use docent_macros::procedures;
pub use serde_json::json;

pub use actix::{AppPage, AppRoutes, BoundServer, Mount, Server, ServerHandle};
#[cfg(feature = "metrics")]
pub use docent_http::Metrics;
pub use docent_http::{
    AccessLog, ApiKey, Bearer, BearerToken, CallerLookup, Headers, Health, HttpOptions, HttpPage,
    Peer, Routes, TokioRuntime, TrustedProxy,
};
#[cfg(feature = "basic")]
pub use docent_http::{Basic, Login};
#[cfg(feature = "docs")]
pub use docent_http::{Docs, DocsBuilder};
#[cfg(feature = "tls")]
#[doc(no_inline)]
pub use rustls;

/// Helpers for the tests of your services: a server on a free port, golden files of
/// descriptions, and a search for values that a description allows and a type refuses.
pub mod testing {
    pub use crate::actix::TestServer;
    pub use docent_http::testing::{assert_matches_golden, assert_true};
}

/// Items for generated code. They are not part of the public API.
#[doc(hidden)]
pub use docent_core::__private;

/// Keeps generated code for clients, if the feature `client` is on. A macro cannot see the features of
/// the crates that its users depend on.
#[cfg(feature = "client")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_client {
    ($($code:tt)*) => { $($code)* };
}

/// Drops generated code for clients, because the feature `client` is off.
#[cfg(not(feature = "client"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_client {
    ($($code:tt)*) => {};
}

// The code of the crate's README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
