//! Templates: the rules that those of Docent keep, and replacing them with templates of one's own.

use std::collections::BTreeSet;
use std::path::Path;

use docent_describe::schema::facts::texts;
use docent_docs_gen::Site;

use crate::library::library;

/// Every template with its path: those of pages, and those of their Markdown.
fn templates() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    let folders = [folder.to_owned(), format!("{folder}/markdown")];
    folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("there"))
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.is_file())
        .map(|path| {
            let source = std::fs::read_to_string(&path).expect("text");
            (path.display().to_string(), source)
        })
        .collect()
}

/// The one helper that writes without escaping looks for this; nothing else may go around it.
#[test]
fn no_template_goes_around_the_escaping() {
    let templates = templates();
    for (path, source) in &templates {
        assert!(!source.contains("{{{") && !source.contains("{{&"), "{path}");
        assert!(
            !source.contains("style=") && !source.contains("onclick"),
            "{path}"
        );
    }
}

/// Every `={{…}}` would be an attribute without quotation marks.
#[test]
fn every_attribute_is_quoted() {
    for (path, source) in templates() {
        assert!(!source.contains("={{"), "{path}");
    }
}

#[test]
fn scripts_set_text_only() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
    for entry in std::fs::read_dir(folder).expect("there") {
        let path = entry.expect("readable").path();
        let source = std::fs::read_to_string(&path).expect("text");
        for sink in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "</script",
            "</style",
        ] {
            assert!(!source.contains(sink), "{sink} in {}", path.display());
        }
    }
}

#[test]
fn a_part_can_be_replaced() {
    let site = Site::builder(library())
        .template("footer", "<footer>Ours {{site_title}}</footer>\n")
        .build()
        .expect("fine");
    let page = String::from_utf8(site.page("book.find.html").expect("there").bytes).expect("UTF-8");
    assert!(page.contains("<footer>Ours Library</footer>") && page.contains("id=\"param.words\""));
}

/// Handlebars itself renders templates that users bring, and not ours. They have one language.
#[test]
fn a_copy_of_a_template_renders_what_the_template_does() {
    let mut second = library();
    second.name = "Second".to_owned();
    let builder = || Site::builder(library()).and(second.clone());
    let ours = builder().build().expect("fine");
    let mut copied = builder();
    for (path, source) in templates() {
        if let (false, Some(name)) = (path.contains("markdown"), path.rsplit('/').next()) {
            copied = copied.template(name.trim_end_matches(".hbs"), source);
        }
    }
    let copied = copied.build().expect("fine");
    for (ours, copied) in ours.pages().zip(copied.pages()) {
        assert!(ours == copied, "{} differs", ours.path);
    }
    let single = (ours.single_file(), copied.single_file());
    assert!(single.0 == single.1, "the single file differs");
}

#[test]
fn what_cannot_be_used_is_said_all_at_once() {
    let problems = Site::builder(library())
        .template("footer", "{{#if}}")
        .template("foter", "x")
        .template("head", "{{{title}}}")
        .colour("accent", "red; } body { display: none")
        .colour("acent", "red")
        .string("serch", "x")
        .address("javascript:alert(1)")
        .build()
        .expect_err("none of it can be used");
    let places: Vec<&str> = problems
        .iter()
        .map(docent_docs_gen::Problem::option)
        .collect();
    for place in [
        "template footer.hbs",
        "template foter.hbs",
        "template head.hbs",
        "colour accent",
        "colour acent",
        "string serch",
    ] {
        assert!(places.contains(&place), "{place}: {places:?}");
    }
    assert!(places.iter().any(|place| place.starts_with("address")));
}

#[test]
fn a_template_of_another_version_is_a_problem_that_names_it() {
    let own = docent_docs_gen::templates().collect::<Vec<_>>();
    let (name, footer) = own
        .iter()
        .find(|(name, _)| *name == "footer")
        .expect("there");
    assert!(
        Site::builder(library())
            .template(*name, footer)
            .build()
            .is_ok()
    );
    let other = footer.replacen("version ", "version 9", 1);
    let problems = Site::builder(library())
        .template(*name, other)
        .build()
        .expect_err("another version");
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].option(), "template footer.hbs");
    assert!(problems[0].reason().starts_with("made for version 9"));
}

#[test]
fn a_logo_an_icon_and_a_footer_are_on_every_page() {
    let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle r=\"4\"/></svg>";
    let site = Site::builder(library())
        .logo(drawing)
        .favicon(*b"\x89PNG\r\n\x1a\n")
        .footer("A *footer* [x](javascript:alert(1)) <img src=x onerror=alert(1)>")
        .build()
        .expect("fine");
    for page in site.pages().filter(|page| page.path.ends_with(".html")) {
        let html = String::from_utf8(page.bytes).expect("UTF-8");
        for part in [
            "<img class=\"logo\"",
            "type=\"image/png\"",
            "A <em>footer</em> x &lt;img",
        ] {
            assert!(html.contains(part), "{}: {part}", page.path);
        }
    }
    crate::pages::check(&site);
    let single = String::from_utf8(site.single_file()).expect("UTF-8");
    assert!(
        single.contains("src=\"data:image/svg+xml;base64,PHN2Zy")
            && single.contains("img-src data:")
    );
    let problems = Site::builder(library())
        .logo("root:x:0:0")
        .build()
        .expect_err("refused");
    assert_eq!(problems[0].option(), "logo");
}

#[test]
fn a_replaced_part_that_asks_for_what_is_not_there_is_a_problem() {
    let problems = Site::builder(library())
        .template("procedure", "{{nonsense}}")
        .build()
        .expect_err("no such value");
    assert!(
        problems[0].to_string().contains("procedure.hbs"),
        "{problems:?}"
    );
}

#[test]
fn colours_and_texts_can_be_replaced() {
    let site = Site::builder(library())
        .colour("accent", "light-dark(#aa0000, #ff8888)")
        .string("params", "Parameter <b>")
        .language("de", false)
        .build()
        .expect("fine");
    let style = crate::pages::asset(&site, "style.css");
    assert!(style.ends_with(":root {\n  --accent: light-dark(#aa0000, #ff8888);\n}\n"));
    let page = String::from_utf8(site.page("book.find.html").expect("there").bytes).expect("UTF-8");
    assert!(page.contains("Parameter &lt;b&gt;") && page.contains("<html lang=\"de\""));
}

#[test]
fn a_german_site_speaks_german() {
    let site = Site::builder(library())
        .language("de-CH", false)
        .build()
        .expect("fine");
    let page = crate::pages::text(&site, "book.find.html");
    assert!(page.contains("<html lang=\"de-CH\" dir=\"ltr\">"));
    for german in [
        ">Parameter</a>",
        ">Ergebnis</a>",
        ">erforderlich<",
        "Protokollfehler",
    ] {
        assert!(page.contains(german), "{german}");
    }
    let script = crate::pages::asset(&site, "docent.js");
    assert!(script.contains("\"copy\":\"Kopieren\""));
    crate::pages::check(&site);
}

/// Everything that a site says in English, `key = text` a line.
const TEXTS: &str = concat!(
    include_str!("../../strings/en.txt"),
    include_str!("../../../describe/src/schema/facts.txt"),
    include_str!("../../../tools/src/compare/changes.txt")
);

/// Every text in brackets, as a language from right to left would be: what is not in brackets could not
/// be translated.
#[test]
fn every_word_of_a_site_can_be_translated() {
    let mut builder = crate::releases::three()
        .language("ar-XB", true)
        .limit("L", "1");
    let mut english = Vec::new();
    for (key, text) in texts(TEXTS) {
        let placeholders = "{}".repeat(text.matches("{}").count());
        builder = builder.string(key, format!("\u{5d0}\u{5d1}{placeholders}\u{5d2}"));
        let words = text.split("{}").map(str::trim);
        english.extend(words.filter(|words| words.contains(' ') && words.len() > 12));
    }
    let site = builder.build().expect("fine");
    for page in site.pages().filter(|page| page.path.ends_with(".html")) {
        let html = String::from_utf8(page.bytes).expect("UTF-8");
        assert!(
            html.contains("<html lang=\"ar-XB\" dir=\"rtl\">"),
            "{}",
            page.path
        );
        for english in &english {
            assert!(!html.contains(english), "{}: {english}", page.path);
        }
    }
    crate::pages::check(&site);
}

/// Adds the sources of a folder, and of all folders in it.
fn add_sources(sources: &mut String, folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("there") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            add_sources(sources, &path);
        } else {
            sources.push_str(&std::fs::read_to_string(path).expect("text"));
        }
    }
}

/// Returns the literals with which sources call these functions, on the same line or the next one.
fn first_arguments<'s>(sources: &'s str, functions: &[&str]) -> Vec<&'s str> {
    let mut arguments = Vec::new();
    for function in functions {
        for call in sources.split(function).skip(1) {
            let literal = call.trim_start().strip_prefix('"');
            arguments.extend(literal.and_then(|literal| literal.split('"').next()));
        }
    }
    // Tests in the sources call them with texts of their own, and a few keys are put together.
    arguments.retain(|key| {
        key.contains(|letter: char| letter.is_lowercase()) && !key.contains(['{', '\\', ' '])
    });
    arguments
}

/// A key that the program names and the file lacks would show itself to readers.
#[test]
fn every_text_that_is_asked_for_exists() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let keys: Vec<&str> = texts(TEXTS).map(|(key, _)| key).collect();
    let mut sources = String::new();
    sources.extend(templates().into_iter().map(|(_, source)| source));
    add_sources(&mut sources, &package.join("src"));
    let single = [
        "{{t ",
        "strings.get(",
        "strings.with(",
        "strings.with_all(",
        ".say(",
        ".plain(",
        ".coded(",
    ];
    let asked = first_arguments(&sources, &single);
    assert!(asked.len() > 100);
    let mut missing: BTreeSet<String> = asked.into_iter().map(str::to_owned).collect();
    for key in first_arguments(&sources, &["strings.count(", "strings.rest("]) {
        missing.extend(["one", "many"].map(|form| format!("{key}.{form}")));
    }
    missing.retain(|key| !keys.contains(&&**key));
    assert!(
        missing.is_empty(),
        "add these to docs-gen/strings/en.txt: {missing:?}"
    );
    let mut unique = keys.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), keys.len(), "a key stands once");
}

/// The scripts of the form have their texts as the members of `words`.
#[test]
fn every_text_that_a_script_of_the_form_asks_for_exists() {
    let keys: BTreeSet<&str> = texts(TEXTS).map(|(key, _)| key).collect();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut asked = 0;
    for entry in std::fs::read_dir(assets).expect("there") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if !name.starts_with("form-") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("text");
        for rest in source.split("words.").skip(1) {
            let key = rest
                .split(|letter: char| !letter.is_ascii_alphanumeric())
                .next()
                .unwrap_or_default();
            let is_there = ["form", "answer", "events"]
                .iter()
                .any(|part| keys.contains(&*format!("{part}.{key}")));
            assert!(
                is_there || key.is_empty(),
                "{name} asks for `words.{key}`: add it to docs-gen/strings/en.txt, as `form.{key}`, or \
                 with the beginning that docs-gen/src/assets.rs gives the script"
            );
            asked += 1;
        }
    }
    assert!(asked > 100);
}
