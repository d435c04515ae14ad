//! Errors: those that procedures declare, their pages, and those of the protocol.

use docent_describe::{ErrorDescription, code};

use crate::html::between;
use crate::library::{json, library};
use crate::pages::{check, check_parts, many, site, text};

#[test]
fn whether_repeating_helps_is_said_only_where_it_was_declared() {
    let mut service = library();
    let error = |code, status, retry| {
        let mut error = ErrorDescription::new(code, format!("Error {code}"));
        error.status = status;
        error.retry = retry;
        error
    };
    service.procs[0].errors = vec![
        error(1, Some(409), Some(true)),
        error(2, Some(503), None),
        error(3, Some(409), None),
        error(4, None, Some(false)),
    ];
    let site = site(service);
    for path in ["book.find.html", "book.find.md"] {
        let page = text(&site, path);
        let (_, errors) = page.split_once("Error 1").expect("the errors");
        let said: Vec<bool> = ["Error 2", "Error 3", "Error 4", "protocol error"]
            .iter()
            .scan(errors, |rest, end| {
                let (own, next) = rest.split_once(end)?;
                *rest = next;
                Some(own.contains("Retry?"))
            })
            .collect();
        assert_eq!(said, [true, false, false, true], "{path}: {errors}");
    }
}

#[test]
fn declared_errors_are_shown_as_they_are_answered_beside_the_examples() {
    let page = text(&site(library()), "book.find.html");
    // An example shows 1404 already.
    assert!(!page.contains("id=\"answer.1404\""));
    let (_, answer) = page.split_once("id=\"answer.1503\"").expect("there");
    let answer = answer.split_once("</section>").expect("its end").0;
    let messages = [
        r#"{"jsonrpc": "2.0", "error": {"code": 1503, "message": "Catalogue is being rebuilt"}, "id": 1}"#,
    ];
    assert_eq!(between(answer, "<code>", "</code>"), messages.map(json));
    assert!(
        answer.contains("href=\"#error.1503\"")
            && page.contains(">1503 Catalogue is being rebuilt<")
    );
}

#[test]
fn the_page_of_an_error_lists_the_procedures_that_return_it() {
    let mut service = many(700);
    let error = |code: i64, message: &str| {
        let mut error = ErrorDescription::new(code, message);
        error.description = Some(format!("What {message} means, see `Book`."));
        error
    };
    for (at, procedure) in (0..).zip(&mut service.procs) {
        let message = if at < 3 {
            "Other <b>words</b>"
        } else {
            "Not now"
        };
        procedure.errors = vec![
            error(7, message),
            error(-32001, "Timed out"),
            error(at + 100, "Own"),
        ];
    }
    let first = service.procs[0].name.clone();
    let site = site(service);
    check(&site);
    let page = text(&site, "errors/7.html");
    check_parts(
        &page,
        &[
            "<h1 dir=\"auto\"><code>7</code> Other &lt;b&gt;words&lt;/b&gt;</h1>",
            "Returned by 700 procedures.",
            "<h2 dir=\"auto\">Not now</h2>",
            "What Not now means, see <a href=\"../types/Book.html\"><code>Book</code></a>.",
            "… and 197 more.",
        ],
    );
    assert_eq!(page.matches("#error.7\"><code>").count(), 503);
    let protocol = text(&site, "errors/code-32001.html");
    assert!(protocol.contains("href=\"../index.html#code-32001\">protocol error: Timed out</a>"));
    let markdown = text(&site, "errors/7.md");
    assert!(
        markdown.starts_with("# 7 Other \\<b>") && markdown.contains("## Not now\n"),
        "{markdown}"
    );
    assert!(
        markdown.contains(&format!("- [{first}](../{first}.md)")),
        "{markdown}"
    );
    let own = text(&site, &format!("{first}.html"));
    assert!(
        own.contains("<a href=\"errors/7.html\">Returned by 700 procedures.</a>"),
        "{own}"
    );
    assert!(
        !own.contains("errors/100.html"),
        "only this procedure returns it"
    );
    let own = text(&site, &format!("{first}.md"));
    assert!(
        own.contains("[Returned by 700 procedures.](errors/7.md)"),
        "{own}"
    );
    let overview = text(&site, "index.html");
    assert!(overview.contains("<a href=\"errors/7.html\"><code>7</code></a>"));
    assert!(text(&site, "index.md").contains("[`7`](errors/7.md) Not now: "));
}

#[test]
fn the_page_of_an_error_has_its_data_an_example_and_its_statuses() {
    let mut service = library();
    let mut made = ErrorDescription::new(7, "Too <many>");
    made.data = Some(json(
        r#"{"type": "object", "required": ["email"], "properties": {"email": {"type": "string"}}}"#,
    ));
    let mut impossible = ErrorDescription::new(8, "Never");
    impossible.data = Some(json(r#"{"type": "string", "pattern": "a$b"}"#));
    service.procs[0].errors.extend([made, impossible]);
    let site = site(service);
    check(&site);
    let given = text(&site, "errors/1404.md");
    check_parts(
        &given,
        &[
            "HTTP status with POST: 200. HTTP status with GET: 404.",
            "Data: string",
            "\"data\": \"M 14\"",
            "Returned by 1 procedure.",
        ],
    );
    assert!(!given.contains("Generated from"), "{given}");
    let made = text(&site, "errors/7.html");
    check_parts(
        &made,
        &[
            "HTTP status with POST: 200. HTTP status with GET: 500.",
            "id=\"error.7.data.email\"",
            "Generated from the schema",
        ],
    );
    let response = r#"{"jsonrpc": "2.0", "error": {"code": 7, "message": "Too <many>", "data": {"email": "ada@example.com"}}, "id": 1}"#;
    assert_eq!(between(&made, "<pre><code>", "</code>"), [json(response)]);
    let impossible = text(&site, "errors/8.html");
    assert!(!impossible.contains("<pre>"), "{impossible}");
}

#[test]
fn every_code_of_the_table_is_explained_with_the_message_that_is_sent() {
    let site = site(library());
    let pages = [text(&site, "index.html"), text(&site, "index.md")];
    for error in code::PROTOCOL_ERRORS {
        for page in &pages {
            assert!(
                page.contains(&format!("{}<", error.code))
                    || page.contains(&format!("`{}`", error.code))
            );
            for text in [error.message, error.meaning, error.advice] {
                assert!(page.contains(text), "{text}");
            }
        }
    }
    for page in &pages {
        assert!(!page.contains("protocol."), "a text is missing: {page}");
    }
}
