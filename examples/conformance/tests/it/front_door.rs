//! GET of the mount's own address, where a client starts that knows only this address.

use crate::client::{Request, Response};
use crate::{Server, service};

/// Returns the target and the media type of the link with this relation.
fn link(response: &Response, relation: &str) -> Option<String> {
    let relation = format!("rel=\"{relation}\"");
    let link = response
        .headers
        .iter()
        .filter(|(name, _)| name == "link")
        .flat_map(|(_, value)| value.split(", "))
        .find(|link| link.contains(&relation))?;
    let (target, _) = link.strip_prefix('<')?.split_once('>')?;
    Some(target.to_owned())
}

/// Resolves a relative link against the mount.
fn resolve(mount: &str, link: &str) -> String {
    assert!(
        !link.contains("//"),
        "links do not repeat what a request says about its host: {link}"
    );
    let directory = &mount[..=mount.rfind('/').expect("an absolute path")];
    if link.starts_with('/') {
        link.to_owned()
    } else {
        format!("{directory}{link}")
    }
}

#[test]
fn programs_get_the_description_whatever_they_accept() {
    let server = Server::start(service());
    let describe = server
        .post(r#"{"jsonrpc":"2.0","method":"rpc.describe","id":1}"#)
        .json();
    for accept in [
        None,
        Some("*/*"),
        Some("application/json"),
        Some("application/*"),
        Some("application/json, text/html;q=0.9"),
        Some("text/html;q=0, application/json"),
        Some("text/html;q=0"),
        Some("image/png"),
        Some("text/plain"),
        Some("nonsense"),
        Some(""),
        Some(";;;,"),
    ] {
        let mut request = Request::new("GET", "/rpc");
        if let Some(accept) = accept {
            request = request.header("Accept", accept);
        }
        let response = server.send(&request);
        assert_eq!(response.status, 200, "{accept:?}");
        assert_eq!(
            response.header("content-type"),
            Some("application/json"),
            "{accept:?}"
        );
        assert_eq!(response.header("vary"), Some("Accept"), "{accept:?}");
        assert_eq!(response.json(), describe["result"], "{accept:?}");
    }
}

#[test]
fn people_are_led_to_the_reference_where_there_is_one() {
    let server = Server::start(service());
    for accept in [
        "text/html",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "text/html;q=0.9, application/json;q=0.8",
        "TEXT/HTML",
    ] {
        let response = server.send(&Request::new("GET", "/rpc").header("Accept", accept));
        assert_eq!(response.header("vary"), Some("Accept"), "{accept}");
        match link(&response, "service-doc") {
            Some(site) => {
                assert!((300..400).contains(&response.status), "{accept}");
                let location = response
                    .header("location")
                    .expect("a redirect to the reference");
                assert_eq!(
                    resolve("/rpc", location),
                    resolve("/rpc", &site),
                    "{accept}"
                );
                assert_eq!(server.get(&resolve("/rpc", &site)).status, 200, "{site}");
            }
            None => assert_eq!(response.status, 200, "{accept}"),
        }
    }
}

#[test]
fn the_front_door_links_to_the_description() {
    let server = Server::start(service());
    let response = server.get("/rpc");
    let target = resolve(
        "/rpc",
        &link(&response, "service-desc").expect("a link to the description"),
    );
    let described = server.get(&target);
    assert_eq!(described.status, 200, "{target}");
    let described = described.json();
    assert!(
        described == response.json() || described["result"] == response.json(),
        "{target}"
    );
}

#[test]
fn the_front_door_does_not_repeat_what_a_request_says_about_its_host() {
    let server = Server::with_options(service(), |options| {
        options.allowed_hosts = Some(vec!["evil.example".to_owned()]);
    });
    let mut connection = server.connect();
    std::io::Write::write_all(
        &mut connection,
        b"GET /rpc HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\n\r\n",
    )
    .expect("the request is sent");
    let response = Response::read(&mut connection, false);
    assert!(!response.text().contains("evil.example"));
    assert!(
        response
            .headers
            .iter()
            .all(|(_, value)| !value.contains("evil.example"))
    );
    assert_eq!(response.json().get("address"), None);
}

#[test]
fn a_query_or_a_body_at_the_front_door_changes_nothing() {
    let server = Server::start(service());
    let plain = server.get("/rpc");
    let body = br#"{"jsonrpc":"2.0","method":"count","id":1}"#;
    for target in [
        "/rpc?method=count",
        "/rpc?method=count&params=%5B%5D&id=1",
        "/rpc?",
        "/rpc?/count",
    ] {
        assert_eq!(server.get(target).body, plain.body, "{target}");
        let mut request = Request::post(target, body);
        request.method = "GET";
        assert_eq!(server.send(&request).status, 200, "{target}");
    }
    assert_eq!(server.call("count"), "1 #1");
}

#[test]
fn the_way_in_from_the_root_is_for_the_hosts_that_are_served_and_health_for_all() {
    let server = Server::with_options(service(), |options| {
        options.allowed_hosts = Some(vec!["localhost".to_owned()]);
    });
    for (host, root, health) in [("localhost", 303, 200), ("evil.example", 421, 200)] {
        for (target, status) in [("/", root), ("/health", health)] {
            let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            let mut connection = server.connect();
            std::io::Write::write_all(&mut connection, request.as_bytes())
                .expect("the request is sent");
            let response = Response::read(&mut connection, false);
            assert_eq!(response.status, status, "{host} {target}");
        }
    }
}

#[test]
fn one_field_links_to_the_description_and_to_the_reference() {
    let server = Server::start(service());
    for (method, fields) in [
        ("GET", &[][..]),
        ("HEAD", &[][..]),
        ("GET", &[("Accept", "text/html")]),
        ("GET", &[("If-None-Match", "*")]),
    ] {
        let mut request = Request::new(method, "/rpc");
        for (name, value) in fields {
            request = request.header(name, value);
        }
        let response = server.send(&request);
        let links: Vec<_> = response
            .headers
            .iter()
            .filter(|(name, _)| name == "link")
            .collect();
        let [(_, link)] = *links else {
            panic!("{fields:?}: {links:?}");
        };
        assert_eq!(
            link,
            "<rpc/rpc.describe>; rel=\"service-desc\"; type=\"application/json\", \
             <docs/>; rel=\"service-doc\"; type=\"text/html\", \
             <docs/openapi.json>; rel=\"service-desc\"; type=\"application/json\"; title=\"OpenAPI\", \
             <docs/openrpc.json>; rel=\"service-desc\"; type=\"application/json\"; title=\"OpenRPC\", \
             <docs/llms.txt>; rel=\"service-doc\"; type=\"text/plain\"; title=\"llms.txt\", \
             <.well-known/api-catalog>; rel=\"api-catalog\""
        );
    }
}
