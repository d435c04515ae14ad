use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::Duration;

use docent_describe::json::{Json, Object};
use docent_describe::{
    ErrorDescription, Origin, ParamAlias, ParamDescription, ProcedureDescription, ProcedureLimits,
    RateKey, RateLimit, ServiceDescription, code,
};
use docent_docs_gen::{Site, procedure_pages};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::html;
use crate::library::{json, library};

pub(crate) fn site(description: ServiceDescription) -> Site {
    Site::builder(description)
        .build()
        .expect("a description alone is never a problem")
}

pub(crate) fn text(site: &Site, path: &str) -> String {
    String::from_utf8(
        site.page(path)
            .unwrap_or_else(|| panic!("{path} exists"))
            .bytes,
    )
    .expect("UTF-8")
}

/// Returns the path of a style sheet or script, by its name without what marks its content.
pub(crate) fn asset_path(site: &Site, name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').expect("an extension");
    let is_it = |path: &&str| {
        path.strip_prefix(&*format!("assets/{stem}-"))
            .is_some_and(|rest| rest.len() == 9 + extension.len() && rest.ends_with(extension))
    };
    site.paths().find(is_it).expect("an asset").to_owned()
}

pub(crate) fn asset(site: &Site, name: &str) -> String {
    text(site, &asset_path(site, name))
}

/// Checks every page of a site: well formed, no duplicate id, no link that leads nowhere, nothing
/// from another host, no inline script, style or handler.
pub(crate) fn check(site: &Site) {
    let paths: BTreeSet<&str> = site.paths().collect();
    let mut pages = BTreeMap::new();
    for page in site.pages().filter(|page| page.path.ends_with(".html")) {
        let html = String::from_utf8(page.bytes).expect("UTF-8");
        assert!(
            !html.contains("template ") || !html.contains("Error rendering"),
            "{}: {html}",
            page.path
        );
        let tags = html::tags(&html);
        let ids = html::ids(&tags);
        pages.insert(page.path, (tags, ids));
    }
    for (path, (tags, _)) in &pages {
        for tag in tags {
            check_tag(path, tag);
            for key in ["href", "src"] {
                if let Some(link) = tag.attributes.get(key) {
                    check_link(path, tag, link, &paths, &pages);
                }
            }
            for key in ["for", "aria-labelledby", "aria-controls", "popovertarget"] {
                if let Some(id) = tag.attributes.get(key) {
                    assert!(
                        pages[path].1.contains(id),
                        "{path}: {key} {id:?} leads nowhere"
                    );
                }
            }
        }
    }
}

fn check_tag(path: &str, tag: &html::Tag) {
    assert!(!tag.attributes.contains_key("style"), "{path}: {tag:?}");
    assert!(
        !tag.attributes.keys().any(|key| key.starts_with("on")),
        "{path}: {tag:?}"
    );
    let known = [
        "html",
        "head",
        "meta",
        "title",
        "link",
        "script",
        "body",
        "a",
        "header",
        "button",
        "span",
        "kbd",
        "div",
        "nav",
        "ul",
        "ol",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "code",
        "pre",
        "main",
        "article",
        "section",
        "p",
        "b",
        "strong",
        "em",
        "del",
        "blockquote",
        "br",
        "wbr",
        "hr",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "dl",
        "dt",
        "dd",
        "details",
        "summary",
        "footer",
        "dialog",
        "form",
        "fieldset",
        "legend",
        "label",
        "input",
        "select",
        "option",
        "textarea",
    ];
    let class = tag.attributes.get("class").map(String::as_str);
    let is_logo = tag.name == "img" && class == Some("logo");
    assert!(
        is_logo || known.contains(&tag.name.as_str()),
        "{path}: {tag:?}"
    );
    if tag.name == "script" {
        assert!(tag.attributes.contains_key("src"), "{path}: inline script");
    }
}

fn check_link(
    path: &str,
    tag: &html::Tag,
    link: &str,
    paths: &BTreeSet<&str>,
    pages: &BTreeMap<String, (Vec<html::Tag>, BTreeSet<String>)>,
) {
    if link.starts_with("https://") || link.starts_with("http://") || link.starts_with("mailto:") {
        let is_said = tag
            .attributes
            .get("rel")
            .is_some_and(|rel| rel == "canonical");
        assert!(tag.name == "a" || is_said, "{path}: {link} is fetched");
        return;
    }
    assert!(
        !link.contains(':') && !link.starts_with('/'),
        "{path}: {link:?} is not relative"
    );
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        path.to_owned()
    } else {
        join(path, file)
    };
    // On a live site, addresses leave out what a server fills in.
    let ends = ["", ".html", "index.html"];
    let target = ends.iter().map(|end| format!("{target}{end}"));
    let target = { target }.find(|target| paths.contains(target.as_str()));
    let target = target.unwrap_or_else(|| panic!("{path}: {link:?} leads nowhere"));
    if !fragment.is_empty() {
        assert!(
            pages[&target].1.contains(fragment),
            "{path}: {link:?} leads to no anchor"
        );
    }
}

fn join(from: &str, to: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in to.split('/') {
        if part == ".." {
            parts.pop().expect("a link stays inside the site");
        } else if part != "." {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[test]
fn every_link_leads_somewhere() {
    check(
        &Site::builder(library())
            .description_json(|out| out.write_all(b"{}"))
            .openrpc_json(|out| out.write_all(b"{}"))
            .limit("Body", "2 MiB")
            .build()
            .expect("fine"),
    );
}

#[test]
fn the_pages_of_procedures_are_known_before_the_site_is_planned() {
    let mut other = library();
    other.procs.extend(library().procs);
    other.procs[0].name = "index".to_owned();
    let live = |site: docent_docs_gen::SiteBuilder| site.live(true).build().expect("fine");
    let alone = live(Site::builder(library()));
    for (name, page) in &procedure_pages([&library()])[0] {
        assert_eq!(alone.help_for(name).as_ref(), Some(page));
    }
    let both = live(Site::builder(other.clone()).and(library()));
    let pages = procedure_pages([&other, &library()]);
    for (name, page) in &pages[0] {
        assert_eq!(both.help_for(name).as_ref(), Some(page));
    }
    assert_ne!(pages[0]["book.find"], pages[1]["book.find"]);
    for page in pages.iter().flat_map(|pages| pages.values()) {
        assert!(both.page(page).is_some(), "{page}");
    }
}

#[test]
fn several_services_make_a_catalogue_with_one_search() {
    let mut other = library();
    other.name = "assets".to_owned();
    let site = Site::builder(library())
        .and(other)
        .title("Town")
        .build()
        .expect("fine");
    check(&site);
    let index = text(&site, "assets/index.js");
    assert!(index.contains("Library/book.find.html") && index.contains("book.find.html"));
    assert!(text(&site, "index.html").contains("Town"));
    assert_eq!(
        site.help_for("book.find").as_deref(),
        Some("Library/book.find.html")
    );
}

#[test]
fn versions_of_a_service_are_told_apart_on_every_page() {
    let version = |number: &str| {
        let mut library = library();
        library.version = Some(number.to_owned());
        library
    };
    let site = Site::builder(version("1.9"))
        .and(version("1.10"))
        .build()
        .expect("a site");
    check(&site);
    let front = text(&site, "index.html");
    assert_eq!(front.matches("older version").count(), 1, "{front}");
    let pages = |path: &str| {
        let mut paths = site.paths().filter(|it| it.ends_with(path));
        let old = text(&site, paths.next().expect("a page"));
        (old, text(&site, paths.next().expect("another")))
    };
    for path in ["/book.search.html", "/loan.begin.html"] {
        let (old, new) = pages(path);
        assert!(old.contains("Older version. Current: 1.10"), "{old}");
        assert!(!new.contains("Older version"), "{new}");
        for (page, number) in [(&old, "1.9"), (&new, "1.10")] {
            assert!(page.contains(&format!(" {number}</title>")), "{page}");
            let version = format!("<span class=\"version\">Library {number}</span>");
            assert!(page.contains(&version), "{page}");
        }
    }
    let search = text(&site, "assets/index.js");
    assert!(search.contains("Library 1.9") && search.contains("Library 1.10"));
}

#[test]
fn the_address_of_a_procedure_is_its_name() {
    let site = site(library());
    assert_eq!(
        site.help_for("book.find").as_deref(),
        Some("book.find.html")
    );
    assert_eq!(site.help_for("no.such"), None);
    assert!(site.page("").is_some_and(|page| page.path == "index.html"));
    assert!(site.page("no.such.html").is_none());
    assert!(site.page("../index.html").is_none());
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
        "Retry? No. The same call will fail again.",
        "Retry? Yes. The same call may succeed later.",
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
    assert!(text(&site(library()), "index.html").contains("-32602"));
}

#[test]
fn whether_repeating_helps_is_said_only_where_it_was_declared() {
    let mut service = library();
    let error = |code, status, retry| ErrorDescription {
        code,
        message: format!("Error {code}"),
        status,
        retry,
        ..ErrorDescription::default()
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
        let said: Vec<bool> = [("Error 2"), ("Error 3"), ("Error 4"), ("protocol error")]
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
fn a_signature_of_many_parameters_is_one_line_of_names() {
    let mut service = library();
    let param = |name: String| ParamDescription {
        name,
        schema: json(r#"{"type": "string"}"#),
        ..ParamDescription::default()
    };
    let names = |count: usize| (0..count).map(|at| param(format!("number{at}"))).collect();
    let signature = |params| {
        service.procs[0].params = params;
        let page = text(&site(service.clone()), "book.find.html");
        let (intro, rest) = page.split_once("<pre class=\"signature\">").expect("there");
        assert!(
            intro.contains("Finds books by words"),
            "the sentence comes first"
        );
        rest.split_once("</pre>").expect("its end").0.to_owned()
    };
    let mut signature = signature;
    assert_eq!(signature(names(4)).matches(": string").count(), 4);
    let five = signature(names(5));
    assert!(
        !five.contains([':', '\n']) && five.contains("number4"),
        "{five}"
    );
    let forty = signature(names(40));
    assert!(
        forty.contains(", …) →") && forty.contains("number5"),
        "{forty}"
    );
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
fn other_groups_unfold_in_the_list_at_the_side() {
    let page = text(&site(library()), "book.find.html");
    let (_, nav) = page.split_once("<nav id=\"nav\"").expect("there");
    let nav = nav.split_once("</nav>").expect("its end").0;
    assert_eq!(nav.matches("<details open>").count(), 1, "{nav}");
    assert!(
        nav.matches("<details>").count() == 2 && nav.contains("loan.<wbr>end"),
        "{nav}"
    );
}

#[test]
fn a_call_that_fails_is_shown_with_its_exact_request_and_response() {
    let site = site(library());
    let page = text(&site, "book.find.html");
    let (_, example) = page.split_once("id=\"example.2\"").expect("an example");
    let example = example.split_once("</section>").expect("its end").0;
    let messages = [
        r#"{"jsonrpc": "2.0", "method": "book.find", "params": {"words": "whale"}, "id": 1}"#,
        r#"{"jsonrpc": "2.0", "error": {"code": 1404, "message": "No such shelf", "data": "M 14"},
            "id": 1}"#,
    ];
    assert_eq!(between(example, "<code>", "</code>"), messages.map(json));
    let twin = between(&text(&site, "book.find.md"), "```json\n", "\n```");
    assert!(twin.ends_with(&messages.map(json)), "{twin:?}");
}

/// The messages between two marks, without the markup in them.
fn between(text: &str, start: &str, end: &str) -> Vec<Json> {
    let blocks = text.split(start).skip(1);
    let blocks = blocks.filter_map(|block| Some(block.split_once(end)?.0));
    let plain = blocks.map(|block| {
        let rests = block.split('<').enumerate();
        let texts = rests.map(|(at, rest)| match rest.split_once('>') {
            Some((_, text)) if at > 0 => text,
            _ => rest,
        });
        html::unescape(&texts.collect::<String>())
    });
    plain.map(|block| json(&block)).collect()
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
    let param = |name: &str, schema: &str| ParamDescription {
        name: name.to_owned(),
        schema: json(schema),
        ..ParamDescription::default()
    };
    description.procs.push(ProcedureDescription {
        name: "widths".to_owned(),
        params: vec![
            param("a", r#"{"type":"integer","minimum":-128,"maximum":127}"#),
            param(
                "b",
                r#"{"type":"number","minimum":-1.7976931348623157e308,"maximum":1.7976931348623157e308}"#,
            ),
            param("c", r#"{"type":"integer","minimum":1,"maximum":127}"#),
        ],
        ..ProcedureDescription::default()
    });
    let site = site(description);
    check(&site);
    let page = text(&site, "widths.html");
    assert!(
        page.contains("integer (int8)") && page.contains("number (double)"),
        "{page}"
    );
    assert!(
        !page.contains("1.7976931348623157e308") && page.contains("1 to 127"),
        "{page}"
    );
    // An example is no one's least number.
    assert!(!page.contains("-128,"), "{page}");
    let overview = text(&site, "index.html");
    assert!(
        overview
            .contains("<dt>Checked formats</dt><dd><code>date</code>, <code>&lt;b&gt;</code></dd>"),
        "{overview}"
    );
    assert!(text(&site, "index.md").contains("Checked formats: `date`, `<b>`"));
}

#[test]
fn two_builds_are_the_same_bytes() {
    let (one, two) = (site(library()), site(library()));
    assert!(one.pages().eq(two.pages()));
    assert_eq!(one.single_file(), two.single_file());
}

#[test]
fn every_page_has_a_twin_in_markdown_and_llms_txt_lists_them() {
    let site = site(library());
    let paths: BTreeSet<&str> = site.paths().collect();
    let pages = paths.iter().filter_map(|path| path.strip_suffix(".html"));
    for path in pages.filter(|path| *path != "404") {
        assert!(paths.contains(format!("{path}.md").as_str()), "{path}");
    }
    assert!(
        text(&site, "llms.txt")
            .contains("- [book.find](book.find.md) (GET): Finds books by words in their title.")
    );
    assert!(text(&site, "book.find.md").contains("```json"));
}

#[test]
fn a_folder_is_written_and_nothing_beside_it() {
    let folder = std::env::temp_dir().join(format!("docent-docs-gen-{}", std::process::id()));
    let report = site(library())
        .write_to(folder.join("site"))
        .expect("written");
    assert_eq!(std::fs::read_dir(&folder).expect("there").count(), 1);
    assert!(folder.join("site/types/Book.html").is_file());
    assert_eq!(report.files, site(library()).paths().len());
    assert_eq!(report.heavy, []);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_single_file_needs_nothing_beside_it() {
    let html = String::from_utf8(site(library()).single_file()).expect("UTF-8");
    let tags = html::tags(&html);
    let ids = html::ids(&tags);
    for tag in &tags {
        assert!(
            !tag.attributes.contains_key("src") && tag.name != "link",
            "{tag:?}"
        );
        if let Some(href) = tag
            .attributes
            .get("href")
            .filter(|href| !href.starts_with("https://"))
        {
            let id = href
                .strip_prefix('#')
                .unwrap_or_else(|| panic!("{href:?} leads out of the file"));
            assert!(ids.contains(id), "{href:?} leads nowhere");
        }
    }
    let policy = &tags
        .iter()
        .find(|tag| tag.attributes.contains_key("http-equiv"))
        .expect("a policy")
        .attributes["content"];
    assert!(policy.contains("script-src 'sha256-") && !policy.contains("unsafe"));
}

#[test]
fn a_live_site_takes_a_relative_address() {
    assert!(Site::builder(library()).address("../rpc").build().is_err());
    let live = Site::builder(library())
        .address("../rpc")
        .live(true)
        .build()
        .expect("fine");
    let page = text(&live, "book.find.html");
    assert!(page.contains("data-address=\"../rpc\""));
    assert!(page.contains("&quot;address&quot;: &quot;../rpc&quot;"));
    assert!(page.contains("&quot;live&quot;: true"));
}

pub(crate) fn gzip(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory").len()
}

#[test]
fn a_page_with_all_it_loads_is_under_the_bar() {
    let site = site(library());
    let weigh = |path: &str| gzip(&site.page(path).expect("there").bytes);
    let scripts: usize = ["theme", "docent"]
        .iter()
        .map(|name| weigh(&asset_path(&site, &format!("{name}.js"))))
        .sum();
    assert!(scripts <= 12_000, "scripts: {scripts}");
    // Loaded when the form is first used.
    let form = weigh(&asset_path(&site, "try.js"));
    assert!(form <= 20_000, "form: {form}");
    let style = weigh(&asset_path(&site, "style.css"));
    for path in site.paths().filter(|path| path.ends_with(".html")) {
        let total = weigh(path) + scripts + style;
        assert!(total <= 25_000, "{path}: {total}");
    }
}

/// As many procedures as asked for, each a little different.
pub(crate) fn many(count: usize) -> ServiceDescription {
    let mut service = library();
    let pattern = service.procs.clone();
    service.procs = (0..count)
        .map(|at| {
            let one = &pattern[at % pattern.len()];
            ProcedureDescription {
                name: format!("area{}.{}{at}", at % 40, one.name.replace('.', "_")),
                ..one.clone()
            }
        })
        .collect();
    service
}

#[test]
fn navigation_does_not_grow_with_the_service() {
    let site = site(many(3000));
    let page = text(&site, &site.help_for("area0.book_find0").expect("there"));
    assert!(page.len() < 60_000, "{}", page.len());
}

#[test]
fn long_lists_go_on_on_further_pages() {
    let mut service = many(1200);
    for procedure in &mut service.procs {
        procedure.tags.clear();
        procedure.name = procedure.name.replace('.', "-");
    }
    let site = site(service);
    let groups: Vec<&str> = site
        .paths()
        .filter(|path| path.starts_with("groups/") && path.ends_with(".html"))
        .collect();
    assert_eq!(groups.len(), 3, "{groups:?}");
    check(&site);
}

#[test]
fn the_address_of_a_group_is_its_words() {
    let mut service = library();
    let tags = [
        "Books & Loans",
        "Book keeping",
        "Bücher",
        "日本",
        "a/b",
        "a-b",
    ];
    for (procedure, tag) in service.procs.iter_mut().zip(tags) {
        procedure.tags = vec![tag.to_owned()];
    }
    let site = site(service);
    for group in ["Books-Loans", "Book-keeping", "Buecher", "a-b"] {
        assert!(
            site.page(&format!("groups/{group}.html")).is_some(),
            "{group}"
        );
    }
    check(&site);
}

#[test]
fn the_page_of_an_error_lists_the_procedures_that_return_it() {
    let mut service = many(700);
    let error = |code: i64, message: &str| ErrorDescription {
        code,
        message: message.to_owned(),
        description: Some(format!("What {message} means, see `Book`.")),
        ..ErrorDescription::default()
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
    for part in [
        "<h1><code>7</code> Other &lt;b&gt;words&lt;/b&gt;</h1>",
        "Returned by 700 procedures.",
        "<h2>Not now</h2>",
        "What Not now means, see <a href=\"../types/Book.html\"><code>Book</code></a>.",
        "… and 197 more.",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(page.matches("#error.7\"><code>").count(), 503);
    let protocol = text(&site, "errors/code-32001.html");
    assert!(protocol.contains("href=\"../index.html#code-32001\">protocol error: Timed out</a>"));
    let twin = text(&site, "errors/7.md");
    assert!(
        twin.starts_with("# 7 Other \\<b>") && twin.contains("## Not now\n"),
        "{twin}"
    );
    assert!(
        twin.contains(&format!("- [{first}](../{first}.md)")),
        "{twin}"
    );
    let own = text(&site, &format!("{first}.html"));
    assert!(
        own.contains("<a href=\"errors/7.html\">Returned by 700 procedures.</a>"),
        "{own}"
    );
    assert!(!own.contains("errors/100.html"), "nobody else returns it");
    let own = text(&site, &format!("{first}.md"));
    assert!(
        own.contains("[Returned by 700 procedures.](errors/7.md)"),
        "{own}"
    );
    let overview = text(&site, "index.html");
    assert!(overview.contains("<a href=\"errors/7.html\"><code>7</code></a>"));
    assert!(text(&site, "index.md").contains("[`7`](errors/7.md) Not now: "));
    let index = text(&site, "names/index.html");
    assert!(
        index.contains(
            "<a href=\"../errors/100.html\">100 Own</a> <span class=\"kind\">error</span>"
        )
    );
}

#[test]
fn a_service_without_procedures_has_a_page() {
    let empty = site(ServiceDescription::default());
    check(&empty);
    assert!(text(&empty, "index.html").contains("no procedures"));
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
        page.contains("The member that is present tells which."),
        "{page}"
    );
}

#[test]
fn a_giant_schema_makes_a_page_that_is_reported() {
    let mut service = library();
    let mut wide = Object::new();
    for at in 0..5000 {
        let text = format!(
            "{{\"type\": \"string\", \"description\": \"Number {at} of {}\"}}",
            at * 7919 % 104_729
        );
        wide.insert(format!("member{at}"), json(&text));
    }
    let mut schema = Object::new();
    schema.insert("type".to_owned(), Json::from("object"));
    schema.insert("properties".to_owned(), Json::Object(wide));
    service.procs[0].params.push(ParamDescription {
        name: "wide".to_owned(),
        schema: Json::Object(schema),
        ..ParamDescription::default()
    });
    let folder = std::env::temp_dir().join(format!("docent-docs-gen-wide-{}", std::process::id()));
    let site = site(service);
    check(&site);
    let report = site.write_to(&folder).expect("written");
    assert_eq!(report.heavy.len(), 1);
    assert_eq!(report.heavy[0].path, "book.find.html");
    std::fs::remove_dir_all(folder).expect("removed");
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
fn other_names_and_what_is_deprecated_stand_with_a_parameter() {
    let mut library = library();
    let procedure = library
        .procs
        .iter_mut()
        .find(|it| it.by_name_only)
        .expect("one by name only");
    procedure.params[0].aliases = vec![
        ParamAlias {
            name: "<old>".to_owned(),
            deprecated: true,
        },
        ParamAlias {
            name: "q".to_owned(),
            deprecated: false,
        },
    ];
    procedure.params[0].deprecated = true;
    procedure.params[0].schema = json(r#"{"type": "string", "deprecated": true}"#);
    let site = site(library);
    check(&site);
    let page = text(&site, "book.search.html");
    for words in [
        "This procedure takes its parameters by name only.",
        "also accepted as <code>&lt;old&gt;</code> (deprecated)",
        "also accepted as <code>q</code>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert_eq!(page.matches(r#"<span class="mark old">"#).count(), 1);
    let twin = text(&site, "book.search.md");
    for words in [
        "by name only",
        "also accepted as `<old>` (deprecated)",
        "also accepted as `q`",
    ] {
        assert!(twin.contains(words), "{words}: {twin}");
    }
}

#[test]
fn a_page_says_how_many_calls_are_accepted() {
    let limits = |by| ProcedureLimits {
        concurrent: Some(8),
        rate: Some(RateLimit {
            calls: 100,
            per: Duration::from_millis(1_500),
            by,
        }),
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
            for words in [
                "At most 8 calls run at the same time.",
                said,
                "-32002",
                "-32008",
            ] {
                assert!(page.contains(words), "{words}: {page}");
            }
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
            for words in [
                "Repeating a call",
                said,
                "Idempotency-Key",
                "x-idempotency-key",
            ] {
                assert!(page.contains(words), "{words}: {page}");
            }
        }
        let page = text(&site, &format!("{name}.html"));
        assert!(page.contains(r##"href="#repeating""##), "{page}");
    }
    let without = text(&site(library()), "book.search.html");
    assert!(!without.contains("Repeating a call"), "{without}");
}

#[test]
fn every_code_of_the_table_is_explained_with_the_message_that_is_sent() {
    let site = site(library());
    let pages = [text(&site, "index.html"), text(&site, "index.md")];
    for row in code::TABLE {
        for page in &pages {
            assert!(
                page.contains(&format!("{}<", row.code))
                    || page.contains(&format!("`{}`", row.code))
            );
            assert!(page.contains(row.message), "{}", row.message);
        }
    }
    for page in &pages {
        assert!(!page.contains("protocol."), "a text is missing: {page}");
    }
}
