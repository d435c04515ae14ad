//! The reference site next to a mount.

use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

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
        let answer = call_service(&app, request.to_request()).await;
        assert_eq!(answer.status(), status, "{host}");
    }
}

#[actix_web::test]
async fn pages_link_to_the_description_and_to_the_documentation_of_their_service() {
    let of = |mount: &str, own: &str, doc: &str| {
        let desc =
            format!("<{own}description.json>; rel=\"service-desc\"; type=\"application/json\"");
        (
            mount.to_owned(),
            Some(format!(
                "{desc}, <{own}openapi.json>; rel=\"service-desc\"; type=\"application/json\", \
                 <{own}openrpc.json>; rel=\"service-desc\"; type=\"application/json\", \
                 <{doc}>; rel=\"service-doc\"; type=\"text/html\", \
                 <{own}llms.txt>; rel=\"service-doc\"; type=\"text/plain\""
            )),
        )
    };
    let one = Docs::builder("/docs", "/rpc", &service());
    let docs = one.build().expect("a site");
    let app = init_service(App::new().service(AppPage(docs))).await;
    let pages = [of("/docs/", "./", "./"), of("/docs/hello", "./", "./")];
    let without_link =
        ["/docs/assets/index.js", "/docs/description.json"].map(|path| (path.to_owned(), None));
    for (page, expected) in pages.into_iter().chain(without_link) {
        let answer = call_service(&app, TestRequest::with_uri(&page).to_request()).await;
        assert_eq!(answer.status(), 200, "{page}");
        let link = answer
            .headers()
            .get("link")
            .map(|value| value.to_str().expect("text").to_owned());
        assert_eq!(link, expected, "{page}");
        if page.ends_with("hello") {
            let html = String::from_utf8(read_body(answer).await.to_vec()).expect("UTF-8");
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
    let app = App::new()
        .service(AppPage(docs))
        .service(Mount::new(&service).expect("a mount"));
    let app = init_service(app).await;
    let plain = call_service(&app, TestRequest::with_uri("/docs/hello").to_request()).await;
    let policy = plain
        .headers()
        .get("content-security-policy")
        .expect("a policy");
    assert!(
        policy
            .to_str()
            .expect("text")
            .starts_with("default-src 'none'")
    );
    let tag = plain.headers().get("etag").expect("a validator").clone();
    let page = String::from_utf8(read_body(plain).await.to_vec()).expect("UTF-8");
    assert!(
        page.contains("A greeting.") && page.contains("../rpc"),
        "{page}"
    );

    let request = TestRequest::with_uri("/docs/hello").insert_header(("accept-encoding", "gzip"));
    let compressed = call_service(&app, request.to_request()).await;
    assert_eq!(
        compressed
            .headers()
            .get("content-encoding")
            .expect("a coding"),
        "gzip"
    );
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
        let answer = call_service(&app, TestRequest::with_uri(target).to_request()).await;
        assert_eq!(answer.status(), status, "{target}");
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
        let control = refused.headers().get("cache-control");
        assert_eq!(control.expect("a rule"), "no-store");
        let body = read_body(refused).await;
        assert!(!body.windows(4).any(|word| word == b"read"), "{target}");

        let card = ("x-card", "1");
        let admitted = call_service(&app, get(target).insert_header(card).to_request()).await;
        let status = if target == "/docs/nothing" { 404 } else { 200 };
        assert_eq!(admitted.status(), status, "{target}");
        let control = admitted.headers().get("cache-control").expect("a rule");
        assert_eq!(control, "private, no-cache", "{target}");
        if let Some(tag) = admitted.headers().get("etag") {
            let again = get(target)
                .insert_header(("if-none-match", tag))
                .insert_header(card);
            let again = call_service(&app, again.to_request()).await;
            assert_eq!(again.status(), 304);
            assert_eq!(again.headers().get("cache-control"), Some(control));
            let stolen = get(target).insert_header(("if-none-match", tag));
            assert_eq!(call_service(&app, stolen.to_request()).await.status(), 403);
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
    let app = init_service(App::new().service(AppPage(docs.build().expect("a site")))).await;
    let app = Rc::new(app);
    let ask = || {
        let app = Rc::clone(&app);
        rt::spawn(async move {
            let request = get("/docs/description.json").to_request();
            call_service(&*app, request).await
        })
    };
    let this = format!("{:?}", thread::current().id());
    for answer in [ask(), ask(), ask()] {
        let answer = answer.await.expect("no panic");
        assert_eq!(answer.status(), 200);
        let renderer = read_body(answer).await;
        assert_ne!(renderer, this.as_bytes());
    }
    assert_eq!(RENDERED.load(Ordering::Relaxed), 1);
}

#[actix_web::test]
async fn addresses_are_readable_and_files_that_never_change_are_kept() {
    let docs = Docs::builder("/docs", "/rpc", &service())
        .base_url("https://api.example/docs")
        .build()
        .expect("a site");
    let app = init_service(App::new().service(AppPage(docs))).await;
    let get = async |target: &str, accept: &'static str| {
        let request = TestRequest::with_uri(target).insert_header(("accept", accept));
        let answer = call_service(&app, request.to_request()).await;
        let field = |name| {
            let value = answer.headers().get(name).map(|value| value.to_str());
            value
                .transpose()
                .expect("text")
                .unwrap_or_default()
                .to_owned()
        };
        let (status, location, control) = (
            answer.status().as_u16(),
            field("location"),
            field("cache-control"),
        );
        let body = String::from_utf8(read_body(answer).await.to_vec()).expect("UTF-8");
        (status, location, control, body)
    };
    for (target, location) in [
        ("/docs/hello.html", "hello"),
        ("/docs/index.html", "./"),
        ("/docs/groups/procedures.html", "procedures"),
    ] {
        let (status, found, ..) = get(target, "*/*").await;
        assert_eq!((status, found.as_str()), (308, location), "{target}");
    }
    let (_, _, control, page) = get("/docs/hello", "text/html").await;
    assert_eq!(control, "no-cache");
    assert!(page.contains("<link rel=\"canonical\" href=\"https://api.example/docs/hello\">"));
    let style = page
        .split("href=\"")
        .find(|rest| rest.starts_with("assets/style-"));
    let style = style
        .and_then(|rest| rest.split('"').next())
        .expect("a style sheet");
    let (status, _, control, _) = get(&format!("/docs/{style}"), "*/*").await;
    assert_eq!(
        (status, control.as_str()),
        (200, "public, max-age=31536000, immutable")
    );
    assert_eq!(get("/docs/assets/index.js", "*/*").await.2, "no-cache");
    let sitemap = get("/docs/sitemap.xml", "*/*").await.3;
    assert!(sitemap.contains("<loc>https://api.example/docs/hello</loc>"));
    assert!(
        get("/docs/robots.txt", "*/*")
            .await
            .3
            .contains("https://api.example/docs/sitemap.xml")
    );
    let (status, _, _, missing) = get("/docs/a/b/nothing", "text/html").await;
    assert_eq!(status, 404);
    assert!(missing.contains("Page not found") && missing.contains("href=\"../../assets/style-"));
    assert!(!missing.contains("Did you mean"), "{missing}");
    let near = get("/docs/a/helo", "text/html").await.3;
    let link = "<a href=\"../hello\" dir=\"auto\">hello</a>";
    assert!(
        near.contains("Did you mean") && near.contains(link),
        "{near}"
    );
    assert_eq!(
        get("/docs/nothing", "*/*").await.3,
        "There is no such page: llms.txt lists them\n"
    );
    assert_eq!(
        get("/docs/a/b/nothing", "*/*").await.3,
        "There is no such page: ../../llms.txt lists them\n"
    );
}

#[actix_web::test]
async fn versions_beside_each_other_lead_to_each_other_and_to_what_changed() {
    let old = service();
    let again = Procedure::sync("hello.again", |_: Cx, (): ()| Ok::<_, Fault>("again"));
    let new = old
        .extend()
        .version("2.0")
        .procedure(again)
        .build()
        .expect("a service");
    let docs = Docs::builder("/docs", "/rpc/v1", &old)
        .and("/rpc/v2", &new)
        .customise(|site| site.changes(changes::changes));
    let app = init_service(App::new().service(AppPage(docs.build().expect("a site")))).await;
    let read = async |path: &str| {
        let answer = call_service(&app, TestRequest::with_uri(path).to_request()).await;
        assert_eq!(answer.status(), 200, "{path}");
        String::from_utf8(read_body(answer).await.to_vec()).expect("UTF-8")
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
            let answer = call_service(&app, request.to_request()).await;
            let text = String::from_utf8(read_body(answer).await.to_vec()).expect("UTF-8");
            assert!(text.contains(address), "{text}");
            assert!(!text.contains("host.invalid"), "{text}");
        }
    }
}
