//! GET and other methods, for addresses that do not allow them.

use fastrand::Rng;

use super::{Attack, Expected, MakeAttack, forbidden};
use crate::contract::code;
use crate::http::request;
use crate::world::World;

pub(super) const ATTACKS: &[MakeAttack] = &[
    get_of_a_write,
    spelling,
    wrong_query,
    other_method,
    options,
    long_target,
];

/// Returns a GET of a write, its address spelled in one of several equivalent ways.
fn get_of_a_write(world: &World, rng: &mut Rng) -> Attack {
    let serial = world.serial();
    let address = ["member.add", "member%2Eadd", "%6Dember.add", "mem%62er.add"][rng.usize(..4)];
    let target = format!("/rpc/{address}?name=Soak+never+{serial}");
    let method = if rng.bool() { "GET" } else { "HEAD" };
    let bytes = request(
        method,
        &target,
        &[("Authorization", world.credential.as_str())],
        None,
    );
    Attack::new(
        "GET of a write",
        bytes,
        Expected::Get(code::NOT_CALLABLE_WITH_GET),
    )
}

/// Returns a request for an address that names no procedure.
fn spelling(_: &World, rng: &mut Rng) -> Attack {
    let targets = [
        "/rpc/book.find/",
        "/rpc//book.find",
        "/rpc/book%2ffind",
        "/rpc/book.find%00",
        "/rpc/BOOK.FIND",
        "/rpc/book%252Efind",
        "/rpc/%2e%2e",
        "/rpc/%ff",
        "/rpc/",
        "/rpc/book.find%20",
        "/rpc/nothing?words=x",
        "/rpc/book.find;x=1",
    ];
    let target = targets[rng.usize(..targets.len())];
    let bytes = request("GET", target, &[], None);
    Attack::new("odd address", bytes, Expected::Get(code::METHOD_NOT_FOUND))
}

fn wrong_query(_: &World, rng: &mut Rng) -> Attack {
    let queries = [
        "words=%FF",
        "limit=05",
        "limit=1e400",
        "limit=NaN",
        "limit=5&limit=6",
        "words=a&0=b",
        "available=yes",
        "order=worst",
        "nothing=1",
        "99=1",
        "from_year=-3001",
        "limit=%00",
    ];
    let query = queries[rng.usize(..queries.len())];
    let bytes = request("GET", &format!("/rpc/book.find?{query}"), &[], None);
    Attack::new("wrong query", bytes, Expected::Get(code::INVALID_PARAMS))
}

fn other_method(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let method = ["PUT", "DELETE", "PATCH", "QUERY", "post"][rng.usize(..5)];
    let headers = [
        ("Authorization", world.credential.as_str()),
        ("Content-Type", "application/json"),
    ];
    let bytes = request(method, "/rpc", &headers, Some(body.as_bytes()));
    let expected = Expected::Error(405, code::INVALID_REQUEST, "null".to_owned());
    Attack::new("other method", bytes, expected)
}

fn options(_: &World, rng: &mut Rng) -> Attack {
    let target = ["/rpc", "/rpc/member.add", "/rpc/book.find"][rng.usize(..3)];
    let headers = [
        ("Origin", "https://elsewhere.example"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "authorization"),
    ];
    let bytes = request("OPTIONS", target, &headers, None);
    Attack::new("OPTIONS", bytes, Expected::NoContent)
}

fn long_target(_: &World, rng: &mut Rng) -> Attack {
    let long = "x".repeat([10_000, 60_000][rng.usize(..2)]);
    let target = if rng.bool() {
        format!("/rpc/{long}")
    } else {
        format!("/rpc/book.find?words={long}")
    };
    Attack::new(
        "long address",
        request("GET", &target, &[], None),
        Expected::ErrorOrEnd,
    )
}
