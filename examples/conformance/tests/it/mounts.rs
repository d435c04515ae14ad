//! Several services in one `App`.

use std::net::SocketAddr;

use actix_web::{App, HttpServer, web};
use docent::{AppRoutes, Cx, Fault, Mount, Procedure, Routes, Service};

use crate::client::Request;
use crate::links::assert_links_are_answered;
use crate::log::listening;
use crate::{Server, handler_fields, service};

/// Returns a service with a procedure that returns the service's name, and one that counts.
fn named(name: &'static str) -> Service {
    let name = if name.is_empty() { "/" } else { name };
    Service::builder(name, "urn:example:named")
        .procedure(Procedure::sync("name", move |_: Cx, (): ()| Ok::<_, Fault>(name)).idempotent())
        .procedure(Procedure::sync("write", move |_: Cx, (): ()| {
            Ok::<_, Fault>(name)
        }))
        .build()
        .expect("a service")
}

fn mount(path: &str, service: &Service) -> Mount {
    Mount::new(Routes::at(path, service.clone())).expect("a mount")
}

/// Returns routes with a service at each of these paths, named after its path.
fn routes(paths: &[&'static str]) -> Routes {
    let [first, others @ ..] = paths else {
        panic!("a path");
    };
    let routes = Routes::at(*first, named(first));
    others
        .iter()
        .fold(routes, |routes, path| routes.mount(*path, named(path)))
}

fn start() -> Server {
    let (sender, receiver) = std::sync::mpsc::channel::<SocketAddr>();
    let services = ["root", "one", "two", "scoped", "nested", "tenant", "slash"].map(named);
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = HttpServer::new(move || {
                let [root, one, two, scoped, nested, tenant, slash] = &services;
                App::new()
                    .service(mount("/v1/rpc", one))
                    .service(mount("/v2/rpc", two))
                    .service(mount("/slash/", slash))
                    .service(
                        web::scope("/api")
                            .route("/plain", web::get().to(|| async { "plain" }))
                            .service(web::scope("/deep/er").service(mount("/rpc", nested)))
                            .service(mount("/rpc", scoped)),
                    )
                    .service(web::scope("/t/{tenant}").service(mount("/rpc", tenant)))
                    .service(web::scope("/only").service(mount("", root)))
            })
            .h1_allow_half_closed(false)
            .workers(1)
            .disable_signals()
            .bind("127.0.0.1:0")
            .expect("a free port");
            sender.send(server.addrs()[0]).expect("the test is waiting");
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

/// Returns the name of the service that receives a call at an address.
fn answering(server: &Server, mount: &str) -> String {
    let body = br#"{"jsonrpc":"2.0","method":"name","id":1}"#;
    server.send(&Request::post(mount, body)).brief()
}

#[test]
fn a_service_below_another_is_reached_whichever_was_mounted_first() {
    let paths = [
        "/rpc",
        "/rpc/v2",
        "/",
        "rpc/v2/beta/",
        "/RPC",
        "/café",
        "/health/rpc",
        "/metrics",
    ];
    for reversed in [false, true] {
        let mut paths = paths;
        if reversed {
            paths.reverse();
        }
        let server = Server::serving(docent::Server::new(routes(&paths)));
        for path in paths {
            let address = format!("/{}", path.trim_matches('/'));
            let address = address.replace('é', "%C3%A9");
            let expected = format!("\"{path}\" #1");
            assert_eq!(answering(&server, &address), expected, "{address}");
            let procedure = format!("{}/name", address.trim_end_matches('/'));
            assert_eq!(answering(&server, &procedure), expected, "{procedure}");
            let front_door = server.get(&address);
            assert_eq!(front_door.json()["name"].as_str(), Some(path), "{address}");
        }
        assert_eq!(server.get("/health").text(), r#"{"status":"ok"}"#);
        assert_eq!(server.get("/docs/").status, 200);
    }
}

/// Returns the error of `bind` for services at these paths.
fn bind_error(paths: &[&'static str]) -> String {
    let server = docent::Server::new(routes(paths).metrics());
    let bound = actix_web::rt::System::new().block_on(async { server.bind("127.0.0.1:0") });
    let error = bound.map(drop).expect_err("a path that is never reached");
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
    error.to_string()
}

#[test]
fn a_service_that_could_never_be_reached_is_refused_when_the_server_is_bound() {
    for (paths, said) in [
        (
            &["/rpc", "/rpc"][..],
            "two services are mounted at \"/rpc\"",
        ),
        (&["/rpc", "rpc/"], "two services are mounted at \"/rpc\""),
        (&["", "/"], "two services are mounted at \"/\""),
        (&["/health"], "\"/health\" is taken"),
        (&["/metrics/"], "\"/metrics\" is taken"),
        (&["docs"], "\"/docs\" is taken"),
        (&["/docs/rpc"], "the server itself serves \"/docs\""),
        (
            &["/rpc", "/rpc/name"],
            "the address of the procedure \"name\"",
        ),
        (&["/rpc/rpc.describe", "/rpc"], "procedure \"rpc.describe\""),
        (&["", "/name"], "the service at \"/\""),
        (&["/r%70c"], "not percent-encoded"),
        (&["/rpc//v2"], "choose a path whose segments are not empty"),
        (&["/rpc/../v2"], "`.` or `..`"),
        (&["/rpc?v=2"], "characters that a URL's path cannot contain"),
        (&["/a b"], "cannot contain"),
        (&["/t/{tenant}/rpc"], "is a pattern"),
    ] {
        let error = bind_error(paths);
        assert!(error.contains(said), "{paths:?}: {error}");
    }
    // All errors are reported at once.
    let error = bind_error(&["/health", "/a b", "/a b"]);
    assert_eq!(error.matches("; ").count(), 3, "{error}");
}

#[test]
fn what_a_server_does_not_have_takes_no_path() {
    let routes = routes(&["/docs/rpc", "/docs"]).without_docs();
    let server = Server::serving(docent::Server::new(routes));
    assert_eq!(answering(&server, "/docs/rpc"), "\"/docs/rpc\" #1");
    assert_eq!(answering(&server, "/docs"), "\"/docs\" #1");
}

#[test]
fn mounts_of_an_app_are_put_in_order_or_refused() {
    for paths in [
        &["/rpc", "/rpc/"][..],
        &["/t/{a}", "/t/{b}"],
        &["/rpc", "/rpc/name"],
        &["/a//b"],
    ] {
        assert!(Mount::new(routes(paths)).is_err(), "{paths:?}");
    }
    let paths = [
        "/",
        "/rpc",
        "/{tenant}/rpc",
        "/rpc/v2",
        "/{tenant}",
        "/acme/rpc",
    ];
    let mount = Mount::new(routes(&paths)).expect("each can be reached");
    let answered = actix_web::rt::System::new().block_on(async move {
        let app = App::new().service(web::scope("/api").service(mount));
        let app = actix_web::test::init_service(app).await;
        let mut answered = Vec::new();
        for address in [
            "/api",
            "/api/rpc",
            "/api/b/rpc",
            "/api/rpc/v2",
            "/api/b",
            "/api/acme/rpc",
        ] {
            let request = actix_web::test::TestRequest::get()
                .uri(address)
                .to_request();
            let body = actix_web::test::call_and_read_body(&app, request).await;
            let body: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
            answered.push(body["name"].as_str().expect("a name").to_owned());
        }
        answered
    });
    assert_eq!(answered, paths);
}

#[test]
fn every_link_that_routes_in_a_scope_send_is_answered() {
    let known = Routes::new(service()).nested_at("/api");
    assert_links_are_answered(&Server::in_a_scope("/api", known), "/api", true);
    let chosen = Server::in_a_scope("/t/{tenant}", Routes::new(service()));
    assert_links_are_answered(&chosen, "/t/acme", false);
}

#[test]
fn a_handler_in_an_app_cannot_add_a_field_that_a_response_has_without_it() {
    let server = Server::mounted(handler_fields::routes());
    handler_fields::assert_handlers_add_no_field_of(&server);
}

#[test]
fn browsers_that_open_a_mount_are_led_to_the_site_that_it_names() {
    let mount = mount("/rpc", &named("one")).documentation("https://docs.example/one/");
    let location = actix_web::rt::System::new().block_on(async move {
        let app = actix_web::test::init_service(App::new().service(mount)).await;
        let request = actix_web::test::TestRequest::get()
            .uri("/rpc")
            .insert_header(("accept", "text/html"))
            .to_request();
        let response = actix_web::test::call_service(&app, request).await;
        let location = response.headers().get("location").expect("a redirect");
        location.to_str().expect("text").to_owned()
    });
    assert_eq!(location, "https://docs.example/one/");
}

#[test]
fn a_mount_tells_which_settings_are_those_of_pages() {
    let routes = || Routes::new(named("one"));
    let with_pages = routes().docs(|site| site.title("One")).metrics();
    let (_, log) = listening(|| Mount::new(with_pages).expect("a mount"));
    assert!(log.contains("`docs`") && log.contains("`metrics`"), "{log}");
    let (_, log) = listening(|| Mount::new(routes()).expect("a mount"));
    assert_eq!(log, "");
    let (_, log) = listening(|| AppRoutes::new(routes()).expect("routes"));
    assert_eq!(log, "");
}
