//! Authenticators for common credentials, and a guard with one token.
//!
//! ```text
//! Authorization: Bearer s3cret   ─ Bearer ─┐
//! Authorization: Basic YWRh…     ─ Basic ──┼─ the author's look-up ─► User
//! X-Api-Key: k1                  ─ ApiKey ─┘
//! ```
//!
//! `docent-core` defines what an authenticator and a guard are, and when they are asked. An authenticator here does three
//! things: it reads one kind of credential from the fields, says how callers send it (its challenge, and the security scheme
//! of the description), and asks a function of the author who has it. [`lookup`] does all that they have in common, so
//! that each kind is a few lines.
//!
//! [`BearerToken`] is a guard and no authenticator: it compares with one token that its author knows, and nobody is behind
//! it. Tokens that have to be verified (JWT) are in `docent-jwt`, which brings cryptography that most services do not
//! need.

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
