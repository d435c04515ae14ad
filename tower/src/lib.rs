//! JSON-RPC services that describe themselves, for axum and everything else on tower.
//!
//! One [`RpcService`] in your own server serves what `docent` serves, without actix-web: the calls, the
//! description, the reference site, documents, tools for agents and `/health`.
//!
//! ```no_run
//! use std::net::SocketAddr;
//!
//! use docent_tower::{Cx, Fault, Procedure, RpcService, Service, json};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! /// Adds two numbers.
//! #[derive(Deserialize, JsonSchema)]
//! struct Sum {
//!     /// Left addend.
//!     a: f64,
//!     /// Right addend.
//!     b: f64,
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let service = Service::builder("calculator", "urn:uuid:41544946-415a-495a-5645-454441534646")
//!     .procedure(
//!         Procedure::sync("sum", |_: Cx, p: Sum| Ok::<_, Fault>(p.a + p.b))
//!             .idempotent()
//!             .example(json!({"a": 1, "b": 2}), 3.0),
//!     )
//!     .build()?;
//!
//! // Calls at /rpc, the reference site at /docs, and your own routes beside them:
//! let app = axum::Router::new().fallback_service(RpcService::new(service)?);
//! let app = app.into_make_service_with_connect_info::<SocketAddr>();
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//! axum::serve(listener, app).await?;
//! # Ok(())
//! # }
//! ```
//!
//! Your server takes care of some things, such as timeouts for request heads and a graceful shutdown: the
//! [guide](https://docs.rs/docent/latest/docent/guide/embedding/index.html) lists them. For a typed client, run
//! `docent client --language rust`; the attributes of this crate do not make one.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod body;
mod message;
mod service;
mod upload;
#[cfg(feature = "websocket")]
mod websocket;

pub use body::ResponseBody;
pub use service::RpcService;
#[cfg(feature = "websocket")]
pub use websocket::websocket;

#[doc(no_inline)]
pub use docent_core::{Json, carrier, code, describe};
#[cfg(feature = "docs")]
#[doc(no_inline)]
pub use docent_http::docs_gen;
#[doc(inline)]
pub use docent_http::exports::*;
pub use docent_http::testing;
#[doc(hidden)]
pub use docent_macros::TowerRpcError as RpcError;

/// Makes a function a procedure.
///
/// The arguments of the function are the parameters, except for the context `cx: Cx<…>` and a struct
/// marked with `#[params]`. The function stays as it is; a type of the same name has the procedure:
///
/// ```
/// use docent_tower::{Fault, Service, procedure};
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
/// # Ok::<(), docent_tower::BuildError>(())
/// ```
#[doc(inline)]
pub use docent_macros::tower_procedure as procedure;

/// Makes a function a subscription.
///
/// The function returns a stream of items instead of a result. Its arguments are as with
/// [`procedure`](macro@procedure), and its options are the methods of [`Subscription`].
///
/// ```
/// use docent_tower::{Cx, Fault, Following, Service, Topic, subscription};
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
/// # Ok::<(), docent_tower::BuildError>(())
/// ```
///
/// The methods of an `impl` with [`procedures`](macro@procedures) can have it, too. A stream of such a method that has no
/// name borrows `self` unless its type says that it does not: `impl Stream<Item = …> + use<>`.
#[doc(inline)]
pub use docent_macros::tower_subscription as subscription;

/// Registers the methods of an `impl` as procedures.
///
/// `&self` is the state that all calls share. The other arguments of a method are its parameters,
/// except for the context `cx: Cx` and a struct marked with `#[params]`. The attribute makes two
/// functions, `procedures(self)` and `shared_procedures(self: &Arc<Self>)`:
///
/// ```
/// use docent_tower::{Fault, Service, procedures};
///
/// struct Library;
///
/// #[procedures(prefix = "book", tag = "catalogue")]
/// impl Library {
///     /// Finds books by words.
///     #[procedure(idempotent)]
///     async fn find(&self, words: Option<String>) -> Result<Vec<String>, Fault> {
///         Ok(words.into_iter().collect())
///     }
/// }
///
/// let service = Service::builder("library", "https://example.com/library")
///     .procedures(Library.procedures())
///     .build()?;
/// assert_eq!(service.description().procs[0].name, "book.find");
/// # Ok::<(), docent_tower::BuildError>(())
/// ```
#[doc(inline)]
pub use docent_macros::tower_procedures as procedures;

/// Items for generated code. They are not part of the public API.
#[doc(hidden)]
pub use docent_core::__private;

// The code of the crate's README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
