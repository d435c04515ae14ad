//! Keys of issuers, made for each test, and the tokens that they sign.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::hmac;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256,
    RsaKeyPair,
};
use serde_json::{Value, json};

/// The one key that is not made anew: ring makes none. Nothing but these tests has it.
const RSA_KEY: &[u8] = include_bytes!("rsa.der");

/// The public part of that key.
pub(crate) const RSA_PEM: &str = include_str!("rsa-public.pem");

pub(crate) struct SigningKey {
    pub(crate) id: String,
    pair: Pair,
}

enum Pair {
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
    Rsa(RsaKeyPair),
}

impl SigningKey {
    pub(crate) fn ec(id: &str) -> Self {
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, key.as_ref(), &random).expect("a key");
        Self::new(id, Pair::Ec(pair))
    }

    pub(crate) fn ed(id: &str) -> Self {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
        let pair = Ed25519KeyPair::from_pkcs8(key.as_ref()).expect("a key");
        Self::new(id, Pair::Ed(pair))
    }

    pub(crate) fn rsa(id: &str) -> Self {
        Self::new(
            id,
            Pair::Rsa(RsaKeyPair::from_pkcs8(RSA_KEY).expect("a key")),
        )
    }

    fn new(id: &str, pair: Pair) -> Self {
        let id = id.to_owned();
        Self { id, pair }
    }

    pub(crate) fn algorithm(&self) -> &'static str {
        match self.pair {
            Pair::Ec(_) => "ES256",
            Pair::Ed(_) => "EdDSA",
            Pair::Rsa(_) => "RS256",
        }
    }

    /// Returns the public part, as a JWKS has it.
    pub(crate) fn jwk(&self) -> Value {
        let mut jwk = match &self.pair {
            Pair::Ec(pair) => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
                json!({"kty": "EC", "crv": "P-256", "x": encode(x), "y": encode(y)})
            }
            Pair::Ed(pair) => {
                json!({"kty": "OKP", "crv": "Ed25519", "x": encode(pair.public_key())})
            }
            Pair::Rsa(pair) => {
                let public = PublicKeyComponents::<Vec<u8>>::from(pair.public());
                json!({"kty": "RSA", "n": encode(public.n), "e": encode(public.e)})
            }
        };
        jwk["kid"] = json!(self.id);
        jwk
    }

    /// Returns the public part in PEM format.
    pub(crate) fn pem(&self) -> String {
        // The heads of a SubjectPublicKeyInfo (RFC 5480, RFC 8410).
        let (head, key) = match &self.pair {
            Pair::Ec(pair) => (
                &b"\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07\x03\x42\x00"[..],
                pair.public_key().as_ref(),
            ),
            Pair::Ed(pair) => (
                &b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"[..],
                pair.public_key().as_ref(),
            ),
            Pair::Rsa(_) => return RSA_PEM.to_owned(),
        };
        let text = STANDARD.encode([head, key].concat());
        format!("-----BEGIN PUBLIC KEY-----\n{text}\n-----END PUBLIC KEY-----\n")
    }

    /// Returns a token with the header that this key should have, and these claims.
    pub(crate) fn token(&self, claims: &Value) -> String {
        let header = json!({"alg": self.algorithm(), "kid": self.id, "typ": "JWT"});
        self.sign(&header.to_string(), &claims.to_string())
    }

    /// Signs any header and any claims.
    pub(crate) fn sign(&self, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", encode(header), encode(claims));
        let random = SystemRandom::new();
        let signature = match &self.pair {
            Pair::Ec(pair) => {
                let signature = pair.sign(&random, message.as_bytes()).expect("a signature");
                encode(signature)
            }
            Pair::Ed(pair) => encode(pair.sign(message.as_bytes())),
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(
                    &RSA_PKCS1_SHA256,
                    &random,
                    message.as_bytes(),
                    &mut signature,
                )
                .expect("a signature");
                encode(signature)
            }
        };
        format!("{message}.{signature}")
    }
}

/// Signs with a shared secret.
pub(crate) fn sign_with_secret(header: &str, claims: &str, secret: &[u8]) -> String {
    let message = format!("{}.{}", encode(header), encode(claims));
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
    format!("{message}.{}", encode(hmac::sign(&key, message.as_bytes())))
}

pub(crate) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
