//! All text of a description is untrusted.

use docent_describe::json::{Json, Object};
use docent_describe::{
    Credential, Example, ParamDescription, ProcedureDescription, ServiceDescription,
};
use docent_docs_gen::Site;
use pulldown_cmark::{Event, Parser, Tag};

use crate::attacks::{ATTACKS, everywhere};
use crate::html;
use crate::library::json;
use crate::pages::check;

fn check_paths(site: &Site) {
    let mut folded = std::collections::BTreeSet::new();
    for path in site.paths() {
        assert!(folded.insert(path.to_lowercase()), "{path} collides");
        for part in path.split('/') {
            assert!(
                !part.is_empty() && !part.starts_with(['.', '-']) && !part.contains(".."),
                "{path}"
            );
            assert!(
                part.bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"._-~".contains(&byte)),
                "{path}"
            );
            let stem = part.split('.').next().unwrap_or_default().to_lowercase();
            assert!(
                !["con", "prn", "aux", "nul", "com1", "lpt1"].contains(&stem.as_str()),
                "{path}"
            );
        }
    }
}

#[test]
fn no_text_in_any_slot_leaves_its_place() {
    for attack in ATTACKS {
        let site = Site::builder(everywhere(attack))
            .build()
            .expect("a description alone is never a problem");
        check_paths(&site);
        check(&site);
    }
}

#[test]
fn neither_does_it_in_a_catalogue_nor_in_the_single_file() {
    let mut builder = Site::builder(everywhere(ATTACKS[0]));
    for attack in &ATTACKS[1..] {
        builder = builder.and(everywhere(attack));
    }
    let site = builder.build().expect("fine");
    check_paths(&site);
    check(&site);
    let single = String::from_utf8(site.single_file()).expect("UTF-8");
    let tags = html::tags(&single);
    html::ids(&tags);
    assert_eq!(tags.iter().filter(|tag| tag.name == "script").count(), 2);
    assert!(
        !tags
            .iter()
            .any(|tag| tag.name == "img" || tag.name == "iframe")
    );
}

#[test]
fn what_cannot_be_seen_is_spelt_out() {
    let site = Site::builder(everywhere("a\u{202e}b\0c"))
        .build()
        .expect("fine");
    for page in site.pages().filter(|page| {
        page.path.ends_with(".html") || page.path.ends_with(".md") || page.path.ends_with(".js")
    }) {
        let text = String::from_utf8(page.bytes).expect("UTF-8");
        assert!(!text.contains(['\u{202e}', '\0']), "{}", page.path);
    }
}

/// Returns the number of blocks other than paragraphs on the Markdown page of a procedure with this name.
fn blocks_of_page(name: &str) -> usize {
    let mut titled = Object::new();
    titled.insert("title".to_owned(), Json::from(name));
    let mut service = with_schema(Json::Object(Object::from([(
        "oneOf".to_owned(),
        Json::Array(vec![Json::Object(titled), json(r#"{"type": "string"}"#)]),
    )])));
    name.clone_into(&mut service.procs[0].name);
    let site = Site::builder(service).build().expect("fine");
    let page: String = site
        .pages()
        .filter(|page| page.path.ends_with(".md"))
        .map(|page| String::from_utf8(page.bytes).expect("UTF-8"))
        .filter(|text| text.contains("## Parameters"))
        .collect();
    Parser::new(&page)
        .filter(|event| {
            let Event::Start(tag) = event else {
                return false;
            };
            !matches!(tag, Tag::Paragraph | Tag::Link { .. })
        })
        .count()
}

#[test]
fn no_name_begins_a_block_of_a_markdown_page() {
    for name in ["# a", "\n## a", "> a", "- a", "~~~sh"] {
        assert_eq!(blocks_of_page(name), blocks_of_page("plain"), "{name:?}");
    }
}

#[test]
fn the_index_is_one_string_of_a_script() {
    let site = Site::builder(everywhere("</script><script>\"\\\n\u{2028}__proto__"))
        .build()
        .expect("fine");
    let script =
        String::from_utf8(site.page("assets/index.js").expect("there").bytes).expect("UTF-8");
    let literal = script
        .strip_prefix("docentIndex(")
        .and_then(|rest| rest.strip_suffix(");\n"))
        .expect("one call");
    let value: serde_json::Value = serde_json::from_str(literal).expect("one JSON string");
    assert!(value.is_string());
    assert!(!literal.contains('<') && !literal.contains('\u{2028}'));
}

fn with_schema(schema: Json) -> ServiceDescription {
    let mut param = ParamDescription::new("p", schema.clone());
    param.required = true;
    let mut procedure = ProcedureDescription::new("p");
    procedure.params = vec![param];
    let mut service = ServiceDescription::default();
    service.procs = vec![procedure];
    service.components.schemas.insert("Self".to_owned(), schema);
    service
}

/// The largest file but the downloads, which are as large as the description itself.
fn largest(service: ServiceDescription) -> usize {
    let site = Site::builder(service).build().expect("fine");
    check(&site);
    site.pages()
        .filter(|page| !page.path.ends_with(".json"))
        .map(|page| page.bytes.len())
        .max()
        .unwrap_or_default()
}

#[test]
fn schemas_that_refer_to_themselves_end() {
    for schema in [
        r##"{"$ref": "#/components/schemas/Self"}"##,
        r##"{"allOf": [{"$ref": "#/components/schemas/Self"}]}"##,
        r##"{"allOf": [{"$ref": "#/components/schemas/Self"}, {"$ref": "#/components/schemas/Self"}]}"##,
        r##"{"anyOf": [{"$ref": "#/components/schemas/Self"}, {"type": "null"}]}"##,
        r##"{"type": "array", "items": {"$ref": "#/components/schemas/Self"}}"##,
        r##"{"type": "object", "required": ["a", "b"], "properties": {"a": {"$ref": "#/components/schemas/Self"}, "b": {"$ref": "#/components/schemas/Self"}}}"##,
        r##"{"oneOf": [{"$ref": "#/components/schemas/Self"}, {"$ref": "#/components/schemas/Self"}]}"##,
        r##"{"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Self"}}"##,
    ] {
        assert!(largest(with_schema(json(schema))) < 100_000, "{schema}");
    }
}

#[test]
fn deep_and_wide_schemas_stay_in_bounds() {
    for (open, close) in [
        (r#"{"type": "object", "properties": {"a": "#, "}}"),
        (r#"{"type": "array", "items": "#, "}"),
        (r#"{"oneOf": [{"type": "string"}, "#, "]}"),
        (r#"{"allOf": ["#, "]}"),
        (r#"{"allOf": [{"type": "object"}, "#, "]}"),
        (r#"{"type": "array", "prefixItems": ["#, "]}"),
        (r#"{"type": "object", "additionalProperties": "#, "}"),
    ] {
        for depth in [60, 200] {
            let schema = json(&format!(
                "{}{{\"type\": \"string\"}}{}",
                open.repeat(depth),
                close.repeat(depth)
            ));
            assert!(largest(with_schema(schema)) < 400_000, "{open} {depth}");
        }
    }
    let many: Vec<String> = (0..20_000).map(|at| format!("\"value {at}\"")).collect();
    assert!(
        largest(with_schema(json(&format!(
            "{{\"enum\": [{}]}}",
            many.join(",")
        )))) < 400_000
    );
    let wide: Vec<String> = (0..20_000)
        .map(|at| format!("\"member{at}\": {{\"oneOf\": [{{}}, {{\"type\": \"string\"}}]}}"))
        .collect();
    let schema = json(&format!(
        "{{\"type\": \"object\", \"properties\": {{{}}}}}",
        wide.join(",")
    ));
    assert!(largest(with_schema(schema)) < 3_000_000);
}

#[test]
fn a_list_of_no_values_allows_nothing() {
    let site = Site::builder(with_schema(json(r#"{"enum": []}"#)))
        .build()
        .expect("fine");
    check(&site);
    let page = String::from_utf8(site.page("p.html").expect("there").bytes).expect("UTF-8");
    assert!(page.contains("nothing"), "{page}");
}

#[test]
fn a_giant_example_is_cut_and_numbers_are_not() {
    let mut service = with_schema(json(
        r#"{"type": "number", "maximum": 1e400, "minimum": -12345678901234567890123}"#,
    ));
    let mut example = Example::default();
    example.params = Some(json(&format!("[1e400, \"{}\"]", "x".repeat(10_000_000))));
    example.result = Some(json(&format!("[{}0]", "0,".repeat(2_000_000))));
    service.procs[0].examples.push(example);
    let site = Site::builder(service).build().expect("fine");
    check(&site);
    let page = site.page("p.html").expect("there");
    assert!(page.bytes.len() < 300_000, "{}", page.bytes.len());
    let text = String::from_utf8(page.bytes).expect("UTF-8");
    assert!(text.contains("1e400") && text.contains("-12345678901234567890123"));
}

#[test]
fn fifty_thousand_quotation_marks_are_a_page() {
    let mut service = with_schema(json("{}"));
    service.description = Some(">".repeat(50_000));
    service.procs[0].description = Some("> ".repeat(50_000));
    service.procs[0].summary = Some("- ".repeat(50_000));
    assert!(largest(service) < 1_500_000);
}

#[test]
fn names_that_differ_in_case_only_have_pages_of_their_own() {
    let names = [
        "get", "Get", "GET", "index", "Index", "a/b", "a\\b", "a:b", "a b", "a-b", "llms", "types",
        "groups", "assets",
    ];
    let mut service = ServiceDescription::default();
    service.procs = names.map(ProcedureDescription::new).into();
    let site = Site::builder(service).build().expect("fine");
    check_paths(&site);
    check(&site);
    for name in names {
        let path = site.page_of(name).expect("every name has a page");
        let page = String::from_utf8(site.page(&path).expect("there").bytes).expect("UTF-8");
        assert!(
            page.replace("<wbr>", "")
                .contains(&format!("<h1 dir=\"auto\">{name}</h1>")),
            "{name} is at {path}"
        );
    }
}

#[test]
fn no_name_leaves_its_place_in_markdown() {
    let name = "a](javascript:alert(1)) ``` <b> \\\n# c";
    let schema = json(r#"{"type": "object", "properties": {"NAME": {"enum": ["NAME", "b"]}}}"#);
    let named = schema
        .to_string()
        .replace("NAME", &name.replace(['\\', '\n'], " "));
    let mut service = with_schema(json(&named));
    service.name = name.to_owned();
    service.components.schemas = [(name.to_owned(), json(&named))].into();
    service.procs[0].name = name.to_owned();
    service.procs[0].tags = vec![name.to_owned()];
    service.procs[0].params[0].name = name.to_owned();
    let mut credential = Credential::new(name);
    credential.scopes = vec![name.to_owned()];
    service.procs[0].security = vec![credential.into()];
    let site = Site::builder(service).build().expect("fine");
    let markdown_pages = site.pages().filter(|page| page.path.ends_with(".md"));
    let mut links = 0;
    for page in markdown_pages {
        let text = String::from_utf8(page.bytes).expect("UTF-8");
        let rendered = Parser::new(&text);
        for event in rendered {
            match event {
                Event::Start(Tag::Link { dest_url, .. }) => {
                    links += 1;
                    assert!(!dest_url.starts_with("javascript"), "{}: {text}", page.path);
                }
                Event::Html(raw) | Event::InlineHtml(raw) => {
                    panic!("{}: {raw}: {text}", page.path);
                }
                Event::Text(shown) => {
                    assert!(shown.as_ref() != "c", "a heading of its own: {text}");
                }
                _ => {}
            }
        }
    }
    assert!(links > 4, "{links}");
}
