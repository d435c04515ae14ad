//! Guide pages, and names in prose that become links.

use docent_docs_gen::{Site, SiteBuilder};

use crate::library::library;
use crate::pages::{check, text};

fn guided() -> SiteBuilder {
    Site::builder(library())
        .guide(
            "guide/start.md",
            "# Getting *started*\n\nCall `book.find` or [find it](book.find), then `Book` and `nothing.here`.\n\n\
             ## Retry policy\n\nSee [errors](errors.md#what-to-do), [above](#retry-policy) and \
             [`book.find`](https://example.org/).\n\n    `Book` in code\n",
        )
        .guide("guide/errors.md", "## What to do?\n\n[Back](./start.md) and [in](../guide/start.md).\n\n## What to do?\n")
}

#[test]
fn guides_are_in_the_sidebar_and_their_links_lead_somewhere() {
    let site = guided().build().expect("fine");
    check(&site);
    let page = text(&site, "guide/start.html");
    for part in [
        "<h1 dir=\"auto\">Getting started</h1>",
        "<h2 id=\"section.retry-policy\">Retry policy</h2>",
        "<a href=\"../book.find.html\"><code>book.find</code></a>",
        "<a href=\"../types/Book.html\"><code>Book</code></a>",
        "<code>nothing.here</code>",
        "href=\"errors.html#section.what-to-do\"",
        "href=\"start.html#section.retry-policy\"",
        "aria-current=\"page\" dir=\"auto\">Getting started</a>",
    ] {
        let part = part
            .replace("href=\"errors", "href=\"../guide/errors")
            .replace("href=\"start", "href=\"../guide/start");
        assert!(page.contains(&part), "{part}: {page}");
    }
    assert_eq!(page.matches("<code>book.find</code></a>").count(), 2);
    // Guides are behind a fold, which is open on their own pages.
    assert!(page.contains("<details open><summary>Guides</summary>"));
    let overview = text(&site, "index.html");
    assert!(overview.contains("<details><summary>Guides</summary>"));
    assert!(page.contains("`Book` in code") && !page.contains("started</h1>\n<h1"));
    assert!(text(&site, "guide/errors.html").contains("id=\"section.what-to-do-1\""));
    assert!(
        text(&site, "types/Book.html")
            .contains("href=\"../guide/start.html\" dir=\"auto\">Getting started</a>")
    );
    assert!(text(&site, "guide/start.md").starts_with("# Getting started\n"));
    assert!(text(&site, "assets/index.js").contains("guide/start.html\\tGetting started"));
    let single = String::from_utf8(site.single_file()).expect("UTF-8");
    assert!(single.contains("href=\"#/guide/errors:section.what-to-do\""));
    assert!(single.contains("id=\"/guide/errors:section.what-to-do\""));

    let mut second = library();
    second.name = "Second".to_owned();
    check(&guided().and(second.clone()).build().expect("fine"));
    let live = guided().live(true).build().expect("fine");
    assert!(text(&live, "guide/start").contains("href=\"../book.find\""));
}

#[test]
fn guides_are_in_llms_txt_and_their_markdown_pages_link_to_each_other() {
    let more = "# More\n\n[Errors](errors.md#what-to-do \"see errors.md\"), [find](book.find), [book][b], \
                [out](https://example.org/x.md)\n\n[b]: Book\n";
    let site = guided().guide("guide/more.md", more).build().expect("fine");
    check(&site);
    let list = text(&site, "llms.txt");
    assert!(
        list.contains("## Guides\n\n- [Getting started](guide/start.md)\n"),
        "{list}"
    );
    let markdown = text(&site, "guide/more.md");
    for link in [
        "[Errors](../guide/errors.md \"see errors.md\")",
        "[find](../book.find.md)",
        "[b]: ../types/Book.md",
        "[out](https://example.org/x.md)",
    ] {
        assert!(markdown.contains(link), "{link}: {markdown}");
    }
    let mut second = library();
    second.name = "Second".to_owned();
    let both = guided().and(second).build().expect("fine");
    assert!(text(&both, "llms.txt").contains("- [Getting started](guide/start.md)"));
    assert!(text(&both, "Second/llms.txt").contains("- [Getting started](../guide/start.md)"));
    assert!(text(&both, "Second/types/Book.html").contains("../../guide/start.html"));
}

#[test]
fn a_guide_has_contents_and_code_with_colours() {
    let more = "# More\n\n## Twice\n\n### Twice `x`\n\n## Twice\n\n#### Deep\n\n```rust,no_run\n# hidden();\nlet x = \"<\";\n```\n";
    let site = guided().guide("guide/more.md", more).build().expect("fine");
    check(&site);
    let page = text(&site, "guide/more.html");
    for part in [
        "<ul>\n<li><a href=\"#section.twice\" dir=\"auto\">Twice</a></li>\n\
         <li class=\"nested\"><a href=\"#section.twice-x\" dir=\"auto\">Twice x</a></li>\n\
         <li><a href=\"#section.twice-1\" dir=\"auto\">Twice</a></li>\n</ul>",
        "<h2 id=\"section.twice-1\">Twice</h2>",
        "<pre><code><span class=\"w\">let</span> x = <span class=\"s\">&quot;&lt;&quot;</span>;\n</code></pre>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let single = String::from_utf8(site.single_file()).expect("UTF-8");
    assert!(single.contains("<a href=\"#/guide/more:section.twice-1\" dir=\"auto\">"));
}

#[test]
fn a_link_out_of_the_guides_is_only_its_text_and_a_warning() {
    let more = "# More\n\n[The *plan*](../../plan.md#goal \"p\"), [![alt](pic.png)](errors.md), [`x`][out], [end]\n\n\
                [[a](../b)](//evil.example/)\n\n[out]: ../out.rs\n[end]: nothing.md\n";
    let site = guided().guide("guide/more.md", more).build().expect("fine");
    check(&site);
    let page = text(&site, "guide/more.html");
    let expected = "<p>The <em>plan</em>, <a rel=\"noopener noreferrer\" href=\"../guide/errors.html\">alt</a>, <code>x</code>, end</p>";
    assert!(
        page.contains(expected) && !page.contains("href=\"//"),
        "{page}"
    );
    let markdown = text(&site, "guide/more.md");
    let expected = "The *plan*, [alt](../guide/errors.md), `x`, end\n";
    assert!(markdown.contains(expected), "{markdown}");
    let warned: Vec<_> = site.warnings().iter().map(ToString::to_string).collect();
    let start = "guide guide/more.md: the link \"../../plan.md#goal\" leads to no guide";
    assert!(
        warned.len() == 5 && warned[0].starts_with(start),
        "{warned:?}"
    );
}

#[test]
fn links_within_the_guides_that_lead_nowhere_are_problems() {
    for link in ["errors.md#nowhere", "#nowhere"] {
        let problems = guided()
            .guide("guide/more.md", format!("[x]({link})"))
            .build()
            .expect_err("it leads nowhere");
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].option(), "guide guide/more.md");
        assert!(problems[0].reason().contains(link), "{}", problems[0]);
    }
}

#[test]
fn a_guide_can_do_no_more_than_a_description() {
    let site = guided()
        .guide(
            "x.md",
            "Raw <script>alert(1)</script> <img src=x onerror=alert(1)> [a](javascript:alert(1)) \
             [b](data:text/html,x) ![c](https://evil.example/c.png)\n\n<h2 id=main>raw</h2>\n\n## Main\n\n# Nav\n",
        )
        .build()
        .expect("fine");
    check(&site);
    let page = text(&site, "guide/x.html");
    let own = page.split("tabindex=\"-1\">").nth(1).expect("a main part");
    for never in [
        "<script>alert",
        "<img",
        "javascript:",
        "data:text",
        "id=\"main\"",
        "id=\"nav\"",
    ] {
        assert!(
            !own.split("</main>").next().expect("all").contains(never),
            "{never}"
        );
    }
}

#[test]
fn names_in_descriptions_become_links() {
    let mut service = library();
    service.procs[0].description =
        Some("See `book.search`, `Book` and `book.find` itself.".to_owned());
    service.procs[0].params[0].description = Some("From `book.search`.".to_owned());
    let name = service.procs[0].name.clone();
    let site = Site::builder(service).build().expect("fine");
    let page = text(&site, &format!("{name}.html"));
    assert!(
        page.matches("<a href=\"book.search.html\"><code>book.search</code></a>")
            .count()
            >= 2,
        "{page}"
    );
    assert!(page.contains("<a href=\"types/Book.html\"><code>Book</code></a>"));
    assert!(page.contains("<code>book.find</code> itself"));
    check(&site);
}

#[test]
fn an_index_comes_first_and_its_links_order_the_other_guides() {
    let guides = [
        ("guides/a.md", "# A"),
        ("guides/b.md", "# B\n\nBack to [A](a.md)."),
        (
            "guides/index.md",
            "# Start\n\n[C](more/c.md#c), [out](https://a.example/b.md), [B](b.md), [C](more/c.md), [x](none.md)\n",
        ),
        ("guides/more/c.md", "# The *third*\n\n## C"),
        ("guides/z.md", "# Z"),
    ];
    let mut builder = Site::builder(library());
    for (file, source) in guides {
        builder = builder.guide(file, source);
    }
    let site = builder.build().expect("fine");
    check(&site);
    let list = text(&site, "llms.txt");
    let (_, list) = list.split_once("## Guides\n\n").expect("the guides");
    assert!(
        list.starts_with(
            "- [Start](guide/index.md)\n- [The third](guide/c.md)\n- [B](guide/b.md)\n- [A](guide/a.md)\n- [Z](guide/z.md)\n"
        ),
        "{list}"
    );
    let first = text(&site, "guide/index.html");
    assert!(!first.contains("class=\"before\""), "{first}");
    let page = text(&site, "guide/c.html");
    let around = "<nav class=\"around\" aria-label=\"Previous / next\">\
                  <a class=\"before\" href=\"../guide/index.html\"><span>Previous</span> <strong dir=\"auto\">Start</strong></a>\
                  <a class=\"after\" href=\"../guide/b.html\"><span>Next</span> <strong dir=\"auto\">B</strong></a></nav>";
    assert!(page.contains(around), "{page}");
    let markdown = text(&site, "guide/c.md");
    assert!(
        markdown
            .ends_with("\n\n- Previous: [Start](../guide/index.md)\n- Next: [B](../guide/b.md)\n"),
        "{markdown}"
    );
    // One guide leads nowhere else.
    let alone = Site::builder(library())
        .guide("a.md", "# A")
        .build()
        .expect("fine");
    assert!(!text(&alone, "guide/a.html").contains("class=\"around\""));
}
