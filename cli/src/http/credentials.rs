//! Credentials: tokens, passwords and other header fields.
//!
//! They come from options, the environment, the URL and the file of named services. What is given for
//! this run goes before what is stored, and each secret is remembered, so that no output shows it.

use std::env;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use docent_describe::ServiceDescription;
use percent_encoding::percent_decode_str;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::options::RequestOptions;
use crate::environment::{API_KEY_VARIABLE, TOKEN_VARIABLE};
use crate::failure::Failure;
use crate::files;
use crate::services::{self, NamedService};
use crate::terminal::secrets;

/// Header fields that only the origin that was typed may see.
#[derive(Clone, Default)]
pub(super) struct HttpCredentials {
    /// The header fields other than a bearer token.
    headers: HeaderMap,
    /// The bearer token, unless there is an `Authorization` field of another kind.
    token: Option<HeaderValue>,
    /// The API key, for the header field that a description names.
    api_key: Option<HeaderValue>,
    /// True if the API key is one of the options, so that there must be a field for it.
    needs_key_field: bool,
    /// True if there are credentials of this run that those of a URL must not replace.
    is_explicit: bool,
    /// True while a line is completed: no command may run then.
    is_at_prompt: bool,
}

impl HttpCredentials {
    /// Reads the credentials from the options and the environment.
    pub(super) fn new(options: &RequestOptions) -> Result<Self, Failure> {
        let mut headers = HeaderMap::new();
        for given in &options.header {
            let Some(file) = given.strip_prefix('@') else {
                let (name, value) = header(given, "-H")?;
                headers.insert(name, value);
                continue;
            };
            for line in files::read_text(Path::new(file))?.lines().map(str::trim) {
                if !line.is_empty() {
                    let (name, value) = header(line, file)?;
                    headers.insert(name, value);
                }
            }
        }
        let has_authorization = headers.contains_key(AUTHORIZATION);
        let has_token = options.token_file.is_some() || options.token.is_some();
        if has_authorization && has_token {
            return Err(Failure::usage(
                "give either a token or an Authorization header, not both",
            ));
        }
        let token = if has_authorization {
            None
        } else {
            given(
                options.token_file.as_deref(),
                options.token.as_ref(),
                TOKEN_VARIABLE,
            )?
        };
        let api_key = given(
            options.api_key_file.as_deref(),
            options.api_key.as_ref(),
            API_KEY_VARIABLE,
        )?;
        Ok(Self {
            headers,
            token: token.map(|token| bearer(token.trim())).transpose()?,
            api_key: api_key.map(|key| remembered(key.trim())).transpose()?,
            needs_key_field: options.api_key_file.is_some() || options.api_key.is_some(),
            is_explicit: has_token || has_authorization,
            is_at_prompt: options.is_at_prompt,
        })
    }

    /// Returns whether there is anything that only one origin should see.
    pub(super) fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.token.is_none() && self.api_key.is_none()
    }

    /// Returns the header field with the API key for a service, if there is a key.
    pub(super) fn key_for(
        &self,
        service: &ServiceDescription,
    ) -> Result<Option<(HeaderName, HeaderValue)>, Failure> {
        let Some(key) = &self.api_key else {
            return Ok(None);
        };
        let mut fields: Vec<HeaderName> = service
            .api_key_fields()
            .into_iter()
            .filter_map(|name| name.parse().ok())
            .collect();
        fields.dedup();
        match &*fields {
            [] if !self.needs_key_field => Ok(None),
            [] => Err(Failure::usage(
                "the description names no header field for an API key; -H 'Name: key' sends one",
            )),
            [field] => Ok(Some((field.clone(), key.clone()))),
            several => Err(Failure::usage(format_args!(
                "the service has API keys in several header fields; send each with -H: {}",
                several
                    .iter()
                    .map(HeaderName::as_str)
                    .collect::<Vec<_>>()
                    .join(", ")
            ))),
        }
    }

    /// Returns the header fields for a URL, whose user name and password are credentials too.
    pub(super) fn for_url(&self, url: &Url) -> Result<HeaderMap, Failure> {
        let mut headers = self.headers.clone();
        let in_url = basic(url);
        if in_url.is_some() && self.is_explicit {
            return Err(Failure::usage(
                "the URL has a user name, and a token or an Authorization header is given too",
            ));
        }
        let named = services::with_credentials_for(url);
        for given in named.iter().flat_map(|service| &service.headers) {
            let (name, value) = header(given, "headers of the service")?;
            headers.insert(name, value);
        }
        let is_open = in_url.is_none() && !self.is_explicit && !self.is_at_prompt;
        let token_of_service = named
            .filter(|_| is_open)
            .map(NamedService::token)
            .transpose()?
            .flatten();
        let authorization = match (in_url, token_of_service) {
            (Some(basic), _) => Some(secret(&basic)?),
            (None, Some(token)) => Some(bearer(token)?),
            (None, None) => self.token.clone(),
        };
        if let Some(value) = authorization {
            headers.insert(AUTHORIZATION, value);
        }
        Ok(headers)
    }
}

/// Returns a credential from a file, the command line or the environment. An empty variable counts as none.
fn given(
    file: Option<&Path>,
    option: Option<&String>,
    variable: &str,
) -> Result<Option<String>, Failure> {
    match (file, option) {
        (Some(file), _) => files::read_text(file).map(Some),
        (None, Some(credential)) => Ok(Some(credential.clone())),
        (None, None) => Ok(env::var(variable)
            .ok()
            .filter(|credential| !credential.is_empty())),
    }
}

/// Returns the header value of an API key, and remembers the key as a secret.
fn remembered(key: &str) -> Result<HeaderValue, Failure> {
    if key.is_empty() {
        return Err(Failure::usage("the API key is empty"));
    }
    secrets::remember(key);
    secret(key)
}

/// Returns the header value of a token, and remembers the token as a secret.
fn bearer(token: &str) -> Result<HeaderValue, Failure> {
    if token.is_empty() {
        return Err(Failure::usage("the token is empty"));
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Failure::usage(
            "the token has characters that a token cannot have, such as spaces",
        ));
    }
    secrets::remember(token);
    secret(&format!("Bearer {token}"))
}

/// Reads a header field. The message of an error does not quote the value, but says where the field was
/// given.
fn header(text: &str, origin: &str) -> Result<(HeaderName, HeaderValue), Failure> {
    let Some((name, value)) = text.split_once(':') else {
        return Err(Failure::usage(format_args!(
            "{origin}: a header field is written as `Name: value`"
        )));
    };
    let Ok(name) = HeaderName::from_bytes(name.trim().as_bytes()) else {
        return Err(Failure::usage(format_args!(
            "{origin}: the name of the header field is not valid"
        )));
    };
    secrets::remember(value.trim());
    if name == AUTHORIZATION
        && let Some((_, credentials)) = value.trim().split_once(' ')
    {
        secrets::remember(credentials.trim());
    }
    match secret(value.trim()) {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(Failure::usage(format_args!(
            "{origin}: the value of {name} is not valid"
        ))),
    }
}

/// Returns a header value that is not printed.
fn secret(value: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_bytes(value.as_bytes())
        .map_err(|_| Failure::usage("the credentials contain control characters"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Returns the credentials in the URL as a header value (RFC 7617).
pub(super) fn basic(url: &Url) -> Option<String> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let password: Vec<u8> = percent_decode_str(url.password().unwrap_or_default()).collect();
    if let Ok(password) = std::str::from_utf8(&password) {
        secrets::remember(password);
    }
    let mut user: Vec<u8> = percent_decode_str(url.username()).collect();
    user.push(b':');
    user.extend(password);
    let encoded = STANDARD.encode(user);
    secrets::remember(&encoded);
    Some(format!("Basic {encoded}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_passwords_are_decoded_before_they_are_sent() {
        let url = |text: &str| Url::parse(text).expect("an address");
        assert_eq!(basic(&url("http://a/")), None);
        assert_eq!(
            basic(&url("http://m%40e:p%3Ass@a/")).as_deref(),
            Some("Basic bUBlOnA6c3M=")
        );
        assert_eq!(basic(&url("http://me@a/")).as_deref(), Some("Basic bWU6"));
    }

    #[test]
    fn a_header_that_is_none_is_refused_without_its_value() {
        for text in ["swordfish", "a b: swordfish", "x: sword\nfish"] {
            let failure = header(text, "-H").expect_err(text);
            assert!(!failure.messages[0].contains("fish"), "{failure:?}");
        }
        let (name, value) = header("X-Key:  a b ", "-H").expect("a header");
        assert_eq!((name.as_str(), value.as_bytes()), ("x-key", &b"a b"[..]));
        assert!(value.is_sensitive());
    }
}
