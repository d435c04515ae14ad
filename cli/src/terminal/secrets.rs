//! Masks secrets in all output: tokens, passwords and header values that were given for requests.
//!
//! A URL with a password or an error of a library may repeat a secret, so text is masked where it is
//! printed and not where it is made.

use std::sync::{PoisonError, RwLock};

/// The text that is printed in place of a secret.
pub(crate) const SECRET_MASK: &str = "***";

/// The length below which secrets are not searched for: the places where they are expected are masked
/// anyway, and elsewhere they would garble ordinary words.
const MIN_MASKED_BYTES: usize = 6;

/// The secrets of this run, the longest first. They are global, so that no output can bypass them.
static KNOWN_SECRETS: RwLock<Vec<String>> = RwLock::new(Vec::new());

/// Masks a text in all output from now on.
pub(crate) fn remember(secret: &str) {
    if secret.len() < MIN_MASKED_BYTES {
        return;
    }
    let mut secrets = KNOWN_SECRETS
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    if !secrets.iter().any(|known| known == secret) {
        secrets.push(secret.to_owned());
        // A secret may contain another one.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    }
}

/// Replaces every secret in a text.
pub(crate) fn mask(text: &str) -> String {
    let secrets = KNOWN_SECRETS.read().unwrap_or_else(PoisonError::into_inner);
    let mut masked = text.to_owned();
    for secret in secrets.iter() {
        masked = masked.replace(secret, SECRET_MASK);
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::{mask, remember};

    #[test]
    fn a_secret_is_masked_wherever_it_stands() {
        remember("Bearer swordfish-1");
        remember("swordfish-1");
        remember("tiny");
        assert_eq!(
            mask("sent Bearer swordfish-1, or swordfish-1? a tiny thing"),
            "sent ***, or ***? a tiny thing"
        );
        assert_eq!(mask("nothing"), "nothing");
    }
}
