//! The cryptography of jsonwebtoken, with ring.
//!
//! jsonwebtoken takes it from one provider for the whole process. If the program has none, this one is set: ring is in
//! the tree of every service with TLS, and builds with a C compiler alone.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result, new_error};
use jsonwebtoken::signature::{Error, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};

static RING: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| {
        let text = "the provider of docent-jwt only verifies; install one that signs before";
        Err(new_error(ErrorKind::Provider(text.to_owned())))
    },
    verifier_factory: |algorithm, key| RingVerifier::boxed(*algorithm, key),
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes sure that the program has a provider. One that is there stays.
pub(crate) fn ensure() {
    if CryptoProvider::try_get_default().is_none() {
        // Fails only if another thread has set one since.
        let _ = RING.install_default();
    }
}

/// Verifies the signatures of one algorithm with one public key.
struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl RingVerifier {
    fn boxed(algorithm: Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
        if key.family() != algorithm.family() || verification(algorithm).is_none() {
            return Err(new_error(ErrorKind::InvalidAlgorithm));
        }
        let key = key.clone();
        Ok(Box::new(Self { algorithm, key }))
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        let verified = match self.key.kind() {
            DecodingKeyKind::SecretOrDer(key) => {
                let algorithm = verification(self.algorithm).ok_or_else(Error::new)?;
                UnparsedPublicKey::new(algorithm, key).verify(message, signature)
            }
            DecodingKeyKind::RsaModulusExponent { n, e } => {
                let parameters = rsa(self.algorithm).ok_or_else(Error::new)?;
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
        };
        verified.map_err(|_| Error::new())
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

/// Returns how ring verifies an algorithm; `None` for those with shared secrets.
fn verification(algorithm: Algorithm) -> Option<&'static dyn VerificationAlgorithm> {
    match algorithm {
        Algorithm::ES256 => Some(&ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Some(&ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Some(&ED25519),
        other => Some(rsa(other)?),
    }
}

fn rsa(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    match algorithm {
        Algorithm::RS256 => Some(&RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Some(&RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Some(&RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Some(&RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Some(&RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Some(&RSA_PSS_2048_8192_SHA512),
        _ => None,
    }
}
