//! Subscriptions, what a service sends, and procedures with several ways to authenticate.

use docent_docs_gen::Site;
use docent_tools::read::read;

use crate::pages::{check, check_parts, text};

/// A description with every member that tells of more than calls.
const DESK: &str = r##"{"sdversion": "2.0", "name": "desk", "id": "urn:x:desk", "address": "https://desk.example/rpc",
    "carriers": [{"name": "http"}, {"name": "websocket", "address": "wss://desk.example/rpc"}],
    "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": "A token of the desk."},
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "pin": {"type": "apiKey", "in": "header", "name": "X-Pin"}},
    "procs": [
    {"name": "loan.find", "summary": "Finds loans.", "idempotent": true, "ignoresUnknown": true,
     "params": [{"name": "book", "type": "num", "required": true, "schema": {"type": "integer"}}],
     "return": {"type": "arr", "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Loan"}}},
     "security": [{"oneOf": [{"bearer": ["clerk"]}, "key"]}, "pin"]},
    {"name": "loan.watch", "summary": "Tells of loans.", "idempotent": true,
     "params": [{"name": "after", "type": "str", "required": false, "schema": {"type": "string"}}],
     "subscription": {"item": {"type": "obj", "schema": {"$ref": "#/components/schemas/Loan"}, "description": "A new loan."},
        "notification": "loan.event", "behind": "skip", "resume": "after"},
     "errors": [{"code": 1404, "message": "No such shelf"}],
     "examples": [{"summary": "Two loans", "params": {"after": "17"}, "items": [{"loan": 18}, {"loan": 19}]}]},
    {"name": "clock.watch", "summary": "Tells the time.", "params": [],
     "subscription": {"item": {"type": "str", "schema": {"type": "string", "const": "noon"}}, "behind": "wait", "ends": "untold"}},
    {"name": "desk.closes", "summary": "Says that the desk closes.", "direction": "server", "notification": true,
     "params": [{"name": "reason", "type": "obj", "required": true, "schema": {"type": "object", "required": ["text"],
        "properties": {"text": {"type": "string"}, "secret": {"type": "string", "writeOnly": true},
            "at": {"type": "string", "readOnly": true}}}}]},
    {"name": "client.ask", "summary": "Asks the reader.", "direction": "server",
     "params": [{"name": "question", "type": "str", "required": true, "schema": {"type": "string"}}],
     "return": {"type": "bit", "schema": {"type": "boolean"}}}],
    "components": {"schemas": {"Loan": {"type": "object", "required": ["loan"], "properties": {"loan": {"type": "integer"}}}}}}"##;

/// The same as one whose carriers are unknown, and one that has events over HTTP.
const WITH_EVENTS: [(&str, &str); 2] = [
    (
        r#""carriers": [{"name": "http"}, {"name": "websocket", "address": "wss://desk.example/rpc"}],"#,
        "",
    ),
    (r#"{"name": "http"}"#, r#"{"name": "sse"}"#),
];

/// The parts of a procedure's page that it has only if a single request can call it.
const OF_CALLS: [&str; 5] = [
    "curl",
    "class=\"samples\"",
    "data-form",
    "With GET",
    "class=\"mark get\"",
];

fn site(language: &str) -> Site {
    site_of(DESK, language)
}

fn site_of(description: &str, language: &str) -> Site {
    let description = read(description.as_bytes())
        .expect("a description")
        .description;
    let site = Site::builder(description).language(language, false).build();
    site.expect("a site")
}

#[test]
fn a_subscription_with_events_over_http_can_be_tried_and_has_samples_for_curl_and_javascript() {
    for (from, to) in WITH_EVENTS {
        let site = site_of(&DESK.replace(from, to), "en");
        check(&site);
        let page = text(&site, "loan.watch.html");
        check_parts(&page, &OF_CALLS);
        check_parts(
            &page,
            &[
                "data-events",
                "&quot;resume&quot;: [&quot;after&quot;, true]",
                "Accept: text/event-stream",
                "EventSource(",
                "class=\"mark subscription\"",
            ],
        );
        assert_eq!(
            page.matches("name=\"language\"").count(),
            4,
            "curl, JavaScript, the generated client, GET"
        );
        check_parts(
            &text(&site, "loan.watch.md"),
            &[
                "curl -sSN 'https://desk.example/rpc'",
                "  -H 'Accept: text/event-stream'",
                "new EventSource(\"https://desk.example/rpc/loan.watch\")",
                "“Accept: text/event-stream”",
            ],
        );
        // No reader can make up a cursor, and that of an example is none any more.
        let unshown = DESK.replace(from, to).replace(
            r#""examples": [{"summary": "Two"#,
            r#""$examples": [{"summary": "Two"#,
        );
        let made = text(&site_of(&unshown, "en"), "loan.watch.md");
        let address = "new EventSource(\"https://desk.example/rpc/loan.watch\")";
        check_parts(&made, &[address]);
        // It cannot be called by GET, so there is no such address.
        assert!(!text(&site, "clock.watch.html").contains("EventSource("));
    }
    // Nothing is known of how others send their items.
    let foreign = r#"{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://a.example/"}],
        "methods": [{"name": "watch", "params": [], "result": {"name": "id", "schema": {"type": "string"}},
        "x-subscription": {"item": {"schema": {"type": "string"}}}}]}"#;
    let page = text(&site_of(foreign, "en"), "watch.html");
    assert!(
        !page.contains("data-form") && !page.contains("curl"),
        "{page}"
    );
}

#[test]
fn a_page_names_each_way_to_authenticate_and_all_that_is_required() {
    let site = site("en");
    check(&site);
    check_parts(
        &text(&site, "loan.find.md"),
        &[
            "Required credentials (all of these):",
            "- [`bearer`](index.md) with the role or scope `clerk`, or [`key`](index.md)\n  `bearer`: A token of the desk.\n",
            "\n- [`pin`](index.md)\n",
        ],
    );
    let page = text(&site, "loan.find.html");
    check_parts(&page, &["<code>clerk</code>, or <a href=", "Bearer $TOKEN"]);
    // Samples bring the first of several, and all that is required.
    check_parts(&page, &["X-Pin: $API_KEY&quot;"]);
    assert!(!page.contains("X-Key: $"), "{page}");
    // A call is still one.
    check_parts(&page, &OF_CALLS);
}

#[test]
fn several_keys_are_taken_from_several_variables() {
    let both = DESK.replace(r#"{"oneOf": [{"bearer": ["clerk"]}, "key"]}"#, r#""key""#);
    let page = text(&site_of(&both, "en"), "loan.find.html");
    check_parts(
        &page,
        &[
            "-H <span class=\"s\">&quot;X-Key: $API_KEY&quot;</span>",
            "-H <span class=\"s\">&quot;X-Pin: $API_KEY_2&quot;</span>",
        ],
    );
}

#[test]
fn unknown_parameters_that_are_ignored_are_told() {
    let site = site("en");
    let told = "Parameters with other names are ignored.";
    for path in ["loan.find.html", "loan.find.md"] {
        check_parts(&text(&site, path), &[told]);
    }
    assert!(!text(&site, "loan.watch.md").contains(told));
}

#[test]
fn a_subscription_says_what_it_yields_and_how_it_ends() {
    let site = site("en");
    let page = text(&site, "loan.watch.md");
    check_parts(
        &page,
        &[
            "→ each [Loan](types/Loan.md)",
            "each item arrives in a notification, `loan.event`.",
            "misses the oldest ones, and the next item tells how many.",
            "pass the cursor of the last one as `after`.",
            "The service tells when the subscription ends.",
            "\n## How items arrive\n\n- A call starts a subscription.",
            "## Items\n",
            "A new loan.",
            "### Items, each in a notification",
            "{\n  \"jsonrpc\": \"2.0\",\n  \"method\": \"loan.event\",\n  \"params\": {\n    \"subscription\": \"s1\",\n    \
             \"result\": {\"loan\": 18},\n    \"cursor\": \"CURSOR\"\n  }\n}",
            "\"result\": {\"loan\": 19}",
            "The id of the subscription and the cursor, if there is one, are placeholders for those of the service.",
            "\"result\": \"s1\"",
            "1404",
        ],
    );
    let clock = text(&site, "clock.watch.md");
    check_parts(
        &clock,
        &[
            "a notification, `clock.watch`.",
            "so nothing is missed.",
            "The service does not tell when the subscription ends.",
            "The description names no way to resume.",
            // Made from the schema.
            "Generated from the schemas",
            "\"result\": \"noon\"",
        ],
    );
    assert!(!clock.contains("CURSOR"), "{clock}");
    let page = text(&site, "loan.watch.html");
    check_parts(&page, &["<h2 id=\"delivery\">", "href=\"#delivery\""]);
    assert_eq!(page.matches("CURSOR").count(), 2, "a message for each item");
}

#[test]
fn a_subscription_that_a_websocket_carries_has_the_message_that_begins_it() {
    let page = text(&site("en"), "loan.watch.md");
    let sentence = "- Over a WebSocket, the request is a message, as is each item, and `rpc.unsubscribe` ends the \
                    subscription.\n\n```json\n{\n  \"jsonrpc\": \"2.0\",\n  \"method\": \"loan.watch\",";
    check_parts(&page, &[sentence]);
    let (from, to) = WITH_EVENTS[0];
    let page = text(&site_of(&DESK.replace(from, to), "en"), "loan.watch.md");
    assert!(!page.contains("WebSocket"), "{page}");
}

#[test]
fn what_the_service_sends_is_shown_in_its_direction() {
    let site = site("en");
    let page = text(&site, "desk.closes.md");
    check_parts(
        &page,
        &[
            "The service sends this notification. Clients do not call it.",
            "### Message",
            "\"method\": \"desk.closes\"",
            "`at`: string",
        ],
    );
    // Clients would send it, so the service does not.
    assert!(
        !page.contains("secret") && !page.contains("\"id\""),
        "{page}"
    );
    assert!(!page.contains("## Result"), "{page}");
    assert!(
        !page.contains("## Errors") && !page.contains("no response to this call"),
        "{page}"
    );
    check_parts(
        &text(&site, "client.ask.md"),
        &[
            "The service sends this request, and the client answers it.",
            "→ boolean",
            "## Result, from the client",
            "\"id\": 1",
        ],
    );
}

#[test]
fn nothing_shows_a_call_that_one_request_cannot_make() {
    let site = site("en");
    for name in ["loan.watch", "clock.watch", "desk.closes", "client.ask"] {
        for path in [format!("{name}.html"), format!("{name}.md")] {
            let page = text(&site, &path);
            let main = page.split_once("<main").map_or(&*page, |(_, main)| main);
            for part in OF_CALLS {
                assert!(!main.contains(part), "{path}: {part}: {main}");
            }
        }
    }
    let get = text(&site, "get.md");
    assert!(
        get.contains("loan.find") && !get.contains("loan.watch"),
        "{get}"
    );
}

#[test]
fn lists_navigation_and_the_search_mark_what_is_no_call() {
    let site = site("en");
    let overview = text(&site, "index.html");
    check_parts(
        &overview,
        &[
            "<span class=\"mark subscription\">subscription</span>",
            "<span class=\"mark sent\">sent</span>",
            "<b>subscription</b>",
            "<b>sent</b>",
            "<dt>Carrier</dt>",
            "wss://desk.example/rpc",
        ],
    );
    check_parts(
        &text(&site, "llms.txt"),
        &[
            "(subscription)",
            "(sent)",
            "Sent by the service. Clients do not call it.",
        ],
    );
    let index = text(&site, "assets/index.js");
    for line in [
        "u\\tloan.watch.html",
        "n\\tdesk.closes.html",
        "p\\tloan.find.html",
    ] {
        assert!(index.contains(line), "{line}: {index}");
    }
    // The notification leads to the subscription.
    assert!(index.contains("loan.event"), "{index}");
}

#[test]
fn all_of_it_is_said_in_german() {
    let site = site("de");
    check(&site);
    check_parts(
        &text(&site, "loan.watch.md"),
        &[
            "→ je ",
            "## Elemente",
            "Abonnement",
            "Jedes Element hat einen Cursor.",
        ],
    );
    check_parts(
        &text(&site, "loan.find.md"),
        &[
            "`clerk`, oder [`key`]",
            "Parameter mit anderen Namen werden übergangen.",
        ],
    );
    check_parts(
        &text(&site, "client.ask.md"),
        &["Ergebnis, vom Client", "### Nachricht"],
    );
}
