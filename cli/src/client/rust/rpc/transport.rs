//! Sends JSON-RPC 2.0 calls over HTTP.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Sends requests. [`Http`] does it with reqwest.
pub trait Transport: Send + Sync {
    /// Sends a request. The error says why there was no response.
    fn send(&self, request: Request) -> impl Future<Output = Result<Response, String>> + Send;

    /// Waits before a call is repeated.
    fn pause(&self, duration: Duration) -> impl Future<Output = ()> + Send;
}

/// An HTTP request.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Where it goes.
    pub url: String,
    /// Header fields.
    pub headers: Vec<(&'static str, String)>,
    /// The body; a request with GET has none.
    pub body: Option<String>,
    /// How long the whole response may take to arrive.
    pub timeout: Duration,
    /// How large the body of the response may be. Of a larger one, no more than its start is needed.
    pub max_response_bytes: usize,
}

/// An HTTP response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The header field `Retry-After`, if it is a number of seconds.
    pub retry_after: Option<u64>,
    /// The body.
    pub body: Vec<u8>,
}

/// Sends requests with reqwest.
#[derive(Debug, Clone)]
pub struct Http(pub reqwest::Client);

impl Transport for Http {
    async fn send(&self, request: Request) -> Result<Response, String> {
        let mut sent = match request.body {
            Some(body) => self.0.post(request.url).body(body),
            None => self.0.get(request.url),
        };
        for (name, value) in request.headers {
            sent = sent.header(name, value);
        }
        let reason = |error: reqwest::Error| error.to_string();
        let sent = sent.timeout(request.timeout).send().await;
        let mut response = sent.map_err(reason)?;
        let after = response.headers().get("retry-after");
        let retry_after = after.and_then(|it| it.to_str().ok()?.parse().ok());
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while body.len() <= request.max_response_bytes
            && let Some(chunk) = response.chunk().await.map_err(reason)?
        {
            body.extend_from_slice(&chunk);
        }
        Ok(Response {
            status,
            retry_after,
            body,
        })
    }

    async fn pause(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

