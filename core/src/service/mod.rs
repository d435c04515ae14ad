//! A service: procedures, their description, and the way of a call through both.
//!
//! [`assembly`] builds a service from what [`builder`] has collected. A body arrives at [`entrance`];
//! [`requests`] looks up its procedures, and [`dispatch`] starts the calls, which run in place until
//! they wait; [`rest`] is the remainder of a waiting call. A handler that does not finish at once is
//! [`running`]; [`ending`] turns its outcome into a [`Reply`]. [`batch`] and [`query`] are the other
//! two ways to `dispatch`.

mod admitted;
mod answers;
mod assembly;
mod batch;
mod builder;
mod callable;
mod callers;
mod dispatch;
mod ending;
mod entrance;
mod in_process;
mod keeper;
mod keyed;
#[cfg(feature = "mcp")]
mod mcp;
mod mistakes;
mod observers;
mod query;
mod renderings;
mod reply;
mod requests;
mod reserved;
mod rest;
mod results;
mod running;
mod starting;
mod state;
mod truth;
mod variants;

pub use builder::ServiceBuilder;
pub use entrance::Incoming;
pub use in_process::{CallError, PreparedCall};
#[cfg(feature = "mcp")]
pub use mcp::{McpHeaders, McpMessage, McpReply, McpStatus};
pub use mistakes::{BuildError, Mistake};
pub use reply::{Refusal, Reply, ReplyBody};
pub use results::CheckResults;
pub use state::Service;
pub use truth::assert_true;
