//! One binary for all integration tests: each further one would link the whole crate again.

mod hostile;
mod html;
mod library;
mod site;
mod templates;
