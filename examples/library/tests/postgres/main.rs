//! The library's tests on PostgreSQL: those of the store and those of competing callers, as for SQLite,
//! and what only a server can do. `cargo xtask postgres` starts a server and runs them.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod breaking;
#[path = "../integration/catalogue.rs"]
mod catalogue;
mod claiming;
#[path = "../integration/competing.rs"]
mod competing;
mod database;
mod freezing;
#[path = "../integration/hostile.rs"]
mod hostile;
#[expect(dead_code, reason = "some of it is for the tests of one database")]
#[path = "../integration/http.rs"]
mod http;
#[path = "../integration/instances.rs"]
mod instances;
#[path = "../integration/keyed.rs"]
mod keyed;
#[path = "../integration/loans.rs"]
mod loans;
mod opening;
#[path = "../integration/racing.rs"]
mod racing;
mod readiness;
#[path = "../integration/searching.rs"]
mod searching;
#[expect(dead_code, reason = "these tests do not read the output")]
#[path = "../common/started.rs"]
mod started;
#[path = "../integration/support.rs"]
mod support;
#[path = "../integration/watching.rs"]
mod watching;
