//! Typed clients of services written with Docent.
//!
//! [`procedures`](crate::procedures) makes a client beside the procedures of an `impl`, and
//! [`procedure`](crate::procedure) a function `call` beside a function. Both call through a
//! [`Client`], over HTTP or in process:
//!
//! ```
//! use docent::client::ClientError;
//! use docent::{RpcError, Service, procedures};
//!
//! /// Why there is no quotient.
//! #[derive(Debug, PartialEq, RpcError)]
//! enum DivisionError {
//!     #[rpc(code = 1001, message = "Division by zero")]
//!     ByZero,
//! }
//!
//! struct Calculator;
//!
//! #[procedures]
//! impl Calculator {
//!     /// Divides one number by another.
//!     #[procedure(idempotent)]
//!     fn divide(&self, dividend: i64, divisor: i64) -> Result<i64, DivisionError> {
//!         dividend.checked_div(divisor).ok_or(DivisionError::ByZero)
//!     }
//! }
//!
//! # #[docent::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let service = Service::builder("calculator", "urn:uuid:41544946-415a-495a-5645-454441534701")
//!     .procedures(Calculator.procedures())
//!     .build()?;
//!
//! let client = Calculator::client_in_process(&service);
//! assert_eq!(client.divide(7, 2).await?, 3);
//! let error = client.divide(7, 0).await.unwrap_err();
//! assert!(matches!(error, ClientError::Declared(DivisionError::ByZero)));
//! # Ok(())
//! # }
//! ```
//!
//! `Calculator::client("http://…/rpc")` calls a server, and `Calculator::client("ws://…/rpc")` over a WebSocket (feature
//! `websocket`). See the guide on
//! [clients](crate::guide::clients).

mod in_process;

#[cfg(feature = "websocket")]
pub use docent_client::WebSocket;
pub use docent_client::{
    CallResult, Client, ClientError, DeclaredErrors, Event, EventBody, FromFault, Http, Items,
    MalformedResponse, Outcome, Received, ResponseFuture, Subscribed, Transport, TransportError,
};
#[doc(hidden)]
pub use docent_client::{data_of, unless_shared};
pub use in_process::InProcess;
