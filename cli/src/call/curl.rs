//! The line of a shell that sends the same request, for `--dry-run`.

use docent_tools::check::quoted;
use docent_tools::plain::plain_json;
use docent_tools::request::bare;
use reqwest::header::{ACCEPT, HeaderMap};
use url::Url;

use crate::exec::{command_of, is_command};
use crate::remote::Remote;

/// Returns the line of curl that sends a request, or of a shell that sends it to a command. Credentials are not shown.
pub(super) fn curl(remote: &Remote, url: &Url, body: Option<&str>, headers: &HeaderMap) -> String {
    if let (true, Some(body)) = (is_command(url), body) {
        let body = quoted(&plain_json(body));
        return format!("printf '%s\\n' {body} | {}", command_of(url));
    }
    let mut line = "curl -sS -g".to_owned();
    if headers.contains_key(ACCEPT) {
        // The items of a subscription are printed as they come.
        line.push_str(" -N");
    }
    for name in remote.exchange.credential_fields() {
        line.extend([" -H '", name, ": ***'"]);
    }
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        line.extend([" -H ", &quoted(&format!("{name}: {value}"))]);
    }
    if let Some(body) = body {
        let body = quoted(&plain_json(body));
        line.extend([" -H 'Content-Type: application/json' --data-binary ", &body]);
    }
    format!("{line} {}", quoted(bare(url).as_str()))
}
