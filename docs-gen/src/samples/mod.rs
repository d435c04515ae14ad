//! A call in several languages. The code can be copied and run: every value is in a quoted string, or is JSON that the
//! language reads as the same JSON.
//!
//! The message of a call, its address and its credentials come in ([`in_languages`]), and code with colours goes out:
//!
//! ```sh
//! curl -sS 'https://example.com/rpc' \
//!   -H 'Content-Type: application/json' \
//!   --data-raw '{"jsonrpc": "2.0", "method": "hello", "id": 1}'
//! ```
//!
//! The languages are data, `languages.json`: templates, and the characters to escape in them. `fill` fills them in for
//! pages, and a page's script does so when a reader fills in the form, so the templates cannot be Rust code. A test in
//! a browser compares the two byte by byte. `highlight` writes the colours, and `exact` decides whether a language may
//! read the message as a value of its own.
//!
//! One more language is only an entry of `languages.json`: its templates, its keywords and, if its strings are not
//! written as in JSON, an escape.
//!
//! JavaScript and TypeScript read credentials from `process.env`, as Node.js, Deno and Bun provide it. A browser has no
//! environment, and its pages should not hold a service's token.

mod exact;
mod fill;
mod highlight;

use docent_describe::json::Json;
use serde::Serialize;

use crate::call::CallAddress;
use crate::credential::HeaderCredential;
use crate::json_text;
use crate::markup::{Markup, PageFormat};

pub(crate) use fill::{ClientCall, header_field, script_data};
use fill::{FilledTemplate, SampleValues};
use highlight::IncompleteAddress;
pub(crate) use highlight::{from_markdown, json};

/// The maximum number of bytes of the message in a sample. The form to try the call still accepts longer ones.
const MAX_MESSAGE_BYTES: usize = 8_000;

/// The address in a sample if the description has none.
const PLACEHOLDER_URL: &str = "https://service.example/rpc";

/// The key of the language whose own class reads events by GET.
const EVENT_SOURCE_KEY: &str = "javascript";

/// A call in one language.
#[derive(Serialize)]
pub(crate) struct CodeSample {
    /// The key of the language.
    pub(crate) key: &'static str,
    /// The name of the language.
    pub(crate) name: &'static str,
    /// The code to send the call.
    pub(crate) code: Markup,
}

/// The languages in which a call is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleLanguages {
    /// The languages of a page: all of them in HTML, the first in Markdown.
    OfPage,
    /// The first, which is curl.
    First,
}

/// Returns the call in these languages, and with the generated client if `client` is given, with the credentials
/// that it needs from the environment. Returns `None` if the message is too long to be read.
pub(crate) fn in_languages(
    languages: SampleLanguages,
    format: PageFormat,
    address: Option<&CallAddress>,
    request: &Json,
    is_subscription: bool,
    credentials: &[HeaderCredential],
    client: Option<&ClientCall<'_>>,
) -> Option<Vec<CodeSample>> {
    let printed = json_text::pretty(request, MAX_MESSAGE_BYTES);
    let body = printed.is_complete.then_some(printed.text)?;
    let values = SampleValues {
        is_subscription,
        url: url(address),
        line: &json_text::compact(request),
        body: &body,
        credentials,
        client,
    };
    let is_exact = exact::survives_doubles(request);
    let all = fill::languages();
    let count = match (languages, format) {
        (SampleLanguages::OfPage, PageFormat::Html) => all.len(),
        _ => 1,
    };
    let mut samples = Vec::new();
    for language in all.iter().take(count) {
        if language.can_make(&values) {
            samples.push(CodeSample {
                key: &language.key,
                name: &language.name,
                code: block(format, address, &language.post(&values, is_exact)),
            });
        }
    }
    Some(samples)
}

/// Returns the address in a sample.
fn url(address: Option<&CallAddress>) -> &str {
    address
        .and_then(|address| address.absolute.as_deref())
        .unwrap_or(PLACEHOLDER_URL)
}

/// Returns the address if only the browser can complete it.
fn incomplete(format: PageFormat, address: Option<&CallAddress>) -> Option<IncompleteAddress<'_>> {
    let relative = address.filter(|address| address.relative && format == PageFormat::Html)?;
    Some(IncompleteAddress {
        address: &relative.text,
        placeholder: url(address),
    })
}

/// Renders the code of a sample.
fn block(format: PageFormat, address: Option<&CallAddress>, code: &FilledTemplate) -> Markup {
    match format {
        PageFormat::Html => highlight::html(code, incomplete(format, address)),
        PageFormat::Markdown => Markup::block(format, "", &code.text),
    }
}

/// Renders the address by itself.
pub(crate) fn address(format: PageFormat, address: &CallAddress) -> Markup {
    let mut markup = Markup::new(format);
    match incomplete(format, Some(address)) {
        Some(incomplete) => {
            markup.raw("<code>");
            highlight::address(&mut markup, incomplete);
            markup.raw("</code>");
        }
        None => {
            markup.code(address.absolute.as_deref().unwrap_or(&address.text));
        }
    }
    markup
}

/// Returns the call with GET: with curl, and that of a subscription as a browser makes it, if it needs no credentials.
pub(crate) fn get(
    format: PageFormat,
    address: Option<&CallAddress>,
    target: &str,
    is_subscription: bool,
    credentials: &[HeaderCredential],
) -> Option<Markup> {
    // A path cannot follow a query or a fragment.
    if address.is_some_and(|address| address.text.contains(['?', '#'])) {
        return None;
    }
    let values = SampleValues {
        is_subscription,
        url: &format!("{}{target}", url(address)),
        line: "",
        body: "",
        credentials,
        client: None,
    };
    let languages = fill::languages();
    let language = if is_subscription && credentials.is_empty() {
        languages
            .iter()
            .find(|language| language.key == EVENT_SOURCE_KEY)?
    } else {
        languages.first()?
    };
    Some(block(format, address, &language.get(&values)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(json: &str) -> Vec<String> {
        let request: Json = json.parse().expect("JSON");
        let address = CallAddress::new("https://a.example/rpc", false);
        let samples = in_languages(
            SampleLanguages::OfPage,
            PageFormat::Html,
            address.as_ref(),
            &request,
            false,
            &[],
            None,
        );
        let mut texts = Vec::new();
        for sample in samples.expect("short enough") {
            let text: String = sample
                .code
                .as_str()
                .split('<')
                .map(|part| part.split_once('>').map_or(part, |(_, text)| text))
                .collect();
            texts.push(text.replace("&quot;", "\"").replace("&#39;", "'"));
        }
        texts
    }

    #[test]
    fn a_quote_does_not_end_the_shells_word() {
        let curl = &samples(r#"{"params": ["'; rm -rf ~ #", "$(id)", "`id`", "@/etc/passwd"]}"#)[0];
        assert!(curl.contains(r"'\''; rm -rf ~ #"), "{curl}");
        assert!(curl.contains("--data-raw '{"), "{curl}");
    }

    #[test]
    fn a_number_that_a_double_cannot_hold_is_sent_as_text() {
        for number in [
            "12345678901234567890",
            "1e400",
            "0.1000000000000000055",
            "-0",
        ] {
            let all = samples(&format!(r#"{{"params": [{number}]}}"#));
            assert!(
                all[1].contains(&format!(r#"body: "{{\"params\": [{number}]}}""#)),
                "{}",
                all[1]
            );
            assert!(all[3].contains("\".encode()"), "{}", all[3]);
        }
        assert!(
            samples(r#"{"params": [1.5, 0.1, 9007199254740991]}"#)[1].contains("JSON.stringify")
        );
    }

    #[test]
    fn a_prototype_is_not_set() {
        assert!(!samples(r#"{"params": {"__proto__": 1}}"#)[1].contains("JSON.stringify"));
    }

    #[test]
    fn python_gets_its_own_words_outside_of_strings() {
        let python = &samples(r#"{"a": [true, false, null, "true \" null"]}"#)[3];
        assert!(
            python.contains(r#"[True, False, None, "true \" null"]"#),
            "{python}"
        );
    }

    #[test]
    fn an_errors_body_is_printed_in_every_language() {
        let all = samples(r#"{"a": 1}"#);
        assert!(all[3].contains("except HTTPError as error:"), "{}", all[3]);
        assert!(
            all[4].contains(".http_status_as_error(false)"),
            "{}",
            all[4]
        );
    }

    #[test]
    fn a_raw_string_of_rust_ends_where_it_should() {
        let rust = &samples(r##"{"a": "\"#"}"##)[4];
        assert!(rust.contains("send(r##\""), "{rust}");
    }
}
