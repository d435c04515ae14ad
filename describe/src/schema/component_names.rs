//! The names of shared schemas in references: reading, writing and following them.
//!
//! A reference is a URI whose fragment is a JSON Pointer, so that a name in it is encoded twice (RFC 6901,
//! section 6). `references` finds which schemas refer to which.

use std::borrow::Cow;

use indexmap::IndexMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::json::{Json, inner};

/// The prefix of references to the shared schemas of a description.
pub const COMPONENTS_PREFIX: &str = "#/components/schemas/";

/// Returns the name of the shared schema that a reference points to: the part after
/// `#/components/schemas/`, decoded (RFC 6901, section 6). Returns `None` if it points elsewhere or
/// deeper.
///
/// ```
/// use docent_describe::schema::component_name;
///
/// let name = component_name("#/components/schemas/Page%20of%20a~1b");
/// assert_eq!(name.as_deref(), Some("Page of a/b"));
/// assert_eq!(component_name("#/components/schemas/Book/properties/title"), None);
/// ```
pub fn component_name(reference: &str) -> Option<Cow<'_, str>> {
    decoded_name(reference.strip_prefix(COMPONENTS_PREFIX)?)
}

/// Returns the name of the shared schema that a reference points to or into, as in
/// `#/components/schemas/Book/properties/title`.
///
/// ```
/// use docent_describe::schema::component_entered;
///
/// let name = component_entered("#/components/schemas/Book/properties/title");
/// assert_eq!(name.as_deref(), Some("Book"));
/// assert_eq!(component_entered("https://example.com/schema"), None);
/// ```
pub fn component_entered(reference: &str) -> Option<Cow<'_, str>> {
    let path = reference.strip_prefix(COMPONENTS_PREFIX)?;
    decoded_name(path.split_once('/').map_or(path, |(name, _)| name))
}

/// Resolves a reference to or into a shared schema.
pub(crate) fn resolve<'j>(
    reference: &str,
    components: &'j IndexMap<String, Json>,
) -> Option<&'j Json> {
    let mut tokens = reference.strip_prefix(COMPONENTS_PREFIX)?.split('/');
    let name = decoded_name(tokens.next()?)?;
    let mut schema = components.get(name.as_ref())?;
    for token in tokens {
        schema = inner(schema, &decoded_name(token)?)?;
    }
    Some(schema)
}

/// Returns the characters to encode if all but letters, digits and these are encoded.
pub(crate) const fn all_but(allowed: &[u8]) -> AsciiSet {
    let mut set = NON_ALPHANUMERIC.remove(allowed[0]);
    let mut index = 1;
    while index < allowed.len() {
        set = set.remove(allowed[index]);
        index += 1;
    }
    set
}

/// The characters to encode in the fragment of a URI (RFC 3986, section 3.5), and `/`, which
/// separates the tokens of a JSON Pointer.
const IN_FRAGMENT: &AsciiSet = &all_but(b"!$&'()*+,-.:;=?@_~");

/// Returns the reference to a shared schema.
///
/// ```
/// use docent_describe::schema::component_reference;
///
/// assert_eq!(component_reference("a/b c"), "#/components/schemas/a~1b%20c");
/// ```
pub fn component_reference(name: &str) -> String {
    let token = name.replace('~', "~0").replace('/', "~1");
    format!(
        "{COMPONENTS_PREFIX}{}",
        utf8_percent_encode(&token, IN_FRAGMENT)
    )
}

/// Decodes one reference token of a JSON Pointer in a URI's fragment.
pub fn decoded_name(token: &str) -> Option<Cow<'_, str>> {
    if token.contains('/') {
        return None;
    }
    let text = percent_decode_str(token).decode_utf8().ok()?;
    if text.contains('~') {
        return Some(Cow::Owned(text.replace("~1", "/").replace("~0", "~")));
    }
    Some(text)
}
