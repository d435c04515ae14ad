//! Settings of a site, from options and from `docent.toml`.

use crate::support::{Folder, Ran, data, docent, run};

const LOGO: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle r=\"4\"/></svg>";

/// Runs `docent docs` in the folder, on the shop, into `site`.
fn build(folder: &Folder, more: &[&str]) -> Ran {
    let mut command = docent(["docs", &data("shop.json"), "-o", "site"]);
    command.args(more).current_dir(folder.path("."));
    command.output().expect("it runs").into()
}

/// Returns the path of an asset of the site, whose name ends in what marks its content.
fn asset(folder: &Folder, name: &str) -> String {
    let start = format!("{name}-");
    let file = folder
        .files("site/assets")
        .into_iter()
        .find(|file| file.starts_with(&start))
        .expect("an asset");
    format!("site/assets/{file}")
}

#[test]
fn a_file_of_settings_is_read_from_the_folder_one_is_in() {
    let folder = Folder::new();
    folder.write("art/logo.svg", LOGO);
    folder.write(
        "docent.toml",
        r##"
title = "The Shop"
address = "https://shop.example/rpc"
language = "ar"
logo = "art/logo.svg"
footer = "© Shop <script>alert(1)</script> [Terms](https://shop.example/terms)"

[colours]
accent = "#0b6b47"

[strings]
overview = "Start"
"##,
    );
    let ran = build(&folder, &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let page = folder.read("site/basket.add.html");
    for part in [
        "<html lang=\"ar\" dir=\"rtl\">",
        "The Shop</a>",
        "https://shop.example/rpc",
        "&lt;script&gt;",
        "href=\"https://shop.example/terms\"",
        ">Start</a>",
        "<img class=\"logo\" src=\"assets/logo-",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script>alert"));
    assert!(
        folder
            .read(&asset(&folder, "style"))
            .contains("--accent: light-dark(#0b6b47, ")
    );
    assert_eq!(folder.read(&asset(&folder, "logo")), LOGO);
    assert!(
        folder
            .read("site/types/Basket.html")
            .contains("src=\"../assets/logo-")
    );
}

#[test]
fn options_come_before_the_file() {
    let folder = Folder::new();
    folder.write("x.toml", "title = \"File\"\nlanguage = \"fr\"\n");
    let ran = build(&folder, &["--config", "x.toml", "--title", "Option"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = folder.read("site/index.html");
    assert!(page.contains("Option</a>") && page.contains("lang=\"fr\" dir=\"ltr\""));
}

#[test]
fn a_file_that_cannot_be_used_is_reported_with_its_place() {
    let folder = Folder::new();
    folder.write("outside.svg", LOGO);
    folder.write("in/there.svg", LOGO);
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside.svg", folder.path("in/link.svg")).expect("made");
    for (settings, reason) in [
        ("titel = \"x\"", "unknown field `titel`"),
        ("title = ", "line 1"),
        ("title = 1", "expected a string"),
        (
            "logo = \"../outside.svg\"",
            "logo: ../outside.svg is outside of the folder",
        ),
        ("logo = \"/etc/passwd\"", "outside of the folder"),
        ("templates = \"..\"", "outside of the folder"),
        ("logo = \"nothing.svg\"", "nothing.svg"),
        (
            "address = \"javascript:alert(1)\"",
            "not an absolute http or https address",
        ),
        (
            "[colours]\naccent = \"red;}body{display:none\"",
            "is not a colour; write `#rrggbb`",
        ),
        ("[colours]\nacent = \"red\"", "unknown colour"),
        (
            "[colours]\naccent = \"#eee\"",
            "cannot be read on `paper` in the light scheme",
        ),
        ("[strings]\nnothing = \"x\"", "unknown key"),
        #[cfg(unix)]
        (
            "favicon = \"link.svg\"",
            "favicon: link.svg is outside of the folder",
        ),
    ] {
        folder.write("in/docent.toml", settings);
        let ran = build(&folder, &["--config", "in/docent.toml"]);
        assert_eq!(ran.code, 3, "{settings}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{settings}: {}", ran.stderr);
        assert!(!folder.has("site/index.html"), "{settings}");
    }
    folder.write(
        "in/docent.toml",
        "logo = \"there.svg\"\n[colors]\naccent = \"#000080\"",
    );
    assert_eq!(build(&folder, &["--config", "in/docent.toml"]).code, 0);
}

#[test]
fn the_address_of_calls_can_be_given() {
    let folder = Folder::new();
    let address = "https://elsewhere.example:8443/api";
    let ran = build(&folder, &["--address", address]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(folder.read("site/basket.add.html").contains(address));
    let second = data("weather.openrpc.json");
    let ran = build(&folder, &[&second, "--address", address]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("one service"), "{}", ran.stderr);
}

#[test]
fn hidden_tags_are_nowhere_in_the_site() {
    let folder = Folder::new();
    let description = r##"{"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [
        {"name": "open", "params": [], "result": {"name": "r", "schema": {"$ref": "#/components/schemas/Both"}}},
        {"name": "inside", "tags": [{"name": "internal"}], "params": [
            {"name": "p", "schema": {"$ref": "#/components/schemas/Secret"}},
            {"name": "q", "schema": {"$ref": "#/components/schemas/Both"}}],
         "result": {"name": "r", "schema": {"type": "string"}}}],
        "components": {"schemas": {"Secret": {"type": "string"}, "Both": {"type": "string"}}}}"##;
    let input = folder.write("t.json", description);
    let ran = run([
        "docs",
        &input,
        "-o",
        &folder.arg("site"),
        "--hide-tag",
        "internal",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for file in folder.files("site") {
        let text = folder.read(&format!("site/{file}"));
        let is_named = ["inside", "Secret", "internal"]
            .iter()
            .any(|word| text.contains(word) && !file.starts_with("assets/") || file.contains(word));
        assert!(!is_named, "{file}");
    }
    assert!(!folder.read("site/assets/index.js").contains("Secret"));
    assert!(folder.has("site/types/Both.html") && folder.has("site/open.html"));
}

#[test]
fn templates_can_be_printed_changed_and_used() {
    let folder = Folder::new();
    let printed = run(["docs", "--print-templates", &folder.arg("parts")]);
    assert_eq!(
        (printed.code, printed.stdout.as_str()),
        (0, ""),
        "{}",
        printed.stderr
    );
    for name in folder.files("parts") {
        let source = folder.read(&format!("parts/{name}"));
        assert!(
            source.starts_with("{{! Docent templates, version "),
            "{name}"
        );
    }
    assert!(folder.has("parts/procedure.hbs"));
    // Unchanged, they make the same site.
    assert_eq!(build(&folder, &["--templates", "parts"]).code, 0);
    let with = folder.read("site/basket.add.html");
    assert_eq!(build(&folder, &[]).code, 0);
    assert_eq!(with, folder.read("site/basket.add.html"));

    let changed = folder
        .read("parts/footer.hbs")
        .replace("bottom", "bottom ours");
    folder.write("parts/footer.hbs", &changed);
    assert_eq!(build(&folder, &["--templates", "parts"]).code, 0);
    assert!(
        folder
            .read("site/basket.add.html")
            .contains("class=\"bottom ours\"")
    );

    let older = folder
        .read("parts/header.hbs")
        .replacen("version ", "version 0.", 1);
    folder.write("parts/header.hbs", &older);
    let ran = build(&folder, &["--templates", "parts"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr
            .contains("template header.hbs: made for version 0."),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);

    let again = run(["docs", "--print-templates", &folder.arg("parts")]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("page.hbs exists"), "{}", again.stderr);
}

#[test]
fn a_site_with_a_place_on_the_web_says_where_its_pages_are() {
    let folder = Folder::new();
    folder.write("docent.toml", "base-url = \"https://shop.example/docs\"\n");
    assert_eq!(build(&folder, &[]).code, 0);
    let page = folder.read("site/basket.add.html");
    assert!(page.contains("rel=\"canonical\" href=\"https://shop.example/docs/basket.add.html\""));
    assert!(
        folder
            .read("site/sitemap.xml")
            .contains("<loc>https://shop.example/docs/</loc>")
    );
    assert!(
        folder
            .read("site/404.html")
            .contains("href=\"/docs/assets/style-")
    );

    assert_eq!(build(&folder, &["--clean-addresses"]).code, 0);
    let page = folder.read("site/basket.add.html");
    assert!(page.contains("rel=\"canonical\" href=\"https://shop.example/docs/basket.add\""));
    assert!(page.contains("href=\"basket.clear\"") && !page.contains(".html\""));

    let ran = build(&folder, &["--base-url", "ftp://shop.example/"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("base URL"), "{}", ran.stderr);
}

#[test]
fn guides_are_read_from_files_and_folders() {
    let folder = Folder::new();
    folder.write("pages/b.md", "# Second\n\n[First](a.md)\n");
    folder.write("pages/a.md", "# First\n\nCall `basket.add`.\n");
    folder.write("docent.toml", "guides = [\"pages\"]\n");
    let ran = build(&folder, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = folder.read("site/guide/b.html");
    assert!(page.contains("<a href=\"../guide/a.html\""), "{page}");
    let first = page.find(">First</a></li>").expect("in the sidebar");
    assert!(first < page.find(">Second</a></li>").expect("in the sidebar"));
    assert!(
        folder
            .read("site/guide/a.html")
            .contains("<a href=\"../basket.add.html\"><code>basket.add")
    );

    folder.write("pages/a.md", "[out](../docent.toml)\n");
    let ran = build(&folder, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let warning = "pages/a.md: the link \"../docent.toml\" leads to no guide";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    let before = folder.files("site");
    let ran = build(&folder, &["--deny", "warnings"]);
    assert_eq!((ran.code, folder.files("site")), (1, before));
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    assert!(
        ran.stderr.ends_with("docent: 1 warning\n"),
        "{}",
        ran.stderr
    );
    folder.write("pages/a.md", "[out](b.md#none)\n");
    let ran = build(&folder, &[]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("\"b.md#none\""), "{}", ran.stderr);
    folder.write("docent.toml", "guides = [\"../../etc\"]\n");
    assert_eq!(build(&folder, &[]).code, 3);
}
