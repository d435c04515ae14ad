//! The requests, as a simple client writes them.
//!
//! They are sent byte for byte, so that no client's own work is part of what is measured.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::process::Command;

use raw_http::{Request, Response};

use crate::process::Server;
use crate::{BoxError, process};

/// Returns one of the bodies in `bench`.
pub(crate) fn body(case: &str) -> Result<String, BoxError> {
    process::build(&["bench"])?;
    let mut bench = Command::new(process::ours("bench"));
    process::output(bench.args(["body", case]))
}

/// Makes a POST request with one of the bodies in `bench`.
pub(crate) fn post(case: &str) -> Result<Vec<u8>, BoxError> {
    Ok(sent(&Request::post("/rpc", body(case)?.as_bytes())))
}

/// Makes a POST request with a text of this length.
pub(crate) fn post_text(length: usize) -> Vec<u8> {
    let text = "x".repeat(length);
    let body =
        format!(r#"{{"jsonrpc":"2.0","method":"measure","params":{{"text":"{text}"}},"id":1}}"#);
    sent(&Request::post("/rpc", body.as_bytes()))
}

/// Makes a GET request. With a server's address it is conditional, with the validator of the server's
/// response.
pub(crate) fn get(target: &str, address: Option<SocketAddr>) -> Result<Vec<u8>, BoxError> {
    let request = Request::new("GET", target);
    let Some(address) = address else {
        return Ok(sent(&request));
    };
    let mut connection = TcpStream::connect(address)?;
    let response = Response::exchange(&mut connection, &request);
    let tag = response
        .only("etag")
        .ok_or("an answer without a validator")?;
    Ok(sent(&request.header("If-None-Match", tag)))
}

/// Returns the length of the body that answers a request.
pub(crate) fn length_of_answer(server: &Server, request: &[u8]) -> Result<usize, BoxError> {
    length_on(&mut TcpStream::connect(server.address)?, request)
}

/// Returns the length of the body that answers a request on this connection.
pub(crate) fn length_on(connection: &mut TcpStream, request: &[u8]) -> Result<usize, BoxError> {
    connection.write_all(request)?;
    Ok(Response::try_read(connection, false)?.body.len())
}

fn sent(request: &Request<'_>) -> Vec<u8> {
    request
        .clone()
        .header("User-Agent", "compare")
        .header("Accept", "*/*")
        .bytes()
}
