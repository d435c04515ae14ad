//! The token that write calls require.

use std::fmt;

use docent::BearerToken;

/// A bearer token. Its `Debug` output does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Returns the token, or `None` if the text is not a valid bearer token (RFC 6750, section
    /// 2.1).
    pub fn new(text: &str) -> Option<Self> {
        BearerToken::is_token(text).then(|| Self(text.to_owned()))
    }

    /// Generates a token that nobody can guess: 128 random bits from the system, in hexadecimal
    /// digits, which a double-click selects.
    ///
    /// # Errors
    /// If the system has no source of randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bits))))
    }

    /// Returns the token's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}
