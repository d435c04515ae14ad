//! The procedures that agents may call, where a reader sees them.

use docent_describe::json::Json;

use crate::library::library;
use crate::pages::{check, site, text};

#[test]
fn the_overview_lists_tools_and_their_pages_are_marked() {
    let mut service = library();
    for procedure in &mut service.procs {
        let tool = match &*procedure.name {
            "book.find" => "book.find",
            "loan.begin" => "lend_a_<book>",
            _ => continue,
        };
        procedure.extensions.insert("$tool", Json::from(tool));
    }
    let site = site(service);
    check(&site);
    let overview = text(&site, "index.html");
    let (_, tools) = overview.split_once("<h2 id=\"tools\">").expect("a section");
    let (tools, _) = tools.split_once("</section>").expect("its end");
    assert!(
        tools.contains("<a href=\"book.find.html\"><code>book.find</code></a>"),
        "{tools}"
    );
    assert!(
        tools.contains("<a href=\"loan.begin.html\"><code>lend_a_&lt;book&gt;</code></a>"),
        "{tools}"
    );
    assert!(tools.contains("<code>loan.begin</code>"), "{tools}");
    assert_eq!(tools.matches("<li>").count(), 2);
    let mark = "<a class=\"mark tool\" href=\"index.html#mark-tool\"";
    assert!(text(&site, "book.find.html").contains(mark));
    assert!(!text(&site, "book.get.html").contains(mark));
    let markdown = text(&site, "index.md");
    assert!(markdown.contains("## Tools for agents"), "{markdown}");
    assert!(markdown.contains("](book.find.md)"), "{markdown}");
}

#[test]
fn a_service_without_tools_says_nothing_of_them() {
    let overview = text(&site(library()), "index.html");
    assert!(!overview.contains("id=\"tools\"") && !overview.contains("mark-tool"));
}
