//! The pages that list procedures: those of groups, and the one of what takes GET.

use docent_describe::ServiceDescription;

use crate::library::{json, library};
use crate::pages::{check, check_parts, gzip, many, site, text};

/// Returns the main part of a page.
fn main_of(page: &str) -> &str {
    page.split_once("<main").expect("its main part").1
}

#[test]
fn a_group_has_the_signature_of_each_procedure_and_calls_of_the_first() {
    let site = site(library());
    check(&site);
    let page = text(&site, "groups/catalogue.html");
    let main = main_of(&page);
    check_parts(
        main,
        &[
            "<a href=\"../book.find.html\"><code>book.find</code></a><code>(<span class=\"k\">words</span>: string, \
             <span class=\"k\">limit?</span>: integer = <span class=\"n\">20</span>, ",
            ") → <a href=\"../types/Book.html\">Book</a>[]</code></div> \
             <span class=\"text\" dir=\"auto\">Finds books by words in their title.</span>",
            "<div class=\"columns\">",
            "<h2>Example calls</h2>\n<h3><a href=\"../book.find.html\"><code>book.find</code></a></h3>\n<pre tabindex=\"0\"><code>",
            "curl",
            "https://library.example/rpc",
            "<p class=\"fact\">Response</p>",
        ],
    );
    let calls = main.matches("<h3><a").count();
    assert!((1..=3).contains(&calls), "{calls}: {main}");
    assert_eq!(main.matches(">Response<").count(), 1, "{main}");
    let markdown = text(&site, "groups/catalogue.md");
    check_parts(
        &markdown,
        &[
            "- [book.find](../book.find.md)(words: string, limit?: integer = 20, ",
            ") → [Book](../types/Book.md)\\[\\] (GET): Finds books by words in their title.\n",
            "## Example calls\n\n[book.find](../book.find.md)\n\n```\ncurl ",
        ],
    );
}

#[test]
fn the_page_of_what_takes_get_calls_with_get() {
    let page = text(&site(library()), "get.html");
    let main = main_of(&page);
    check_parts(
        main,
        &["https://library.example/rpc/book.find?", "Example calls"],
    );
    assert!(!main.contains("--data"), "{main}");
}

#[test]
fn a_group_of_nothing_that_can_be_called_is_only_a_list() {
    let mut service = library();
    service.procs.truncate(1);
    service.procs[0].examples.clear();
    service.procs[0].params[0].required = true;
    service.procs[0].params[0].schema = json(r#"{"type": "string", "pattern": "(?=a)(?!a)x"}"#);
    let page = text(&site(service), "groups/catalogue.html");
    let main = main_of(&page);
    assert!(
        !main.contains("Example calls") && !main.contains("class=\"columns\""),
        "{main}"
    );
    assert!(main.contains(">words</span>: string"), "{main}");
}

/// Returns a service with this many procedures of one group, each with many parameters.
fn crowded(count: usize) -> ServiceDescription {
    let mut service = many(count);
    for procedure in &mut service.procs {
        procedure.tags = vec!["all".to_owned()];
        procedure.idempotent = false;
        for at in 0..50 {
            let mut param = procedure.params[0].clone();
            param.name = format!("further{at}");
            param.required = false;
            procedure.params.push(param);
        }
    }
    service
}

#[test]
fn a_page_of_many_procedures_stays_small() {
    let page = text(&site(crowded(200)), "groups/all.html");
    assert_eq!(page.matches("<div class=\"notation\">").count(), 200);
    assert_eq!(main_of(&page).matches("<h3><a").count(), 3);
    let (rows, _) = page.split_once("Example calls").expect("the calls");
    assert!(rows.contains(">further2"), "{rows}");
    assert!(
        !rows.contains("further20"),
        "only the first parameters are listed"
    );
    let length = gzip(page.as_bytes());
    assert!(length < 8_000, "{length}");
}

#[test]
fn a_list_of_more_procedures_than_one_reads_has_no_signatures() {
    let site = site(crowded(201));
    let page = text(&site, "groups/all.html");
    let (rows, calls) = page.split_once("Example calls").expect("the calls");
    assert!(
        !rows.contains("further") && rows.contains("<ul class=\"rows\">"),
        "{rows}"
    );
    assert!(calls.contains("<h3><a"), "{calls}");
    assert!(!text(&site, "groups/all.md").contains("further2"));
}
