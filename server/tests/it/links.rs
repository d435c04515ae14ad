//! The links of the front door.

use docent::Service;

use crate::{ask, get};

/// Returns the links of the front door of a service at `/rpc`.
async fn links(public_url: Option<&str>) -> Vec<String> {
    let mut builder = Service::builder("links", "urn:uuid:5b1f0c9a-7d3e-4b8a-9c2d-1e4f5a6b7c8d");
    if let Some(url) = public_url {
        builder = builder.public_url(url);
    }
    let service = builder.build().expect("a service");
    let request = get("/rpc").insert_header(("host", "evil.example"));
    let response = ask(&service, request).await;
    response
        .headers
        .get_all("link")
        .map(|link| link.to_str().expect("text").to_owned())
        .collect()
}

#[actix_web::test]
async fn a_service_that_knows_its_address_gives_it_and_any_other_links_by_the_way_from_itself() {
    for (public_url, description) in [
        (None, "rpc/rpc.describe"),
        (
            Some("https://api.example/v2"),
            "https://api.example/v2/rpc.describe",
        ),
        (Some("https://api.example/a\tb"), "rpc/rpc.describe"),
        (Some("https://api.example/a>b"), "rpc/rpc.describe"),
    ] {
        let expected = format!("<{description}>; rel=\"service-desc\"; type=\"application/json\"");
        assert_eq!(links(public_url).await, [expected], "{public_url:?}");
    }
}
