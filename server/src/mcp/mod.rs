//! Tools for agents that start the service as a program: the Model Context Protocol over standard input
//! and output, one message per line.
//!
//! Over HTTP, a [`Server`](crate::Server) offers tools at `/mcp`. The protocol itself is in `docent-core`;
//! see [`Service::mcp`](crate::Service::mcp).

mod cancel;
mod stdio;

pub use stdio::{serve, serve_stdio};
