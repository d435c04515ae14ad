//! The check of a token: its form, its signature, its claims.
//!
//! jsonwebtoken does the work. Here is what it leaves to its users: which tokens are looked at, with which keys, and what
//! they have to claim.

use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header};

use crate::claims::Claims;
use crate::key_set::KeySet;

/// The maximum length of a token.
const MAX_TOKEN_BYTES: usize = 16 * 1024;

/// The maximum number of keys that are tried with a token that does not say which one has signed it.
const MAX_TRIES: usize = 8;

/// The types of tokens that are accepted, besides none, in lower case: what RFC 7519 (section 5.1) and RFC 9068 (section
/// 4) say. Other tokens of the same issuer are for something else, such as a logout.
const TYPES: [&str; 2] = ["jwt", "at+jwt"];

/// The rules that tokens have to keep.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) issuer: String,
    pub(crate) audience: String,
    pub(crate) algorithms: Vec<Algorithm>,
    /// In seconds.
    pub(crate) leeway: u64,
}

impl Rules {
    /// Returns the challenge for callers without a token (RFC 6750, section 3).
    pub(crate) fn challenge(&self) -> String {
        // Escaped, an audience is a quoted string of RFC 9110, whatever it has.
        format!("Bearer realm=\"{}\"", self.audience.escape_default())
    }

    /// Reads the header of a token, which is not verified yet.
    ///
    /// # Errors
    /// Returns why the token is wrong, whatever the keys are.
    pub(crate) fn read_header(&self, token: &[u8]) -> Result<Header, String> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(format!("the token has more than {MAX_TOKEN_BYTES} bytes"));
        }
        let header = decode_header(token).map_err(|error| error.to_string())?;
        if !self.algorithms.contains(&header.alg) {
            return Err(format!("the algorithm {:?} is not accepted", header.alg));
        }
        if header.crit.is_some() {
            return Err("the token has extensions that must be understood (`crit`)".to_owned());
        }
        if let Some(name) = &header.typ {
            let name = name.to_ascii_lowercase();
            let name = name.strip_prefix("application/").unwrap_or(&name);
            if !TYPES.contains(&name) {
                return Err("the token is of another type (`typ`)".to_owned());
            }
        }
        Ok(header)
    }

    /// Verifies a token with this header, or says why it is wrong.
    pub(crate) fn verify(
        &self,
        token: &[u8],
        header: &Header,
        keys: &KeySet,
    ) -> Result<Claims, String> {
        if !keys.knows(header) {
            return Err("no key has the ID of the token (`kid`)".to_owned());
        }
        let fitting = keys
            .with_id_of(header)
            .filter(|key| key.algorithms.contains(&header.alg));
        let mut reason = format!("the key is not for the algorithm {:?}", header.alg);
        for key in fitting.take(MAX_TRIES) {
            match decode::<Claims>(token, &key.decoding, &self.validation(&key.algorithms)) {
                Ok(decoded) => return Ok(decoded.claims),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(reason)
    }

    fn validation(&self, algorithms: &[Algorithm]) -> Validation {
        let mut validation = Validation {
            algorithms: algorithms.to_vec(),
            leeway: self.leeway,
            validate_nbf: true,
            ..Validation::default()
        };
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation
    }
}
