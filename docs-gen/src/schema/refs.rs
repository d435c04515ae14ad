//! References to shared schemas.

use std::borrow::Cow;
use std::collections::BTreeSet;

use docent_describe::json::Json;

const ROOT: &str = "#/components/schemas/";

/// The name of the shared schema that this schema refers to.
pub(crate) fn component_name(schema: &Json) -> Option<Cow<'_, str>> {
    let token = schema.get("$ref")?.as_str()?.strip_prefix(ROOT)?;
    Some(decode(token))
}

/// A reference token as it stands in a URI's fragment: percent-encoded, then RFC 6901's escapes.
fn decode(token: &str) -> Cow<'_, str> {
    if !token.contains(['~', '%']) {
        return Cow::Borrowed(token);
    }
    let mut bytes = Vec::with_capacity(token.len());
    let mut rest = token.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = (first == b'%')
            .then(|| std::str::from_utf8(tail.get(..2)?).ok())
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    let text = String::from_utf8_lossy(&bytes);
    Cow::Owned(text.replace("~1", "/").replace("~0", "~"))
}

/// Collects the names of the shared schemas that a schema refers to, directly.
pub(crate) fn collect(schema: &Json, names: &mut BTreeSet<String>) {
    if let Some(name) = component_name(schema) {
        names.insert(name.into_owned());
    }
    match schema {
        Json::Object(members) => {
            for (name, member) in members {
                // Values that look like schemas are none here.
                if !matches!(
                    name.as_str(),
                    "enum" | "const" | "default" | "examples" | "example"
                ) {
                    collect(member, names);
                }
            }
        }
        Json::Array(elements) => elements.iter().for_each(|element| collect(element, names)),
        _ => {}
    }
}
