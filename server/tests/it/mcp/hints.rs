//! Hints to clients about tools, besides their schemas, and lists of many tools.

use docent::carrier::{Incoming, McpHeaders, ReplyBody};
use docent::{Cx, Fault, Procedure, Service, ToolHints, procedures};
use futures_util::FutureExt;
use serde_json::{Value, json};

use super::{ID, older, result, send, start_with};

fn nothing(name: &str) -> Procedure {
    Procedure::sync(name, |_: Cx, (): ()| Ok::<_, Fault>(()))
}

struct Shelf;

#[procedures(prefix = "shelf")]
impl Shelf {
    /// Puts a book on the shelf.
    #[procedure(tool(
        name = "shelf_put",
        title = "Put a book back",
        destructive = false,
        repeatable = true
    ))]
    fn put(&self, book: u32) -> Result<u32, Fault> {
        Ok(book)
    }

    #[procedure(idempotent, tool(open_world = false))]
    fn count(&self) -> Result<u32, Fault> {
        Ok(0)
    }
}

#[test]
fn tools_say_what_their_authors_declare() {
    let builder = Service::builder("hints", ID)
        .procedures(Shelf.procedures())
        .procedure(nothing("wipe").tool())
        .procedure(
            nothing("mail")
                .tool()
                .tool_hints(ToolHints::new().open_world(true)),
        );
    let server = start_with(builder);
    let list = result(&send(
        &server,
        &older("tools/list", &json!({})).to_string(),
        &[],
    ));
    let tool = |at: usize| {
        let tool = &list["tools"][at];
        (
            tool["name"].clone(),
            tool["title"].clone(),
            tool["annotations"].clone(),
        )
    };
    assert_eq!(
        tool(0),
        (
            json!("shelf_put"),
            json!("Put a book back"),
            json!({"destructiveHint": false, "idempotentHint": true})
        )
    );
    let hints = json!({"readOnlyHint": true, "openWorldHint": false});
    assert_eq!(tool(1), (json!("shelf_count"), Value::Null, hints));
    assert_eq!(tool(2), (json!("wipe"), Value::Null, Value::Null));
    assert_eq!(tool(3).2, json!({"openWorldHint": true}));
}

#[test]
fn hints_that_make_no_sense_are_mistakes() {
    let hints = ToolHints::new;
    for (procedure, mistake) in [
        (
            nothing("a").tool_hints(hints().title("A")),
            "call `.tool()` too",
        ),
        (
            nothing("a")
                .idempotent()
                .tool()
                .tool_hints(hints().destructive(true)),
            "`idempotent` says that they do not",
        ),
        (
            nothing("a")
                .idempotent()
                .tool()
                .tool_hints(hints().repeatable(false)),
            "`idempotent` says that they do not",
        ),
        (
            nothing("a").tool().tool_hints(hints().title("")),
            "must not be empty",
        ),
    ] {
        let refused = Service::builder("hints", ID).procedure(procedure).build();
        let text = refused.expect_err("a mistake").to_string();
        assert!(text.contains(mistake), "{text}");
    }
    // Hints of a tool that a switch makes one, and without tools.
    let all = Service::builder("hints", ID)
        .procedure(nothing("a").idempotent().tool_hints(hints().title("A")))
        .idempotent_tools();
    assert!(all.build().is_ok());
}

#[test]
fn a_list_of_a_thousand_tools_is_sent_without_a_copy() {
    let all = (0..1_000).map(|at| nothing(&format!("tool.{at}")).tool());
    let service = Service::builder("many", ID)
        .procedures(all)
        .build()
        .expect("a service");
    let list = || {
        let message = Incoming::new(older("tools/list", &json!({})).to_string());
        let reply = service
            .mcp(message, Some(McpHeaders::default()))
            .now_or_never()
            .expect("nothing waits")
            .reply;
        match reply.into_parts() {
            Some(ReplyBody::Parts([_, text, _])) => text,
            other => panic!("not in parts: {other:?}"),
        }
    };
    let [first, second] = [list(), list()];
    assert_eq!(first.as_ptr(), second.as_ptr());
    let list: Value = serde_json::from_slice(&first).expect("JSON");
    assert_eq!(list["tools"].as_array().map(Vec::len), Some(1_000));
}
