//! A guard that asks for a bearer token (RFC 6750).

use docent_core::{Attempt, Guard, Refused};
use docent_describe::ProcedureDescription;
use docent_describe::json::Json;
use subtle::ConstantTimeEq;

use crate::http::Headers;

/// Lets those in who bring `Authorization: Bearer …` with the right token, and everybody else know
/// that one is needed: 401 with a challenge.
///
/// The token is compared in constant time, so that answers do not tell how much of a guess was
/// right.
#[derive(Clone)]
pub struct BearerToken {
    token: Box<str>,
    realm: Box<str>,
    covers: fn(&ProcedureDescription) -> bool,
}

impl BearerToken {
    /// Asks for this token before the procedures that `covers` picks, such as
    /// `|procedure| !procedure.idempotent`. `realm` names to callers what is protected.
    pub fn new(
        realm: impl Into<Box<str>>,
        token: impl Into<Box<str>>,
        covers: fn(&ProcedureDescription) -> bool,
    ) -> Self {
        Self {
            token: token.into(),
            realm: realm.into(),
            covers,
        }
    }

    fn is_right(&self, given: &str) -> bool {
        self.token.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

impl Guard for BearerToken {
    fn check(&self, attempt: &Attempt<'_>) -> Result<(), Refused> {
        let headers = attempt.extension::<Headers>();
        let header = headers.and_then(|headers| headers.0.get("authorization"));
        let given = header
            .and_then(|value| value.to_str().ok())
            .and_then(bearer);
        match given {
            Some(given) if self.is_right(given) => Ok(()),
            given => {
                let error = if given.is_some() {
                    ", error=\"invalid_token\""
                } else {
                    ""
                };
                Err(Refused::unauthorized(format!(
                    "Bearer realm=\"{}\"{error}",
                    self.realm
                )))
            }
        }
    }

    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        (self.covers)(procedure)
    }

    fn scheme(&self) -> Option<(String, Json)> {
        let members = [("type", "http"), ("scheme", "bearer")];
        let members = members.map(|(name, value)| (name.to_owned(), Json::from(value)));
        Some((
            "bearer".to_owned(),
            Json::Object(members.into_iter().collect()),
        ))
    }
}

/// The token of a credential whose scheme is `Bearer`, in any case.
fn bearer(credential: &str) -> Option<&str> {
    let (scheme, token) = credential.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl std::fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The token stays out of logs.
        f.debug_struct("BearerToken")
            .field("realm", &self.realm)
            .finish_non_exhaustive()
    }
}
