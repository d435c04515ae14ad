//! Bytes in JSON, for the types of generated clients.
//!
//! serde has no form of its own for them: it writes a `Vec<u8>` as a list of numbers.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Bytes that are a text in JSON: base64 with padding (RFC 4648, section 4), in its canonical form.
///
/// ```
/// use docent_client::Base64;
///
/// let bytes: Base64 = serde_json::from_str("\"aGk=\"")?;
/// assert_eq!(bytes.0, b"hi");
/// assert_eq!(serde_json::to_string(&bytes)?, "\"aGk=\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Base64(pub Vec<u8>);

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Self).map_err(de::Error::custom)
    }
}
