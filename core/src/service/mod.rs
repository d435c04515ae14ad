//! A service: procedures, their description, and the way of a call through both.
//!
//! [`assembly`] builds a service from what [`builder`] has collected. A body arrives at [`entrance`];
//! [`dispatch`] looks up its procedures and starts their handlers. A handler that does not finish at once
//! is [`running`]; [`results`] holds its outcome against the description, and it becomes a [`Reply`].
//! [`batch`] and [`query`] are the other two ways to `dispatch`.

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
pub use truth::assert_description_holds;
