//! Simulates a service with many concurrent callers, in an order that a seed determines.
//!
//! A seed goes in, and out come the events of the run, or the first promise that was broken:
//!
//! ```text
//! seed ─► settings, plan ─► run ─ polls, cancels, lets time pass ─► executor ─► the service
//!                            ▲                                                     │ calls
//!              verdict after each step ◄─ ledger, rates, keys, answers ◄─ handlers, guard, observer, store
//! ```
//!
//! Everything runs on one thread with a virtual clock (`executor`). One seed determines which task is polled next,
//! which caller leaves, when blocking work runs and when time passes (`run`), and also the `settings` and the exchanges
//! (`plan`). The handlers, the authenticator, the guard, the observer and the key store (`world`, `gates`, `store`) act
//! as their calls direct, and report what they observe. After each step, the reports are checked against the promises
//! (`ledger`, `rates`, `keys`, `answers`). Some exchanges come over connections, beside subscriptions (`watch`): a
//! `carrier` takes messages and writes as fast as the run lets it, and what its peer reads is checked in `connections`.
//!
//! Threads and real time would find the same races, but once, and on one machine. Here a failing seed replays exactly.
//! [`Planted`] faults prove that the promises are really checked.

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
