//! Shows calls so that they can be repeated: as `docent call`, and as curl.
//!
//! Names and values come from other people's documents. They are quoted so that no shell expands them,
//! and characters that a terminal would interpret are written as escapes of JSON or of a URL.

use docent_describe::json::Json;
use url::Url;

use super::caller::{Caller, Form, message};
use super::subject::Subject;
use crate::http::without_secrets;
use crate::terminal::{plain, plain_json};

/// A call in a form that can be repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The call as `docent call`, if it can be typed.
    pub(crate) docent: Option<String>,
    pub(crate) curl: String,
}

pub(super) fn call(
    caller: &Caller<'_>,
    subject: &Subject<'_>,
    form: Form,
    params: Option<&Json>,
) -> Shown {
    Shown {
        docent: docent(caller, subject, form, params),
        curl: curl(caller, subject, form, params),
    }
}

fn docent(
    caller: &Caller<'_>,
    subject: &Subject<'_>,
    form: Form,
    params: Option<&Json>,
) -> Option<String> {
    let name = &subject.procedure.name;
    // It would be taken for an option, or need escapes that a shell does not know.
    if name.starts_with('-') || plain(name) != *name || name.contains(['\n', '\t']) {
        return None;
    }
    let mut words = vec!["docent call".to_owned()];
    match form {
        Form::Post => {}
        Form::Get => words.push("--get".to_owned()),
        Form::Notification => words.push("--notify".to_owned()),
    }
    // Otherwise `docent call` would refuse parameters that are wrong on purpose.
    words.push("--no-check".to_owned());
    if let Some(params) = params {
        let params = params.to_string();
        words.push(format!("--params {}", quoted(&plain_json(&params))));
    }
    words.push(quoted(without_secrets(caller.address).as_str()));
    words.push(quoted(name));
    Some(words.join(" "))
}

fn curl(caller: &Caller<'_>, subject: &Subject<'_>, form: Form, params: Option<&Json>) -> String {
    let mut words = vec!["curl -sS -g".to_owned()];
    if caller.exchange.has_credentials() {
        words.push("-H 'Authorization: ***'".to_owned());
    }
    let query = match form {
        Form::Get => caller.query(subject, params),
        _ => None,
    };
    if let Some(url) = query {
        words.push(quoted(bare_query(caller, &url).as_str()));
    } else {
        let id = (form != Form::Notification).then_some("1");
        let body = message(&subject.procedure.name, params, id);
        words.push("-H 'Content-Type: application/json' --data-binary".to_owned());
        words.push(quoted(&plain_json(&body)));
        words.push(quoted(without_secrets(caller.address).as_str()));
    }
    words.join(" ")
}

/// Shows a request by GET.
pub(super) fn query(caller: &Caller<'_>, url: &Url) -> Shown {
    let credentials = if caller.exchange.has_credentials() {
        " -H 'Authorization: ***'"
    } else {
        ""
    };
    let url = bare_query(caller, url);
    Shown {
        docent: None,
        curl: format!("curl -sS -g{credentials} {}", quoted(url.as_str())),
    }
}

/// Returns the URL of a call without secrets, such as the query of the service's own address.
fn bare_query(caller: &Caller<'_>, url: &Url) -> Url {
    let mut shown = without_secrets(url);
    let query = url.query().unwrap_or_default();
    let query = match caller.address.query() {
        Some(own) => query
            .strip_prefix(own)
            .unwrap_or_default()
            .trim_start_matches('&'),
        None => query,
    };
    shown.set_query(Some(query).filter(|query| !query.is_empty()));
    shown
}

/// Quotes a word for a shell, which expands nothing inside single quotes.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn no_shell_expands_what_is_quoted() {
        assert_eq!(quoted("http://a/b"), "http://a/b");
        assert_eq!(quoted("$(touch x)`id`"), "'$(touch x)`id`'");
        assert_eq!(quoted("it's \"!\\"), r#"'it'\''s "!\'"#);
        assert_eq!(quoted(""), "''");
    }
}
