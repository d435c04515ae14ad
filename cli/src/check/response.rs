//! Responses as a check sees them.

use docent_tools::check::LiveResponse;

use crate::http::HttpResponse;

/// Returns a response without its address.
pub(super) fn live_response(response: HttpResponse) -> LiveResponse {
    LiveResponse::new(
        response.status.as_u16(),
        |name: &str| {
            let value = response.headers.get(name)?;
            Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
        },
        response.body,
    )
}
