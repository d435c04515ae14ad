//! Lists that are read page by page.

use docent_core::pages::{CursorPage, CursorParams, Page, PageParams};
use docent_core::{Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::builder;

#[derive(Deserialize, JsonSchema)]
struct Find {
    words: String,
    #[serde(flatten)]
    page: PageParams,
}

#[derive(Deserialize, JsonSchema)]
struct List {
    #[serde(flatten)]
    page: CursorParams<10>,
}

#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "handlers are called so"
)]
fn find(_: Cx, p: Find) -> Result<Page<String>, Fault> {
    let all: Vec<String> = (0..50)
        .map(|number| format!("{} {number}", p.words))
        .collect();
    Ok(p.page.of(&all))
}

#[expect(clippy::needless_pass_by_value, reason = "handlers are called so")]
fn list(_: Cx, p: List) -> Result<CursorPage<u32>, Fault> {
    let start = match &p.page.cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| p.page.invalid())?,
    };
    let end = (start + p.page.limit).min(25);
    Ok(CursorPage {
        items: (start..end).collect(),
        next: (end < 25).then(|| end.to_string()),
    })
}

fn service() -> Service {
    builder()
        .procedure(
            Procedure::sync("find", find)
                .idempotent()
                .order(["words", "offset", "limit"]),
        )
        .procedure(Procedure::sync("list", list).idempotent())
        .build()
        .unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn a_page_is_selected_by_offset_and_limit() {
    let service = service();
    let page: Page<String> = service.call("find", &json!(["a"])).await.expect("a page");
    assert_eq!((page.items.len(), page.total), (20, 50));
    let page: Page<String> = service
        .call("find", &json!(["a", 48, 5]))
        .await
        .expect("a page");
    assert_eq!(page.items, ["a 48", "a 49"]);
    let page: Page<String> = service
        .call("find", &json!({"words": "a", "offset": (1_u64 << 53) - 1}))
        .await
        .expect("a page");
    assert!(page.items.is_empty());
    for limit in [0, 101] {
        let refused = service.call::<Value>("find", &json!(["a", 0, limit])).await;
        assert_eq!(refused.expect_err("an error").code(), Some(-32602));
    }
    // A double holds all that is published, so no client needs a type of its own.
    let schemas = &service.description().components.schemas;
    let total = schemas
        .values()
        .find_map(|schema| schema.get("properties")?.get("total"));
    let greatest = total.and_then(|total| total.get("maximum")?.as_number());
    assert_eq!(greatest, Some("9007199254740991"));
}

#[test]
fn a_page_of_a_filter_counts_all_that_it_leaves() {
    let page = PageParams::<10> {
        offset: 1,
        limit: 2,
    };
    let even = page.of((0..9).collect::<Vec<u8>>().iter().filter(|n| *n % 2 == 0));
    assert_eq!((even.items, even.total), (vec![2, 4], 5));
    let beyond = PageParams::<10> {
        offset: 7,
        limit: 2,
    };
    assert_eq!(beyond.of(&[1, 2]).total, 2);
}

#[tokio::test]
async fn pages_follow_each_other_by_cursor() {
    let service = service();
    let mut params = json!({});
    let mut items = Vec::new();
    loop {
        let page: CursorPage<u32> = service.call("list", &params).await.expect("a page");
        items.extend(page.items);
        match page.next {
            Some(next) => params = json!({"cursor": next}),
            None => break,
        }
    }
    assert!(items.iter().copied().eq(0..25));
    let refused = service
        .call::<Value>("list", &json!({"cursor": "x"}))
        .await
        .expect_err("an error")
        .to_string();
    assert!(refused.contains(r#""parameter":"cursor""#), "{refused}");
}

#[test]
fn the_bounds_and_defaults_of_pages_are_described() {
    let service = service();
    let description = service.description();
    let limit = |at: usize| {
        let params = &description.procs[at].params;
        let limit = params
            .iter()
            .find(|param| param.name == "limit")
            .expect("a limit");
        (limit.schema.get("maximum").cloned(), limit.default.clone())
    };
    assert_eq!(limit(0), (Some(100.into()), Some(20.into())));
    assert_eq!(limit(1), (Some(10.into()), Some(10.into())));
    let names = description.components.schemas.keys();
    assert!(names.eq(["CursorPage_of_uint32", "Page_of_string"]));
}
