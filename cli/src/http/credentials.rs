//! Credentials: tokens, passwords and other header fields.

use std::env;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::options::RequestOptions;
use crate::failure::Failure;
use crate::files;
use crate::services::{self, NamedService};
use crate::terminal::secrets;

/// The environment variable with a bearer token.
pub(crate) const VARIABLE: &str = "DOCENT_TOKEN";

/// Header fields that only the origin that was typed may see.
#[derive(Clone, Default)]
pub(super) struct HttpCredentials {
    headers: HeaderMap,
    /// The bearer token, unless there is an `Authorization` field of another kind.
    token: Option<HeaderValue>,
    /// True if there are credentials of this run that those of a URL must not replace.
    is_explicit: bool,
    /// True while a line is completed: no command may run then.
    is_at_prompt: bool,
}

impl HttpCredentials {
    /// Reads the credentials from the options and the environment.
    pub(super) fn new(options: &RequestOptions) -> Result<Self, Failure> {
        let mut headers = HeaderMap::new();
        let mut add = |text: &str, place: &str| {
            header(text, place).map(|(name, value)| headers.insert(name, value))
        };
        for given in &options.header {
            match given.strip_prefix('@') {
                None => _ = add(given, "-H")?,
                Some(file) => {
                    let text = files::read_text(Path::new(file))?;
                    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                    for line in lines {
                        add(line, file)?;
                    }
                }
            }
        }
        let is_own = headers.contains_key(AUTHORIZATION);
        let (token, is_explicit) = match (&options.token_file, &options.token) {
            (Some(file), _) => (Some(files::read_text(file)?), true),
            (None, Some(token)) => (Some(token.clone()), true),
            (None, None) => (env::var(VARIABLE).ok().filter(|it| !it.is_empty()), false),
        };
        if is_own && is_explicit {
            return Err(Failure::usage(
                "give either a token or an Authorization header, not both",
            ));
        }
        let token = token.filter(|_| !is_own);
        Ok(Self {
            headers,
            token: token.map(|token| bearer(token.trim())).transpose()?,
            is_explicit: is_explicit || is_own,
            is_at_prompt: options.is_at_prompt,
        })
    }

    /// Returns whether there is anything that only one origin should see.
    pub(super) fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.token.is_none()
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
        let named = services::of(url);
        for given in named.iter().flat_map(|it| &it.headers) {
            let (name, value) = header(given, "headers of the service")?;
            headers.insert(name, value);
        }
        let is_open = in_url.is_none() && !self.is_explicit && !self.is_at_prompt;
        let named = named
            .filter(|_| is_open)
            .map(NamedService::token)
            .transpose()?
            .flatten();
        let authorization = match (in_url, named) {
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

/// Reads a header field. The message of an error does not quote the value.
fn header(text: &str, place: &str) -> Result<(HeaderName, HeaderValue), Failure> {
    let invalid = |what: &str| Failure::usage(format_args!("{place}: {what}"));
    let (name, value) = text
        .split_once(':')
        .ok_or_else(|| invalid("a header field is written as `Name: value`"))?;
    let name = HeaderName::from_bytes(name.trim().as_bytes())
        .map_err(|_| invalid("the name of the header field is not valid"))?;
    let value = value.trim();
    secrets::remember(value);
    if name == AUTHORIZATION
        && let Some((_, credentials)) = value.split_once(' ')
    {
        secrets::remember(credentials.trim());
    }
    let value = secret(value).map_err(|_| invalid(&format!("the value of {name} is not valid")))?;
    Ok((name, value))
}

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
