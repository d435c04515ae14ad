//! Calls that can be repeated, and the stores that keep their outcomes.
//!
//! A caller that has lost a response sends the same call again under the same key, and gets the same bytes:
//!
//! ```text
//! {"jsonrpc": "2.0", "method": "pay", "params": [7], "x-idempotency-key": "k1", "id": 1}
//!
//! KeyedCall { caller, key, fingerprint } ─ KeyStore::claim ─► Claim
//!     Granted                           the handler runs, and then the service calls `keep` or `release`
//!     Kept                              the caller gets the outcome of the first call
//!     Running, UsedOtherwise, or Full   the call is refused
//! ```
//!
//! The fingerprint is that of procedure and parameters. A key with another fingerprint is a mistake, and never a
//! repetition.
//!
//! A store beside the database, such as [`MemoryKeyStore`], cannot know whether a call that was cut off has had its
//! effect, and repeats an error that says so. A [`TransactionStore`] is in the database: with `Cx::once`, the handler
//! commits the outcome together with the effect, so that both are there or neither is. Such a handler reports what has
//! become of its transaction through its [`RunningKey`]; `Cx::once` does that for it. `docent-keys` has both for
//! PostgreSQL and SQLite.
//!
//! Outcomes are kept as text and not as values: a store needs no types, and a repetition is the same to the byte. Callers
//! choose the keys, so each has only a share of the [`room`](KeyRoom).
//!
//! Nothing here runs a call. `service/keyed.rs` does: it claims the key before the handler starts, and keeps the outcome
//! when the handler has ended, whatever has become of the caller.

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
