//! Responses as a check sees them.

use docent_tools::check::LiveResponse;

use crate::http::HttpAnswer;

/// Returns a response without its address.
pub(super) fn live_response(answer: HttpAnswer) -> LiveResponse {
    LiveResponse::new(
        answer.status.as_u16(),
        |name: &str| {
            let value = answer.headers.get(name)?;
            Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
        },
        answer.body,
    )
}
