//! Authenticators for common credentials, and a guard with one token.

mod api_key;
#[cfg(feature = "basic")]
mod basic;
mod bearer;
mod bearer_token;
mod credential;
mod lookup;
mod scheme;

pub use api_key::ApiKey;
#[cfg(feature = "basic")]
pub use basic::{Basic, Login};
pub use bearer::Bearer;
pub use bearer_token::BearerToken;
pub use lookup::Lookup;
