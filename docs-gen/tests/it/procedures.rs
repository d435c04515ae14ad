//! The content of the pages of procedures and types.

use std::time::Duration;

use docent_describe::json::Json;
use docent_describe::{
    Origin, ParamAlias, ParamDescription, ProcedureDescription, ProcedureLimits, RateKey, RateLimit,
};

use crate::html::{self, between};
use crate::library::{json, library};
use crate::pages::{check, check_parts, site, text};

/// Returns a parameter of which only the schema is described.
fn param(name: &str, schema: &str) -> ParamDescription {
    ParamDescription::new(name, json(schema))
}

#[test]
fn every_parameter_field_error_and_example_has_an_anchor() {
    let page = text(&site(library()), "book.find.html");
    for id in [
        "param.words",
        "param.limit",
        "return.isbn",
        "return.authors",
        "error.1404",
        "example.1",
        "example.2",
    ] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
}

#[test]
fn a_page_says_what_a_reader_needs_without_script() {
    let page = text(&site(library()), "book.find.html");
    for said in [
        "1 to 200 characters",
        "1 to 100",
        "Default <code>20</code>",
        "The best match first.",
        "array of <a href=\"types/Book.html\">Book</a>",
        "Exactly one of these. The value of “kind” tells which.",
        "curl -sS",
        "import json",
        "fetch(",
        "ureq::post",
        "rpc/book.find?words=moby&amp;limit=2",
        "Retry? No",
        "Retry? Yes",
    ] {
        let is_there = page.contains(said) || html::without_tags(&page).contains(said);
        assert!(is_there, "{said}");
    }
    let typed = text(&site(library()), "types/Book.html");
    assert!(
        typed.contains("../book.find.html") && typed.contains("Loan.html"),
        "used by"
    );
    assert!(text(&site(library()), "find_book.html").contains("Deprecated since 1.2."));
    assert!(
        text(&site(library()), "branch.returned.html").contains("notifications get no response")
    );
    assert!(text(&site(library()), "errors.html").contains("-32602"));
}

#[test]
fn a_signature_has_all_types_and_a_line_for_each_parameter_if_it_is_long() {
    let mut service = library();
    let params = |count: usize| {
        (0..count)
            .map(|at| param(&format!("number{at}"), r#"{"type": "string"}"#))
            .collect()
    };
    let mut signature = |params| {
        service.procs[0].params = params;
        let page = text(&site(service.clone()), "book.find.html");
        let (intro, rest) = page.split_once("<pre class=\"signature\">").expect("there");
        assert!(
            intro.contains("Finds books by words"),
            "the sentence comes first"
        );
        rest.split_once("</pre>").expect("its end").0.to_owned()
    };
    let two = html::without_tags(&signature(params(2)));
    assert!(
        two.contains("book.find(number0?: string, number1?: string) → Book[]"),
        "{two}"
    );
    let forty = html::without_tags(&signature(params(40)));
    assert!(
        forty.contains("(\n  number0?: string,\n  number1?: string,")
            && forty.contains("\n  number39?: string\n) →"),
        "{forty}"
    );
    assert!(signature(params(41)).contains(",\n  …\n) →"));
    let typed = signature(vec![
        param(
            "order",
            r##"{"anyOf": [{"$ref": "#/components/schemas/Order"}, {"type": "null"}]}"##,
        ),
        param(
            "lists",
            r#"{"type": "array", "items": {"type": ["string", "integer"]}}"#,
        ),
        param(
            "map",
            r#"{"type": "object", "additionalProperties": {"type": "boolean"}}"#,
        ),
    ]);
    assert!(typed.contains("<a href=\"types/Order.html\">Order</a> | null"));
    let typed = html::without_tags(&typed);
    assert!(typed.contains("lists?: (integer | string)[],\n"), "{typed}");
    assert!(
        typed.contains("map?: map of string to boolean\n"),
        "{typed}"
    );
}

#[test]
fn a_call_that_fails_is_shown_with_its_exact_request_and_response() {
    let site = site(library());
    let page = text(&site, "book.find.html");
    let (_, rest) = page.split_once("id=\"example.2\"").expect("an example");
    let (example, _) = rest.split_once("</section>").expect("its end");
    let messages = [
        r#"{"jsonrpc": "2.0", "method": "book.find", "params": {"words": "whale"}, "id": 1}"#,
        r#"{"jsonrpc": "2.0", "error": {"code": 1404, "message": "No such shelf", "data": "M 14"},
            "id": 1}"#,
    ];
    assert_eq!(between(example, "<code>", "</code>"), messages.map(json));
    let markdown = between(&text(&site, "book.find.md"), "```json\n", "\n```");
    assert!(markdown.ends_with(&messages.map(json)), "{markdown:?}");
}

#[test]
fn numbers_are_shown_as_they_were_written() {
    let page = html::without_tags(&text(&site(library()), "loan.begin.html"));
    assert!(
        page.contains("18446744073709551615")
            && page.contains("&quot;reader\\&quot;: 9223372036854775809")
    );
    assert!(
        page.contains("body: &quot;{"),
        "JavaScript would round the number, so it gets the text"
    );
}

#[test]
fn the_width_of_a_number_is_read_from_its_bounds() {
    let mut description = library();
    description.enforced_formats = vec!["date".to_owned(), "<b>".to_owned()];
    let mut widths = ProcedureDescription::new("widths");
    widths.params = vec![
        param("a", r#"{"type":"integer","minimum":-128,"maximum":127}"#),
        param(
            "b",
            r#"{"type":"number","minimum":-1.7976931348623157e308,"maximum":1.7976931348623157e308}"#,
        ),
        param("c", r#"{"type":"integer","minimum":1,"maximum":127}"#),
    ];
    description.procs.push(widths);
    let site = site(description);
    check(&site);
    let page = text(&site, "widths.html");
    assert!(
        page.contains("integer, 8 bits") && !page.contains("double"),
        "{page}"
    );
    assert!(
        !page.contains("1.7976931348623157e308") && page.contains("1 to 127"),
        "{page}"
    );
    // An example does not take the least value of its type.
    assert!(!page.contains("-128,"), "{page}");
    let overview = text(&site, "index.html");
    assert!(
        overview
            .contains("<dt>Checked formats</dt><dd dir=\"auto\"><code>date</code>, <code>&lt;b&gt;</code></dd>"),
        "{overview}"
    );
    assert!(text(&site, "index.md").contains("Checked formats: `date`, `<b>`"));
}

#[test]
fn a_recursive_type_is_shown_once() {
    let page = text(&site(library()), "book.find.html");
    assert_eq!(page.matches("At stands").count(), 0);
    assert_eq!(page.matches("As it stands on the title page.").count(), 1);
}

#[test]
fn alternatives_say_what_tells_them_apart() {
    let page = text(&site(library()), "book.search.html");
    assert!(
        page.contains("The member that is present usually tells which."),
        "{page}"
    );
}

#[test]
fn a_procedure_that_takes_positions_only_is_shown_so() {
    let mut service = library();
    let by_position = Json::from("by-position");
    service.procs[0]
        .extensions
        .insert("$paramStructure".to_owned(), by_position);
    let page = text(&site(service), "book.find.html");
    assert!(
        page.contains("by position only") && page.contains("&quot;by&quot;: &quot;position&quot;")
    );
    assert!(
        html::without_tags(&page).contains("&quot;params&quot;: [&quot;moby&quot;, 2]"),
        "{page}"
    );
}

#[test]
fn a_parameter_shows_its_aliases_and_what_is_deprecated() {
    let mut library = library();
    let procedure = library
        .procs
        .iter_mut()
        .find(|procedure| procedure.by_name_only)
        .expect("one by name only");
    let mut old = ParamAlias::new("<old>");
    old.deprecated = true;
    procedure.params[0].aliases = vec![old, ParamAlias::new("q")];
    procedure.params[0].deprecated = true;
    procedure.params[0].schema = json(r#"{"type": "string", "deprecated": true}"#);
    let site = site(library);
    check(&site);
    let page = text(&site, "book.search.html");
    check_parts(
        &page,
        &[
            "This procedure takes its parameters by name only.",
            "also accepted as <code>&lt;old&gt;</code> (deprecated)",
            "also accepted as <code>q</code>",
        ],
    );
    assert_eq!(page.matches(r#"<span class="mark old">"#).count(), 1);
    let markdown = text(&site, "book.search.md");
    check_parts(
        &markdown,
        &[
            "by name only",
            "also accepted as `<old>` (deprecated)",
            "also accepted as `q`",
        ],
    );
}

#[test]
fn a_page_says_how_many_calls_are_accepted() {
    let limits = |by| {
        let mut limits = ProcedureLimits::default();
        limits.concurrent = Some(8);
        limits.rate = Some(RateLimit::new(100, Duration::from_millis(1_500), by));
        limits
    };
    let caller = "Calls from one caller: at most 100 per 1.5 seconds. If the caller is not known, its \
                  address counts.";
    for (by, said) in [
        (RateKey::Caller, caller),
        (
            RateKey::Peer,
            "Calls from one address: at most 100 per 1.5 seconds.",
        ),
    ] {
        let mut library = library();
        library.procs[0].limits = Some(limits(by));
        let name = library.procs[0].name.clone();
        let mut foreign = library.clone();
        foreign.origin = Origin::OpenRpc;
        let own = site(library);
        check(&own);
        for form in ["html", "md"] {
            let page = text(&own, &format!("{name}.{form}"));
            check_parts(
                &page,
                &[
                    "At most 8 calls run at the same time.",
                    said,
                    "-32002",
                    "-32008",
                ],
            );
            let page = text(&site(foreign.clone()), &format!("{name}.{form}"));
            assert!(
                page.contains("At most 8 calls") && page.contains(said),
                "{page}"
            );
            assert!(!page.contains("-32008"), "{page}");
        }
    }
    let without = text(&site(library()), "book.search.html");
    assert!(!without.contains("At most"), "{without}");
}

#[test]
fn a_page_says_how_to_repeat_a_call_and_for_how_long() {
    for (time, said) in [
        (Duration::from_secs(86_400), "at least 1 day after"),
        (Duration::from_secs(30 * 86_400), "at least 30 days after"),
        (Duration::from_secs(36 * 3_600), "at least 36 hours after"),
        (Duration::from_secs(90 * 60), "at least 90 minutes after"),
        (Duration::from_secs(61), "at least 61 seconds after"),
        (Duration::from_millis(1_500), "at least 1.5 seconds after"),
    ] {
        let mut library = library();
        library.procs[0].repeatable = Some(time);
        let name = library.procs[0].name.clone();
        let site = site(library);
        check(&site);
        for form in ["html", "md"] {
            let page = text(&site, &format!("{name}.{form}"));
            check_parts(
                &page,
                &[
                    "Repeating a call",
                    said,
                    "Idempotency-Key",
                    "x-idempotency-key",
                ],
            );
        }
        let page = text(&site, &format!("{name}.html"));
        assert!(page.contains(r##"href="#repeating""##), "{page}");
    }
    let without = text(&site(library()), "book.search.html");
    assert!(!without.contains("Repeating a call"), "{without}");
}
