//! Sends JSON-RPC 2.0 calls over HTTP.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

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
        let response = sent.send().await.map_err(|error| error.to_string())?;
        let after = response.headers().get("retry-after");
        let retry_after = after.and_then(|it| it.to_str().ok()?.parse().ok());
        let status = response.status().as_u16();
        let body = response.bytes().await.map_err(|error| error.to_string())?;
        Ok(Response {
            status,
            retry_after,
            body: body.to_vec(),
        })
    }

    async fn pause(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

