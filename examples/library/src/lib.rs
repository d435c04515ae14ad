//! A lending library: the service that the `library` example offers.
//!
//! [`model`] is the vocabulary that callers see, and its documentation becomes the reference
//! documentation; [`clock`] says which day it is; [`settings`] reads the command line.

pub mod clock;
pub mod model;
pub mod settings;
