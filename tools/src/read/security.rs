//! Reads security schemes: their definitions, and the requirements of procedures.

use super::fields::{MemberReader, elements, object, string, wrong};
use super::location::Location;
use docent_describe::json::{Json, Object};
use docent_describe::{Credential, ONE_OF, Requirement};

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

/// Takes what is required: an array of names, of objects from a name to its scopes, and of objects with alternatives.
pub(super) fn required(fields: &mut MemberReader<'_>, name: &str) -> Vec<Requirement> {
    let at = fields.at.inside(name);
    let required = match fields.present(name) {
        None => Vec::new(),
        Some(object @ Json::Object(_)) => vec![entry(object, &at)],
        Some(list) => elements(list, &at, |element, at| Some(entry(element, at))),
    };
    required.into_iter().flatten().collect()
}

/// Returns what an element of the list requires. An object with several schemes requires all.
fn entry(element: Json, at: &Location<'_>) -> Vec<Requirement> {
    let Json::Object(mut members) = element else {
        return credentials(element, at)
            .into_iter()
            .map(Requirement::from)
            .collect();
    };
    let one_of = members.shift_remove(ONE_OF);
    let one_of = one_of.map(|one_of| Requirement {
        one_of: alternatives(one_of, &at.inside(ONE_OF)),
    });
    let one_of = one_of.filter(|requirement| !requirement.one_of.is_empty());
    let others = credentials(Json::Object(members), at);
    one_of
        .into_iter()
        .chain(others.into_iter().map(Requirement::from))
        .collect()
}

/// Returns credentials of which one suffices. Alternatives of an alternative are alternatives.
fn alternatives(list: Json, at: &Location<'_>) -> Vec<Credential> {
    let lists = elements(list, at, |element, at| {
        Some(match element {
            Json::Object(mut members) if members.contains_key(ONE_OF) => {
                let inner = members.shift_remove(ONE_OF).unwrap_or_default();
                alternatives(inner, &at.inside(ONE_OF))
            }
            element => credentials(element, at),
        })
    });
    lists.concat()
}

/// Takes the ways in of an OpenRPC document: an object from schemes to scopes, or an array of such objects, of which one
/// suffices. Returns `None` if there are too many.
pub(super) fn ways_in(fields: &mut MemberReader<'_>, name: &str) -> Option<Vec<Requirement>> {
    let at = fields.at.inside(name);
    let ways = match fields.present(name) {
        None => Vec::new(),
        Some(object @ Json::Object(_)) => vec![credentials(object, &at)],
        Some(list) => elements(list, &at, |way, at| Some(credentials(way, at))),
    };
    Requirement::of_ways_in(&ways).or_else(|| at.leave_out("these are too many alternatives"))
}

/// Returns the credentials of a name, or of an object from names to scopes.
fn credentials(value: Json, at: &Location<'_>) -> Vec<Credential> {
    let members = match value {
        Json::String(scheme) => {
            return vec![Credential {
                scheme,
                scopes: Vec::new(),
            }];
        }
        Json::Object(members) => members,
        other => return wrong(at, "a string or an object", &other).unwrap_or_default(),
    };
    let mut credentials = Vec::new();
    for (name, scopes) in members {
        let place = at.inside(&name);
        let mut credential = Credential {
            scopes: elements(scopes, &place, string),
            scheme: name.into(),
        };
        if credential.scheme == ONE_OF && !credential.scopes.is_empty() {
            place.warn("the scopes of a scheme with this name cannot be written; left out");
            credential.scopes.clear();
        }
        credentials.push(credential);
    }
    credentials
}
