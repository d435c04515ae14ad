//! The reference site next to a mount.

use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use actix_web::dev::{self, ServiceResponse};
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::{App, rt};
use docent::describe::ProcedureDescription;
use docent::{
    AppPage, CallInfo, Cx, Docs, Fault, Guard, Headers, HttpOptions, Mount, Procedure, Rejection,
    Service,
};

#[path = "../../../cli/src/docs/changes.rs"]
mod changes;

use crate::get;
use crate::guards::{ID, Runs, procedures};

fn service() -> Service {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    Service::builder("greeter", "urn:uuid:1f0e2d3c-4b5a-4697-8877-665544332211")
        .public_url("https://api.example/rpc")
        .procedure(hello.idempotent().returns("A greeting."))
        .build()
        .expect("a service")
}

#[actix_web::test]
async fn pages_are_for_the_hosts_that_are_served() {
    let mut options = HttpOptions::default();
    options.allowed_hosts = Some(vec!["api.example".to_owned()]);
    let docs = Docs::builder("/docs", "/rpc", &service())
        .build()
        .expect("a site")
        .options(options);
    let app = init_service(App::new().service(AppPage(docs))).await;
    for (host, status) in [("api.example", 200), ("evil.example", 421)] {
        let request = TestRequest::with_uri("/docs/hello").insert_header(("host", host));
        let response = call_service(&app, request.to_request()).await;
        assert_eq!(response.status(), status, "{host}");
    }
}

#[actix_web::test]
async fn pages_link_to_the_description_and_to_the_documentation_of_their_service() {
    let docs = Docs::builder("/docs", "/rpc", &service())
        .build()
        .expect("a site");
    let app = init_service(App::new().service(AppPage(docs))).await;
    // Each link is relative to the page that has it.
    let links = "<./description.json>; rel=\"service-desc\"; type=\"application/json\", \
                 <./openapi.json>; rel=\"service-desc\"; type=\"application/json\", \
                 <./openrpc.json>; rel=\"service-desc\"; type=\"application/json\", \
                 <./>; rel=\"service-doc\"; type=\"text/html\", \
                 <./llms.txt>; rel=\"service-doc\"; type=\"text/plain\"";
    for (page, expected) in [
        ("/docs/", Some(links)),
        ("/docs/hello", Some(links)),
        ("/docs/assets/index.js", None),
        ("/docs/description.json", None),
    ] {
        let response = call_service(&app, TestRequest::with_uri(page).to_request()).await;
        assert_eq!(response.status(), 200, "{page}");
        let link = response
            .headers()
            .get("link")
            .map(|value| value.to_str().expect("text"));
        assert_eq!(link, expected, "{page}");
        if page.ends_with("hello") {
            let html = String::from_utf8(read_body(response).await.to_vec()).expect("UTF-8");
            let head =
                "<link rel=\"service-desc\" type=\"application/json\" href=\"description.json\">";
            assert!(html.contains(head), "{html}");
        }
    }
}

#[actix_web::test]
async fn pages_come_with_a_strict_policy_a_validator_and_compressed() {
    let service = service();
    let docs = Docs::builder("/docs", "/rpc", &service)
        .build()
        .expect("a site");
    let app = init_service(
        App::new()
            .service(AppPage(docs))
            .service(Mount::new(&service).expect("a mount")),
    )
    .await;
    let plain = call_service(&app, TestRequest::with_uri("/docs/hello").to_request()).await;
    let policy = plain
        .headers()
        .get("content-security-policy")
        .expect("a policy");
    assert!(policy.as_bytes().starts_with(b"default-src 'none'"));
    let tag = plain.headers().get("etag").expect("a validator").clone();
    let page = String::from_utf8(read_body(plain).await.to_vec()).expect("UTF-8");
    assert!(
        page.contains("A greeting.") && page.contains("../rpc"),
        "{page}"
    );

    let request = TestRequest::with_uri("/docs/hello").insert_header(("accept-encoding", "gzip"));
    let compressed = call_service(&app, request.to_request()).await;
    let coding = compressed.headers().get("content-encoding");
    assert_eq!(coding.expect("a coding"), "gzip");
    assert_ne!(compressed.headers().get("etag"), Some(&tag));
    assert!(read_body(compressed).await.len() < page.len() / 2);

    let request = TestRequest::with_uri("/docs/hello").insert_header(("if-none-match", tag));
    assert_eq!(call_service(&app, request.to_request()).await.status(), 304);
    for (target, status) in [
        ("/docs", 308),
        ("/docs/", 200),
        ("/docs/hello.html", 308),
        ("/docs/index.html", 308),
        ("/docs/groups/procedures", 200),
        ("/docs/nothing", 404),
        ("/docs/../x", 404),
    ] {
        let response = call_service(&app, TestRequest::with_uri(target).to_request()).await;
        assert_eq!(response.status(), status, "{target}");
    }
}

/// Requires a member card in its own header field. The response is private, although a cache could
/// not tell so from the request.
struct Card;

impl Guard for Card {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        let headers = attempt.extension::<Headers>().expect("the transport's");
        headers
            .get("x-card")
            .map(drop)
            .ok_or_else(Rejection::forbidden)
    }

    fn covers(&self, _: &ProcedureDescription) -> bool {
        true
    }
}

#[actix_web::test]
async fn callers_who_may_not_see_the_description_do_not_see_the_site() {
    let service = Service::builder("private", ID)
        .procedures(procedures(&Runs::default()))
        .guard(Card)
        .build()
        .expect("a service");
    let docs = Docs::builder("/docs", "/rpc", &service).build();
    let app = init_service(App::new().service(AppPage(docs.expect("a site")))).await;
    for target in [
        "/docs/",
        "/docs/read",
        "/docs/read.md",
        "/docs/description.json",
        "/docs/nothing",
    ] {
        let refused = call_service(&app, get(target).to_request()).await;
        assert_eq!(refused.status(), 403, "{target}");
        let control = refused.headers().get("cache-control").expect("a rule");
        assert_eq!(control, "no-store");
        let body = read_body(refused).await;
        assert!(!body.windows(4).any(|word| word == b"read"), "{target}");

        let card = ("x-card", "1");
        let admitted = call_service(&app, get(target).insert_header(card).to_request()).await;
        let status = if target == "/docs/nothing" { 404 } else { 200 };
        assert_eq!(admitted.status(), status, "{target}");
        let control = admitted.headers().get("cache-control").expect("a rule");
        assert_eq!(control, "private, no-cache", "{target}");
        if let Some(tag) = admitted.headers().get("etag") {
            let request = get(target)
                .insert_header(("if-none-match", tag))
                .insert_header(card);
            let unchanged = call_service(&app, request.to_request()).await;
            assert_eq!(unchanged.status(), 304);
            assert_eq!(unchanged.headers().get("cache-control"), Some(control));
            // A caller who has only the tag learns nothing from it.
            let without_card = get(target).insert_header(("if-none-match", tag));
            assert_eq!(
                call_service(&app, without_card.to_request()).await.status(),
                403
            );
        }
    }
}

#[actix_web::test]
async fn a_page_is_rendered_once_and_beside_the_workers() {
    static RENDERED: AtomicUsize = AtomicUsize::new(0);
    let docs = Docs::builder("/docs", "/rpc", &service()).customise(|site| {
        site.download(docent::docs_gen::Download::Description, |out| {
            RENDERED.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(50));
            write!(out, "{:?}", thread::current().id())
        })
    });
    let app =
        Rc::new(init_service(App::new().service(AppPage(docs.build().expect("a site")))).await);
    let worker = format!("{:?}", thread::current().id());
    let mut requests = Vec::new();
    for _ in 0..3 {
        let app = Rc::clone(&app);
        requests.push(rt::spawn(async move {
            call_service(&*app, get("/docs/description.json").to_request()).await
        }));
    }
    for request in requests {
        let response = request.await.expect("no panic");
        assert_eq!(response.status(), 200);
        let renderer = read_body(response).await;
        assert_ne!(renderer, worker.as_bytes());
    }
    assert_eq!(RENDERED.load(Ordering::Relaxed), 1);
}

/// A page, with the header fields that the tests look at.
struct FetchedPage {
    status: u16,
    location: String,
    cache_control: String,
    body: String,
}

/// Fetches a page with a value of `Accept`. A field that the response does not have is empty.
async fn fetch(
    app: &impl dev::Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    target: &str,
    accept: &'static str,
) -> FetchedPage {
    let request = TestRequest::with_uri(target).insert_header(("accept", accept));
    let response = call_service(app, request.to_request()).await;
    let field = |name| match response.headers().get(name) {
        Some(value) => value.to_str().expect("text").to_owned(),
        None => String::new(),
    };
    FetchedPage {
        status: response.status().as_u16(),
        location: field("location"),
        cache_control: field("cache-control"),
        body: String::from_utf8(read_body(response).await.to_vec()).expect("UTF-8"),
    }
}

#[actix_web::test]
async fn addresses_are_readable_and_files_that_never_change_are_kept() {
    let docs = Docs::builder("/docs", "/rpc", &service())
        .base_url("https://api.example/docs")
        .build()
        .expect("a site");
    let app = init_service(App::new().service(AppPage(docs))).await;
    for (target, location) in [
        ("/docs/hello.html", "hello"),
        ("/docs/index.html", "./"),
        ("/docs/groups/procedures.html", "procedures"),
    ] {
        let page = fetch(&app, target, "*/*").await;
        assert_eq!((page.status, &*page.location), (308, location), "{target}");
    }
    let hello = fetch(&app, "/docs/hello", "text/html").await;
    assert_eq!(hello.cache_control, "no-cache");
    let canonical = "<link rel=\"canonical\" href=\"https://api.example/docs/hello\">";
    assert!(hello.body.contains(canonical), "{}", hello.body);
    let (_, rest) = hello
        .body
        .split_once("href=\"assets/style-")
        .expect("a style sheet");
    let (style, _) = rest.split_once('"').expect("an end");
    let style = fetch(&app, &format!("/docs/assets/style-{style}"), "*/*").await;
    assert_eq!(style.status, 200);
    assert_eq!(style.cache_control, "public, max-age=31536000, immutable");
    let script = fetch(&app, "/docs/assets/index.js", "*/*").await;
    assert_eq!(script.cache_control, "no-cache");
    let sitemap = fetch(&app, "/docs/sitemap.xml", "*/*").await.body;
    assert!(sitemap.contains("<loc>https://api.example/docs/hello</loc>"));
    let robots = fetch(&app, "/docs/robots.txt", "*/*").await.body;
    assert!(robots.contains("https://api.example/docs/sitemap.xml"));
}

#[actix_web::test]
async fn an_unknown_page_leads_to_the_known_ones() {
    let docs = Docs::builder("/docs", "/rpc", &service())
        .build()
        .expect("a site");
    let app = init_service(App::new().service(AppPage(docs))).await;
    let missing = fetch(&app, "/docs/a/b/nothing", "text/html").await;
    assert_eq!(missing.status, 404);
    assert!(missing.body.contains("Page not found"), "{}", missing.body);
    assert!(missing.body.contains("href=\"../../assets/style-"));
    assert!(!missing.body.contains("Did you mean"), "{}", missing.body);
    let similar = fetch(&app, "/docs/a/helo", "text/html").await.body;
    assert!(similar.contains("Did you mean"), "{similar}");
    let link = "<a href=\"../hello\" dir=\"auto\">hello</a>";
    assert!(similar.contains(link), "{similar}");
    for (target, text) in [
        (
            "/docs/nothing",
            "There is no such page: llms.txt lists them\n",
        ),
        (
            "/docs/a/b/nothing",
            "There is no such page: ../../llms.txt lists them\n",
        ),
    ] {
        assert_eq!(fetch(&app, target, "*/*").await.body, text);
    }
}

#[actix_web::test]
async fn versions_beside_each_other_lead_to_each_other_and_to_what_changed() {
    let old = service();
    let added = Procedure::sync("hello.again", |_: Cx, (): ()| Ok::<_, Fault>("again"));
    let new = old
        .extend()
        .version("2.0")
        .procedure(added)
        .build()
        .expect("a service");
    let docs = Docs::builder("/docs", "/rpc/v1", &old)
        .and("/rpc/v2", &new)
        .customise(|site| site.changes(changes::changes));
    let app = init_service(App::new().service(AppPage(docs.build().expect("a site")))).await;
    let read = async |path: &str| {
        let response = call_service(&app, TestRequest::with_uri(path).to_request()).await;
        assert_eq!(response.status(), 200, "{path}");
        String::from_utf8(read_body(response).await.to_vec()).expect("UTF-8")
    };
    let page = read("/docs/greeter/hello").await;
    assert!(
        page.contains("<a href=\"../greeter-2.0/hello\">2.0</a>"),
        "{page}"
    );
    let changes = read("/docs/greeter-2.0/changes/").await;
    let added = "<a href=\"../hello.again\"><code>hello.again</code></a>";
    assert!(changes.contains(added), "{changes}");
    read("/docs/greeter-2.0/changes/index.md").await;
}

#[actix_web::test]
async fn the_overview_in_markdown_says_where_to_call() {
    let docs = || Docs::builder("/docs", "/rpc", &service());
    let public = docs().base_url("https://a.example/x/docs/");
    for (docs, address) in [
        // A reader of the text alone does not know what `../rpc` is relative to.
        (docs(), "- Address: `http://b.example:8080/rpc`\n"),
        (public, "- Address: `https://a.example/x/rpc`\n"),
    ] {
        let app = init_service(App::new().service(AppPage(docs.build().expect("a site")))).await;
        for path in ["/docs/index.md", "/docs/llms.txt"] {
            let peer = "192.0.2.1:4711".parse().expect("an address");
            let request = TestRequest::with_uri(path)
                .peer_addr(peer)
                .insert_header(("host", "b.example:8080"));
            let response = call_service(&app, request.to_request()).await;
            let text = String::from_utf8(read_body(response).await.to_vec()).expect("UTF-8");
            assert!(text.contains(address), "{text}");
            assert!(!text.contains("host.invalid"), "{text}");
        }
    }
}
