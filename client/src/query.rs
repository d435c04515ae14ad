//! Parameters as the query of a URL, for calls with GET.
//!
//! A query is text, and a service has to guess the types of its values. So parameters go into one only if no guess can
//! be wrong; all others are sent with POST.

use docent_describe::json::{Json, is_number};
use reqwest::Url;

/// The maximum length of a URL, in bytes. Not every server and proxy accepts longer ones.
const MAX_URL_BYTES: usize = 2_000;

/// Returns the URL that calls a procedure with GET.
///
/// Returns `None` if a URL cannot represent the parameters: if a value is null, empty, or an object,
/// or is a text that a service might read as a number or a Boolean, or a list that it might read as a
/// single value.
pub(crate) fn url(mount: &Url, procedure: &str, params: &str) -> Option<Url> {
    // A URL has no segment of these names.
    if matches!(procedure, "" | "." | "..") {
        return None;
    }
    let mut url = mount.clone();
    url.path_segments_mut().ok()?.pop_if_empty().push(procedure);
    let params: Json = params.parse().ok()?;
    let mut pairs = Vec::new();
    match &params {
        Json::Null => {}
        Json::Object(members) => {
            for (name, value) in members {
                for value in values(value)? {
                    pairs.push((name.clone(), value));
                }
            }
        }
        Json::Array(elements) => {
            for (position, value) in elements.iter().enumerate() {
                pairs.push((position.to_string().into(), scalar(value)?));
            }
        }
        _ => return None,
    }
    if !pairs.is_empty() {
        url.query_pairs_mut().extend_pairs(pairs);
    }
    (url.as_str().len() <= MAX_URL_BYTES).then_some(url)
}

/// Returns the values of one parameter.
fn values(value: &Json) -> Option<Vec<&str>> {
    match value {
        Json::Array(elements) if elements.len() > 1 => elements.iter().map(scalar).collect(),
        value => Some(vec![scalar(value)?]),
    }
}

/// Returns the text that stands for a value that is no list, if it stands for no other value.
fn scalar(value: &Json) -> Option<&str> {
    match value {
        Json::Bool(true) => Some("true"),
        Json::Bool(false) => Some("false"),
        Json::Number(text) => Some(text),
        Json::String(text) => {
            let is_ambiguous = matches!(&**text, "" | "true" | "false") || is_number(text);
            (!is_ambiguous).then_some(text)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn a_url_says_what_the_parameters_say_or_there_is_none() {
        let mount = "http://localhost:8080/rpc?key=1".parse().expect("a URL");
        let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(2_000));
        for (params, query) in [
            ("null", Some("")),
            ("{}", Some("")),
            ("[]", Some("")),
            (
                r#"{"a":1e400,"b":true,"c":"x y&=ä"}"#,
                Some("&a=1e400&b=true&c=x+y%26%3D%C3%A4"),
            ),
            (r#"{"a":["x",2,-0.5]}"#, Some("&a=x&a=2&a=-0.5")),
            (
                r#"["x",18446744073709551615]"#,
                Some("&0=x&1=18446744073709551615"),
            ),
            (r#"{"a":null}"#, None),
            (r#"{"a":""}"#, None),
            (r#"{"a":"17"}"#, None),
            (r#"{"a":"-1.5e3"}"#, None),
            (r#"{"a":"true"}"#, None),
            (r#"{"a":{"b":1}}"#, None),
            (r#"{"a":[]}"#, None),
            (r#"{"a":[1]}"#, None),
            (r#"{"a":[1,[2]]}"#, None),
            (r#"{"a":["x",""]}"#, None),
            ("[[1,2]]", None),
            (&*long, None),
            ("7", None),
        ] {
            let expected = query.map(|query| {
                let query = format!("http://localhost:8080/rpc/book%20a%3F?key=1{query}");
                query.parse().expect("a URL")
            });
            assert_eq!(url(&mount, "book a?", params), expected, "{params}");
        }
        let slash = "http://localhost/rpc/".parse().expect("a URL");
        let called = url(&slash, "sum", "null").expect("a URL");
        assert_eq!(called.as_str(), "http://localhost/rpc/sum");
    }
}
