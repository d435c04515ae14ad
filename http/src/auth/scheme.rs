//! Security schemes of the description.
//!
//! They have the form of OpenAPI's security schemes, which readers of a description know.

use docent_describe::json::{Json, Object};

/// Returns the name and the definition of an HTTP authentication scheme.
pub(super) fn http(scheme: &str, description: Option<&str>) -> (String, Json) {
    let members = [("type", "http"), ("scheme", scheme)];
    (scheme.to_owned(), object(&members, description))
}

/// Returns the name and the definition of an API key in a header field.
pub(super) fn api_key(field: &str, description: Option<&str>) -> (String, Json) {
    let members = [("type", "apiKey"), ("in", "header"), ("name", field)];
    ("apiKey".to_owned(), object(&members, description))
}

fn object(members: &[(&str, &str)], description: Option<&str>) -> Json {
    let mut object = Object::new();
    for (name, value) in members {
        object.insert(*name, Json::from(*value));
    }
    object.maybe("description", description).into()
}
