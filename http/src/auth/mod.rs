//! Authenticators for common credentials, and a guard with one token.
//!
//! `docent-core` defines what an authenticator and a guard are. These are the ones that HTTP
//! services need most; others are written by their authors.

mod api_key;
#[cfg(feature = "basic")]
mod basic;
mod bearer;
mod bearer_token;
mod challenge;
mod lookup;
mod scheme;

pub use api_key::ApiKey;
#[cfg(feature = "basic")]
pub use basic::{Basic, Login};
pub use bearer::Bearer;
pub use bearer_token::BearerToken;
pub use lookup::CallerLookup;
