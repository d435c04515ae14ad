//! The command as scripts use it: arguments, exit codes, both output streams, and files.
//!
//! There is one binary for all tests, so that only one program is linked.

#[cfg(unix)]
mod action;
mod call;
mod call_formats;
mod call_values;
mod catalogue;
#[cfg(unix)]
mod chains;
mod check;
mod client;
mod client_samples;
#[cfg(unix)]
mod commands;
mod completions;
mod contradictions;
mod describe;
mod diff;
mod docs;
mod examples;
#[cfg(unix)]
mod folders;
mod followed;
mod gate;
mod hostile;
mod http;
mod lies;
mod list;
mod live;
mod mcp;
#[cfg(unix)]
mod mcp_check;
mod mistakes;
mod mock;
mod new;
mod service;
mod services;
mod settings;
mod sockets;
mod subscriptions;
mod support;
mod watch;
mod wire;
mod wire_connections;
