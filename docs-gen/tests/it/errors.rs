//! Errors: those that procedures declare, their pages, and those of the protocol.

use docent_describe::{ErrorDescription, Origin, code};

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
    assert!(protocol.contains("href=\"../errors.html#code-32001\">protocol error: Timed out</a>"));
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
    let all = text(&site, "errors.html");
    assert!(all.contains("<a href=\"errors/7.html\"><code>7</code></a>"));
    // Two messages of 7, one of -32001, and those of a single procedure each: 500 are listed.
    assert!(all.contains("… and 203 more."));
    assert!(text(&site, "errors.md").contains("[`7`](errors/7.md) Not now: "));
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
    assert_eq!(
        between(&made, "<pre tabindex=\"0\"><code>", "</code>"),
        [json(response)]
    );
    let impossible = text(&site, "errors/8.html");
    assert!(!impossible.contains("<pre"), "{impossible}");
}

#[test]
fn every_code_of_the_table_is_explained_with_the_message_that_is_sent() {
    let site = site(library());
    let pages = [text(&site, "errors.html"), text(&site, "errors.md")];
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

/// Returns the rows of the table of errors that has this part before it.
fn rows<'p>(page: &'p str, before: &str) -> Vec<&'p str> {
    let (_, after) = page.split_once(before).expect("the part before the table");
    let (table, _) = after.split_once("</table>").expect("its end");
    table.split("<tbody").skip(1).collect()
}

/// Returns the cells of the first line of a row.
fn cells(row: &str) -> Vec<String> {
    let (line, _) = row.split_once("</tr>").expect("a line");
    let cells = line.split("</td>").map(|cell| {
        let cell = cell.rsplit_once("</span>").unwrap_or(("", cell)).1;
        cell.rsplit_once('>').unwrap_or(("", cell)).1.to_owned()
    });
    cells.filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn an_error_is_a_line_with_its_statuses_of_post_and_get_and_whether_to_repeat_in_columns() {
    let mut service = library();
    let mut gone = ErrorDescription::new(1, "Gone");
    gone.status = Some(410);
    gone.retry = Some(false);
    let mut later = ErrorDescription::new(2, "Later");
    later.retry = Some(true);
    for procedure in &mut service.procs {
        procedure.errors.clear();
    }
    // One is called with GET, too, and the other is not.
    let names = ["book.find", "book.search"];
    for name in names {
        let procedure = service
            .procs
            .iter_mut()
            .find(|procedure| procedure.name == name)
            .expect("there");
        procedure.errors = vec![gone.clone(), later.clone()];
    }
    let site = site(service);
    check(&site);
    let expected = [["Gone", "No", "200", "410"], ["Later", "Yes", "200", "500"]];
    let own = text(&site, "book.find.html");
    let found = rows(&own, "<h2 id=\"errors\">").into_iter().map(cells);
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let own = text(&site, "book.search.html");
    let found = rows(&own, "<h2 id=\"errors\">").into_iter().map(cells);
    let without_get = expected.map(|[message, repeat, post, _]| [message, repeat, post, "–"]);
    assert_eq!(found.collect::<Vec<_>>(), without_get);
    let all = text(&site, "errors.html");
    let declared = rows(&all, "<h2 id=\"declared\">");
    let found = declared.iter().map(|row| cells(row));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    for name in names {
        let link = format!("<a href=\"{name}.html#error.1\"><code>{name}</code></a>");
        assert!(declared[0].contains(&link), "{}", declared[0]);
    }
    let protocol = rows(&all, "<h2 id=\"protocol\">");
    let busy = protocol
        .iter()
        .find(|row| row.starts_with(" id=\"code-32002\""));
    let busy = cells(busy.expect("a row"));
    assert_eq!(
        busy,
        ["Busy", "Yes, after a pause", "200, 503", "503", "503"]
    );
}

#[test]
fn the_data_of_an_error_is_folded_where_it_takes_more_than_a_line() {
    let mut service = library();
    let mut long = ErrorDescription::new(7, "Long");
    long.data = Some(json(
        r#"{"type": "object", "properties": {"email": {"type": "string"}}}"#,
    ));
    let mut short = ErrorDescription::new(8, "Short");
    short.data = Some(json(r#"{"type": "string"}"#));
    service.procs[0].errors = vec![long, short];
    let name = service.procs[0].name.clone();
    let site = site(service);
    check(&site);
    let own = text(&site, &format!("{name}.html"));
    let rows = rows(&own, "<h2 id=\"errors\">");
    let folded =
        "<details class=\"data\"><summary>Data: <span class=\"kind\">object</span></summary>";
    assert!(rows[0].contains(folded), "{}", rows[0]);
    assert!(
        rows[1].contains("Data: <span class=\"kind\">string</span></p>"),
        "{}",
        rows[1]
    );
    assert!(text(&site, "errors/7.html").contains(folded));
    assert!(!text(&site, "errors/8.html").contains("class=\"data\""));
}

#[test]
fn the_page_of_an_error_has_its_example_beside_what_it_means() {
    let page = text(&site(library()), "errors/1404.html");
    let parts = [
        "<div class=\"columns\">",
        "Returned by 1 procedure.",
        "<div class=\"code\">",
        "M 14",
    ];
    let found = parts.map(|part| page.find(part).unwrap_or_else(|| panic!("{part}: {page}")));
    assert!(found.is_sorted(), "{found:?}");
}

#[test]
fn a_document_by_others_has_no_columns_for_what_is_not_known() {
    let mut foreign = library();
    foreign.origin = Origin::OpenRpc;
    foreign.procs[0].errors = vec![ErrorDescription::new(7, "Gone")];
    let name = foreign.procs[0].name.clone();
    let site = site(foreign);
    check(&site);
    for path in [format!("{name}.html"), "errors.html".to_owned()] {
        let page = text(&site, &path);
        assert!(
            page.contains("Gone") && page.contains("<table class=\"codes\">"),
            "{path}"
        );
        assert!(
            !page.contains(">POST</th>") && !page.contains(">Retry?"),
            "{path}: {page}"
        );
    }
}
