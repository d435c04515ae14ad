//! The contract without a carrier, by plain function calls.

use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use docent_core::__private::ItemSource;
use docent_core::{Cx, Fault, Procedure, RequestId, Service};
use http::{HeaderName, Method, StatusCode, header};

use crate::pieces::PIECE_SIZE;
use crate::request::{ListenerInfo, Request, RequestTarget};
use crate::response::{ConnectionState, Response};
use crate::upload::{Upload, UploadError};
use crate::{Endpoint, Headers};

/// A body that has arrived.
pub(crate) struct ArrivedBody(pub(crate) Bytes);

impl Upload for ArrivedBody {
    fn poll_piece(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, UploadError>>> {
        let piece = std::mem::take(&mut self.0);
        Poll::Ready((!piece.is_empty()).then_some(Ok(piece)))
    }

    fn announced(&self) -> Option<usize> {
        Some(self.0.len())
    }

    fn is_withheld(&self) -> bool {
        false
    }
}

fn endpoint() -> Endpoint {
    let five = |_: Cx, (): ()| Ok::<_, Fault>(5);
    let language = |cx: Cx, (): ()| {
        let headers = cx.extension::<Headers>();
        let language = headers.and_then(|headers| headers.get_str("Accept-Language"));
        Ok::<_, Fault>(language.map(str::to_owned))
    };
    let watch = |_: Cx, (): ()| async { Err::<ItemSource, _>(Fault::new(7, "Not here")) };
    let long = |_: Cx, (): ()| Ok::<_, Fault>("long ".repeat(50_000));
    let service = Service::builder("carried", "urn:uuid:41544946-415a-495a-5645-454441534646")
        .limits(|limits| limits.max_body_bytes = 1_000)
        .procedure(Procedure::sync("five", five).idempotent())
        .procedure(Procedure::sync("long", long).idempotent())
        .procedure(Procedure::sync("language", language))
        .procedure(Procedure::subscription("watch", watch).idempotent())
        .build()
        .expect("a service");
    Endpoint::new(&service)
}

fn respond(method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
    let request = Request {
        method,
        target: RequestTarget {
            path,
            query: "",
            prefix: "",
            host: None,
            mount: 1,
        },
        peer: None,
        listener: ListenerInfo::default(),
        headers: headers.iter().copied().collect(),
        can_upgrade: false,
        id: RequestId::new("carried").expect("an ID"),
        forwarded: Mutex::default(),
    };
    let mut upload = ArrivedBody(Bytes::copy_from_slice(body.as_bytes()));
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(endpoint().respond(request, &mut upload))
}

fn text(mut response: Response) -> String {
    let mut cx = Context::from_waker(Waker::noop());
    let pieces: Vec<Bytes> =
        std::iter::from_fn(|| match response.body.poll_piece(&mut cx, PIECE_SIZE) {
            Poll::Ready(piece) => piece,
            Poll::Pending => panic!("nothing is ready"),
        })
        .map(|piece| piece.expect("it is there"))
        .collect();
    String::from_utf8(pieces.concat()).expect("UTF-8")
}

fn field<'r>(response: &'r Response, field: &HeaderName) -> Option<&'r str> {
    response
        .fields
        .iter()
        .find_map(|(other, value)| (*other == field).then_some(&**value))
}

#[test]
fn any_carrier_posts_calls() {
    let json = ("Content-Type", "application/json");
    let body = r#"{"jsonrpc":"2.0","method":"language","id":1}"#;
    let response = respond(
        Method::POST,
        "/rpc",
        &[json, ("accept-language", "is")],
        body,
    );
    assert_eq!(
        (response.status, response.after),
        (StatusCode::OK, ConnectionState::Open)
    );
    let content_type = field(&response, &header::CONTENT_TYPE);
    assert_eq!(content_type, Some("application/json"));
    assert_eq!(text(response), r#"{"jsonrpc":"2.0","result":"is","id":1}"#);

    let notification = r#"{"jsonrpc":"2.0","method":"language"}"#;
    let response = respond(Method::POST, "/rpc/language", &[json], notification);
    assert_eq!(response.status, StatusCode::NO_CONTENT);
    assert_eq!(text(response), "");

    let response = respond(Method::POST, "/rpc", &[json], &" ".repeat(1_001));
    assert_eq!(response.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(response.after, ConnectionState::Drain);

    let response = respond(Method::POST, "/rpc", &[], body);
    assert_eq!(response.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(field(&response, &HeaderName::from_static("accept-post")).is_some());
}

#[test]
fn a_subscription_is_not_acceptable_over_plain_http() {
    let json = ("Content-Type", "application/json");
    let body = r#"{"jsonrpc":"2.0","method":"watch","id":7}"#;
    let response = respond(Method::POST, "/rpc", &[json], body);
    assert_eq!(response.status, StatusCode::NOT_ACCEPTABLE);
    let error = r#"{"code":-32011,"message":"Needs a connection","data":{"carriers":[]}}"#;
    let expected = format!(r#"{{"jsonrpc":"2.0","error":{error},"id":7}}"#);
    assert_eq!(text(response), expected);
    let response = respond(Method::GET, "/rpc/watch", &[], "");
    assert_eq!(response.status, StatusCode::NOT_ACCEPTABLE);
    let response = respond(Method::POST, "/rpc", &[json], &format!("[{body}]"));
    assert_eq!(response.status, StatusCode::OK);
    assert!(text(response).contains("-32600"));
}

#[test]
fn any_carrier_gets_results_and_their_validators() {
    let response = respond(Method::GET, "/rpc/five", &[], "");
    assert_eq!(response.status, StatusCode::OK);
    let tag = field(&response, &header::ETAG)
        .expect("a validator")
        .to_owned();
    assert_eq!(text(response), r#"{"jsonrpc":"2.0","result":5,"id":null}"#);
    let response = respond(Method::GET, "/rpc/five", &[("If-None-Match", &tag)], "");
    assert_eq!(response.status, StatusCode::NOT_MODIFIED);

    let plain = respond(Method::GET, "/rpc/long", &[], "");
    assert!(plain.body.length() > Some(250_000));
    let gzip = respond(Method::GET, "/rpc/long", &[("Accept-Encoding", "gzip")], "");
    assert_eq!(field(&gzip, &header::CONTENT_ENCODING), Some("gzip"));
    assert!(gzip.body.length() < Some(25_000));
    assert!(text(plain).ends_with(r#"","id":null}"#));

    for (method, path, status, allow) in [
        (Method::GET, "/rpc/language", 405, Some("POST, OPTIONS")),
        (
            Method::OPTIONS,
            "/rpc/five",
            204,
            Some("GET, HEAD, POST, OPTIONS"),
        ),
        (Method::DELETE, "/rpc/language", 405, Some("POST, OPTIONS")),
        (Method::GET, "/rpc/nothing", 404, None),
        (Method::GET, "/rpc/%ff", 404, None),
        (Method::GET, "/rpc", 200, None),
    ] {
        let response = respond(method, path, &[], "");
        assert_eq!(response.status.as_u16(), status, "{path}");
        assert_eq!(field(&response, &header::ALLOW), allow, "{path}");
    }
}
