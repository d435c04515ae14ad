//! The identity of a service: its name, its id and its addresses.

use docent_core::Service;

use crate::{assert_fine, assert_one, builder};

#[test]
fn a_service_needs_a_name() {
    assert_one(Service::builder("", crate::ID), None, &["name"]);
}

#[test]
fn an_id_that_is_no_uri_is_a_mistake() {
    for id in [
        "",
        "conformance",
        "urn",
        ":x",
        "1a:b",
        "a b:c",
        "urn:a b",
        "http://example.com/a b",
        "http://example.com/<a>",
        "http://example.com/ü",
        "http://example.com/%zz",
        "http://example.com/%1",
        "http://example.com/#a#b",
        "http://example.com/\n",
        "http://example.com/\u{0}",
        "http://example.com/\"",
        "http://example.com/{id}",
        "//example.com/a",
        "/a",
    ] {
        assert_one(Service::builder("tested", id), None, &["URI", "urn:uuid:"]);
    }
}

#[test]
fn an_id_that_is_a_uri_is_taken_as_it_is_written() {
    for id in [
        "urn:uuid:41544946-415a-495a-5645-454441534646",
        "http://example.com",
        "HTTP://EXAMPLE.com:80/a/../b",
        "https://user@[::1]:8080/a;b?c=d#e",
        "tag:example.com,2024:x",
        "mailto:a@example.com",
        "x-y.z+1:%C3%BC",
        "urn:example:a%20b",
    ] {
        let service = Service::builder("tested", id).build().expect("a URI");
        assert_eq!(service.description().id, id);
    }
}

#[test]
fn addresses_have_to_be_absolute_urls() {
    for url in [
        "",
        "/rpc",
        "rpc",
        "example.com/rpc",
        "//example.com/rpc",
        "ftp://example.com/",
        "file:///rpc",
        "javascript:1",
        "http://",
        "https://[::1",
    ] {
        assert_one(builder().public_url(url), None, &["public_url", "URL"]);
        assert_one(builder().help(url), None, &["help", "URL"]);
    }
}

#[test]
fn an_address_that_nothing_can_be_added_to_is_a_mistake() {
    for (url, part) in [
        ("http://example.com/rpc?key=1", "query"),
        ("http://example.com/rpc#top", "fragment"),
        ("http://example.com/rpc#", "fragment"),
        ("https://clara@example.com/rpc", "user name"),
        ("https://:secret@example.com/rpc", "password"),
    ] {
        assert_one(builder().public_url(url), None, &["public_url", part]);
        assert_fine(builder().help(url));
    }
}

#[test]
fn addresses_stay_as_they_are_written() {
    for url in [
        "http://example.com",
        "https://EXAMPLE.com:443/rpc",
        "http://[::1]:8080/a/../rpc",
    ] {
        let service = builder().public_url(url).help(url).build().expect("a URL");
        assert_eq!(service.description().address.as_deref(), Some(url));
        assert_eq!(service.description().help.as_deref(), Some(url));
    }
}

#[test]
fn a_version_is_any_text() {
    for version in ["", "1", "1.0", "2024-05-01", "v1 (beta)", "ü"] {
        assert_fine(builder().version(version));
    }
}
