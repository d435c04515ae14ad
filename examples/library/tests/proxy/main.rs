//! The library behind nginx with the configuration in `nginx/`: which requests reach an instance,
//! and which need not.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod client;
#[expect(dead_code, reason = "some of it is for the tests of the file itself")]
#[path = "../common/compose.rs"]
mod compose;
mod composed;
mod guarded;
mod setup;
#[expect(dead_code, reason = "these tests do not read the output")]
#[path = "../common/started.rs"]
mod started;

use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};

use client::{Client, Response};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use setup::{PATIENCE, Setup};

/// A result that may be cached for a minute.
const AUTHORS: &str = "author.list?prefix=melville";
/// A result that may be cached for a few seconds.
const BOOKS: &str = "book.find?words=whale&limit=1";

/// Sends the request until the cache reports something other than `HIT`.
fn after_its_age(client: &Client, below: &str) -> Response {
    let end = Instant::now() + PATIENCE;
    loop {
        let response = client.get(below);
        if response.cache() != "HIT" {
            return response;
        }
        assert!(Instant::now() < end, "{below} never expires");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_may_be_kept_is_asked_for_once() {
    let mut setup = Setup::new();
    let client = setup.client();
    let first = client.get(AUTHORS);
    assert_eq!((first.status, first.cache()), (200, "MISS"));
    assert_eq!(first.header("cache-control"), "public, max-age=60");
    for _ in 0..20 {
        let again = client.get(AUTHORS);
        assert_eq!((again.status, again.cache()), (200, "HIT"));
        assert_eq!(again.body, first.body);
        assert_eq!(again.header("etag"), first.header("etag"));
    }
    let fields = [("if-none-match", first.header("etag"))];
    let known = client.get_with(AUTHORS, &fields);
    assert_eq!((known.status, known.cache()), (304, "HIT"));

    // Without any instance, the cache keeps returning what is still fresh.
    setup.instances.clear();
    let alone = client.get(AUTHORS);
    assert_eq!((alone.status, alone.cache()), (200, "HIT"));
    assert_eq!(alone.body, first.body);
    assert_eq!(client.get("author.list?prefix=woolf").status, 502);
    assert_eq!(client.call("author.list", &json!(["melville"])).status, 502);
}

#[test]
fn after_its_age_an_answer_is_asked_about_and_304_is_enough() {
    let setup = Setup::new();
    let client = setup.client();
    let first = client.get(BOOKS);
    assert_eq!(first.header("cache-control"), "public, max-age=5");
    let again = after_its_age(&client, BOOKS);
    // nginx's name for a cached response that an instance has confirmed with 304.
    assert_eq!((again.status, again.cache()), (200, "REVALIDATED"));
    assert_eq!(again.body, first.body);
    assert_eq!(client.get(BOOKS).cache(), "HIT");

    let book = client.write("book.add", &json!({"title": "Kept", "language": "en"}));
    let book = &book["id"];
    let of_book = format!("book.get?book={book}");
    let before = client.get(&of_book);
    let member = client.write("member.add", &json!(["Reader"]));
    client.write("loan.start", &json!([book, member["card"]]));
    let changed = after_its_age(&client, &of_book);
    assert_eq!((changed.status, changed.cache()), (200, "EXPIRED"));
    assert_ne!(changed.header("etag"), before.header("etag"));
    assert_ne!(changed.body, before.body);
}

#[test]
fn every_post_reaches_an_instance_once_and_all_instances_know_of_it() {
    let setup = Setup::new();
    let client = setup.client();
    let members = || {
        let stats = Client::of(setup.instances[0].address).call("stats", &json!({}));
        stats.json()["result"]["members"].as_u64().unwrap()
    };
    let before = members();
    for n in 1..=10 {
        let member = client.write("member.add", &json!([format!("Reader {n}")]));
        for instance in &setup.instances {
            let there = Client::of(instance.address).call("member.get", &json!([member["card"]]));
            assert_eq!(there.json()["result"]["member"]["card"], member["card"]);
        }
    }
    assert_eq!(members(), before + 10);
    for _ in 0..3 {
        let read = client.call("author.list", &json!(["melville"]));
        assert_eq!((read.status, read.cache()), (200, ""));
        assert_eq!(read.header("cache-control"), "no-store");
    }
}

#[test]
fn a_refusal_is_passed_on_and_not_kept() {
    let setup = Setup::new();
    let stranger = setup.client().without_token();
    for _ in 0..3 {
        let refused = stranger.call("member.add", &json!(["Nobody"]));
        assert_eq!((refused.status, refused.cache()), (401, ""));
        assert_eq!(refused.header("cache-control"), "no-store");
        assert!(refused.header("www-authenticate").starts_with("Bearer "));
    }
    setup.client().write("member.add", &json!(["Somebody"]));
}

#[test]
fn no_error_is_ever_kept() {
    let setup = Setup::new();
    let client = setup.client();
    for (below, status, code) in [
        ("book.get?book=999999", 404, 1404),
        ("book.get?book=moby", 400, -32602),
        ("book.nothing", 404, -32601),
        ("member.add?name=Nobody", 405, -32006),
    ] {
        for _ in 0..3 {
            let response = client.get(below);
            assert_eq!(
                (response.status, response.cache()),
                (status, "MISS"),
                "{below}"
            );
            assert_eq!(response.header("cache-control"), "no-store", "{below}");
            assert_eq!(response.json()["error"]["code"], code, "{below}");
        }
    }
}

#[test]
fn codings_and_callers_are_kept_apart() {
    let setup = Setup::new();
    let client = setup.client();
    let all = "author.list?limit=100";
    let gzip = [("accept-encoding", "gzip")];
    let plain = client.get(all);
    let packed = client.get_with(all, &gzip);
    assert_eq!((plain.cache(), packed.cache()), ("MISS", "MISS"));
    assert_ne!(plain.header("etag"), packed.header("etag"));
    for _ in 0..2 {
        let again = client.get_with(all, &gzip);
        assert_eq!(
            (again.cache(), again.header("content-encoding")),
            ("HIT", "gzip")
        );
        let mut text = Vec::new();
        GzDecoder::new(&*again.body).read_to_end(&mut text).unwrap();
        assert_eq!(text, plain.body);
        assert_eq!(client.get(all).cache(), "HIT");
    }
    for fields in [
        [("authorization", "Bearer mine")],
        [("cookie", "session=mine")],
    ] {
        for _ in 0..2 {
            let mine = client.get_with(all, &fields);
            assert_eq!((mine.status, mine.cache()), (200, "MISS"));
            assert_eq!(mine.header("cache-control"), "private, max-age=60");
        }
    }
    assert_eq!(client.get(all).cache(), "HIT");
}

#[test]
fn one_instance_is_enough() {
    let mut setup = Setup::new();
    let client = setup.client();
    setup.instances.pop();
    for n in 1..=10 {
        let response = client.get(&format!("book.get?book={n}"));
        assert_eq!(
            (response.status, response.cache()),
            (200, "MISS"),
            "book {n}"
        );
        let member: Value = client.write("member.add", &json!([format!("Reader {n}")]));
        assert!(member["card"].is_string());
    }
}
