//! The library's tests, in one binary: linking SQLite once instead of once a file halves the time a
//! run takes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod calling;
mod catalogue;
mod competing;
mod describing;
mod examples;
mod hostile;
mod http;
mod killing;
mod loans;
mod opening;
mod program;
mod racing;
mod readme;
mod repeating;
mod searching;
mod settings;
#[path = "../common/started.rs"]
mod started;
mod support;
mod tokens;
mod vocabulary;
