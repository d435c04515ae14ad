//! The search index.

use std::collections::BTreeSet;

use docent_describe::json::Json;
use docent_describe::{Deprecation, ErrorDescription, Example, ProcedureDescription};
use docent_docs_gen::Site;

use crate::html;
use crate::library::{json, library};
use crate::pages::{asset_path, check, check_parts, many, site, text};
use crate::releases::three;

/// Returns the lines of pages and parts in the index, each with its fields, of which one has its texts.
fn lines(site: &Site) -> Vec<Vec<String>> {
    let script = text(site, "assets/index.js");
    let literal = script
        .strip_prefix("docentIndex(")
        .and_then(|rest| rest.strip_suffix(");\n"))
        .expect("one call");
    let index: String = serde_json::from_str(literal).expect("a text");
    let mut texts = Vec::new();
    let mut lines = Vec::new();
    for line in index.lines() {
        let mut fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        if fields[0] == "=" {
            texts.push(fields.remove(2));
            continue;
        }
        // The field with the numbers of the texts, of a part and of a page.
        let texts_field = if fields[0].is_empty() { 3 } else { 5 };
        let line_texts: Vec<_> = fields[texts_field]
            .split_whitespace()
            .map(|number| &*texts[number.parse::<usize>().expect("a number")])
            .collect();
        fields[texts_field] = line_texts.join(" / ");
        lines.push(fields);
    }
    let unique: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(unique.len(), texts.len(), "each text is there once");
    lines
}

/// Returns the addresses of everything in the index, with anchors, and the line.
fn addresses(site: &Site) -> Vec<(String, Vec<String>)> {
    let mut page = String::new();
    let mut all = Vec::new();
    for line in lines(site) {
        if line[0].is_empty() {
            let hash = if line[1].is_empty() { "" } else { "#" };
            all.push((format!("{page}{hash}{}", line[1]), line));
        } else {
            page.clone_from(&line[1]);
            all.push((page.clone(), line));
        }
    }
    all
}

#[test]
fn the_page_of_an_error_code_is_named_by_the_code() {
    let mut service = library();
    let error = |code, message: &str| ErrorDescription::new(code, message);
    service.procs[0].errors = vec![error(7, "Too late"), error(-32602, "Mine")];
    service.procs[1].errors = vec![error(7, "Too early"), error(7, "Too late")];
    let site = site(service);
    let lines = lines(&site);
    let find = |href: &str| {
        lines
            .iter()
            .find(|line| line[1] == href)
            .unwrap_or_else(|| panic!("{href} is in the index"))
            .join("|")
    };
    assert_eq!(
        find("errors/7.html"),
        "r|errors/7.html|7|Too late||Too late / Too early"
    );
    assert_eq!(
        find("errors/code-32602.html"),
        "r|errors/code-32602.html|-32602|Mine||Mine"
    );
    assert!(find("errors.html#code-32602").contains("|-32602 Invalid params|"));
}

#[test]
fn everything_in_the_index_is_where_it_says() {
    let site = site(library());
    let all = addresses(&site);
    assert!(all.len() > 50);
    let mut checked = BTreeSet::new();
    for (address, line) in &all {
        let (path, anchor) = address.split_once('#').unwrap_or((address, ""));
        if checked.insert(address.clone()) {
            let ids = html::ids(&html::tags(&text(&site, path)));
            assert!(
                anchor.is_empty() || ids.contains(anchor),
                "{address}: {line:?}"
            );
        }
    }
    assert!(
        checked
            .iter()
            .any(|address| address == "book.find.html#param.words")
    );
}

#[test]
fn each_page_is_in_the_search_and_in_the_sidebar() {
    let site = three()
        .guide("start.md", "# Start")
        .build()
        .expect("a site");
    let found: BTreeSet<String> = addresses(&site)
        .into_iter()
        .map(|(address, _)| address)
        .collect();
    let overview = text(&site, "Library-2.0/index.html");
    let (_, sidebar) = overview.split_once("<nav").expect("a sidebar");
    let (sidebar, _) = sidebar.split_once("</nav>").expect("its end");
    let mut missing = Vec::new();
    for path in site.paths().filter(|path| path.ends_with(".html")) {
        let (link, is_guide) = match path.strip_prefix("Library-2.0/") {
            Some(link) => (link.to_owned(), false),
            None => (format!("../{path}"), path.starts_with("guide/")),
        };
        // A group without a name has no word to look for.
        if link.starts_with("../") && !is_guide || link == "groups/procedures.html" {
            continue;
        }
        if !found.contains(path) {
            missing.push(format!("{path} in docs-gen/src/search/entries.rs"));
        }
        // The pages of all types and of all errors list them.
        let is_listed = link.starts_with("types/") || link.starts_with("errors/");
        if !is_listed && !sidebar.contains(&format!("href=\"{link}\"")) {
            missing.push(format!("{path} in docs-gen/src/view/nav.rs"));
        }
    }
    assert_eq!(missing, [""; 0]);
}

#[test]
fn no_procedure_has_the_address_of_another_page() {
    let mut service = library();
    let plain = site(service.clone());
    let names: Vec<&str> = plain
        .paths()
        .filter(|path| !path.contains('/'))
        .filter_map(|path| path.strip_suffix(".html"))
        .filter(|name| plain.page_of(name).is_none())
        // A procedure of this name has the address, and the page another.
        .filter(|name| !["types", "errors"].contains(name))
        .collect();
    assert!(names.contains(&"index"), "{names:?}");
    let more = names.iter().map(|name| ProcedureDescription::new(*name));
    service.procs.extend(more);
    let site = site(service);
    for name in names {
        assert_ne!(
            site.page_of(name),
            Some(format!("{name}.html")),
            "reserve `{name}` in `procedures` of docs-gen/src/plan.rs, or give the page a folder"
        );
    }
}

#[test]
fn a_procedure_named_as_the_page_of_errors_or_types_keeps_its_address_and_the_page_takes_another() {
    let mut service = library();
    service.procs.push(ProcedureDescription::new("errors"));
    service.procs.push(ProcedureDescription::new("Types"));
    let site = site(service.clone());
    check(&site);
    let other = Site::builder(service).build().expect("fine");
    assert!(
        site.paths().eq(other.paths()),
        "the addresses are the same in each build"
    );
    assert_eq!(site.page_of("errors").as_deref(), Some("errors.html"));
    assert_eq!(site.page_of("Types").as_deref(), Some("Types.html"));
    let overview = text(&site, "index.html");
    for (folder, procedure, part) in [
        ("errors-", "errors.html", "id=\"code-32601\""),
        ("types-", "Types.html", "href=\"types/Book.html\""),
    ] {
        let path = site
            .paths()
            .find(|path| path.starts_with(folder) && path.ends_with(".html"))
            .expect("a page");
        assert!(text(&site, path).contains(part), "{path}");
        assert!(!text(&site, procedure).contains(part), "{procedure}");
        assert!(overview.contains(&format!("href=\"{path}\"")), "{path}");
    }
}

#[test]
fn parameters_values_fields_and_codes_are_in_the_index() {
    let mut service = library();
    service.procs[0].params[0].schema = json(
        r#"{"type": "object", "properties": {"page_size": {"type": "array", "items":
            {"enum": ["IN_PROGRESS", "done"], "description": "zwieback"}}}}"#,
    );
    let (name, param) = (
        service.procs[0].name.clone(),
        service.procs[0].params[0].name.clone(),
    );
    let site = site(service);
    let all = addresses(&site);
    let (_, found) = all
        .iter()
        .find(|(address, _)| *address == format!("{name}.html#param.{param}.page_size"))
        .expect("the member of a parameter");
    assert_eq!(found[2], format!("{param}.page_size"));
    for word in ["IN_PROGRESS", "done"] {
        assert!(found[3].contains(&format!("\"{word}\"")), "{found:?}");
    }
    let code = all.iter().find(|(_, line)| line[2].starts_with("-32602 "));
    assert_eq!(code.expect("a protocol error").0, "errors.html#code-32602");
    for (address, name) in [
        ("index.html#limits", "Limits"),
        ("types/Book.html", "Book"),
        ("book.find.html#error.1404", "1404 No such shelf"),
    ] {
        let is_found = all
            .iter()
            .any(|(found, line)| found == address && line[2] == name);
        assert_eq!(is_found, address != "index.html#limits", "{address}");
    }
}

#[test]
fn whatever_stands_on_a_page_is_in_the_index_in_whole_phrases() {
    let mut service = library();
    let procedure = &mut service.procs[0];
    procedure.description = Some(
        "# Rules\n\nNever **runs** twice, see [it](https://x.example).\n\n- One `x < 1`".to_owned(),
    );
    let mut deprecated = Deprecation::default();
    deprecated.reason = Some("It is slow. Use the other.".to_owned());
    procedure.deprecated = Some(deprecated);
    procedure.params[0].schema =
        json(r#"{"type": "string", "maxLength": 40, "enum": ["old", "new"]}"#);
    let mut example = Example::default();
    example.summary = Some("The whale".to_owned());
    example.params = Some(json(r#"{"words": "Moby-Dick; or, The Whale"}"#));
    procedure.examples = vec![example];
    let site = Site::builder(service)
        .guide(
            "start.md",
            "# Start\n\nFirst of all.\n\n## Later\n\nThen *this*.\n\n```sh\nrun it\nagain\n```\n",
        )
        .limit("Entries", "1,000 of them")
        .build()
        .expect("fine");
    let all = addresses(&site);
    let texts = |address: &str, field: usize| {
        let (_, line) = all
            .iter()
            .find(|(found, _)| found == address)
            .unwrap_or_else(|| panic!("{address}: {all:?}"));
        line[field].clone()
    };
    let page = texts("book.find.html", 5);
    check_parts(
        &page,
        &[
            "Rules / Never runs twice, see it. / One x < 1",
            "It is slow. Use the other.",
            "Deprecated.",
        ],
    );
    check_parts(
        &texts("book.find.html#param.words", 3),
        &[
            "words: string enum, required, at most 40 characters.",
            " / \"old\" / \"new\"",
        ],
    );
    assert_eq!(texts("book.find.html#param.words", 4), "a");
    let example = texts("book.find.html#example.1", 3);
    assert_eq!(example, r#"{"words": "Moby-Dick; or, The Whale"}"#);
    assert_eq!(texts("book.find.html#example.1", 2), "The whale");
    assert_eq!(texts("guide/start.html", 5), "First of all.");
    assert_eq!(
        texts("guide/start.html#section.later", 3),
        "Later / Then this. / run it / again"
    );
    check_parts(&texts("index.html#limits", 5), &["1,000 of them"]);
    check_parts(
        &texts("index.html#access", 5),
        &["a bearer token.", "Authorization: Bearer $TOKEN"],
    );
    check_parts(&texts("loan.begin.html", 5), &["card"]);
    check(&site);
}

#[test]
fn results_stand_in_groups_and_each_kind_of_the_index_is_in_one_of_them() {
    let site = Site::builder(library())
        .guide("start.md", "# Start")
        .language("de", false)
        .build()
        .expect("fine");
    let page = text(&site, "index.html");
    check_parts(
        &page,
        &[
            "<div class=\"chips\" role=\"group\" aria-label=\"Arten von Treffern\"></div>",
            "<div id=\"hits\" role=\"group\" aria-label=\"Treffer\"></div>",
        ],
    );
    let script = text(&site, &asset_path(&site, "search.js"));
    let (_, groups) = script.split_once("const GROUPS = [").expect("groups");
    let (groups, _) = groups.split_once("];").expect("their end");
    let names: Vec<&str> = groups.split('"').skip(1).step_by(2).collect();
    let first = text(&site, &asset_path(&site, "docent.js"));
    for group in names.chunks(2) {
        let heading = format!("\"{}\":\"", group[0]);
        assert!(first.contains(&heading), "{heading}");
    }
    let mut kinds = BTreeSet::new();
    for line in lines(&site) {
        kinds.insert(match &*line[0] {
            "" => line[4].clone(),
            _ => line[0].clone(),
        });
    }
    for kind in kinds {
        let mut count = 0;
        for group in names.chunks(2) {
            if group[1].contains(&*kind) {
                count += 1;
            }
        }
        assert!(kind.is_empty() || count == 1, "{kind}: {count} groups");
    }
}

#[test]
fn what_pages_say_of_tools_samples_and_downloads_is_found_where_it_stands() {
    let mut service = library();
    let extensions = &mut service.procs[0].extensions;
    extensions.insert("$tool", Json::from("book.find"));
    let site = site(service);
    check(&site);
    let all = addresses(&site);
    for (word, place) in [
        ("MCP", "index.html#tools"),
        ("Model Context Protocol", "index.html#mark-tool"),
        ("GET", "index.html#mark-get"),
        ("curl", "book.find.html#language-curl"),
        ("TypeScript", "book.find.html#language-typescript"),
        ("Python", "book.find.html#language-python"),
        ("POST", "index.html#calling"),
        ("OpenRPC", "index.html#downloads"),
        ("OpenAPI", "index.html#downloads"),
        ("llms.txt", "index.html#downloads"),
        ("token", "index.html#access"),
    ] {
        let found = all
            .iter()
            .filter(|(address, _)| address == place)
            .any(|(_, line)| line[2..].iter().any(|field| field.contains(word)));
        assert!(found, "{word}: {place}");
    }
    let single = String::from_utf8(site.single_file()).expect("UTF-8");
    assert!(single.contains("#/book.find:language-python"), "{single}");
    assert!(single.contains("id=\"/book.find:language-python\""));
    assert!(!single.contains("openrpc.json: the same"));
}

#[test]
fn sections_languages_and_marks_are_as_many_however_many_procedures_there_are() {
    let count = |procedures| {
        let lines = lines(&site(many(procedures)));
        lines.iter().filter(|line| line[0] == "s").count()
    };
    let least = count(20);
    assert!((10..30).contains(&least), "{least}");
    assert_eq!(count(400), least);
}
