//! Tests of Markdown in descriptions. A sanitiser must find nothing to remove from its HTML.

use ammonia::{Builder, UrlRelative};

use super::phrase::{first_sentence, plain, plain_sentence, summary};
use super::*;

/// Renders Markdown, and checks that a sanitiser removes nothing from its HTML.
fn to_html(source: &str, top: u8) -> Markup {
    let html = linked(PageFormat::Html, source, Some(top), &|_| None);
    assert_harmless(html.as_str());
    html
}

/// Checks that a sanitiser keeps all of this HTML. It spells some characters and elements differently.
fn assert_harmless(html: &str) {
    let tags = "a p em strong del code pre blockquote ul ol li br hr h2 h3 h4 h5 h6 table thead tbody tr \
                th td span";
    let mut sanitiser = Builder::empty();
    sanitiser
        .tags(tags.split_whitespace().collect())
        .tag_attributes(
            [
                ("a", ["href", "title"].into()),
                ("ol", ["start"].into()),
                ("span", ["class"].into()),
            ]
            .into(),
        )
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer"));
    let links = html.matches("<a rel=\"noopener noreferrer\" href=").count();
    assert_eq!(links, html.matches("<a").count(), "{html}");
    assert_eq!(
        normal_html(&sanitiser.clean(html).to_string()),
        normal_html(html)
    );
}

/// Returns HTML in the sanitiser's spelling.
fn normal_html(html: &str) -> String {
    html.replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace(" rel=\"noopener noreferrer\"", "")
}

#[test]
fn raw_html_is_shown_as_text() {
    let html = to_html(
        "a <script>alert(1)</script> b\n\n<img src=x onerror=alert(1)>\n",
        2,
    );
    assert!(
        !html.as_str().contains("<script") && !html.as_str().contains("<img"),
        "{html:?}"
    );
    assert!(html.as_str().contains("&lt;script&gt;"));
}

#[test]
fn links_lead_to_the_web_or_are_text() {
    for hostile in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#x0A;script:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "//evil.example/x",
        "file:///etc/passwd",
        "../up.html",
        "#fragment",
        "&#106;avascript:alert(1)",
        "\u{1}javascript:alert(1)",
        "view-source:x",
        "blob:x",
    ] {
        for source in [
            format!("[x]({hostile})"),
            format!("[x](<{hostile}>)"),
            format!("<{hostile}>"),
            format!("![x]({hostile})"),
            format!("[x][r]\n\n[r]: {hostile}"),
        ] {
            let html = to_html(&source, 2);
            assert!(!html.as_str().contains("href"), "{source}: {html:?}");
            assert!(!html.as_str().contains("src="), "{source}: {html:?}");
        }
    }
    assert!(
        to_html("[x](https://example.org/)", 2)
            .as_str()
            .contains("href=\"https://example.org/\"")
    );
}

#[test]
fn an_image_is_never_fetched() {
    let html = to_html(
        "![alt](https://evil.example/pixel.png) and [![a](https://a.example/)](https://b.example/)",
        2,
    );
    assert!(!html.as_str().contains("<img"), "{html:?}");
    assert!(html.as_str().contains(">alt</a>"));
}

#[test]
fn headings_keep_the_outline_whole() {
    let html = to_html("# One\n\n#### Four\n\n## Two\n", 3);
    assert!(html.as_str().contains("<h3>One</h3>"));
    assert!(html.as_str().contains("<h4>Four</h4>"));
    assert!(html.as_str().contains("<h4>Two</h4>"));
    let equals = to_html("## A\n\n## B\n\n### C\n\n## D\n", 2);
    for heading in ["<h2>A</h2>", "<h2>B</h2>", "<h3>C</h3>", "<h2>D</h2>"] {
        assert!(equals.as_str().contains(heading), "{equals:?}");
    }
    let row = in_row(PageFormat::Html, "## A", &|_| None);
    assert_eq!(row.as_str(), "<p><strong>A</strong></p>");
}

#[test]
fn a_text_of_nothing_but_elements_is_bounded() {
    let row = "|a".repeat(20_000);
    for source in [
        "```\n".repeat(50_000),
        "---\n\n".repeat(40_000),
        "`a` ".repeat(50_000),
        "*a* ".repeat(50_000),
        "# a\n".repeat(50_000),
        "- a\n".repeat(50_000),
        "a\n\n".repeat(60_000),
        "a  \n".repeat(40_000),
        format!("```json\n{}", "\"\"\n".repeat(50_000)),
        format!("{row}|\n{}|\n{row}|\n", "|-".repeat(20_000)),
        format!("|a|b|\n|-|-|\n{}", "|a|b|\n".repeat(30_000)),
    ] {
        let html = to_html(&source, 2);
        let elements = html.as_str().matches('<').count();
        assert!(elements < 20_100, "{elements}: {source:.40}");
    }
    let honest = "Text with `code`.\n\n".repeat(100);
    assert!(!to_html(&honest, 2).as_str().contains("<pre>"));
}

#[test]
fn absurd_nesting_is_flat_and_fast() {
    let started = std::time::Instant::now();
    for source in [
        "> ".repeat(50_000),
        ">".repeat(50_000),
        "- ".repeat(50_000),
        "[".repeat(50_000),
        "*a".repeat(50_000),
        "`".repeat(50_001),
        "<".repeat(50_000),
        "1. ".repeat(20_000),
        "> x\n".repeat(20_000),
        "![".repeat(50_000),
    ] {
        let html = to_html(&source, 2);
        assert!(html.as_str().matches("<blockquote>").count() <= 13);
        assert!(html.as_str().matches("<li>").count() <= 13);
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_phrase_has_no_blocks_and_closes_what_it_cuts() {
    let long = format!("*{}* [y](https://a.example/)", "x".repeat(300));
    for (source, expected, text) in [
        (
            "A `book`, <b>e.g.</b>\n*one*.\n\n- *First* & `last`",
            "A <code>book</code>, &lt;b&gt;e.g.&lt;/b&gt; <em>one</em>. <em>First</em> &amp; <code>last</code>",
            "A book, <b>e.g.</b> one. First & last",
        ),
        (
            "# Title\n\n```\na\n  b\n```\n\n|x|\n|-|\n|y|",
            "Title a\n  b\n x y",
            "Title a b x y",
        ),
        (
            "[![a](https://a.example/) b](https://b.example/) [c](javascript:x)",
            "<a rel=\"noopener noreferrer\" href=\"https://b.example/\">a b</a> c",
            "a b c",
        ),
        (
            &long,
            &format!("<em>{}</em>…", "x".repeat(240)),
            &format!("{}…", "x".repeat(240)),
        ),
        ("- ", "", ""),
    ] {
        let html = summary(PageFormat::Html, source, &|_| None);
        assert_harmless(html.as_str());
        assert_eq!((html.as_str(), &*plain(source)), (expected, text));
    }
}

#[test]
fn a_first_sentence_keeps_its_marks_and_ends_with_its_block() {
    for (source, html, markdown) in [
        ("A *book. Its* pages.", "A <em>book.</em>", "A *book.*"),
        (
            "As of [v1. Then `x`](https://a.example/(a)).",
            "As of <a rel=\"noopener noreferrer\" href=\"https://a.example/(a)\">v1.</a>",
            "As of [v1.](https://a.example/%28a%29)",
        ),
        (
            "A `[book]`, e.g. <one>.\nAnd more.",
            "A <code>[book]</code>, e.g. &lt;one&gt;.",
            "A `[book]`, e.g. \\<one>.",
        ),
        ("No end\n\nAnd. More", "No end", "No end"),
    ] {
        let in_html = first_sentence(PageFormat::Html, source, &|_| None);
        assert_harmless(in_html.as_str());
        assert_eq!(in_html.as_str(), html);
        let in_markdown = first_sentence(PageFormat::Markdown, source, &|_| None);
        assert_eq!(in_markdown.as_str(), markdown);
    }
    assert_eq!(plain_sentence("A *book*. More."), "A book.");
}
