//! A service: procedures, their description, and the way of a call through both.
//!
//! [`assembly`] makes one, from what [`builder`] has collected. A body comes in at [`entrance`];
//! [`requests`] finds out what its requests ask for, and [`dispatch`] starts it. A handler that does
//! not end at once is [`running`]; [`ending`] says what its end means, and a [`Reply`] is written.
//! [`batch`] and [`query`] are the other two ways to `dispatch`.

mod answers;
mod assembly;
mod batch;
mod builder;
mod callable;
mod dispatch;
mod ending;
mod entrance;
mod in_process;
mod mistakes;
mod observers;
mod query;
mod renderings;
mod reply;
mod requests;
mod reserved;
mod results;
mod running;
mod state;
mod variants;

pub use builder::ServiceBuilder;
pub use entrance::Incoming;
pub use in_process::CallError;
pub use mistakes::{BuildError, Mistake};
pub use reply::{Refusal, Reply};
pub use results::CheckResults;
pub use state::Service;
