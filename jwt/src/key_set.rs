//! The keys of an issuer, and which of them may have signed a token.
//!
//! The algorithms of a key follow from the key: its type, its curve, and what its `alg`, `use` and `key_ops` say. The
//! header of a token only chooses among them, so a key is never used in another way than its issuer meant.

use jsonwebtoken::jwk::{
    AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse,
};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, Header};
use serde::Deserialize;
use serde_json::Value;

/// The length of a point on the curve P-256, as a public key has it.
const P256_POINT_BYTES: usize = 65;

/// The length of a point on the curve P-384.
const P384_POINT_BYTES: usize = 97;

/// Public keys.
#[derive(Debug, Default)]
pub(crate) struct KeySet(Vec<Key>);

/// A public key that verifies tokens.
#[derive(Debug)]
pub(crate) struct Key {
    /// The key ID; `None` if a token with any ID may be signed with the key.
    id: Option<String>,
    /// The algorithms that the key is for, all of one family.
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) decoding: DecodingKey,
}

impl KeySet {
    /// Reads keys that do not come from an issuer, in either format, of which at least one verifies tokens.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if !text.trim_start().starts_with('{') {
            return Self::from_pem(text);
        }
        let set = Self::from_jwks(text.as_bytes())?;
        if set.is_empty() {
            return Err("no key verifies tokens".to_owned());
        }
        Ok(set)
    }

    /// Reads a set of keys (RFC 7517, section 5). Keys that do not verify tokens are left out, as the RFC asks for.
    pub(crate) fn from_jwks(text: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Jwks {
            keys: Vec<Value>,
        }
        let set: Jwks =
            serde_json::from_slice(text).map_err(|error| format!("no JWKS: {error}"))?;
        Ok(Self(
            set.keys.into_iter().filter_map(Key::from_jwk).collect(),
        ))
    }

    /// Reads a public key in PEM format. The text is not repeated in errors: it may be a private key.
    fn from_pem(text: &str) -> Result<Self, String> {
        if !text.contains("PUBLIC KEY-----") {
            return Err("neither a JWKS nor a public key in PEM format".to_owned());
        }
        let pem = text.as_bytes();
        let key = DecodingKey::from_ec_pem(pem)
            .or_else(|_| DecodingKey::from_ed_pem(pem))
            .or_else(|_| DecodingKey::from_rsa_pem(pem))
            .map_err(|error| format!("the public key in PEM format: {error}"))?;
        let algorithms = match (key.family(), key.try_get_as_bytes().map(<[u8]>::len)) {
            (AlgorithmFamily::Ec, Ok(P256_POINT_BYTES)) => vec![Algorithm::ES256],
            (AlgorithmFamily::Ec, Ok(P384_POINT_BYTES)) => vec![Algorithm::ES384],
            (AlgorithmFamily::Ec, _) => {
                return Err("the curve of the key is not P-256 or P-384".into());
            }
            (family, _) => family.algorithms().to_vec(),
        };
        Ok(Self(vec![Key {
            id: None,
            algorithms,
            decoding: key,
        }]))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the set has a key with the ID that a token names.
    pub(crate) fn knows(&self, header: &Header) -> bool {
        self.with_id_of(header).next().is_some()
    }

    /// Returns the keys with the ID that a token names. One without an ID may be signed with any key.
    pub(crate) fn with_id_of(&self, header: &Header) -> impl Iterator<Item = &Key> {
        let wanted = header.kid.as_deref();
        self.0
            .iter()
            .filter(move |key| match (key.id.as_deref(), wanted) {
                (Some(id), Some(wanted)) => id == wanted,
                _ => true,
            })
    }
}

impl Key {
    fn from_jwk(value: Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(value).ok()?;
        let algorithms = algorithms(&jwk);
        if algorithms.is_empty() {
            return None;
        }
        Some(Self {
            decoding: DecodingKey::from_jwk(&jwk).ok()?,
            id: jwk.common.key_id,
            algorithms,
        })
    }
}

/// Returns the algorithms with which a key verifies tokens. There are none for shared secrets: a set of keys that a
/// service can fetch is public.
fn algorithms(jwk: &Jwk) -> Vec<Algorithm> {
    let common = &jwk.common;
    let is_for_signatures = matches!(common.public_key_use, None | Some(PublicKeyUse::Signature));
    let verifies = match &common.key_operations {
        Some(operations) => operations.contains(&KeyOperations::Verify),
        None => true,
    };
    if !is_for_signatures || !verifies {
        return Vec::new();
    }
    let of_type: &[Algorithm] = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => AlgorithmFamily::Rsa.algorithms(),
        AlgorithmParameters::EllipticCurve(key) => match key.curve {
            EllipticCurve::P256 => &[Algorithm::ES256],
            EllipticCurve::P384 => &[Algorithm::ES384],
            _ => &[],
        },
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            &[Algorithm::EdDSA]
        }
        _ => &[],
    };
    let mut algorithms = of_type.to_vec();
    if let Some(named) = common.key_algorithm {
        algorithms.retain(|algorithm| KeyAlgorithm::from(*algorithm) == named);
    }
    algorithms
}
