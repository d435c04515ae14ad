//! Reads security schemes: their definitions, and the requirements of procedures.

use indexmap::IndexMap;

use super::fields::{MemberReader, wrong};
use super::location::Location;
use docent_describe::json::{Json, Object};

/// Takes the definitions of schemes.
pub(super) fn schemes(fields: &mut MemberReader<'_>, name: &str) -> Object {
    let mut schemes = fields.object(name).unwrap_or_default();
    let place = fields.at.inside(name);
    schemes.retain(|name, scheme| {
        let members = scheme.as_object();
        let members = members.or_else(|| wrong(&place.inside(name), "an object", scheme));
        members.is_some()
    });
    schemes
}

/// Takes required schemes with their scopes. They are an array of names and of objects from names
/// to scopes, or one such object.
pub(super) fn required(fields: &mut MemberReader<'_>, name: &str) -> IndexMap<String, Vec<String>> {
    let mut required = IndexMap::new();
    match fields.present(name) {
        None => {}
        Some(object @ Json::Object(_)) => required.extend(scopes(object, &fields.at.inside(name))),
        Some(list) => {
            fields.put_back(name, list);
            let elements = fields.each(name, |element, at| match element {
                Json::String(scheme) => Some(vec![(scheme, Vec::new())]),
                Json::Object(_) => Some(scopes(element, at)),
                other => wrong(at, "a string or an object", &other),
            });
            required.extend(elements.into_iter().flatten());
        }
    }
    required
}

/// Returns the scopes of each scheme in an object.
fn scopes(object: Json, at: &Location<'_>) -> Vec<(String, Vec<String>)> {
    let Some(mut schemes) = MemberReader::of(object, at) else {
        return Vec::new();
    };
    let names = schemes.names().into_iter();
    names
        .map(|name| {
            let scopes = schemes.texts(&name);
            (name, scopes)
        })
        .collect()
}
