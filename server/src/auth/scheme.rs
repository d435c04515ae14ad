//! Security schemes of the description.

use docent_describe::json::Json;

/// Returns the name and the definition of an HTTP authentication scheme.
pub(super) fn http(scheme: &str, description: Option<&str>) -> (String, Json) {
    let members = [("type", Some("http")), ("scheme", Some(scheme))];
    (scheme.to_owned(), object(members, description))
}

/// Returns the name and the definition of an API key in a header field.
pub(super) fn api_key(field: &str, description: Option<&str>) -> (String, Json) {
    let members = [("type", Some("apiKey")), ("in", Some("header"))];
    let members = members.into_iter().chain([("name", Some(field))]);
    ("apiKey".to_owned(), object(members, description))
}

fn object<'a>(
    members: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
    description: Option<&'a str>,
) -> Json {
    let members = members.into_iter().chain([("description", description)]);
    let members = members.filter_map(|(name, value)| Some((name.to_owned(), Json::from(value?))));
    Json::Object(members.collect())
}
