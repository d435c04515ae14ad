//! Reads security schemes: their definitions, and the requirements of procedures.
//!
//! Two notations are read. Docent's own lists what is required, with alternatives where several credentials suffice.
//! OpenRPC documents list alternatives, of which one suffices. The model has the first one.

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
        Some(object @ Json::Object(_)) => vec![element_requirements(object, &at)],
        Some(list) => elements(list, &at, |element, at| {
            Some(element_requirements(element, at))
        }),
    };
    required.into_iter().flatten().collect()
}

/// Returns what an element of the list requires. An object with several schemes requires all.
fn element_requirements(element: Json, at: &Location<'_>) -> Vec<Requirement> {
    let is_list = element.get(ONE_OF).is_some();
    let is_optional = is_list && allows_none(&element);
    let one_of = credentials(element, at);
    if is_optional && !one_of.is_empty() {
        return vec![Requirement::optional(one_of)];
    }
    if is_list && !one_of.is_empty() {
        return vec![Requirement::new(one_of)];
    }
    one_of.into_iter().map(Requirement::from).collect()
}

/// Returns whether one of the alternatives is no credential, an empty object.
fn allows_none(alternative: &Json) -> bool {
    let Json::Object(members) = alternative else {
        return false;
    };
    match members.get(ONE_OF) {
        Some(Json::Array(alternatives)) => alternatives.iter().any(allows_none),
        _ => members.is_empty(),
    }
}

/// Takes the alternatives of an OpenRPC document: an object from schemes to scopes, or an array of such objects, of
/// which one suffices. Returns `None` if there are too many.
pub(super) fn alternatives(fields: &mut MemberReader<'_>, name: &str) -> Option<Vec<Requirement>> {
    let at = fields.at.inside(name);
    let alternatives = match fields.present(name) {
        None => Vec::new(),
        Some(object @ Json::Object(_)) => vec![credentials(object, &at)],
        Some(list) => elements(list, &at, |element, at| Some(credentials(element, at))),
    };
    Requirement::from_alternatives(&alternatives)
        .or_else(|| at.leave_out("these are too many alternatives"))
}

/// Returns the credential of a name, those of an object from names to scopes, or those that an object lists as
/// alternatives. Alternatives of an alternative are alternatives.
fn credentials(value: Json, at: &Location<'_>) -> Vec<Credential> {
    let mut members = match value {
        Json::String(scheme) => return vec![Credential::new(scheme)],
        Json::Object(members) => members,
        other => return wrong(at, "a string or an object", &other).unwrap_or_default(),
    };
    if let Some(list) = members.shift_remove(ONE_OF) {
        MemberReader::new(members, at).warn_of_unknown();
        let alternatives = elements(list, &at.inside(ONE_OF), |element, at| {
            Some(credentials(element, at))
        });
        return alternatives.concat();
    }
    let mut credentials = Vec::new();
    for (name, scopes) in members {
        let scopes = elements(scopes, &at.inside(&name), string);
        let mut credential = Credential::new(name);
        credential.scopes = scopes;
        credentials.push(credential);
    }
    credentials
}
