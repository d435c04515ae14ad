//! A service: procedures, their description, and the way of a call through both.
//!
//! [`assembly`] builds a service from what [`builder`] has collected. Then the bytes of a message go in, and those of a
//! response come out:
//!
//! ```text
//! bytes ─► entrance ─► dispatch ─────────► handler ─► results ─► Reply ─► bytes
//!          reads the   counts the call,    (bind and  holds the          what is sent, and what
//!          message     credential_checks,  procedure) outcome against    observers are notified of
//!                      limits, key                    the description
//! ```
//!
//! [`dispatch`] is the only way to a handler. A single request, an entry of a [`batch`], a [`query`] and a tool of
//! [`mcp`] differ in how their parameters are found, and in nothing that happens afterwards.
//!
//! A call without conditions whose handler does not wait is a function call: `dispatch` polls the handler where it stands,
//! and makes a future only of the rest of one that waits ([`running`]). An `async fn` for the whole way would be the
//! obvious form; but most calls never wait, and all of them would pay for its state.
//!
//! Procedures that describe the service are [`reserved`] ones, with the same guards, limits and observers. Carriers reach
//! what is not a call, such as the response to bytes that could not be read, by a [`CarrierHandle`].
//!
//! The call itself is in [`call`](crate::call); reading and writing of messages is in
//! [`wire`](crate::wire), and decoding of parameters in [`bind`](crate::bind).

mod assembly;
mod batch;
mod builder;
mod callable;
mod carrier;
mod credential_checks;
mod dispatch;
mod entrance;
mod in_process;
#[cfg(feature = "keys")]
mod keyed;
#[cfg(feature = "rate-limits")]
mod logins;
#[cfg(feature = "mcp")]
mod mcp;
mod mistakes;
mod observers;
mod query;
mod registration;
mod renderings;
mod reply;
mod reserved;
mod results;
mod running;
mod state;
mod subscribe;
#[cfg(feature = "testing")]
mod truth;
mod variants;

pub use builder::ServiceBuilder;
pub use carrier::CarrierHandle;
pub(crate) use credential_checks::CredentialChecks;
pub use entrance::Incoming;
pub use in_process::{CallError, PreparedCall};
pub(crate) use in_process::{ErrorObject, read, read_response};
#[cfg(feature = "mcp")]
pub(crate) use mcp::McpSession;
#[cfg(feature = "mcp")]
pub use mcp::{McpHeaders, McpReply, McpStatus};
pub use mistakes::{BuildError, Mistake};
pub use reply::{Reply, ReplyBody, RequestError};
pub use results::CheckResults;
pub use state::Service;
#[cfg(feature = "testing")]
pub use truth::assert_description_holds;
