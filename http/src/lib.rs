//! The HTTP contract of Docent: addresses, methods, media types, bodies, statuses and caching.
//!
//! It does not depend on an HTTP server. A carrier, such as `docent` with actix-web, connects it to one. For
//! each request, the carrier does the following, in this order:
//!
//! 1. It accepts a head and fills in a [`Request`] as it arrived: [`RequestTarget`] undecoded, [`Headers`], [`Peer`],
//!    and the [`ListenerInfo`] of the listener.
//! 2. It implements [`Upload`] for the body, which hands over pieces. The contract reads the body once, with a
//!    limit, a time and the room that it takes, or skips it: [`Draining`] reads on for a client that is still
//!    sending.
//! 3. It passes both to what serves the address: a [`RouteTable`] knows all addresses of a host, an [`Endpoint`] is a
//!    single service, and an `HttpPage` a single page. None of them fails: every request has a [`Response`].
//! 4. It writes status, fields and the pieces of the [`Body`], of [`PIECE_SIZE`] bytes if it copies them. It
//!    drops the body if the caller has gone, or reads less than [`MIN_PROGRESS`] within the write timeout. The
//!    exchange lasts until the body is dropped; one that the carrier responds to itself is counted with
//!    [`Endpoint::begin_exchange`].
//! 5. It keeps or closes the connection as [`ConnectionState`] says, and reports the response (access log,
//!    metrics).
//!
//! It answers bytes that never become a request with [`request_error`]. Errors outside of requests go to the
//! log at a limited rate ([`RecentErrors`]), and to [`stderr`] if nothing reads the log.
//!
//! In return, the contract decides addresses, methods, media types, limits, statuses, validators and what
//! caches may keep, and reports each request to observers. The carrier takes care of connections, time limits
//! for heads, the date, the length and transfer coding of messages, and the order of shutting down; it
//! [begins the shutdown](Health::begin_shutdown) first.
//!
//! Inside the contract, a request takes this way:
//!
//! ```text
//! RouteTable::respond ─┬─► Endpoint::respond ─┬─ POST ──────────────► post, events ─► Service::exchange ─► Reply ─┐
//!   (routes)           │     (dispatch, cors) ├─ GET of a procedure ► get, events ──► Service::query ────► Reply ─┤
//!                      │                      └─ GET of the mount ──► front_door, websocket                       │
//!                      ├─► Endpoint::respond_mcp (mcp)                           Response ◄─ status, cache, coding ┘
//!                      └─► a page: docs, health, metrics, catalog
//! ```
//!
//! Bodies in both directions are read and kept by `upload`, `waiting` and `traffic`. `auth` and `access_log` are for
//! authors of services. An `HttpOptions` has the settings of one endpoint, and `Routes` those of a host.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod accept;
mod access_log;
mod address;
mod alarm;
mod auth;
mod cache;
mod catalog;
mod coding;
mod cors;
mod dispatch;
#[cfg(feature = "docs")]
mod docs;
mod endpoint;
mod events;
mod front_door;
mod get;
mod golden;
mod headers;
mod health;
mod inflate;
mod link;
#[cfg(feature = "mcp")]
mod mcp;
mod media;
#[cfg(feature = "metrics")]
mod metrics;
mod options;
mod origin;
mod page;
mod pieces;
mod post;
mod proxies;
mod quality;
mod readiness;
mod recent;
mod request;
pub mod request_error;
mod request_ids;
mod response;
mod routes;
mod runtime;
mod shutdown;
mod status;
pub mod stderr;
#[cfg(test)]
mod tests;
mod time_limit;
mod traffic;
mod unpacking;
mod upload;
mod waiting;
#[cfg(feature = "websocket")]
mod websocket;

pub use access_log::AccessLog;
pub use auth::{ApiKey, Bearer, BearerToken, CallerLookup};
#[cfg(feature = "basic")]
pub use auth::{Basic, Login};
pub use docent_core as core;
#[doc(no_inline)]
pub use docent_core::{
    Extensions, Fields, RequestId, Service,
    carrier::{Reply, ReplyBody, RequestError},
};
#[doc(no_inline)]
pub use docent_describe::stable as describe;
#[cfg(feature = "docs")]
pub use docent_docs_gen as docs_gen;
#[cfg(feature = "docs")]
pub use docs::{Docs, DocsBuilder};
pub use endpoint::Endpoint;
pub use events::{EventStream, MAX_STALL};
pub use headers::{Headers, Peer, is_value};
pub use health::Health;
pub use link::{Link, LinkTarget};
#[cfg(feature = "metrics")]
pub use metrics::Metrics;
pub use options::{HttpOptions, MAX_DURATION};
pub use page::HttpPage;
pub use pieces::{Body, PIECE_SIZE};
pub use proxies::TrustedProxy;
pub use recent::RecentErrors;
pub use request::{ListenerInfo, Request, RequestTarget};
pub use request_ids::{REQUEST_ID, generated_request_id, request_id};
pub use response::{ConnectionState, Response};
pub use routes::{MountedService, Mounts, RouteTable, Routes};
pub use runtime::TokioRuntime;
pub use time_limit::TimeLimit;
pub use traffic::{Exchange, Room};
pub use upload::{Draining, Upload, UploadError};
pub use waiting::MIN_PROGRESS;
#[cfg(feature = "websocket")]
pub use websocket::WebSocket;

/// The items that services over HTTP name. `docent` and `docent-tower` export this list.
#[doc(hidden)]
pub mod exports {
    #[cfg(feature = "metrics")]
    pub use crate::Metrics;
    pub use crate::{
        AccessLog, ApiKey, Bearer, BearerToken, CallerLookup, Headers, Health, HttpOptions,
        HttpPage, Peer, Routes, TokioRuntime, TrustedProxy,
    };
    #[cfg(feature = "basic")]
    pub use crate::{Basic, Login};
    #[cfg(feature = "docs")]
    pub use crate::{Docs, DocsBuilder};
    pub use docent_core::exports::*;
}

/// Helpers for tests of services.
pub mod testing {
    pub use crate::golden::assert_matches_golden;
    #[cfg(feature = "testing")]
    pub use docent_core::testing::assert_description_holds;
}
