//! A service in a host that speaks tower, called without a socket.

use std::net::SocketAddr;

use docent_tower::{
    Cx, Fault, Peer, Procedure, RpcError, RpcService, Service, procedure, procedures,
};
use http::{Method, Request, StatusCode, Version, header};
use http_body_util::{BodyExt as _, Full};
use tower::ServiceExt as _;

/// The errors of a division.
#[derive(Debug, RpcError)]
enum DivisionError {
    /// The divisor is zero.
    #[rpc(code = 1001, message = "Division by zero")]
    ByZero,
}

struct Calculator;

#[procedures(prefix = "calc")]
impl Calculator {
    /// Divides one number by another.
    #[procedure(idempotent)]
    fn divide(&self, dividend: i64, divisor: i64) -> Result<i64, DivisionError> {
        dividend.checked_div(divisor).ok_or(DivisionError::ByZero)
    }
}

/// Returns the address of the caller.
#[procedure(idempotent)]
fn peer(cx: Cx) -> Result<Option<String>, Fault> {
    Ok(cx.extension::<Peer>().map(|peer| peer.0.to_string()))
}

fn service() -> RpcService {
    let service = Service::builder("calculator", "urn:example:calculator")
        .procedures(Calculator.procedures())
        .procedure(peer::procedure())
        .procedure(Procedure::sync("long", |_: Cx, (): ()| {
            Ok::<_, Fault>("x".repeat(1 << 20))
        }))
        .build()
        .expect("a service");
    RpcService::new(service).expect("all addresses can be reached")
}

type Body = Full<&'static [u8]>;

fn request(method: Method, uri: &str, body: &'static str) -> Request<Body> {
    Request::builder()
        .method(method)
        .uri(uri)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::new(body.as_bytes()))
        .expect("a request")
}

async fn answer(request: Request<Body>) -> (http::response::Parts, String) {
    let response = service().oneshot(request).await.expect("never an error");
    let (parts, body) = response.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    (parts, String::from_utf8(body.to_vec()).expect("text"))
}

#[tokio::test]
async fn attributes_need_no_other_crate() {
    let (parts, body) = answer(request(Method::GET, "/rpc/calc.divide?0=7&1=2", "")).await;
    assert_eq!(parts.status, StatusCode::OK);
    assert_eq!(body, r#"{"jsonrpc":"2.0","result":3,"id":null}"#);
    let call = r#"{"jsonrpc":"2.0","method":"calc.divide","params":[1,0],"id":1}"#;
    let (parts, body) = answer(request(Method::POST, "/rpc", call)).await;
    assert_eq!(parts.status, StatusCode::OK);
    assert!(body.contains("Division by zero"), "{body}");
}

#[tokio::test]
async fn a_host_that_is_not_axum_provides_the_address_of_the_client() {
    let mut call = request(Method::GET, "/rpc/peer", "");
    let peer: SocketAddr = "192.0.2.1:80".parse().expect("an address");
    call.extensions_mut().insert(Peer(peer));
    let (_, body) = answer(call).await;
    assert!(body.contains("192.0.2.1:80"), "{body}");
    let (_, body) = answer(request(Method::GET, "/rpc/peer", "")).await;
    assert!(body.contains("null,"), "{body}");
}

/// A value that a middleware puts into requests.
#[derive(Clone)]
struct Tenant(&'static str);

/// Returns the tenant of the caller.
#[procedure(idempotent)]
fn tenant(cx: Cx) -> Result<Option<&'static str>, Fault> {
    Ok(cx.extension::<Tenant>().map(|tenant| tenant.0))
}

#[tokio::test]
async fn a_value_of_a_middleware_reaches_the_handler_if_its_type_is_listed() {
    let service = Service::builder("tenants", "urn:example:tenants")
        .procedure(tenant::procedure())
        .build()
        .expect("a service");
    let service = RpcService::new(service).expect("all addresses can be reached");
    for (service, result) in [
        (service.clone(), "null"),
        (service.forward::<Tenant>(), "\"acme\""),
    ] {
        let mut call = request(Method::GET, "/rpc/tenant", "");
        call.extensions_mut().insert(Tenant("acme"));
        let response = service.oneshot(call).await.expect("never an error");
        let body = response.into_body().collect().await.expect("a body");
        let text = format!(r#"{{"jsonrpc":"2.0","result":{result},"id":null}}"#);
        assert_eq!(body.to_bytes(), text.as_bytes());
    }
}

#[tokio::test]
async fn a_request_with_two_hosts_is_refused_and_one_without_any_is_not() {
    for target in ["/rpc/peer", "/health", "/docs/"] {
        let (parts, _) = answer(request(Method::GET, target, "")).await;
        assert_eq!(parts.status, StatusCode::OK, "{target}");
        let mut odd = request(Method::GET, target, "");
        for host in ["one.example", "two.example"] {
            let host = host.parse().expect("a host");
            odd.headers_mut().append(header::HOST, host);
        }
        let (parts, body) = answer(odd).await;
        assert_eq!(parts.status, StatusCode::BAD_REQUEST, "{target}");
        assert!(body.contains("Host must be there once"), "{body}");
    }
}

#[tokio::test]
async fn in_http_2_the_target_names_the_host_and_no_response_closes_the_connection() {
    let peer: SocketAddr = "192.0.2.1:80".parse().expect("an address");
    let mut call = request(Method::GET, "https://calc.example/rpc/rpc.discover", "");
    *call.version_mut() = Version::HTTP_2;
    call.extensions_mut().insert(Peer(peer));
    let (_, body) = answer(call).await;
    assert!(body.contains("https://calc.example/rpc\""), "{body}");
    let mut wrong = request(Method::POST, "https://calc.example/rpc", "{}");
    *wrong.version_mut() = Version::HTTP_2;
    wrong.headers_mut().remove(header::CONTENT_TYPE);
    let (parts, _) = answer(wrong).await;
    assert_eq!(parts.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(parts.headers.get(header::CONNECTION), None);
}

#[tokio::test]
async fn a_head_is_answered_with_the_length_of_the_body_and_without_the_body() {
    let (parts, body) = answer(request(Method::HEAD, "/rpc/calc.divide?0=7&1=2", "")).await;
    assert_eq!(body, "");
    assert_eq!(parts.headers[header::CONTENT_LENGTH], "38");
    let long = r#"{"jsonrpc":"2.0","method":"long","id":1}"#;
    let (parts, body) = answer(request(Method::POST, "/rpc", long)).await;
    assert_eq!(
        parts.headers[header::CONTENT_LENGTH],
        *body.len().to_string()
    );
    assert!(body.len() > 1 << 20);
}

/// Serves a service with WebSockets under axum, and returns a connection to it.
#[cfg(feature = "websocket")]
async fn connect_to_axum() -> tokio::net::TcpStream {
    let service = Service::builder("calculator", "urn:example:calculator")
        .procedures(Calculator.procedures())
        .build()
        .expect("a service");
    let rpc = docent_tower::websocket(service).expect("all addresses can be reached");
    let app = axum::Router::new().fallback_service(rpc);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    tokio::net::TcpStream::connect(address)
        .await
        .expect("a connection")
}

#[cfg(feature = "websocket")]
#[tokio::test]
async fn a_connection_of_axum_becomes_a_websocket() {
    use futures_util::{SinkExt as _, StreamExt as _};
    use tokio_websockets::{ClientBuilder, Message};

    let stream = connect_to_axum().await;
    let client = ClientBuilder::new()
        .uri("ws://localhost/rpc")
        .expect("a URI");
    let (mut client, response) = client.connect_on(stream).await.expect("a WebSocket");
    assert_eq!(response.status(), StatusCode::SWITCHING_PROTOCOLS);
    let call = r#"{"jsonrpc":"2.0","method":"calc.divide","params":[7,2],"id":1}"#;
    client.send(Message::text(call)).await.expect("it is sent");
    let answer = client.next().await.expect("it is open").expect("an answer");
    assert_eq!(
        answer.as_text(),
        Some(r#"{"jsonrpc":"2.0","result":3,"id":1}"#)
    );
}
