//! `docent docs`: the sites that it writes, and the files of other people that it leaves alone.
//!
//! The pages themselves are tested in `docent-docs-gen`.

use std::fs;

use crate::support::{Folder, data, data_text, run, run_with_input};

#[test]
fn a_site_is_made_in_silence() {
    let folder = Folder::new();
    let ran = run(["docs", &data("shop.json"), "-o", &folder.arg("deep/site")]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "")
    );
    for file in [
        "index.html",
        "basket.add.html",
        "basket.clear.md",
        "types/Basket.html",
        "assets/index.js",
        "404.html",
        "llms.txt",
    ] {
        assert!(folder.has(&format!("deep/site/{file}")), "{file}");
    }
    assert!(!folder.has("deep/site/.docent-next"));
    assert!(
        folder
            .read("deep/site/basket.add.html")
            .contains("Puts something into the basket.")
    );
}

#[test]
fn progress_is_told_where_it_is_asked_for() {
    let folder = Folder::new();
    let ran = run(["docs", "-v", &data("shop.json"), "-o", &folder.arg("site")]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    let lines: Vec<_> = ran.stderr.lines().collect();
    assert!(
        lines[0].ends_with("shop.json: Docent service description, 2 procedures, 0 warnings"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].contains("/site: ") && lines[1].contains(" files, "),
        "{}",
        lines[1]
    );
    assert_eq!(lines.len(), 2);
}

#[test]
fn of_its_own_format_the_download_is_what_was_given() {
    let folder = Folder::new();
    let ran = run(["docs", &data("shop.json"), "-o", &folder.arg("shop")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(folder.read("shop/description.json"), data_text("shop.json"));
    assert!(
        folder
            .read("shop/openrpc.json")
            .contains("\"openrpc\": \"1.3.2\"")
    );
    let response = format!(
        "{{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}}",
        data_text("weather.openrpc.json").trim()
    );
    let ran = run_with_input(
        &["docs", "-", "-o", &folder.arg("weather")],
        response.as_bytes(),
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        folder.read("weather/openrpc.json"),
        data_text("weather.openrpc.json").trim()
    );
    assert!(
        folder
            .read("weather/description.json")
            .contains("\"sdversion\": \"2.0\"")
    );
}

#[test]
fn several_inputs_make_a_catalogue() {
    let folder = Folder::new();
    let inputs = [data("shop.json"), data("clock.1.1.json")];
    let ran = run([
        "docs",
        &inputs[0],
        &inputs[1],
        "-o",
        &folder.arg("site"),
        "--title",
        "All of it",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(folder.read("site/index.html").contains("<title>All of it"));
    assert!(folder.has("site/shop/basket.add.html") && folder.has("site/clock/now.html"));
}

#[test]
fn a_single_file_holds_everything() {
    let folder = Folder::new();
    let ran = run([
        "docs",
        &data("shop.json"),
        "--single-file",
        "-o",
        &folder.arg("out/shop.html"),
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(folder.files("out"), ["shop.html"]);
    let page = folder.read("out/shop.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Empties the basket."));
    let ran = run(["docs", &data("shop.json"), "--single-file", "-o", "-"]);
    assert_eq!((ran.code, ran.stdout == page), (0, true));
}

#[test]
fn a_single_file_does_not_replace_its_input_or_a_folder() {
    let folder = Folder::new();
    let document = folder.write("shop.json", &data_text("shop.json"));
    for output in [document.clone(), folder.arg("")] {
        let ran = run(["docs", &document, "--single-file", "-o", &output]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
    }
    assert_eq!(folder.read("shop.json"), data_text("shop.json"));
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let folder = Folder::new();
    folder.write("site/index.html", "mine");
    let site = folder.arg("site");
    let ran = run(["docs", &data("shop.json"), "-o", &site]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(folder.files("site"), ["index.html"]);
    let ran = run(["docs", &data("shop.json"), "-o", &site, "--force"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(folder.read("site/index.html").contains("Sells things."));
}

#[test]
fn hidden_files_do_not_make_a_folder_somebody_elses() {
    let folder = Folder::new();
    folder.write("site/.nojekyll", "");
    let ran = run(["docs", &data("shop.json"), "-o", &folder.arg("site")]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(folder.has("site/.nojekyll"));
}

#[test]
fn a_second_build_removes_its_own_pages_and_nothing_else() {
    let folder = Folder::new();
    let document = folder.write("shop.json", &data_text("shop.json"));
    let site = folder.arg("site");
    assert_eq!(run(["docs", &document, "-o", &site]).code, 0);
    folder.write("site/CNAME", "docs.example");
    let less = data_text("shop.json")
        .replace("#/components/schemas/Basket", "#/components/schemas/Cart")
        .replace("\"Basket\"", "\"Cart\"")
        .replace("basket.clear", "cart.clear");
    folder.write("shop.json", &less);
    let ran = run(["docs", &document, "-o", &site]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(folder.has("site/cart.clear.html") && folder.has("site/types/Cart.html"));
    assert!(!folder.has("site/basket.clear.html") && !folder.has("site/types/Basket.html"));
    assert_eq!(folder.read("site/CNAME"), "docs.example");
}

#[test]
fn a_page_does_not_replace_a_file_that_was_put_beside_it() {
    let folder = Folder::new();
    let document = folder.write("shop.json", &data_text("shop.json"));
    let site = folder.arg("site");
    assert_eq!(run(["docs", &document, "-o", &site]).code, 0);
    folder.write("site/about.html", "mine");
    folder.write(
        "shop.json",
        &data_text("shop.json").replace("basket.clear", "about"),
    );
    let ran = run(["docs", &document, "-o", &site]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("about.html"), "{}", ran.stderr);
    assert!(folder.read("site/about.html") == "mine" && folder.has("site/basket.clear.html"));
}

#[test]
fn the_list_of_files_cannot_lead_out_of_the_folder() {
    let folder = Folder::new();
    let site = folder.arg("site");
    assert_eq!(run(["docs", &data("shop.json"), "-o", &site]).code, 0);
    folder.write("precious", "mine");
    let list = folder.read("site/.docent-site");
    folder.write(
        "site/.docent-site",
        &format!("{list}../precious\n/{}\n", folder.arg("precious")),
    );
    assert_eq!(run(["docs", &data("shop.json"), "-o", &site]).code, 0);
    assert_eq!(folder.read("precious"), "mine");
}

#[test]
fn a_build_that_fails_leaves_the_site_as_it_was() {
    let folder = Folder::new();
    let site = folder.arg("site");
    assert_eq!(run(["docs", &data("shop.json"), "-o", &site]).code, 0);
    let before = folder.files("site");
    let page = folder.read("site/index.html");
    let broken = folder.write("broken.json", "{");
    let templates = folder
        .write("templates/footer.hbs", "{{#if}}")
        .replace("/footer.hbs", "");
    let other = data("weather.openrpc.json");
    let shop = data("shop.json");
    let missing = folder.arg("missing");
    for (code, arguments) in [
        (4, vec![broken.as_str()]),
        (4, vec![&other, &broken]),
        (3, vec![&missing]),
        (3, vec![&shop, &missing]),
        (1, vec![&other, "--deny", "undocumented"]),
        (1, vec![&other, "--deny", "warnings"]),
        (3, vec![&shop, "--templates", &templates]),
        (3, vec![&shop, "--templates", &missing]),
        (2, vec![&shop, "--deny", "everything"]),
    ] {
        let ran = run(["docs", "-o", &site]
            .into_iter()
            .chain(arguments.iter().copied()));
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        assert_eq!(folder.files("site"), before, "{arguments:?}");
    }
    assert_eq!(folder.read("site/index.html"), page);
}

#[test]
fn a_folder_that_cannot_be_made_is_said_so() {
    let folder = Folder::new();
    folder.write("file", "");
    let ran = run(["docs", &data("shop.json"), "-o", &folder.arg("file")]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let ran = run(["docs", &data("shop.json"), "-o", &folder.arg("file/site")]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn denied_findings_are_listed_whole() {
    let folder = Folder::new();
    let document = data("weather.openrpc.json");
    let ran = run([
        "docs",
        &document,
        "-o",
        &folder.arg("site"),
        "--deny",
        "undocumented",
    ]);
    assert_eq!(ran.code, 1);
    assert!(!folder.has("site"));
    let lines: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 5, "{}", ran.stderr);
    assert!(lines[0].ends_with("undocumented: procedure `forecast`"));
    assert_eq!(lines[4], "docent: 4 parts without documentation");
    let ran = run([
        "docs",
        &data("shop.json"),
        "-o",
        &folder.arg("site"),
        "--deny",
        "undocumented,warnings",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn warnings_are_said_even_where_progress_is_not() {
    let folder = Folder::new();
    let document = data("weather.openrpc.json");
    let ran = run(["docs", &document, "-o", &folder.arg("site")]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stderr,
        format!(
            "{document}:9:103: warning: /methods/0/params/1/colour: unknown member, kept as `$unknown-colour`\n"
        )
    );
}

#[test]
fn of_many_warnings_the_first_are_shown() {
    let folder = Folder::new();
    let members: Vec<String> = (0..30)
        .map(|number| format!(", \"m{number}\": 1"))
        .collect();
    let members = members.concat();
    let document = folder.write("many.json", &format!("{{\"openrpc\": \"1.3.2\", \"info\": {{\"title\": \"x\", \"version\": \"1\"}}, \"methods\": []{members}}}"));
    let ran = run(["docs", &document, "-o", &folder.arg("site")]);
    assert_eq!((ran.code, ran.stderr.lines().count()), (0, 21));
    assert!(
        ran.stderr
            .ends_with(": 10 more; `docent check` lists all\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn templates_are_replaced() {
    let folder = Folder::new();
    folder.write("templates/footer.hbs", "<footer>Ours</footer>\n");
    let ran = run([
        "docs",
        &data("shop.json"),
        "-o",
        &folder.arg("site"),
        "--templates",
        &folder.arg("templates"),
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(
        folder
            .read("site/index.html")
            .contains("<footer>Ours</footer>")
    );
}

#[test]
fn a_heavy_page_is_reported() {
    let folder = Folder::new();
    let words: Vec<String> = (0..20_000_u64)
        .map(|number| format!("{:x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    let document = data_text("shop.json").replace("Empties the basket.", &words.join(" "));
    let document = folder.write("heavy.json", &document);
    let ran = run(["docs", &document, "-o", &folder.arg("site")]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("site/basket.clear.html: ") && ran.stderr.contains("over 25 kB"),
        "{}",
        ran.stderr
    );
}

#[test]
fn two_builds_are_the_same_bytes() {
    let folder = Folder::new();
    for site in ["one", "two"] {
        assert_eq!(
            run(["docs", &data("shop.json"), "-o", &folder.arg(site)]).code,
            0
        );
    }
    assert_eq!(folder.files("one"), folder.files("two"));
    for file in folder.files("one") {
        let read = |site| fs::read(folder.path(&format!("{site}/{file}"))).expect("there");
        assert!(read("one") == read("two"), "{file}");
    }
}

#[test]
fn the_command_line_is_checked() {
    let folder = Folder::new();
    let (shop, site) = (data("shop.json"), folder.arg("site"));
    for arguments in [
        vec!["docs"],
        vec!["docs", &shop],
        vec!["docs", "-o", &site],
        vec!["docs", "ftp://example.org/x", "-o", &site],
        vec!["docs", "http://", "-o", &site],
        vec!["docs", "-", "-", "-o", &site],
        vec!["docs", "-", "-o", &site, "--watch"],
        vec!["docs", &shop, "-o", &site, "--watch", "--single-file"],
        vec!["docs", &shop, "-o", &site, "--port", "1"],
        vec!["check", "-", "-"],
        vec!["describe", &shop, "--as", "yaml"],
        vec!["dosc"],
        vec![],
    ] {
        let ran = run(&arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.is_empty() && !folder.has("site"));
    }
    let help = run(["docs", "--help"]);
    assert!(help.code == 0 && help.stdout.contains("Exit codes:"));
}

/// Returns a document of a procedure with two examples, with these parameters and results.
fn with_examples(examples: [(&str, &str); 2]) -> String {
    let pairing = |(given, result)| {
        format!(
            r#"{{"name": "e", "params": [{{"name": "id", "value": {given}}}], "result": {{"name": "r", "value": {result}}}}}"#
        )
    };
    format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "t", "version": "1"}}, "methods": [{{"name": "get",
        "params": [{{"name": "id", "required": true, "schema": {{"type": "integer"}}}}],
        "result": {{"name": "r", "schema": {{"type": "object", "properties": {{"a": {{"type": "integer"}}}}}}}},
        "examples": [{}]}}]}}"#,
        examples.map(pairing).join(", ")
    )
}

#[test]
fn an_example_that_breaks_its_schema_is_marked_and_is_no_sample() {
    const MARK: &str = "This example does not fit the schemas of the procedure.";
    const MADE: &str = "Generated from the schemas; no example of the description fits them.";
    let folder = Folder::new();
    let build = |examples| {
        let file = folder.write("get.json", &with_examples(examples));
        let ran = run(["docs", &file, "-o", &folder.arg("site"), "--force"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let read = |end: &str| {
            let files = folder.files("site");
            let page = files
                .iter()
                .find(|name| name.starts_with("get-") && name.ends_with(end));
            folder.read(&format!("site/{}", page.expect("a page")))
        };
        [read(".html"), read(".md")]
    };
    for broken in [(r#""7""#, r#"{"a": 1}"#), ("7", r#"{"a": "9"}"#)] {
        for page in build([broken, ("8", r#"{"a": 2}"#)]) {
            assert_eq!(page.matches(MARK).count(), 1, "{page}");
            let (before, _) = page.split_once(MARK).expect("marked");
            // The sample, and the example that fits.
            assert!(
                before.matches('8').count() >= 2 && !page.contains(MADE),
                "{page}"
            );
        }
        for page in build([broken, broken]) {
            assert_eq!(page.matches(MARK).count(), 2, "{page}");
            assert!(page.find(MADE) < page.find(MARK), "{page}");
        }
    }
    for page in build([("7", "{}"), ("8", r#"{"a": 2}"#)]) {
        assert!(!page.contains(MARK) && !page.contains(MADE), "{page}");
    }
}
