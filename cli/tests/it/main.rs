//! The command as a script meets it: arguments, exit codes, both streams, and files.
//!
//! One binary for all tests, so that there is one program to link.

mod check;
mod describe;
mod docs;
mod live;
mod service;
mod support;
mod watch;
