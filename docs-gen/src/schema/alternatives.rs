//! The names of the alternatives of a `oneOf` or `anyOf`.

use docent_describe::json::Json;
use docent_describe::schema::{Distinction, Evidence};

use super::refs::{Shared, component_name, text_of};
use crate::json_text;

/// Returns how a reader can tell which alternative a value is.
pub(crate) fn told_apart<'j>(
    shared: &'j Shared,
    schema: &'j Json,
    branches: &[&'j Json],
) -> Distinction<'j> {
    let declared = schema
        .get("discriminator")
        .and_then(|by| text_of(by, "propertyName"));
    match (
        declared,
        Distinction::of(shared, branches, Evidence::Likely(declared)),
    ) {
        (Some(name), Distinction::Tag(tag, values)) if name == tag => Distinction::Tag(tag, values),
        (Some(name), _) => Distinction::Tag(name, Vec::new()),
        (None, found) => found,
    }
}

/// Returns the name of an alternative: its title, the name of its type, or the distinction from the
/// others. Returns `None` if it can only be described by its type.
pub(crate) fn label(told: &Distinction<'_>, at: usize, branch: &Json) -> Option<String> {
    let title = text_of(branch, "title").map(str::to_owned);
    let name = || component_name(branch).map(std::borrow::Cow::into_owned);
    let own = || match told {
        Distinction::Tag(_, values) => Some(json_text::brief(values.get(at)?.first()?, 60)),
        Distinction::Member(names) => names.get(at).map(|name| (*name).to_owned()),
        Distinction::Kind | Distinction::Unsaid => None,
    };
    title.or_else(name).or_else(own)
}
