//! An `App` with all addresses of a server.

use actix_web::dev::Service as _;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::{App, HttpMessage as _, web};
use docent::{AppRoutes, Cx, Fault, Procedure, Routes, Service};

fn routes() -> Routes {
    let service = Service::builder("greeter", "urn:example:greeter")
        .procedure(
            Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"))
                .idempotent()
                .tool(),
        )
        .build()
        .expect("a service");
    Routes::new(service)
        .metrics()
        .docs(|site| site.title("Greetings"))
}

/// The addresses of a server, each with the status of a GET and what the body or the location contains.
const ADDRESSES: [(&str, u16, &str); 12] = [
    ("/rpc", 200, "urn:example:greeter"),
    ("/rpc/hello", 200, "\"hello\""),
    ("/rpc/nobody", 404, "-32601"),
    ("/rpc/a/b", 404, "-32601"),
    ("/docs/hello", 200, "Greetings"),
    ("/docs", 308, "docs/"),
    ("/openapi.json", 200, "\"openapi\""),
    ("/.well-known/api-catalog", 200, "rpc.describe"),
    ("/health", 200, "ok"),
    ("/metrics", 200, "docent_calls"),
    ("/mcp", 405, "use POST"),
    ("/llms.txt", 200, "(docs/hello.md)"),
];

#[actix_web::test]
async fn an_app_serves_all_addresses_by_one_call_in_any_scope() {
    for scope in ["", "/api", "/a/b"] {
        let routes = AppRoutes::new(routes().nested_at(scope)).expect("routes");
        let own = web::resource("/").route(web::get().to(async || "own"));
        let app = App::new().service(web::scope(scope).service(own).service(routes));
        let app = init_service(app).await;
        for (path, status, content) in ADDRESSES {
            let path = format!("{scope}{path}");
            let response = call_service(&app, TestRequest::get().uri(&path).to_request()).await;
            assert_eq!(response.status(), status, "{path}");
            let location = response.headers().get("location").cloned();
            let body = read_body(response).await;
            let found = match &location {
                Some(location) => location.to_str().expect("text"),
                None => str::from_utf8(&body).expect("text"),
            };
            assert!(found.contains(content), "{path}: {found}");
        }
        let root = TestRequest::get().uri(&format!("{scope}/")).to_request();
        assert_eq!(read_body(call_service(&app, root).await).await, "own");
        let openapi = TestRequest::get().uri(&format!("{scope}/openapi.json"));
        let openapi = read_body(call_service(&app, openapi.to_request()).await).await;
        let address = format!("\"{scope}/rpc/hello\"");
        assert!(str::from_utf8(&openapi).expect("text").contains(&address));
    }
}

#[actix_web::test]
async fn an_app_that_shuts_down_rejects_calls() {
    let routes = AppRoutes::new(routes()).expect("routes");
    let app = init_service(App::new().service(routes.clone())).await;
    routes.health().begin_shutdown();
    for path in ["/rpc/hello", "/health"] {
        let response = call_service(&app, TestRequest::get().uri(path).to_request()).await;
        assert_eq!(response.status(), 503, "{path}");
    }
}

/// A value that a middleware puts into requests.
#[derive(Clone)]
struct Tenant(&'static str);

#[actix_web::test]
async fn a_value_of_a_middleware_reaches_the_handler_if_its_type_is_listed() {
    let tenant = |cx: Cx, (): ()| Ok::<_, Fault>(cx.extension::<Tenant>().map(|tenant| tenant.0));
    let service = Service::builder("tenants", "urn:example:tenants")
        .procedure(Procedure::sync("tenant", tenant).idempotent())
        .build()
        .expect("a service");
    let routes = AppRoutes::new(service).expect("routes");
    for (routes, result) in [
        (routes.clone(), "null"),
        (routes.forward::<Tenant>(), "\"acme\""),
    ] {
        let app = App::new().service(routes).wrap_fn(|request, next| {
            request.extensions_mut().insert(Tenant("acme"));
            next.call(request)
        });
        let app = init_service(app).await;
        let request = TestRequest::get().uri("/rpc/tenant").to_request();
        let body = read_body(call_service(&app, request).await).await;
        let text = format!(r#"{{"jsonrpc":"2.0","result":{result},"id":null}}"#);
        assert_eq!(body, text);
    }
}
