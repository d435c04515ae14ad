//! Fills in the templates of the languages, which are in `languages.json`.
//!
//! In a template, `<<name|escape|…>>` stands for a value that goes through these escapes in turn: those of the data
//! file, `quote` (a string literal, in JSON's spelling), `words` (with `true`, `false` and `null` in the language's own
//! spelling) and `fence` (enough `#` that no raw string ends too early). So `--data-raw '<<body|shell>>'` becomes
//! `--data-raw '{"jsonrpc": …}'`, with each `'` in the message as the shell writes it.
//!
//! A sample takes credentials from variables of the environment, `$TOKEN` in the shell, so that it runs as it is and no
//! secret stands in code that is passed on. The names of the variables are those of the data file: if a description
//! chose them, its samples could send any variable of a reader's to its service.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::LazyLock;

use docent_describe::json::{Cursor, is_deceptive, push_quoted};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::credential::{CredentialKind, HeaderCredential};

/// A call as the generated client in TypeScript makes it.
pub(crate) struct ClientCall<'a> {
    /// The name of the client's method.
    pub(crate) method: &'a str,
    /// The arguments of the method, as code.
    pub(crate) arguments: String,
}

/// The key of the language in which the generated client makes the call.
const CLIENT_KEY: &str = "client";

/// The languages and their escapes. The script of the form gets the same text.
const LANGUAGES_JSON: &str = include_str!("languages.json");

/// The content of `languages.json`.
#[derive(Deserialize)]
struct LanguageTable {
    /// The replacements of each escape, in order.
    escapes: BTreeMap<String, Vec<(String, String)>>,
    /// The spelling of `true`, `false` and `null` in the language that has its own.
    words: BTreeMap<String, String>,
    credentials: CredentialTable,
    /// The keywords that the templates use, of any language, to be coloured.
    keywords: Vec<String>,
    /// The languages, in the order in which pages have them.
    languages: Vec<SampleLanguage>,
}

/// The templates of all kinds of credentials.
#[derive(Deserialize)]
struct CredentialTable {
    token: CredentialTemplate,
    password: CredentialTemplate,
    key: CredentialTemplate,
}

/// The header field with which samples bring a kind of credential.
#[derive(Deserialize)]
struct CredentialTemplate {
    /// The scheme before the secret, or an empty text.
    scheme: String,
    /// The variable of the environment that holds the secret.
    variable: String,
}

impl CredentialTemplate {
    /// Returns the template of a kind of credential.
    fn of_kind(kind: CredentialKind) -> &'static Self {
        let table = &LANGUAGE_TABLE.credentials;
        match kind {
            CredentialKind::Token => &table.token,
            CredentialKind::Password => &table.password,
            CredentialKind::Key => &table.key,
        }
    }
}

/// One language.
#[derive(Deserialize)]
pub(super) struct SampleLanguage {
    /// The key by which the script and the template know the language.
    pub(super) key: String,
    /// The name that readers see.
    pub(super) name: String,
    /// The templates of a credential in the header fields, without and with a scheme before the secret. (The template
    /// of any other header field, `field`, is for the script of the form.)
    credential: [String; 2],
    /// The code that a sample needs to read the environment.
    #[serde(default)]
    environment: String,
    #[serde(flatten)]
    call: CallTemplates,
    /// The templates of a subscription, or `None` if there is no sample of one in this language.
    events: Option<CallTemplates>,
}

/// The templates of a call.
#[derive(Deserialize)]
struct CallTemplates {
    /// The header fields, without and with credentials.
    headers: [String; 2],
    /// The template of a call.
    post: String,
    /// The template to use instead of `post` if a value would change when the language read it as its
    /// own.
    exact: Option<String>,
    /// The header fields of a call with GET, without and with credentials.
    #[serde(default)]
    get_headers: [String; 2],
    /// The template of a call with GET. A client decides by itself.
    #[serde(default)]
    get: String,
}

static LANGUAGE_TABLE: LazyLock<LanguageTable> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "part of the program, and read by every test"
    )]
    serde_json::from_str(LANGUAGES_JSON).expect("the languages are JSON of this form")
});

/// Returns all languages. The first is the shell, with curl.
pub(super) fn languages() -> &'static [SampleLanguage] {
    &LANGUAGE_TABLE.languages
}

/// Returns whether a word is a keyword of any of the languages.
pub(super) fn is_keyword(word: &str) -> bool {
    LANGUAGE_TABLE
        .keywords
        .iter()
        .any(|keyword| keyword == word)
}

/// The values that a template is filled in with.
pub(super) struct SampleValues<'a> {
    /// True if the call is a subscription, whose items come as events.
    pub(super) is_subscription: bool,
    /// The address of the call.
    pub(super) url: &'a str,
    /// The message on one line.
    pub(super) line: &'a str,
    /// The message laid out for readers.
    pub(super) body: &'a str,
    /// The credentials that the call needs.
    pub(super) credentials: &'a [HeaderCredential],
    /// The call of the generated client, if it has one.
    pub(super) client: Option<&'a ClientCall<'a>>,
}

/// A template that has been filled in.
pub(super) struct FilledTemplate {
    /// The code.
    pub(super) text: String,
    /// The range of the message if it is code, and not in a string. It is empty, at the end, if there
    /// is none.
    pub(super) body: Range<usize>,
}

impl SampleLanguage {
    /// Fills in the template of a call. `survives` says whether the message stays the same if the language reads it as
    /// its own.
    pub(super) fn post(&self, values: &SampleValues<'_>, survives: bool) -> FilledTemplate {
        let templates = self.templates(values);
        let template = match &templates.exact {
            Some(exact) if !survives => exact,
            _ => &templates.post,
        };
        let headers = self.headers(&templates.headers, values.credentials);
        fill(template, values, &headers)
    }

    /// Fills in the template of a call with GET.
    pub(super) fn get(&self, values: &SampleValues<'_>) -> FilledTemplate {
        let templates = self.templates(values);
        let headers = self.headers(&templates.get_headers, values.credentials);
        fill(&templates.get, values, &headers)
    }

    /// Returns whether the language can make a call.
    pub(super) fn can_make(&self, values: &SampleValues<'_>) -> bool {
        let is_client = self.key == CLIENT_KEY;
        (values.client.is_some() || !is_client)
            && (self.events.is_some() || !values.is_subscription)
    }

    fn templates(&self, values: &SampleValues<'_>) -> &CallTemplates {
        match &self.events {
            Some(events) if values.is_subscription => events,
            _ => &self.call,
        }
    }

    /// Returns the header fields, with the credentials that are required. Of several keys, the second has a variable
    /// that ends with `_2`.
    fn headers(&self, templates: &[String; 2], credentials: &[HeaderCredential]) -> HeaderCode<'_> {
        let mut fields = String::new();
        let mut kinds = Vec::new();
        for credential in credentials {
            if credential.is_alternative || credential.is_optional {
                continue;
            }
            let CredentialTemplate { scheme, variable } =
                CredentialTemplate::of_kind(credential.kind);
            kinds.push(credential.kind);
            let number = kinds
                .iter()
                .filter(|kind| **kind == credential.kind)
                .count();
            let variable = match number {
                1 => variable.clone(),
                _ => format!("{variable}_{number}"),
            };
            let template = &self.credential[usize::from(!scheme.is_empty())];
            let field = template
                .replace("<<field>>", &credential.field)
                .replace("<<scheme>>", scheme)
                .replace("<<variable>>", &variable);
            fields.push_str(&field);
        }
        let has_credentials = !fields.is_empty();
        HeaderCode {
            fields: templates[usize::from(has_credentials)].replace("<<credentials>>", &fields),
            environment: if has_credentials {
                &self.environment
            } else {
                ""
            },
        }
    }
}

/// The header fields of a sample as code.
struct HeaderCode<'a> {
    fields: String,
    /// The code that the fields need to read the environment.
    environment: &'a str,
}

/// Returns the header field that carries a credential, with its variable in the spelling of the shell.
pub(crate) fn header_field(credential: &HeaderCredential) -> String {
    let CredentialTemplate { scheme, variable } = CredentialTemplate::of_kind(credential.kind);
    let space = if scheme.is_empty() { "" } else { " " };
    format!("{}: {scheme}{space}${variable}", credential.field)
}

/// Fills in a template, and finds out where the message is in it.
fn fill(template: &str, values: &SampleValues<'_>, headers: &HeaderCode<'_>) -> FilledTemplate {
    let mut body = None;
    let mut filled = String::with_capacity(template.len() + values.body.len() + 200);
    let mut rest = template;
    while let Some((before, slot_on)) = rest.split_once("<<")
        && let Some((slot, after)) = slot_on.split_once(">>")
    {
        filled.push_str(before);
        let mut parts = slot.split('|');
        let name = parts.next();
        let value = match name {
            Some("url") => values.url,
            Some("line") => values.line,
            Some("body") => values.body,
            Some("method") => values.client.map_or("", |client| client.method),
            Some("arguments") => values.client.map_or("", |client| &client.arguments),
            Some("environment") => headers.environment,
            _ => &headers.fields,
        };
        let escapes: Vec<&str> = parts.collect();
        let mut text = value.to_owned();
        for escape in &escapes {
            text = escaped(escape, &text);
        }
        let start = filled.len();
        filled.push_str(&text);
        // A value that is only measured for a fence is not in the text.
        if matches!(name, Some("body" | "arguments")) && !escapes.contains(&"fence") {
            body = Some(start..filled.len());
        }
        rest = after;
    }
    filled.push_str(rest);
    FilledTemplate {
        body: body.unwrap_or(filled.len()..filled.len()),
        text: filled,
    }
}

/// Applies an escape to a text.
fn escaped(name: &str, text: &str) -> String {
    match name {
        "quote" => {
            let mut literal = String::with_capacity(text.len() + 2);
            push_quoted(&mut literal, text);
            literal
        }
        "words" => with_own_literals(text),
        "fence" => {
            let mut hashes = String::from("#");
            while text.contains(&format!("\"{hashes}")) {
                hashes.push('#');
            }
            hashes
        }
        _ => {
            let mut text = text.to_owned();
            for (from, to) in LANGUAGE_TABLE.escapes.get(name).into_iter().flatten() {
                text = text.replace(from, to);
            }
            text
        }
    }
}

/// Returns JSON with `true`, `false` and `null` in the language's spelling, outside of strings.
fn with_own_literals(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + 16);
    let mut at = 0;
    while let Some(found) = json[at..].find(['"', 't', 'f', 'n']) {
        let start = at + found;
        text.push_str(&json[at..start]);
        if json.as_bytes()[start] == b'"' {
            let mut cursor = Cursor::at(json, start);
            cursor.string();
            at = cursor.offset();
            text.push_str(&json[start..at]);
        } else {
            let length = json[start..]
                .bytes()
                .take_while(u8::is_ascii_lowercase)
                .count();
            at = start + length;
            let literal = &json[start..at];
            let spelling = LANGUAGE_TABLE.words.get(literal);
            text.push_str(spelling.map_or(literal, String::as_str));
        }
    }
    text.push_str(&json[at..]);
    text
}

/// Returns the languages for the page's script, with the characters that `quote` escapes as the class
/// of a regular expression.
pub(crate) fn script_data() -> String {
    let mut hidden = String::new();
    for code_unit in 0..=0xffff {
        if char::from_u32(code_unit).is_some_and(is_deceptive) {
            // Writing to a `String` cannot fail.
            let _ = write!(hidden, "\\u{code_unit:04x}");
        }
    }
    // Without the white space of the file, whose text is known to be JSON.
    let samples: Value = serde_json::from_str(LANGUAGES_JSON).unwrap_or_default();
    json!({ "hidden": hidden, "samples": samples }).to_string()
}
