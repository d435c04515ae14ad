//! Bytes in JSON, as base64.
//!
//! serde has no form of its own for bytes in JSON: it writes a `Vec<u8>` as a list of numbers, which takes four
//! times the space. Larger uploads do not belong into JSON at all; a server has routes for them.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Bytes, as a string in JSON: base64 with padding (RFC 4648, section 4), in its canonical form.
///
/// The schema is a string with `contentEncoding: base64`, which the service checks before a handler runs. A
/// length in the schema (`#[schemars(length(max = 1_000))]`) limits the string, which is 4/3 as long as the bytes.
///
/// ```
/// use docent::{Bytes, Cx, Fault, Procedure, Service};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Cover {
///     image: Bytes,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let size = Procedure::sync("size", |_: Cx, p: Cover| Ok::<_, Fault>(p.image.0.len()));
/// let service = Service::builder("covers", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c26")
///     .procedure(size)
///     .build()?;
/// assert_eq!(service.call::<usize>("size", &["aGk="]).await?, 2);
/// // Not canonical: the unused bits are not zero.
/// assert!(service.call::<usize>("size", &["aGl="]).await.is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Bytes(pub Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({:?})", STANDARD.encode(&self.0))
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

/// Decodes a text without a copy of it.
struct TextVisitor;

impl de::Visitor<'_> for TextVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes in base64")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
        STANDARD.decode(text).map(Bytes).map_err(E::custom)
    }
}

impl JsonSchema for Bytes {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bytes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "contentEncoding": "base64"})
    }
}
