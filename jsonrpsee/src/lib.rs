//! JSON-RPC services that describe themselves, inside a server of [jsonrpsee](https://docs.rs/jsonrpsee).
//!
//! [`register`] puts the procedures of a service and its descriptions into an `RpcModule`, beside subscriptions and
//! methods of your own:
//!
//! ```no_run
//! use docent_jsonrpsee::{Fault, Service, procedure, register};
//! use jsonrpsee::RpcModule;
//! use jsonrpsee::server::Server;
//!
//! /// Greets the caller.
//! #[procedure(idempotent)]
//! fn hello(name: String) -> Result<String, Fault> {
//!     Ok(format!("Hello, {name}!"))
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let service = Service::builder("greeter", "https://example.com/greeter")
//!         .procedure(hello::procedure())
//!         .build()?;
//!     let mut module = RpcModule::new(());
//!     register(&mut module, &service)?;
//!     let server = Server::builder().build("127.0.0.1:8080").await?;
//!     server.start(module).stopped().await;
//!     Ok(())
//! }
//! ```
//!
//! A call keeps its parameters, its result, and the code, message and data of its error as they are written; codes of
//! errors have 32 bits there. Connections, batches and subscriptions are jsonrpsee's business: set its limits, such as
//! `max_response_body_size`, at least as high as yours. GET and notifications do not work, and handlers get neither keys
//! nor header fields.

#![cfg_attr(docsrs, feature(doc_cfg))]

use std::sync::Arc;

use docent_http::TokioRuntime;
use jsonrpsee::RpcModule;
use jsonrpsee::core::RegisterMethodError;
use jsonrpsee::types::{
    ErrorCode, ErrorObjectOwned, Id, Params, Request, Response, ResponsePayload,
};
use serde_json::value::RawValue;

#[doc(inline)]
pub use docent_core::exports::*;
#[cfg(feature = "testing")]
pub use docent_core::testing;
#[doc(no_inline)]
pub use docent_core::{Json, carrier, code, describe};
#[doc(hidden)]
pub use docent_macros::JsonrpseeRpcError as RpcError;

/// Makes a function a procedure.
///
/// The arguments of the function are the parameters, except for the context `cx: Cx<…>` and a struct
/// marked with `#[params]`. See the [guide on procedures](https://docs.rs/docent/latest/docent/guide/procedures/).
///
/// ```
/// use docent_jsonrpsee::{Fault, Service, procedure};
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
/// # Ok::<(), docent_jsonrpsee::BuildError>(())
/// ```
#[doc(inline)]
pub use docent_macros::jsonrpsee_procedure as procedure;

/// Makes a function a subscription.
///
/// The function returns a stream of items instead of a result. Its arguments are as with
/// [`procedure`](macro@procedure), and its options are the methods of [`Subscription`]. In a server of jsonrpsee, it can
/// only be called in process; its own subscriptions are methods of `RpcModule`.
///
/// ```
/// use docent_jsonrpsee::{Cx, Fault, Following, Service, Topic, subscription};
///
/// /// Tells of the number of every loan.
/// #[subscription(name = "loan.watch", resume_by("after", |number| *number))]
/// fn watch(
///     cx: Cx<Topic<u64>>,
///     /// The number of the last loan that you know.
///     after: Option<u64>,
/// ) -> Result<Following<u64, Fault>, Fault> {
///     match after {
///         None => Ok(cx.state().follow()),
///         Some(after) => cx.state().resume(|number| *number == after).ok_or_else(Fault::cannot_resume),
///     }
/// }
///
/// let service = Service::builder("library", "https://example.com/library")
///     .state(Topic::<u64>::new(1_000))
///     .procedure(watch::procedure())
///     .build()?;
/// assert!(service.description().procs[0].subscription.is_some());
/// # Ok::<(), docent_jsonrpsee::BuildError>(())
/// ```
#[doc(inline)]
pub use docent_macros::jsonrpsee_subscription as subscription;

/// Registers the methods of an `impl` as procedures.
///
/// `&self` is the state that all calls share. The attribute makes two functions, `procedures(self)` and
/// `shared_procedures(self: &Arc<Self>)`. See the
/// [guide on procedures](https://docs.rs/docent/latest/docent/guide/procedures/).
///
/// ```
/// use docent_jsonrpsee::{Fault, Service, procedures};
///
/// struct Library;
///
/// #[procedures(prefix = "book")]
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
/// # Ok::<(), docent_jsonrpsee::BuildError>(())
/// ```
#[doc(inline)]
pub use docent_macros::jsonrpsee_procedures as procedures;

/// Items for generated code. They are not part of the public API.
#[doc(hidden)]
pub use docent_core::__private;

/// The descriptions of the service.
const DESCRIPTIONS: [&str; 4] = [
    "rpc.describe",
    "rpc.discover",
    "rpc.openapi",
    "system.describe",
];

/// Registers all procedures of a service, and its descriptions without what only Docent's own carriers do.
///
/// The calls run on the tokio runtime of the server. Fails if the module already has a method of the same name.
pub fn register<C: Send + Sync + 'static>(
    module: &mut RpcModule<C>,
    service: &Service,
) -> Result<(), RegisterMethodError> {
    let service = service
        .with_calls_only()
        .with_runtime(Arc::new(TokioRuntime));
    let own = service
        .description()
        .procs
        .iter()
        .map(|procedure| &*procedure.name);
    for name in own.chain(DESCRIPTIONS) {
        // An `RpcModule` takes names that live as long as the program.
        let name: &str = name.to_owned().leak();
        let service = service.clone();
        module.register_async_method(name, move |params, _, _| {
            call(service.clone(), name, params)
        })?;
    }
    Ok(())
}

/// Calls a procedure.
async fn call(
    service: Service,
    name: &str,
    params: Params<'static>,
) -> Result<Box<RawValue>, ErrorObjectOwned> {
    let request = Request::owned(name.to_owned(), params.parse()?, Id::Number(0));
    let body = serde_json::to_vec(&request).map_err(internal)?;
    let text = service.handle(body).await.unwrap_or_default();
    let response: Response<'_, Box<RawValue>> = serde_json::from_slice(&text).map_err(internal)?;
    match response.payload {
        ResponsePayload::Success(result) => Ok(result.into_owned()),
        ResponsePayload::Error(error) => Err(error.into_owned()),
    }
}

/// Returns the error for what cannot be converted.
fn internal(_: serde_json::Error) -> ErrorObjectOwned {
    ErrorCode::InternalError.into()
}

// The code of the crate's README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
