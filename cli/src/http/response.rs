//! A response, and what it says about the request if it is not the JSON that was asked for.

use docent_describe::json::{Json, shorten};
use docent_tools::request::without_secrets;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use url::Url;

use crate::failure::Failure;

/// The maximum length of a body that an error shows.
const MAX_SHOWN_BODY: usize = 200;

/// A response.
pub(crate) struct HttpResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// The URL of the response, after redirects.
    pub(crate) url: Url,
}

impl HttpResponse {
    /// Returns the body, which should be JSON.
    pub(crate) fn json_text(&self) -> Result<&str, Failure> {
        let text = std::str::from_utf8(&self.body).ok();
        if let Some(text) = text.filter(|text| text.parse::<Json>().is_ok()) {
            return Ok(text);
        }
        let display_name = without_secrets(&self.url);
        let status = self.status;
        Err(match status.as_u16() {
            401 | 403 => Failure::negative(self.missing_credentials()),
            200..300 if self.body.is_empty() => {
                Failure::system(format_args!("{display_name}: the response is empty"))
            }
            200..300 => Failure::system(format_args!("{display_name}: the response is not JSON")),
            _ => Failure::system(format_args!("{display_name}: HTTP {status}")),
        })
    }

    /// Explains that the service requires credentials, and how to give them.
    pub(crate) fn missing_credentials(&self) -> String {
        format!(
            "{}: the service requires credentials (HTTP {}{}); --token-file or DOCENT_TOKEN gives a \
             token, -H another header",
            without_secrets(&self.url),
            self.status,
            self.shown_body_of_403()
        )
    }

    /// Returns the body of a 403 after a colon: there may be another reason for it than the credentials.
    fn shown_body_of_403(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        if self.status != StatusCode::FORBIDDEN || self.is_page() || text.trim().is_empty() {
            return String::new();
        }
        format!(": {}", shorten(text.trim(), MAX_SHOWN_BODY))
    }

    /// Returns whether the response is a web page.
    pub(crate) fn is_page(&self) -> bool {
        self.headers
            .get(CONTENT_TYPE)
            .and_then(|field| field.to_str().ok()?.split(';').next())
            .is_some_and(|media_type| media_type.trim().to_ascii_lowercase().ends_with("html"))
    }
}
