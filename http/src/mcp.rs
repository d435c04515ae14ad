//! The Model Context Protocol over HTTP ("Streamable HTTP"): one address, each message a POST of
//! its own, each response plain JSON.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use docent_core::carrier::{Incoming, McpHeaders, McpStatus, RequestError};
use http::{Method, StatusCode, header};

use crate::endpoint::Endpoint;
use crate::headers::Headers;
use crate::inflate::BodyCoding;
use crate::request::Request;
use crate::request_error::invalid_request;
use crate::response::{ConnectionState, Response};
use crate::upload::Upload;
use crate::{media, origin, post, request_error, status, upload};

impl Endpoint {
    /// Responds to a request at the address for agents.
    pub async fn respond_mcp(
        &self,
        mut request: Request<'_>,
        upload: &mut impl Upload,
    ) -> Response {
        let mut response = match self.coding(&request) {
            Ok(coding) => match post::receive(&request, upload, self, coding).await {
                Ok(body) => self.exchange_mcp(&mut request, body).await,
                Err(response) => response,
            },
            Err(mut response) => {
                response.after = upload::skip(upload, &self.options).await;
                response
            }
        };
        if response.after == ConnectionState::Open && self.is_shutting_down() {
            response.after = ConnectionState::Close;
        }
        response
    }

    /// Checks everything that comes before the body.
    fn coding(&self, request: &Request<'_>) -> Result<BodyCoding, Response> {
        if !request.is_for_served_host(&self.options) {
            let error = request_error::misdirection();
            return Err(self.fail_mcp(request, StatusCode::MISDIRECTED_REQUEST, error));
        }
        let public_url = self.service.description().address.as_deref();
        if !origin::is_known(request, public_url, &self.options) {
            let error =
                invalid_request("pages of this origin may not send requests to this server");
            return Err(self.fail_mcp(request, StatusCode::FORBIDDEN, error));
        }
        if request.method != Method::POST {
            let error = invalid_request("use POST: there are no streams and no sessions");
            let response = self.fail_mcp(request, StatusCode::METHOD_NOT_ALLOWED, error);
            return Err(response.with(header::ALLOW, "POST"));
        }
        // The result of a tool reports that the server is busy, because the model sees results.
        if self.is_shutting_down() {
            return Err(self.busy(request));
        }
        media::check(&request.headers, self.options.decompress).map_err(|unsupported| {
            let error = invalid_request(unsupported.reason);
            self.fail_mcp(request, StatusCode::UNSUPPORTED_MEDIA_TYPE, error)
                .with(unsupported.field, unsupported.accepted)
        })
    }

    /// Responds to a request that is no message, and tells observers.
    fn fail_mcp(&self, request: &Request<'_>, status: StatusCode, error: RequestError) -> Response {
        let extensions = request.extensions(&self.options);
        let reply = self
            .service
            .carrier()
            .fail_mcp_message(error, Some(extensions.into()));
        Response::of_reply(status, reply)
    }

    /// Answers a message, and lets the exchange last until the response has been read.
    async fn exchange_mcp(&self, request: &mut Request<'_>, body: Bytes) -> Response {
        let exchange = self.traffic.begin();
        // The server began to shut down while the body arrived, and does not wait for calls that start
        // now.
        if self.is_shutting_down() {
            return self.busy(request);
        }
        let headers = headers(&request.headers);
        let extensions = request.take_extensions(&self.options, &self.has_version);
        let mut reply = self
            .service
            .mcp(
                Incoming::new(body).extensions(extensions.into()),
                Some(headers),
            )
            .await;
        if reply.status == McpStatus::Accepted {
            return Response::new(StatusCode::ACCEPTED);
        }
        let Some(room) = self.room_for(&mut reply.reply).await else {
            return self.unavailable(reply.reply);
        };
        let is_told = reply.reply.procedure().is_some() || reply.reply.error_code().is_some();
        let mut response = Response::of_reply(status::of_mcp(&reply), reply.reply);
        // Observers hear of calls and errors only.
        response.is_told = is_told;
        response.for_one(room, exchange)
    }
}

/// Reads the header fields that have to match the message.
fn headers(headers: &Headers) -> McpHeaders {
    McpHeaders {
        version: value(headers, "mcp-protocol-version"),
        method: value(headers, "mcp-method"),
        name: value(headers, "mcp-name").map(decoded),
    }
}

/// Returns the value of a field. If it is there more than once, it counts as a list (RFC 9110, section
/// 5.2), which matches no message, unless all values are the same.
fn value(headers: &Headers, name: &str) -> Option<String> {
    let mut values: Vec<_> = headers.get_all(name).map(String::from_utf8_lossy).collect();
    values.dedup();
    (!values.is_empty()).then(|| values.join(", "))
}

/// Decodes a value that is no plain text ("Value Encoding"). One that cannot be decoded stays as it is:
/// no tool has such a name.
fn decoded(value: String) -> String {
    decode_base64(&value).unwrap_or(value)
}

fn decode_base64(value: &str) -> Option<String> {
    let encoded = value.strip_prefix("=?base64?")?.strip_suffix("?=")?;
    let bytes = BASE64_STANDARD.decode(encoded).ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded_where_they_are_encoded() {
        for (sent, read) in [
            ("book.find", "book.find"),
            ("=?base64?Ym9vay5maW5k?=", "book.find"),
            ("=?base64?%%%?=", "=?base64?%%%?="),
            ("=?base64?/w==?=", "=?base64?/w==?="),
            ("=?BASE64?Ym9vaw==?=", "=?BASE64?Ym9vaw==?="),
            ("=?base64?=", "=?base64?="),
        ] {
            assert_eq!(decoded(sent.to_owned()), read, "{sent}");
        }
    }

    #[test]
    fn a_field_that_is_there_twice_is_a_list_unless_both_are_the_same() {
        let fields = |values: &[&'static str]| {
            let fields = values.iter().map(|value| ("Mcp-Method", *value));
            value(&fields.collect::<Headers>(), "mcp-method")
        };
        assert_eq!(fields(&[]), None);
        assert_eq!(fields(&["a", "a"]).as_deref(), Some("a"));
        assert_eq!(fields(&["a", "b"]).as_deref(), Some("a, b"));
    }
}
