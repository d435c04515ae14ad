//! JSON-RPC services that describe themselves, independent of the transport.
//!
//! Register [`Procedure`]s with [`Service::builder`]. The [`Service`] you get turns JSON-RPC
//! requests into responses with [`Service::handle`], and describes itself with `rpc.describe`:
//!
//! ```
//! use docent::{Cx, Fault, Procedure, Service};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//!
//! /// Subtracts one number from another.
//! #[derive(Deserialize, JsonSchema)]
//! struct Subtract {
//!     minuend: i64,
//!     subtrahend: i64,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let service = Service::builder("calculator", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c10")
//!     .procedure(Procedure::sync("subtract", |_: Cx, p: Subtract| {
//!         Ok::<_, Fault>(p.minuend - p.subtrahend)
//!     }))
//!     .build()?;
//!
//! let response = service
//!     .handle(r#"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#)
//!     .await;
//! assert_eq!(response.unwrap(), br#"{"jsonrpc":"2.0","result":19,"id":1}"#);
//! # Ok(())
//! # }
//! ```
//!
//! This crate does no I/O: it has no HTTP, no sockets, and no clock or async runtime except the
//! [`Runtime`] that a transport passes to it. To serve a service over HTTP, use `docent`,
//! which re-exports this crate.
//!
//! All that it passes to a transport is free of HTTP: cache lifetimes, hints for statuses,
//! challenges, and the names of the fields that guards read. *GET* is a term of JSON-RPC 1.1 here
//! (section 6.3): a call with its parameters in a query string.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod arguments;
mod attributes;
mod binary;
mod bind;
mod call;
mod caller;
mod connection;
mod credentials;
mod errors;
mod extensions;
mod fast_map;
mod fault;
mod finite;
mod guard;
mod hexadecimal;
mod identity;
mod incident;
mod items;
#[cfg(feature = "keys")]
mod keys;
mod limits;
mod observer;
mod output;
pub mod pages;
mod panic;
mod present;
mod procedure;
mod procedures;
#[cfg(feature = "rate-limits")]
mod rates;
mod rejection;
mod rejection_kind;
mod report;
mod request_id;
mod response_field;
mod result_ext;
mod runtime;
mod service;
mod subscription;
mod subscriptions;
#[cfg(feature = "mcp")]
mod tool_hints;
mod trace;
mod wire;

pub use arguments::Arguments;
pub use binary::Bytes;
pub use bind::Argument;
pub use call::Cx;
#[doc(hidden)]
pub use caller::CallerRequirement;
pub use caller::{Authentication, Authenticator, CallerArg, Either, either};
pub use credentials::Credentials;
#[doc(inline)]
pub use docent_describe::code;
#[doc(no_inline)]
pub use docent_describe::json::Json;
#[doc(no_inline)]
pub use docent_describe::stable as describe;
pub use errors::{DeclaredError, ErrorList, RpcError};
pub use extensions::{Extensions, Fields};
pub use fault::Fault;
pub use guard::{CallInfo, Guard};
pub use identity::{Caller, Identity};
pub use items::{Item, Items};
#[cfg(feature = "keys")]
pub use keys::{
    BegunTransaction, Claim, EarlierCall, KeptOutcome, KeyRoom, KeyStore, KeyUsage, KeyedCall,
    MemoryKeyStore, Once, RunningKey, TransactionStore,
};
pub use limits::Limits;
pub use observer::{CallRecord, Ending, Observer};
pub use present::present;
pub use procedure::Procedure;
pub use procedures::{IntoProcedure, Procedures};
pub use rejection::Rejection;
pub use rejection_kind::RejectionKind;
pub use request_id::RequestId;
pub use response_field::FieldError;
pub use result_ext::ResultExt;
pub use runtime::{BoxFuture, Runtime};
pub use service::{
    BuildError, CallError, CheckResults, Mistake, PreparedCall, Service, ServiceBuilder,
};
pub use subscription::{Following, IntoItem, Published, Topic};
pub use subscriptions::Subscription;
#[cfg(feature = "mcp")]
pub use tool_hints::ToolHints;
pub use trace::TraceParent;
pub use wire::{Protocol, Protocols};

#[doc(hidden)]
pub use docent_macros::CoreRpcError as RpcError;

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
#[doc(inline)]
pub use docent_macros::core_procedure as procedure;

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
/// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c2f")
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
pub use docent_macros::core_subscription as subscription;

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
/// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1e")
///     .procedures(Library.procedures())
///     .build()?;
/// assert_eq!(service.description().procs[0].name, "book.find");
/// # Ok::<(), docent::BuildError>(())
/// ```
#[doc(inline)]
pub use docent_macros::core_procedures as procedures;

/// The types of code that carries calls: the messages of a transport, the replies, and what a transport adds to a
/// call. Services rarely name them.
pub mod carrier {
    pub use crate::call::Permit;
    pub use crate::connection::{Connection, OutgoingMessage};
    pub use crate::extensions::{QueryVersion, ResultVersion, VersionCheck};
    pub use crate::request_id::RequestIds;
    pub use crate::response_field::ResponseField;
    pub use crate::service::{CarrierHandle, Incoming, Reply, ReplyBody, RequestError};
    #[cfg(feature = "mcp")]
    pub use crate::service::{McpHeaders, McpReply, McpStatus};
    pub use crate::subscription::LAST_CURSOR;
}

/// The items that services name. `docent`, `docent-tower` and `docent-jsonrpsee` export this list, so that a service
/// can change its host by changing the name of a crate.
///
/// They export `describe`, `carrier`, `code` and `Json` themselves, since rustdoc copies into their pages all that a list has.
#[doc(hidden)]
pub mod exports {
    #[doc(inline)]
    pub use crate::__private::RpcError;
    #[cfg(feature = "mcp")]
    pub use crate::ToolHints;
    pub use crate::{
        Authentication, Authenticator, BoxFuture, BuildError, Bytes, CallError, CallInfo,
        CallRecord, Caller, CallerArg, CheckResults, Credentials, Cx, DeclaredError, Either,
        Ending, ErrorList, Extensions, Fault, FieldError, Fields, Following, Guard, Identity,
        IntoItem, IntoProcedure, Item, Items, Limits, Mistake, Observer, PreparedCall, Procedure,
        Procedures, Protocol, Protocols, Published, Rejection, RejectionKind, RequestId, ResultExt,
        Runtime, Service, ServiceBuilder, Subscription, Topic, TraceParent, either, pages, present,
    };
    #[cfg(feature = "keys")]
    pub use crate::{
        BegunTransaction, Claim, EarlierCall, KeptOutcome, KeyRoom, KeyStore, KeyUsage, KeyedCall,
        MemoryKeyStore, Once, RunningKey, TransactionStore,
    };
    pub use serde_json::json;
}

/// Helpers for testing your services, with the feature `testing`.
#[cfg(feature = "testing")]
pub mod testing {
    pub use crate::service::assert_description_holds;
}

/// Items that generated code uses. They are not part of the public API.
#[doc(hidden)]
pub mod __private {
    pub use crate::attributes::{
        OnlyImplWithoutFnName, Parameter, ProceduresOfArc, identity, is_error_status, is_reserved,
        is_same_code, parameter,
    };
    pub use crate::bind::decode_text;
    pub use crate::errors::RpcError;
    pub use crate::finite::Finite;
    pub use crate::hexadecimal::hexadecimal;
    pub use crate::present::present;
    pub use crate::response_field::is_field_value;
    pub use crate::subscription::{ItemSource, SourceItem};
    pub use docent_describe::Deprecation;
    pub use docent_describe::json::pointer_to;
    pub use schemars;
    pub use serde;
    pub use serde_json::json;
}

// The code of the crate's README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
