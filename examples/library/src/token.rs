//! What a caller brings who wants to change something.

use std::fmt;

use docent_server::BearerToken;

/// A text that can be brought as a bearer token. Logs do not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The token that a text is, if it can be brought as one (RFC 6750, section 2.1).
    pub fn new(text: &str) -> Option<Self> {
        BearerToken::is_token(text).then(|| Self(text.to_owned()))
    }

    /// A token that nobody can guess: 128 bits from the system's source of chance, as hexadecimal
    /// digits, which one click selects.
    ///
    /// # Errors
    /// The system has no chance to give.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bits))))
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}
