//! Calls that can be repeated, and the stores that keep their outcomes.
//!
//! Nothing here runs a call. [`service::keyed`](crate::service) does: it claims the key of a call
//! before the handler starts, and keeps the outcome when the handler has ended.

mod call;
mod memory;
mod once;
mod outcome;
mod room;
mod running;
mod store;

pub use call::KeyedCall;
pub(crate) use call::fingerprint;
pub use memory::MemoryKeyStore;
pub use once::{BegunTransaction, EarlierCall, Once, TransactionStore};
pub(crate) use once::{is_once, once};
pub use outcome::KeptOutcome;
pub use room::KeyRoom;
pub(crate) use running::Progress;
pub use running::RunningKey;
pub use store::{Claim, KeyStore, KeyUsage};
