//! Simulates a service with many concurrent callers, in an order that a seed determines.
//!
//! Everything runs on one thread with a virtual clock (`executor`). One seed determines which task is
//! polled next, which caller leaves, when blocking work runs and when time passes (`run`), and also the
//! `settings` and the exchanges (`plan`). The handlers, the authenticator, the guard, the observer and
//! the key store (`world`, `gates`, `store`) act as their calls direct, and report what they observe.
//! After each step, the reports are checked against the promises (`ledger`, `rates`, `keys`,
//! `answers`). Some exchanges come over connections, beside subscriptions (`watch`): a `carrier` takes messages and writes
//! as fast as the run lets it, and what its peer reads is checked in `connections`.
//!
//! A failing seed replays exactly. [`Planted`] faults prove that the promises are really checked.

mod answers;
mod carrier;
mod connections;
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
mod watch;
mod world;

pub use report::Finding;
pub use run::run;
pub use settings::Planted;
