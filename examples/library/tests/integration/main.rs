//! The library's tests, in one binary. Linking SQLite once instead of once for each file halves the
//! time of a run.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod calling;
mod catalogue;
mod competing;
#[path = "../common/compose.rs"]
mod compose;
mod container;
mod database;
mod describing;
mod examples;
mod hostile;
mod http;
mod instances;
mod keyed;
mod keys;
mod killing;
mod loans;
mod opening;
mod program;
mod racing;
mod searching;
mod settings;
#[path = "../common/started.rs"]
mod started;
mod support;
mod systemd;
mod tokens;
mod vocabulary;
mod watching;
