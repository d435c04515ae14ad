//! Several services in an `App` of somebody's own.

use std::net::SocketAddr;

use actix_web::{App, HttpServer, web};
use docent_server::{Cx, Fault, HttpOptions, Mount, Procedure, Service};

use crate::Server;
use crate::client::Request;

/// A service that answers its own name, and counts.
fn named(name: &'static str) -> Service {
    Service::builder(name, format!("urn:example:{name}"))
        .procedure(Procedure::sync("name", move |_: Cx, (): ()| Ok::<_, Fault>(name)).idempotent())
        .procedure(Procedure::sync("write", move |_: Cx, (): ()| {
            Ok::<_, Fault>(name)
        }))
        .build()
        .expect("a service")
}

fn start() -> Server {
    let (sender, receiver) = std::sync::mpsc::channel::<SocketAddr>();
    let services = ["root", "one", "two", "scoped", "nested", "tenant", "slash"].map(named);
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = HttpServer::new(move || {
                let [root, one, two, scoped, nested, tenant, slash] = &services;
                App::new()
                    .service(Mount::new("/v1/rpc", one).options(HttpOptions::default()))
                    .service(Mount::new("/v2/rpc", two))
                    .service(Mount::new("/slash/", slash))
                    .service(
                        web::scope("/api")
                            .route("/plain", web::get().to(|| async { "plain" }))
                            .service(web::scope("/deep/er").service(Mount::new("/rpc", nested)))
                            .service(Mount::new("/rpc", scoped)),
                    )
                    .service(web::scope("/t/{tenant}").service(Mount::new("/rpc", tenant)))
                    .service(web::scope("/only").service(Mount::new("", root)))
            })
            .h1_allow_half_closed(false)
            .workers(1)
            .disable_signals()
            .bind("127.0.0.1:0")
            .expect("a free port");
            sender
                .send(server.addrs()[0])
                .expect("the test waits for it");
            server.run().await
        })
    });
    Server {
        address: receiver.recv().expect("the server starts"),
    }
}

const MOUNTS: &[(&str, &str)] = &[
    ("/v1/rpc", "one"),
    ("/v2/rpc", "two"),
    ("/slash", "slash"),
    ("/api/rpc", "scoped"),
    ("/api/deep/er/rpc", "nested"),
    ("/t/acme/rpc", "tenant"),
    ("/t/a%2Fb/rpc", "tenant"),
    ("/t/%C3%BC/rpc", "tenant"),
    ("/only", "root"),
];

#[test]
fn each_mount_answers_for_its_own_service() {
    let server = start();
    for (mount, name) in MOUNTS {
        let body = br#"{"jsonrpc":"2.0","method":"name","id":1}"#;
        let expected = format!("\"{name}\" #1");
        assert_eq!(
            server.send(&Request::post(mount, body)).brief(),
            expected,
            "{mount}"
        );
        let at_name = format!("{mount}/name");
        assert_eq!(
            server.send(&Request::post(&at_name, body)).brief(),
            expected,
            "{mount}"
        );
        let answer = server.get(&at_name);
        assert_eq!(
            (answer.status, answer.brief()),
            (200, format!("\"{name}\" #null")),
            "{mount}"
        );
        let front_door = server.get(mount);
        assert_eq!(
            (front_door.status, front_door.json()["name"].as_str()),
            (200, Some(*name)),
            "{mount}"
        );
    }
}

#[test]
fn below_every_mount_there_is_exactly_one_segment() {
    let server = start();
    for (mount, _) in MOUNTS {
        for below in [
            "/nope",
            "/name/",
            "//name",
            "/name/name",
            "/a/name",
            "/",
            "/%ff",
            "/./name",
            "/x/../name",
        ] {
            let target = format!("{mount}{below}");
            assert_eq!(server.get(&target).status, 404, "{target}");
        }
        for below in ["/write", "/%77rite", "/write?x=1"] {
            let target = format!("{mount}{below}");
            let answer = server.get(&target);
            assert_eq!(
                (answer.status, answer.code()),
                (405, Some(-32006)),
                "{target}"
            );
        }
    }
}

#[test]
fn the_links_of_the_front_door_hold_under_every_mount() {
    let server = start();
    for (mount, name) in MOUNTS {
        let front_door = server.get(mount);
        let link = front_door.header("link").expect("a link");
        let (target, _) = link[1..]
            .split_once('>')
            .expect("a target in angle brackets");
        let (directory, _) = mount.rsplit_once('/').expect("an absolute path");
        let description = server.get(&format!("{directory}/{target}"));
        assert_eq!(description.status, 200, "{mount}: {link}");
        assert_eq!(
            description.json()["result"]["name"],
            *name,
            "{mount}: {link}"
        );
    }
}

#[test]
fn what_else_is_in_the_app_stays_reachable() {
    let server = start();
    assert_eq!(server.get("/api/plain").text(), "plain");
    assert_eq!(server.get("/api/nothing").status, 404);
    assert_eq!(server.get("/v3/rpc").status, 404);
}
