//! Names of security schemes, so that two that callers present differently never share one.
//!
//! An authenticator names its scheme without knowing the others of the service: two keys in different fields are
//! both called `apiKey`.

use docent_describe::json::Json;

/// The members of a definition that say how a caller presents the credential.
const PRESENTATION: [&str; 4] = ["type", "scheme", "in", "name"];

/// Adds a scheme, unless it is there already.
pub(crate) fn add_scheme(schemes: &mut Vec<(String, Json)>, name: &str, definition: Json) {
    let name = scheme_name(schemes, name, &definition);
    if !schemes.iter().any(|(known, _)| *known == name) {
        schemes.push((name, definition));
    }
}

/// Returns the name of a scheme among others: its own, followed by a number if a different one has that.
pub(crate) fn scheme_name(schemes: &[(String, Json)], name: &str, definition: &Json) -> String {
    let mut candidate = name.to_owned();
    let mut number = 2;
    while schemes
        .iter()
        .any(|(known, other)| *known == candidate && !are_presented_alike(other, definition))
    {
        candidate = format!("{name}{number}");
        number += 1;
    }
    candidate
}

/// Returns whether callers present the credentials of two schemes in the same way.
fn are_presented_alike(one: &Json, other: &Json) -> bool {
    PRESENTATION
        .iter()
        .all(|member| one.get(member) == other.get(member))
}
