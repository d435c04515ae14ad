//! Compressed request bodies.

use std::io::Write;

use docent::Limits;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use crate::client::{Request, Response};
use crate::{Server, call_with, service_with};

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).expect("memory");
    encoder.finish().expect("memory")
}

fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).expect("memory");
    encoder.finish().expect("memory")
}

fn server(change: impl FnOnce(&mut Limits)) -> Server {
    Server::with_options(service_with(change), |options| options.decompress = true)
}

pub(crate) fn coded<'a>(coding: &'a str, body: &'a [u8]) -> Request<'a> {
    Request::post("/rpc", body).header("Content-Encoding", coding)
}

#[test]
fn compressed_bodies_are_taken_where_the_service_takes_them() {
    let server = server(|_| {});
    let mut connection = server.connect();
    let body = call_with("sum", "[1,2]");
    let (gzip, zlib) = (gzip(body.as_bytes()), zlib(body.as_bytes()));
    for (coding, bytes) in [
        ("gzip", &*gzip),
        ("GZip", &*gzip),
        ("x-gzip", &*gzip),
        ("deflate", &*zlib),
        ("identity", body.as_bytes()),
    ] {
        let response = Response::exchange(&mut connection, &coded(coding, bytes));
        assert_eq!(
            (response.status, &*response.brief()),
            (200, "3 #1"),
            "{coding}"
        );
        connection
            .write_all(&coded(coding, bytes).chunked(7))
            .expect("the chunks are sent");
        assert_eq!(
            Response::read(&mut connection, false).brief(),
            "3 #1",
            "{coding}"
        );
    }
    let plain = Request::post("/rpc", body.as_bytes());
    assert_eq!(Response::exchange(&mut connection, &plain).brief(), "3 #1");
    // A body that is not a call after it has been decoded is handled like any other.
    let broken = Response::exchange(&mut connection, &coded("gzip", &self::gzip(b"{")));
    assert_eq!(
        (broken.status, &*broken.brief()),
        (200, "error -32700 #null")
    );
}

#[test]
fn members_of_gzip_in_a_row_are_one_body() {
    let body = call_with("sum", "[1,2]");
    let (first, second) = body.as_bytes().split_at(20);
    let members = [gzip(first), gzip(second)].concat();
    let response = server(|_| {}).send(&coded("gzip", &members));
    assert_eq!(response.brief(), "3 #1");
}

#[test]
fn other_codings_and_several_at_once_are_415_and_the_answer_says_which_are_taken() {
    let server = server(|_| {});
    let body = gzip(call_with("sum", "[1,2]").as_bytes());
    for coding in [
        "br",
        "zstd",
        "compress",
        "unheard-of",
        "gzip, gzip",
        "gzip, deflate",
        "",
        "gzip;q=1",
    ] {
        let response = server.send(&coded(coding, &body));
        response.assert_request_error(415, coding);
        let taken = response.header("accept-encoding");
        assert_eq!(taken, Some("gzip, deflate, identity"), "{coding}");
    }
    let mut twice = coded("gzip", &body);
    twice.headers.push(("Content-Encoding", "gzip"));
    server.send(&twice).assert_request_error(415, "twice");
}

#[test]
fn a_body_that_is_not_what_its_coding_says_is_400_and_does_not_run() {
    let server = server(|_| {});
    let count = br#"{"jsonrpc":"2.0","method":"count"}"#;
    let (gzip, zlib) = (gzip(count), zlib(count));
    for (coding, body) in [
        ("gzip", &count[..]),
        ("deflate", &count[..]),
        ("gzip", &zlib),
        ("deflate", &gzip),
        ("gzip", &gzip[..gzip.len() - 1]),
        ("deflate", &zlib[..zlib.len() - 1]),
        ("gzip", &[&*gzip, b"junk"].concat()),
        ("deflate", &[&*zlib, b"junk"].concat()),
        ("gzip", b""),
        ("deflate", b""),
    ] {
        let response = server.send(&coded(coding, body));
        response.assert_request_error(400, coding);
        assert_eq!(response.code(), Some(-32600), "{coding}");
    }
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn the_limit_counts_what_a_body_decompresses_to() {
    let server = server(|limits| limits.max_body_bytes = 1_000);
    let padded = |length| {
        let mut body = call_with("sum", "[1,2]").into_bytes();
        body.resize(length, b' ');
        body
    };
    for (coding, code) in [("gzip", gzip as fn(&[u8]) -> _), ("deflate", zlib)] {
        let response = server.send(&coded(coding, &code(&padded(1_000))));
        assert_eq!(
            (response.status, &*response.brief()),
            (200, "3 #1"),
            "{coding}"
        );
        let response = server.send(&coded(coding, &code(&padded(1_001))));
        response.assert_request_error(413, coding);
        assert_eq!(response.code(), Some(-32003), "{coding}");
    }
}
