//! Simulates a service with many callers at once, in an order that a seed decides.
//!
//! Everything runs on one thread with a virtual clock (`executor`): which task is polled next, which
//! caller leaves, when blocking work runs and when time passes is drawn from one seed (`run`), and so
//! are the `settings` and the exchanges (`plan`). The handlers, the authenticator, the guard, the
//! observer and the key store (`world`, `gates`, `store`) do what their calls tell them, and
//! report what they see. After each step that is held against the promises (`ledger`, `rates`,
//! `keys`, `answers`).
//!
//! A seed that fails replays exactly. [`Planted`] faults show that the promises are really checked.

mod answers;
mod executor;
mod gates;
mod keys;
mod ledger;
mod plan;
mod rates;
mod report;
mod run;
mod settings;
mod store;
mod world;

pub use report::Finding;
pub use run::run;
pub use settings::Planted;
