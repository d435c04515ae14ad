//! Writes calls so that a reader can repeat them: as `docent call`, and as curl.
//!
//! Names and values come from other people's documents. They are quoted so that no shell expands them,
//! and characters that a terminal would interpret are written as escapes of JSON or of a URL.

use url::Url;

use super::caller::{CallForm, TrialCall, USUAL_ID, message};
use super::checker::Checker;
use super::subscription::MAX_ITEMS;
use crate::check::finding::ReproducingCall;
use crate::check::rule::Rule;
use crate::plain::{plain, plain_json};
use crate::request::without_secrets;

impl Checker<'_, '_> {
    /// Returns how to repeat a call.
    pub(super) fn reproduce(&self, call: &TrialCall, rule: Rule) -> ReproducingCall {
        let caller = self.caller;
        let tested = self.tested;
        let name = &tested.procedure.name;
        let params = call.params.as_ref();
        let query = match call.form {
            CallForm::Get => caller.query(tested, params),
            _ => None,
        };
        let reproducing = match query {
            Some(url) => self.reproduce_get(&url, None, rule),
            None if caller.is_mcp => ReproducingCall::default(),
            None => self.reproduce_post(&message(name, params, call.id()), rule),
        };
        let way = match call.form {
            CallForm::Post => "",
            CallForm::Get => " --get",
            CallForm::Notification => " --notify",
        };
        let passed = params
            .map(|params| format!(" --params {}", quoted(&plain_json(&params.to_string()))))
            .unwrap_or_default();
        let more = match rule {
            _ if tested.procedure.subscription.is_some() => format!(" --items {MAX_ITEMS}"),
            Rule::TimedOut => self.max_time(),
            Rule::ContentType => " -v".to_owned(),
            _ => String::new(),
        };
        // Without --no-check, `docent call` would refuse parameters that are wrong on purpose.
        let address = quoted(without_secrets(caller.options.address).as_str());
        let typed = quoted(name);
        let docent = format!("docent call{more}{way} --no-check{passed} {address} {typed}");
        // A name may look like an option, or need escapes that a shell does not know.
        let can_be_typed = call.id == USUAL_ID
            && !name.starts_with('-')
            && plain(name) == *name
            && !name.contains(['\n', '\t']);
        ReproducingCall {
            docent: can_be_typed.then_some(docent),
            ..reproducing
        }
    }

    /// Returns how to repeat a request by POST.
    pub(super) fn reproduce_post(&self, message: &str, rule: Rule) -> ReproducingCall {
        let body = quoted(&plain_json(message));
        let address = without_secrets(self.caller.options.address);
        let accept = match &self.tested.procedure.subscription {
            Some(_) => " -N -H 'Accept: text/event-stream'",
            None => "",
        };
        let options = format!("{accept} -H 'Content-Type: application/json' --data-binary {body}");
        self.curl(&options, &address, rule)
    }

    /// Returns how to repeat a request by GET.
    pub(super) fn reproduce_get(
        &self,
        url: &Url,
        etag: Option<&str>,
        rule: Rule,
    ) -> ReproducingCall {
        // The query of the service's own address may be a secret.
        let own = self.caller.options.address.query().unwrap_or_default();
        let query = url
            .query()
            .and_then(|query| query.strip_prefix(own))
            .unwrap_or_default()
            .trim_start_matches('&');
        let mut shown = without_secrets(url);
        shown.set_query(Some(query).filter(|query| !query.is_empty()));
        let option = match etag {
            Some(etag) => {
                let header = plain_json(&format!("If-None-Match: {etag}"));
                format!(" -H {}", quoted(&header))
            }
            None => String::new(),
        };
        self.curl(&option, &shown, rule)
    }

    /// Returns the request of curl, which prints the head of the response if the rule is about it.
    fn curl(&self, options: &str, url: &Url, rule: Rule) -> ReproducingCall {
        if self.caller.options.is_command {
            return ReproducingCall::default();
        }
        let more = match rule {
            Rule::TimedOut => self.max_time(),
            Rule::ServerError | Rule::NotJson | Rule::ContentType => " -i".to_owned(),
            _ => String::new(),
        };
        let credentials = if self.caller.options.has_credentials {
            " -H 'Authorization: ***'"
        } else {
            ""
        };
        let url = quoted(url.as_str());
        ReproducingCall {
            docent: None,
            curl: format!("curl -sS -g{more}{credentials}{options} {url}"),
        }
    }

    /// Returns the option for the time of a call, which `docent call` and curl share.
    fn max_time(&self) -> String {
        format!(" --max-time {}", self.caller.options.max_time.as_secs_f64())
    }
}

/// Quotes a word for a shell, which expands nothing inside single quotes.
pub fn quoted(word: &str) -> String {
    let is_plain = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_./:".contains(&byte));
    if !word.is_empty() && is_plain {
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
