//! Shows calls so that they can be repeated: as `docent call`, and as curl.
//!
//! Names and values come from other people's documents. They are quoted so that no shell expands them,
//! and characters that a terminal would interpret are written as escapes of JSON or of a URL.

use docent_describe::json::Json;
use url::Url;

use super::caller::{CallForm, TrialCaller, message};
use super::tested::TestedProcedure;
use crate::check::finding::ReproducingCall;
use crate::plain::{plain, plain_json};
use crate::request::without_secrets;

pub(super) fn call(
    caller: &TrialCaller<'_>,
    tested: &TestedProcedure<'_>,
    form: CallForm,
    params: Option<&Json>,
) -> ReproducingCall {
    let name = &tested.procedure.name;
    let query = match form {
        CallForm::Get => caller.query(tested, params),
        _ => None,
    };
    let shown = match query {
        Some(url) => get(caller, &url),
        None => post(caller, name, params, form != CallForm::Notification),
    };
    let way = match form {
        CallForm::Post => "",
        CallForm::Get => " --get",
        CallForm::Notification => " --notify",
    };
    let params = params.map(|params| quoted(&plain_json(&params.to_string())));
    let params = params.map_or(String::new(), |params| format!(" --params {params}"));
    // Without --no-check, `docent call` would refuse parameters that are wrong on purpose.
    let docent = format!(
        "docent call{way} --no-check{params} {} {}",
        quoted(without_secrets(caller.options.address).as_str()),
        quoted(name)
    );
    // A name may look like an option, or need escapes that a shell does not know.
    let can_be_typed =
        !name.starts_with('-') && plain(name) == *name && !name.contains(['\n', '\t']);
    ReproducingCall {
        docent: can_be_typed.then_some(docent),
        ..shown
    }
}

fn post(
    caller: &TrialCaller<'_>,
    name: &str,
    params: Option<&Json>,
    has_id: bool,
) -> ReproducingCall {
    let body = message(name, params, has_id.then_some("1"));
    let body = quoted(&plain_json(&body));
    let address = without_secrets(caller.options.address);
    let options = format!(" -H 'Content-Type: application/json' --data-binary {body}");
    curl(caller, &options, &address)
}

/// Shows a request by GET.
pub(super) fn get(caller: &TrialCaller<'_>, url: &Url) -> ReproducingCall {
    // The query of the service's own address may be a secret.
    let own = caller.options.address.query().unwrap_or_default();
    let query = url.query().unwrap_or_default();
    let query = query.strip_prefix(own).unwrap_or_default();
    let query = query.trim_start_matches('&');
    let mut shown = without_secrets(url);
    shown.set_query(Some(query).filter(|query| !query.is_empty()));
    curl(caller, "", &shown)
}

fn curl(caller: &TrialCaller<'_>, options: &str, url: &Url) -> ReproducingCall {
    let credentials = if caller.options.has_credentials {
        " -H 'Authorization: ***'"
    } else {
        ""
    };
    ReproducingCall {
        docent: None,
        curl: format!("curl -sS -g{credentials}{options} {}", quoted(url.as_str())),
    }
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
