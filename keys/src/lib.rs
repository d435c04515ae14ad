//! Stores that keep the outcomes of calls with keys in the database that the calls write to, so that a repeated call is
//! done exactly once.
//!
//! A handler does its work in [`Cx::once`](docent_core::Cx::once), in a transaction of [`PostgresKeys`] or
//! [`SqliteKeys`], or in one of its own. The outcome is committed with what the call has changed, or neither is. The
//! README has an example for each kind of handler.
//!
//! **Claims.** On PostgreSQL, a call claims its key with an advisory lock of its transaction, so a claim ends with its
//! transaction, whatever happens to the instance, and poolers that lend a connection for a transaction are welcome. On
//! SQLite, there is one writer at a time. What runs in this process is also known in memory (`running`).
//!
//! **Events.** A transaction can append events, which readers in every instance follow from a cursor ([`Event`]).
//!
//! **Room.** There is room for a limited number of outcomes, and each caller has a share of it (`room`). Outcomes expire
//! by the database's clock, and are deleted in the background.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Without a store, nothing uses what the stores share.
#![cfg_attr(not(any(feature = "postgres", feature = "sqlite")), allow(dead_code))]

mod error;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod events;
#[cfg(feature = "postgres")]
mod postgres;
mod record;
mod room;
mod running;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use error::{BoxError, Error};
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use events::Event;

/// Compiles the example of the README.
#[cfg(all(doctest, feature = "postgres"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "postgres")]
#[cfg_attr(docsrs, doc(cfg(feature = "postgres")))]
pub use postgres::{PostgresEvents, PostgresKeys, PostgresTransaction, WithinPostgres};
#[cfg(feature = "sqlite")]
#[cfg_attr(docsrs, doc(cfg(feature = "sqlite")))]
pub use sqlite::{SqliteEvents, SqliteKeys, SqliteTransaction, WithinSqlite};
