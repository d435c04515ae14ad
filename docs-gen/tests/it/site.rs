//! Tests of a site's files: their names, links and sizes.

use std::collections::BTreeSet;

use docent_describe::json::{Json, Object};
use docent_describe::{Origin, ParamDescription, ServiceDescription};
use docent_docs_gen::{Download, PLACEHOLDER_ORIGIN, Site, procedure_pages};

use crate::html;
use crate::library::{json, library};
use crate::pages::{asset_path, check, gzip, many, site, text};
use crate::releases::version;

#[test]
fn every_link_leads_somewhere() {
    check(
        &Site::builder(library())
            .download(Download::Description, |out| out.write_all(b"{}"))
            .download(Download::OpenRpc, |out| out.write_all(b"{}"))
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
        assert_eq!(alone.page_of(name).as_ref(), Some(page));
    }
    let both = live(Site::builder(other.clone()).and(library()));
    let pages = procedure_pages([&other, &library()]);
    for (name, page) in &pages[0] {
        assert_eq!(both.page_of(name).as_ref(), Some(page));
    }
    assert_ne!(pages[0]["book.find"], pages[1]["book.find"]);
    for page in pages.iter().flat_map(|pages| pages.values()) {
        assert!(both.page(page).is_some(), "{page}");
    }
}

#[test]
fn a_service_of_docent_has_an_open_api_document_and_no_other_has() {
    let with_address = Site::builder(library()).address("https://town.example/library/rpc");
    let site = with_address.build().expect("fine");
    let document = json(&text(&site, "openapi.json"));
    let server = document.get("servers").and_then(|servers| {
        let first = servers.as_array()?.first()?;
        first.get("url")?.as_str()
    });
    let expected = library().address;
    assert_eq!(
        server,
        expected
            .as_deref()
            .or(Some("https://town.example/library/rpc"))
    );
    assert!(text(&site, "index.html").contains("href=\"openapi.json\""));
    let mut foreign = library();
    foreign.origin = Origin::OpenRpc;
    let site = Site::builder(foreign).build().expect("fine");
    assert!(site.page("openapi.json").is_none());
    assert!(!text(&site, "index.html").contains("openapi.json"));
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
        site.page_of("book.find").as_deref(),
        Some("Library/book.find.html")
    );
}

#[test]
fn versions_of_a_service_are_told_apart_on_every_page() {
    let site = Site::builder(version("1.9"))
        .and(version("1.10"))
        .build()
        .expect("a site");
    check(&site);
    let front = text(&site, "index.html");
    assert_eq!(front.matches("older version").count(), 1, "{front}");
    let pages = |path: &str| {
        let mut paths = site.paths().filter(|page| page.ends_with(path));
        let old = text(&site, paths.next().expect("a page"));
        (old, text(&site, paths.next().expect("another")))
    };
    for path in ["/book.search.html", "/loan.begin.html"] {
        let (old, new) = pages(path);
        assert!(old.contains("Older version. Current: 1.10"), "{old}");
        assert!(!new.contains("Older version"), "{new}");
        for (page, number) in [(&old, "1.9"), (&new, "1.10")] {
            assert!(page.contains(&format!(" {number}</title>")), "{page}");
            let version = format!("<span class=\"version\">{number}</span>");
            assert!(page.contains(&version), "{page}");
        }
    }
    let search = text(&site, "assets/index.js");
    assert!(search.contains("Library 1.9") && search.contains("Library 1.10"));
}

#[test]
fn the_overview_begins_with_the_procedures() {
    let mut service = library();
    service.description = Some("All about the library.".to_owned());
    let page = text(&site(service), "index.html");
    let row = "<li><a href=\"book.search.html\"><code>book.search</code></a> <span class=\"text\" dir=\"auto\">";
    let parts = [
        "<h1 dir=\"auto\">",
        row,
        "All about the library.",
        "How to call it",
        "Conventions",
    ];
    let found = parts.map(|part| page.find(part).unwrap_or_else(|| panic!("{part}: {page}")));
    assert!(found.is_sorted(), "{found:?}");
}

#[test]
fn a_contact_is_one_mailbox() {
    let mut service = library();
    let contact =
        json("{\"name\": \"Desk\", \"email\": \"desk@a.example?bcc=spy@b.example,\\u00fc\"}");
    service.extensions.insert("$contact".to_owned(), contact);
    let page = text(&site(service), "index.html");
    let link = "href=\"mailto:desk@a.example%3Fbcc%3Dspy@b.example%2C%C3%BC\">Desk</a>";
    assert!(page.contains(link), "{page}");
}

#[test]
fn the_address_of_a_procedure_is_its_name() {
    let site = site(library());
    assert_eq!(site.page_of("book.find").as_deref(), Some("book.find.html"));
    assert_eq!(site.page_of("no.such"), None);
    assert!(site.page("").is_some_and(|page| page.path == "index.html"));
    assert!(site.page("no.such.html").is_none());
    assert!(site.page("../index.html").is_none());
}

#[test]
fn other_groups_unfold_in_the_list_at_the_side() {
    let page = text(&site(library()), "book.find.html");
    let (_, rest) = page.split_once("<nav id=\"nav\"").expect("there");
    let (nav, _) = rest.split_once("</nav>").expect("its end");
    assert_eq!(nav.matches("<details open>").count(), 1, "{nav}");
    assert!(
        nav.matches("<details>").count() == 2 && nav.contains("loan.<wbr>end"),
        "{nav}"
    );
}

#[test]
fn two_builds_are_the_same_bytes() {
    let (one, two) = (site(library()), site(library()));
    assert!(one.pages().eq(two.pages()));
    assert_eq!(one.single_file(), two.single_file());
}

#[test]
fn every_page_has_a_markdown_page_and_llms_txt_lists_them() {
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
fn llms_txt_has_a_sentence_for_each_type_and_links_from_where_it_is_published() {
    let mut service = library();
    let (_, book) = service.components.schemas.get_index_mut(0).expect("a type");
    *book = json(
        r#"{"type": "object", "description": "A book, e.g. a novel. It has\nan author.\n\nMore."}"#,
    );
    let name = service
        .components
        .schemas
        .get_index(0)
        .expect("a type")
        .0
        .clone();
    let site = site(service);
    let link = format!("{name}](types/{name}.md): A book, e.g. a novel.\n");
    assert!(text(&site, "llms.txt").contains(&link));
    let root = String::from_utf8(site.llms_text("docs/").bytes).expect("UTF-8");
    for target in [
        "book.find.md",
        "index.md",
        "types/Book.md",
        "description.json",
        "llms-full.txt",
    ] {
        assert!(
            root.contains(&format!("](docs/{target})")),
            "{target}: {root}"
        );
    }
    let others = root.replace("](docs/", "").replace("](https://", "");
    assert!(!others.contains("]("), "{root}");
}

#[test]
fn all_markdown_pages_are_in_one_file_whose_links_start_at_its_folder() {
    let site = site(library());
    let all = text(&site, "llms-full.txt");
    for path in [
        "index.md",
        "book.find.md",
        "types/Book.md",
        "groups/catalogue.md",
        "errors/1404.md",
    ] {
        let page = text(&site, path);
        let (title, _) = page.split_once('\n').expect("a title");
        assert!(all.contains(&format!("{title}\n")), "{path}");
    }
    let paths: BTreeSet<&str> = site.paths().collect();
    for link in all
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
    {
        let (target, _) = link.0.split_once('#').unwrap_or((link.0, ""));
        let is_known = target.is_empty() || target.starts_with("http") || paths.contains(target);
        assert!(is_known, "{target}");
    }
    let folder = std::env::temp_dir().join(format!("docent-full-{}", std::process::id()));
    site.write_to(&folder).expect("written");
    let written = std::fs::read_to_string(folder.join("llms-full.txt")).expect("a file");
    assert_eq!(written, all);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn an_address_that_is_made_up_is_marked_wherever_it_stands() {
    let note = "is a placeholder, because the description names none.";
    let mut nowhere = library();
    nowhere.address = None;
    let pages = [
        "index.html",
        "index.md",
        "book.find.html",
        "book.find.md",
        "llms.txt",
        "llms-full.txt",
    ];
    for path in pages {
        let page = text(&site(nowhere.clone()), path);
        assert!(
            page.contains("service.example/rpc") && page.contains(note),
            "{path}: {page}"
        );
        let known = text(&site(library()), path);
        assert!(
            !known.contains("service.example") && !known.contains(note),
            "{path}"
        );
    }
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
    let shown = format!("<span data-address=\"../rpc\">{PLACEHOLDER_ORIGIN}/rpc</span>");
    assert!(page.contains(&shown), "{page}");
    assert!(page.contains("&quot;address&quot;: &quot;../rpc&quot;"));
    assert!(page.contains("&quot;live&quot;: true"));
    let markdown = text(&live, "index.md");
    assert!(
        markdown.contains(&format!("Address: `{PLACEHOLDER_ORIGIN}/rpc`")),
        "{markdown}"
    );
}

#[test]
fn an_address_is_absolute_where_the_url_of_the_site_is_known() {
    let mut second = library();
    second.name = "Second".to_owned();
    let site = Site::builder(library())
        .address("../../rpc")
        .and(second)
        .address("/other/rpc")
        .live(true)
        .base_url("https://a.example/x/docs")
        .build()
        .expect("fine");
    check(&site);
    for (folder, address) in [
        ("Library", "https://a.example/x/rpc"),
        ("Second", "https://a.example/other/rpc"),
    ] {
        let overview = text(&site, &format!("{folder}/index.md"));
        assert!(
            overview.contains(&format!("- Address: `{address}`\n")),
            "{overview}"
        );
        let list = text(&site, &format!("{folder}/llms.txt"));
        assert!(
            list.contains(&format!("- Address: `{address}`\n")),
            "{list}"
        );
        let markdown = text(&site, &format!("{folder}/book.find.md"));
        assert!(
            markdown.contains(&format!("curl -sS '{address}'")),
            "{markdown}"
        );
        let page = text(&site, &format!("{folder}/book.find"));
        assert!(page.contains(&format!("rpc\">{address}</span>")), "{page}");
    }
    let single = String::from_utf8(site.single_file()).expect("UTF-8");
    let (single, _) = single.split_once("<script").expect("scripts at its end");
    assert!(!single.contains("data-address"));
    assert!(single.contains("<code>https://a.example/x/rpc</code>"));
    assert!(single.contains("&quot;address&quot;: &quot;https://a.example/other/rpc&quot;"));
    assert!(!single.contains("service.example"));
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
    assert!(form <= 26_000, "form: {form}");
    // Loaded when the first call is sent.
    let response = weigh(&asset_path(&site, "answer.js"));
    assert!(response <= 3_500, "answer: {response}");
    // Loaded beside it on the page of a subscription.
    let events = weigh(&asset_path(&site, "events.js"));
    assert!(events <= 2_500, "events: {events}");
    let style = weigh(&asset_path(&site, "style.css"));
    for path in site.paths().filter(|path| path.ends_with(".html")) {
        let total = weigh(path) + scripts + style;
        assert!(total <= 25_000, "{path}: {total}");
    }
}

#[test]
fn navigation_does_not_grow_with_the_service() {
    let site = site(many(3000));
    let page = text(&site, &site.page_of("area0.book_find0").expect("there"));
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
        "Loans/Returns",
        "日本",
        "a/b",
        "a-b",
    ];
    for (procedure, tag) in service.procs.iter_mut().zip(tags) {
        procedure.tags = vec![tag.to_owned()];
    }
    let site = site(service);
    for group in ["Books-Loans", "Book-keeping", "Loans-Returns", "a-b"] {
        assert!(
            site.page(&format!("groups/{group}.html")).is_some(),
            "{group}"
        );
    }
    check(&site);
}

#[test]
fn a_service_without_procedures_has_a_page() {
    let empty = site(ServiceDescription::default());
    check(&empty);
    assert!(text(&empty, "index.html").contains("no procedures"));
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
    service.procs[0]
        .params
        .push(ParamDescription::new("wide", Json::Object(schema)));
    let folder = std::env::temp_dir().join(format!("docent-docs-gen-wide-{}", std::process::id()));
    let site = site(service);
    check(&site);
    let report = site.write_to(&folder).expect("written");
    assert_eq!(report.heavy.len(), 1);
    assert_eq!(report.heavy[0].path, "book.find.html");
    std::fs::remove_dir_all(folder).expect("removed");
}
