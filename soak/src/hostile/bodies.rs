//! Bodies that are not what they should be, each made from a write.

use fastrand::Rng;

use super::{Attack, Expected, Make, forbidden};
use crate::call::{post, post_with};
use crate::contract::code;
use crate::world::World;

pub(super) const ATTACKS: &[Make] = &[
    truncated,
    truncated,
    nested,
    lone_surrogate,
    not_utf8,
    control_character,
    foreign_encoding,
    huge_number,
    member_twice,
    parameter_twice,
    no_request,
    not_json,
    media_type,
    compressed,
    too_many_entries,
    wrong_address,
    unknown_procedure,
    wrong_parameters,
    many_members,
];

/// An error of a body that never became a request.
fn unread(code: i64) -> Expected {
    Expected::Error(200, code, "null".to_owned())
}

/// An error under the id that writes have here.
fn answered(code: i64) -> Expected {
    Expected::Error(200, code, "7".to_owned())
}

fn attack(world: &World, kind: &'static str, body: &[u8], expected: Expected) -> Attack {
    Attack::new(kind, post(world, body), expected)
}

fn truncated(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let end = rng.usize(..body.len());
    let body = &body.as_bytes()[..end];
    attack(world, "truncated", body, unread(code::PARSE_ERROR))
}

fn nested(world: &World, rng: &mut Rng) -> Attack {
    let depth = [129, 1_000, 100_000][rng.usize(..3)];
    let (open, close) = if rng.bool() {
        ("[", "]")
    } else {
        (r#"{"a":"#, "}")
    };
    let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
    let body = forbidden(world).replacen('{', &format!(r#"{{"x":{deep},"#), 1);
    attack(world, "nested", body.as_bytes(), unread(code::PARSE_ERROR))
}

fn lone_surrogate(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let (body, code) = if rng.bool() {
        (body.replace("Soak", r"\ud800"), code::INVALID_PARAMS)
    } else {
        (body.replace("member", r"\udc00"), code::METHOD_NOT_FOUND)
    };
    attack(world, "lone surrogate", body.as_bytes(), answered(code))
}

fn not_utf8(world: &World, rng: &mut Rng) -> Attack {
    let mut body = forbidden(world).into_bytes();
    let at = rng.usize(..body.len());
    let wrong = [&b"\xff"[..], b"\xc0\x80", b"\xed\xa0\x80", b"\xe2\x82"][rng.usize(..4)];
    body.splice(at..at, wrong.iter().copied());
    attack(world, "not UTF-8", &body, unread(code::PARSE_ERROR))
}

fn control_character(world: &World, rng: &mut Rng) -> Attack {
    let mut body = forbidden(world).into_bytes();
    let at = rng.usize(..body.len());
    body.insert(at, [0, 1, 0x1f][rng.usize(..3)]);
    attack(world, "control character", &body, unread(code::PARSE_ERROR))
}

fn foreign_encoding(world: &World, rng: &mut Rng) -> Attack {
    let text = forbidden(world);
    let body = if rng.bool() {
        [&b"\xef\xbb\xbf"[..], text.as_bytes()].concat()
    } else {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    attack(world, "BOM, UTF-16", &body, unread(code::PARSE_ERROR))
}

fn huge_number(world: &World, rng: &mut Rng) -> Attack {
    let number = match rng.u8(..4) {
        0 => "1e400".to_owned(),
        1 => "9".repeat(10_000),
        2 => format!("1e{}", "9".repeat(1_000)),
        _ => "-18446744073709551616".to_owned(),
    };
    let body = format!(
        r#"{{"jsonrpc":"2.0","method":"loan.start","params":{{"member":"L000001","book":{number}}},"id":7}}"#
    );
    attack(
        world,
        "huge number",
        body.as_bytes(),
        answered(code::INVALID_PARAMS),
    )
}

fn member_twice(world: &World, rng: &mut Rng) -> Attack {
    let (more, id) = [
        (r#""method":"member.add""#, "7"),
        (r#""\u006dethod":"stats""#, "7"),
        (r#""params":{}"#, "7"),
        (r#""jsonrpc":"2.0""#, "7"),
        (r#""id":7"#, "null"),
        (r#""i\u0064":8"#, "null"),
    ][rng.usize(..6)];
    let body = forbidden(world).replacen('{', &format!("{{{more},"), 1);
    let expected = Expected::Error(200, code::INVALID_REQUEST, id.to_owned());
    attack(world, "member twice", body.as_bytes(), expected)
}

fn parameter_twice(world: &World, _: &mut Rng) -> Attack {
    let body = forbidden(world).replace(r#"{"name""#, r#"{"name":"Soak","n\u0061me""#);
    let expected = answered(code::INVALID_PARAMS);
    attack(world, "parameter twice", body.as_bytes(), expected)
}

fn no_request(world: &World, rng: &mut Rng) -> Attack {
    let write = forbidden(world);
    let (body, id) = match rng.u8(..8) {
        0 => (write.replace(r#""2.0""#, r#""1.0""#), "7"),
        1 => (write.replace(r#""2.0""#, "2.0"), "7"),
        2 => (write.replace(r#""params":{"#, r#""params":"x","x":{"#), "7"),
        3 => (write.replace(r#""id":7"#, r#""id":[7]"#), "null"),
        4 => (write.replace(r#""id":7"#, r#""id":true"#), "null"),
        5 => ("[]".to_owned(), "null"),
        6 => ("{}".to_owned(), "null"),
        _ => ("null".to_owned(), "null"),
    };
    let expected = Expected::Error(200, code::INVALID_REQUEST, id.to_owned());
    attack(world, "no request", body.as_bytes(), expected)
}

fn not_json(world: &World, rng: &mut Rng) -> Attack {
    let write = forbidden(world);
    let body = match rng.u8(..9) {
        0 => String::new(),
        1 => write.replace('"', "'"),
        2 => write.replace(":7}", ":07}"),
        3 => write.replace(":7}", ":7,}"),
        4 => write.replace(":7}", ":NaN}"),
        5 => format!("{write}{write}"),
        6 => format!("{write}\0"),
        7 => format!("// x\n{write}"),
        _ => write.replace("Soak", r"\x53oak"),
    };
    let expected = unread(code::PARSE_ERROR);
    attack(world, "not JSON", body.as_bytes(), expected)
}

fn media_type(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let json = ("Content-Type", "application/json");
    let headers: &[(&str, &str)] = match rng.u8(..7) {
        0 => &[],
        1 => &[("Content-Type", "text/plain")],
        2 => &[("Content-Type", "application/x-www-form-urlencoded")],
        3 => &[("Content-Type", "application/json; charset=latin1")],
        4 => &[json, json],
        5 => &[("Content-Type", "application/jsonp")],
        _ => &[("Content-Type", "multipart/form-data; boundary=\"x\"")],
    };
    let bytes = post_with(world, headers, body.as_bytes());
    let expected = Expected::Error(415, code::INVALID_REQUEST, "null".to_owned());
    Attack::new("media type", bytes, expected)
}

fn compressed(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let coding = ["gzip", "deflate", "br", "identity, gzip", "x"][rng.usize(..5)];
    let headers = [
        ("Content-Type", "application/json"),
        ("Content-Encoding", coding),
    ];
    let bytes = post_with(world, &headers, body.as_bytes());
    let expected = Expected::Error(415, code::INVALID_REQUEST, "null".to_owned());
    Attack::new("content coding", bytes, expected)
}

fn too_many_entries(world: &World, _: &mut Rng) -> Attack {
    let body = vec![forbidden(world); 1_001].join(",");
    let expected = unread(code::BATCH_TOO_LARGE);
    let body = format!("[{body}]");
    attack(world, "batch too large", body.as_bytes(), expected)
}

fn wrong_address(world: &World, _: &mut Rng) -> Attack {
    let body = forbidden(world);
    let bytes = post(world, body.as_bytes());
    let bytes = String::from_utf8_lossy(&bytes).replacen("/rpc ", "/rpc/book.find ", 1);
    let expected = answered(code::INVALID_REQUEST);
    Attack::new("another procedure's address", bytes.into_bytes(), expected)
}

fn unknown_procedure(world: &World, rng: &mut Rng) -> Attack {
    let name = [
        "member.ad",
        "member.add ",
        "Member.add",
        "",
        "rpc.nothing",
        "../x",
    ][rng.usize(..6)];
    let body = forbidden(world).replacen("member.add", name, 1);
    let expected = answered(code::METHOD_NOT_FOUND);
    attack(world, "unknown procedure", body.as_bytes(), expected)
}

fn wrong_parameters(world: &World, rng: &mut Rng) -> Attack {
    let write = forbidden(world);
    let body = match rng.u8(..6) {
        0 => write.replace(r#"{"name":"#, r#"{"more":1,"name":"#),
        1 => write.replace(r#"{"name":"#, r#"{"request_id":"not one","name":"#),
        2 => write.replace(r#"{"name":"#, r#"{"request_id":7,"name":"#),
        3 => write.replace("Soak", &"x".repeat(201)),
        4 => write.replace(r#"{"name":"#, r#"{"":"#),
        _ => write.replace(r#""name":"#, r#""name":null,"x":"#),
    };
    let expected = answered(code::INVALID_PARAMS);
    attack(world, "wrong parameters", body.as_bytes(), expected)
}

/// So many members that anything quadratic would take its time.
fn many_members(world: &World, _: &mut Rng) -> Attack {
    let mut more = String::from("{");
    for number in 0..20_000 {
        more.push_str("\"m");
        more.push_str(&number.to_string());
        more.push_str("\":1,");
    }
    let body = forbidden(world).replace(r#"{"name""#, &format!(r#"{more}"name""#));
    let expected = answered(code::INVALID_PARAMS);
    attack(world, "many members", body.as_bytes(), expected)
}
