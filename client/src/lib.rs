//! Typed calls of JSON-RPC 2.0 services.
//!
//! A [`Client`] calls procedures by their names. The clients that `docent` makes beside the
//! procedures of a service, and those that the command `docent client` writes from a description, are
//! thin: each of their methods is one call of a `Client`.
//!
//! ```no_run
//! use docent_client::{Client, ClientError, Fault};
//!
//! # async fn sum() -> Result<(), ClientError<Fault>> {
//! let client = Client::http("http://localhost:8080/rpc");
//! let sum: f64 = client.call_idempotent::<_, Fault>("sum", &[1, 2]).await?;
//! assert_eq!(sum, 3.0);
//! # Ok(())
//! # }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod call;
mod client;
mod error;
mod events;
mod from_fault;
mod http;
mod params;
mod positions;
mod query;
mod response;
mod subscription;
#[cfg(feature = "tls")]
mod tls;
mod transport;
#[cfg(feature = "websocket")]
mod websocket;

pub use call::ResponseFuture;
pub use client::Client;
#[doc(no_inline)]
pub use docent_core::{BoxFuture, Bytes, Fault, Item, present};
pub use error::{ClientError, MalformedResponse};
pub use events::Event;
#[doc(hidden)]
pub use events::EventReader;
#[doc(hidden)]
pub use from_fault::unless_shared;
pub use from_fault::{
    CallResult, DeclaredError, DeclaredErrors, FromFault, Outcome, data_of, first_match,
};
pub use http::Http;
pub use positions::Positions;
pub use subscription::Items;
pub use transport::{EventBody, Received, Subscribed, Transport, TransportError};
#[cfg(feature = "websocket")]
pub use websocket::WebSocket;
#[cfg(feature = "websocket")]
#[doc(hidden)]
pub use websocket::{Handshake, Socket, open as open_websocket, websocket_accept};
