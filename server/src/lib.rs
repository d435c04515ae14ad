//! JSON-RPC services that describe themselves.
//!
//! Write a function with typed parameters, and register it once:
//!
//! ```
//! use docent::{Fault, Server, Service, procedure};
//!
//! /// Greets somebody.
//! #[procedure(idempotent, example(params = ["Ada"], result = "Hello, Ada!"))]
//! fn greet(
//!     /// The name to greet.
//!     #[schemars(length(min = 1, max = 80))]
//!     name: String,
//! ) -> Result<String, Fault> {
//!     Ok(format!("Hello, {name}!"))
//! }
//!
//! # #[docent::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let service = Service::builder("greeter", "https://example.com/greeter")
//!     .procedure(greet::procedure())
//!     .build()?;
//!
//! // Tests call it without a socket:
//! let greeting: String = service.call("greet", &["Ada"]).await?;
//! assert_eq!(greeting, "Hello, Ada!");
//!
//! // Serve it at /rpc, with its reference at /docs:
//! let server = Server::new(service).bind("127.0.0.1:0")?;
//! # if false {
//! server.run().await?;
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! Calls with invalid parameters are rejected before the function runs, and the error names the parameter and
//! the reason. `rpc.describe`, `rpc.discover` (OpenRPC), `rpc.openapi` and the reference site publish the same rules.
//!
//! # Where to look
//!
//! | to | see |
//! |---|---|
//! | learn it step by step | the [tutorial](guide::tutorial), then [a real service](guide::real_service) |
//! | turn functions and methods into procedures | [`macro@procedure`], [`macro@procedures`]; for closures, [`Procedure`] |
//! | declare and return errors | [`RpcError`](trait@RpcError), [`Fault`] |
//! | assemble a service | [`Service`] and [`ServiceBuilder`] |
//! | authenticate callers and control access | [`Authenticator`], [`Guard`], [`BearerToken`], the page on [access](guide::access) |
//! | serve on a port | [`Server`] |
//! | set paths, CORS, the reference site and metrics for any host | [`Routes`] |
//! | serve in an actix-web `App`, in axum, beside jsonrpsee | [`AppRoutes`], [`Mount`], the page on [embedding](guide::embedding) |
//! | test | [`Service::call`], [`testing`], the page on [testing](guide::testing) |
//! | do anything else | the [guide] |
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `docs` (default) | the reference site at `/docs` |
//! | `docs-publish` | the reference site as files, and its pages of changes between versions |
//! | `basic` | authentication by user name and password (`Basic`) |
//! | `client`, `client-tls` | typed clients, over HTTP, HTTPS and in process |
//! | `keys` | writes that callers can repeat (`Procedure::repeatable`) |
//! | `mcp` | procedures as tools for agents |
//! | `metrics` | metrics for Prometheus at `/metrics` |
//! | `rate-limits` | limits on how often each caller may call |
//! | `testing` | [`assert_description_holds`](testing::assert_description_holds), for `[dev-dependencies]` |
//! | `tls` | `Server::bind_tls`, with rustls |
//! | `websocket` | calls and subscriptions over WebSockets (`Routes::websocket`), of clients too |
//!
//! `docent new NAME` (`cargo install docent-cli`) creates a project with a service, its tests and a workflow for CI. By
//! hand, you also need `serde` and `schemars` for types of your own.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod actix;
#[cfg(feature = "client")]
pub mod client;
// The guide is prose, which a build of the library does not need.
#[cfg(any(doc, doctest, test))]
pub mod guide;
#[cfg(feature = "__fuzzing")]
#[doc(hidden)]
pub mod __fuzzing {
    pub use crate::actix::fuzzing::{Connections, Stream};
}
#[cfg(feature = "mcp")]
pub mod mcp;
mod signals;
pub mod stdio;

#[doc(no_inline)]
pub use docent_core::{Json, carrier, code, describe};
#[cfg(feature = "docs")]
#[doc(no_inline)]
pub use docent_http::docs_gen;
#[doc(inline)]
pub use docent_http::exports::*;
#[doc(hidden)]
pub use docent_macros::RpcError;

/// Runs an `async fn main` on the runtime of the server.
///
/// ```no_run
/// use docent::{Server, Service};
///
/// #[docent::main]
/// async fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let service = Service::builder("greeter", "https://example.com/greeter").build()?;
///     Ok(Server::new(service).bind("127.0.0.1:8080")?.run().await?)
/// }
/// ```
///
/// It is the same as `#[actix_web::main]`. `#[tokio::main]` works, too: choose it if `main` needs tokio's options,
/// such as the number of threads.
#[doc(inline)]
pub use docent_macros::main;

/// Runs an `async fn` as a test, on the runtime of the server.
///
/// ```
/// use docent::Service;
///
/// #[docent::test]
/// async fn the_service_describes_itself() -> Result<(), Box<dyn std::error::Error>> {
///     let service = Service::builder("greeter", "https://example.com/greeter").build()?;
///     let description: docent::Json = service.call("rpc.describe", &()).await?;
///     assert!(description.to_string().contains("greeter"));
///     Ok(())
/// }
/// ```
///
/// It is the same as `#[actix_web::test]`. `#[tokio::test]` works, too.
#[doc(inline)]
pub use docent_macros::test;

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
/// let service = Service::builder("calculator", "https://example.com/calculator")
///     .procedure(sum::procedure())
///     .build()?;
/// assert_eq!(service.description().procs[0].params[1].name, "b");
/// # Ok::<(), docent::BuildError>(())
/// ```
///
/// See the guide on [procedures](guide::procedures).
#[doc(inline)]
pub use docent_macros::procedure;

/// Makes a function a subscription.
///
/// The function returns a stream of items instead of a result. Its arguments are as with
/// [`procedure`](macro@procedure), and its options are the methods of [`Subscription`].
///
/// ```
/// use docent::{Cx, Fault, Following, Service, Topic, subscription};
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// #[derive(Serialize, JsonSchema)]
/// struct Loan {
///     number: u64,
///     book: u32,
/// }
///
/// /// Tells of every loan.
/// #[subscription(name = "loan.watch", resume_by("after", |loan| loan.number))]
/// fn watch(
///     cx: Cx<Topic<Loan>>,
///     /// The number of the last loan that you know.
///     after: Option<u64>,
/// ) -> Result<Following<Loan, Fault>, Fault> {
///     match after {
///         None => Ok(cx.state().follow()),
///         Some(after) => cx.state().resume(|loan| loan.number == after).ok_or_else(Fault::cannot_resume),
///     }
/// }
///
/// let service = Service::builder("library", "https://example.com/library")
///     .state(Topic::<Loan>::new(1_000))
///     .procedure(watch::procedure())
///     .build()?;
/// assert!(service.description().procs[0].subscription.is_some());
/// # Ok::<(), docent::BuildError>(())
/// ```
///
/// The methods of an `impl` with [`procedures`](macro@procedures) can have it, too. A stream of such a method that has no
/// name borrows `self` unless its type says that it does not: `impl Stream<Item = …> + use<>`.
#[doc(inline)]
pub use docent_macros::subscription;

/// Registers the methods of an `impl` as procedures.
///
/// `&self` is the state that all calls share. The other arguments of a method are its parameters,
/// except for the context `cx: Cx` and a struct marked with `#[params]`. The attribute adds two
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
///         /// The maximum number of books to return.
///         #[procedure(default = 20)]
///         #[schemars(range(min = 1, max = 100))]
///         limit: u32,
///     ) -> Result<Vec<String>, Fault> {
///         Ok(words.into_iter().take(limit as usize).collect())
///     }
/// }
///
/// let service = Service::builder("library", "https://example.com/library")
///     .procedures(Library.procedures())
///     .build()?;
/// assert_eq!(service.description().procs[0].name, "book.find");
/// # Ok::<(), docent::BuildError>(())
/// ```
///
/// See the guide on [procedures](guide::procedures).
#[doc(inline)]
pub use docent_macros::procedures;

pub use actix::{AppPage, AppRoutes, BoundServer, Mount, Server, ServerHandle};
#[cfg(feature = "tls")]
#[doc(no_inline)]
pub use rustls;

/// Helpers for testing your services: a server on a free port, golden files of descriptions and, with the feature
/// `testing`, a check that types accept the values that the description allows.
pub mod testing {
    pub use crate::actix::TestServer;
    #[cfg(feature = "testing")]
    pub use docent_http::testing::assert_description_holds;
    pub use docent_http::testing::assert_matches_golden;
}

/// Runs the body of a function with [`macro@main`] or [`macro@test`]. Not part of the public API.
#[doc(hidden)]
pub fn __block_on<F: Future>(body: F) -> F::Output {
    actix_web::rt::System::new().block_on(body)
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
