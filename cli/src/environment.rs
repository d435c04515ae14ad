//! The environment variables with credentials. Requests over HTTP read them, and commands that are started do not get
//! them.

/// The environment variable with a bearer token.
pub(crate) const TOKEN_VARIABLE: &str = "DOCENT_TOKEN";

/// The environment variable with an API key.
pub(crate) const API_KEY_VARIABLE: &str = "DOCENT_API_KEY";
