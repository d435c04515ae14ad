//! Reads security schemes: their definitions, and the requirements of procedures.

use indexmap::IndexMap;

use super::fields::{MemberReader, elements, object, string, wrong};
use super::location::Location;
use docent_describe::json::{Json, Object};

/// Takes the definitions of schemes.
pub(super) fn schemes(fields: &mut MemberReader<'_>, name: &str) -> Object {
    let place = fields.at.inside(name);
    fields
        .object(name)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|(name, scheme)| {
            let scheme = object(scheme, &place.inside(&name))?;
            Some((name, Json::Object(scheme)))
        })
        .collect()
}

/// Takes required schemes with their scopes. They are an array of names and of objects from names
/// to scopes, or one such object.
pub(super) fn required(fields: &mut MemberReader<'_>, name: &str) -> IndexMap<String, Vec<String>> {
    let at = fields.at.inside(name);
    let required = match fields.present(name) {
        None => Vec::new(),
        Some(object @ Json::Object(_)) => vec![scopes(object, &at)],
        Some(list) => elements(list, &at, |element, at| match element {
            Json::String(scheme) => Some(vec![(scheme, Vec::new())]),
            Json::Object(_) => Some(scopes(element, at)),
            other => wrong(at, "a string or an object", &other),
        }),
    };
    required.into_iter().flatten().collect()
}

/// Returns the scopes of each scheme in an object.
fn scopes(schemes: Json, at: &Location<'_>) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (name, scopes) in object(schemes, at).unwrap_or_default() {
        let scopes = elements(scopes, &at.inside(&name), string);
        found.push((name.into(), scopes));
    }
    found
}
