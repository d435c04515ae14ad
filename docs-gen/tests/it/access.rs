//! Required credentials, everywhere a reader sees them.

use docent_describe::json::Object;
use docent_describe::{Credential, Requirement, ServiceDescription};
use docent_docs_gen::Site;

use crate::library::{json, library};
use crate::pages::{check, check_parts, site, text};

const WORDS: &str = "The number of a reader’s card, as a bearer token.";

/// The library with `loan.begin` behind a scheme, and with GET for it, so that there is a sample.
fn behind(scheme: &str) -> Site {
    let mut service = library();
    service
        .security_schemes
        .insert("card".to_owned(), json(scheme));
    let begin = service
        .procs
        .iter_mut()
        .find(|procedure| procedure.name == "loan.begin")
        .expect("it is there");
    begin.idempotent = true;
    site(service)
}

fn samples(page: &str) -> &str {
    let (_, rest) = page.split_once("<div class=\"samples\"").expect("samples");
    rest.split_once("<section").expect("their end").0
}

/// Returns the text of code in HTML.
fn code(html: &str) -> String {
    html.split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text))
        .collect::<String>()
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
}

#[test]
fn samples_and_the_form_bring_the_credentials_that_are_needed() {
    for (scheme, field, form) in [
        (
            r#"{"type": "http", "scheme": "bearer"}"#,
            "Authorization: Bearer $TOKEN",
            "&quot;credentials&quot;: [{&quot;kind&quot;: &quot;token&quot;, &quot;field&quot;: &quot;Authorization&quot;}]",
        ),
        (
            r#"{"type": "http", "scheme": "Bearer"}"#,
            "Authorization: Bearer $TOKEN",
            "&quot;token&quot;",
        ),
        (
            r#"{"type": "oauth2", "flows": {}}"#,
            "Authorization: Bearer $TOKEN",
            "&quot;token&quot;",
        ),
        (
            r#"{"type": "http", "scheme": "basic"}"#,
            "Authorization: Basic $CREDENTIALS",
            "&quot;password&quot;",
        ),
        (
            r#"{"type": "apiKey", "in": "header", "name": "X-Key"}"#,
            "X-Key: $API_KEY",
            "&quot;credentials&quot;: [{&quot;kind&quot;: &quot;key&quot;, &quot;field&quot;: &quot;X-Key&quot;}]",
        ),
    ] {
        let site = behind(scheme);
        let page = text(&site, "loan.begin.html");
        let samples = samples(&page);
        let (_, variable) = field.split_once('$').expect("a variable");
        // In five languages, and in curl once more for GET.
        assert_eq!(samples.matches(variable).count(), 6, "{samples}");
        let curl = format!("-H <span class=\"s\">&quot;{field}&quot;</span>");
        assert!(samples.contains(&curl), "{samples}");
        assert!(page.contains(form), "{page}");
        let open = text(&site, "book.find.html");
        assert!(!open.contains(variable) && !open.contains("&quot;credentials&quot;"));
        check(&site);
    }
    for scheme in [
        r#"{"type": "http", "scheme": "digest"}"#,
        r#"{"type": "apiKey", "in": "query", "name": "key"}"#,
        r#"{"type": "apiKey", "in": "header", "name": "X'; id #"}"#,
        r#""bearer""#,
    ] {
        let page = text(&behind(scheme), "loan.begin.html");
        assert!(!page.contains("&quot;credentials&quot;"), "{scheme}");
        for placeholder in ["TOKEN", "KEY", "CREDENTIALS", "environ"] {
            assert!(!samples(&page).contains(placeholder), "{scheme}");
        }
    }
}

#[test]
fn each_language_reads_a_secret_from_the_environment_in_its_own_way() {
    for (scheme, lines) in [
        (
            r#"{"type": "http", "scheme": "bearer"}"#,
            [
                "  -H \"Authorization: Bearer $TOKEN\" \\\n",
                "    \"Authorization\": \"Bearer \" + process.env.TOKEN,\n",
                "\nimport os\nfrom urllib.error",
                "        \"Authorization\": \"Bearer \" + os.environ[\"TOKEN\"],\n",
                "    .header(\"Authorization\", format!(\"Bearer {}\", std::env::var(\"TOKEN\")?))\n",
            ],
        ),
        (
            r#"{"type": "apiKey", "in": "header", "name": "X-Key"}"#,
            [
                "  -H \"X-Key: $API_KEY\" \\\n",
                "    \"X-Key\": process.env.API_KEY,\n",
                // Without the mark, it may be undefined for TypeScript.
                "    \"X-Key\": process.env.API_KEY!,\n",
                "        \"X-Key\": os.environ[\"API_KEY\"],\n",
                "    .header(\"X-Key\", std::env::var(\"API_KEY\")?)\n",
            ],
        ),
    ] {
        let site = behind(scheme);
        let samples = code(samples(&text(&site, "loan.begin.html")));
        check_parts(&samples, &lines);
        // Only the sample that reads it has what reading needs.
        assert_eq!(samples.matches("import os\n").count(), 1, "{samples}");
        let open = text(&site, "book.find.html");
        assert!(!open.contains("environ"), "{open}");
    }
}

#[test]
fn a_restricted_procedure_is_marked_on_its_page_and_in_the_overview() {
    let site = site(library());
    let page = text(&site, "loan.begin.html");
    assert!(
        page.contains("<a class=\"mark restricted\" href=\"#access\""),
        "{page}"
    );
    assert!(page.contains("Required credentials:") && page.contains(WORDS));
    assert!(page.contains("with error -32007 unless the procedure’s guard chooses another code"));
    let overview = text(&site, "index.html");
    assert_eq!(
        overview.matches("class=\"mark restricted\"").count(),
        2,
        "once in the legend"
    );
    // The scheme's words are there once, above its other members.
    assert_eq!(overview.matches(WORDS).count(), 1);
    assert!(!text(&site, "book.find.html").contains("restricted"));
}

#[test]
fn programs_that_read_learn_of_it_too() {
    let site = site(library());
    let scheme = format!(
        "### `card`\n\n{WORDS}\n\nSend it in this header field: `Authorization: Bearer $TOKEN`\n\n```json\n{{\"type\": \"http\", \"scheme\": \"bearer\"}}\n```\n"
    );
    for (path, required) in [
        ("index.md", scheme),
        (
            "loan.begin.md",
            format!("Required credentials:\n\n- [`card`](index.md): {WORDS}\n"),
        ),
    ] {
        let markdown = text(&site, path);
        let (_, access) = markdown.split_once("\n## Access\n\n").expect(path);
        assert!(access.starts_with(&required), "{path}: {access}");
    }
    assert!(!text(&site, "book.find.md").contains("## Access"));
}

#[test]
fn the_scopes_that_a_caller_needs_are_named_beside_the_scheme() {
    let mut service: ServiceDescription = library();
    for procedure in &mut service.procs {
        for credential in procedure
            .security
            .iter_mut()
            .flat_map(|requirement| &mut requirement.one_of)
        {
            credential
                .scopes
                .extend(["staff".to_owned(), "clerk".to_owned()]);
        }
    }
    let site = site(service);
    check(&site);
    let page = text(&site, "loan.begin.html");
    let named = "with the role or scope <code>staff</code> <code>clerk</code>";
    assert!(page.contains(named), "{page}");
    let markdown = text(&site, "loan.begin.md");
    let named = "- [`card`](index.md) with the role or scope `staff` `clerk`: ";
    assert!(markdown.contains(named), "{markdown}");
}

#[test]
fn an_optional_caller_is_told_what_it_may_bring() {
    let mut service: ServiceDescription = library();
    let find = service
        .procs
        .iter_mut()
        .find(|procedure| procedure.name == "book.find");
    let card = Requirement::optional(vec![Credential::new("card")]);
    find.expect("it is there").security = vec![card];
    let site = site(service);
    check(&site);
    let page = text(&site, "book.find.html");
    let link = "<code>card</code></a> token";
    let (before, _) = page.split_once(link).expect("the credential");
    assert!(
        before.ends_with("<li>Optional: <a href=\"index.html#access\">"),
        "{page}"
    );
    assert!(!page.contains("Required credentials") && !page.contains("mark restricted"));
    // The form has a field for it. Samples need no token.
    assert!(page.contains("&quot;optional&quot;: true"), "{page}");
    assert!(!samples(&page).contains("TOKEN"));
    let markdown = text(&site, "book.find.md");
    let told = format!("\n## Access\n\n- Optional: [`card`](index.md) token: {WORDS}\n");
    assert!(markdown.contains(&told), "{markdown}");
}

#[test]
fn a_scheme_that_is_not_described_leads_nowhere() {
    let mut service: ServiceDescription = library();
    service.security_schemes = Object::new();
    let site = site(service);
    let overview = text(&site, "index.html");
    assert!(overview.contains("class=\"mark restricted\"") && !overview.contains("#access"));
    check(&site);
}

#[test]
fn a_guarded_procedure_is_marked_where_no_scheme_is_known_too() {
    let mut service = library();
    service.security_schemes = Object::new();
    for procedure in &mut service.procs {
        procedure.security.clear();
        procedure.guarded = procedure.name == "book.get";
    }
    let site = site(service);
    check(&site);
    let page = text(&site, "book.get.html");
    assert!(page.contains("<a class=\"mark restricted\" href=\"#access\""));
    assert!(page.contains("does not say which credentials are required"));
    let markdown = text(&site, "book.get.md");
    assert!(markdown.contains("\n## Access\n\nAccess to this procedure is restricted."));
    for list in ["index.html", "groups/catalogue.html"] {
        let marks = text(&site, list)
            .matches("class=\"mark restricted\"")
            .count();
        assert_eq!(marks, 1 + usize::from(list == "index.html"), "{list}");
    }
    for list in ["llms.txt", "index.md", "groups/catalogue.md"] {
        let list = text(&site, list);
        let row = list.lines().find(|row| row.contains("[book.get]"));
        assert!(
            row.is_some_and(|row| row.contains(" (GET) (restricted): ")),
            "{list}"
        );
        assert_eq!(list.matches("(restricted)").count(), 1, "{list}");
    }
    assert!(!text(&site, "book.find.html").contains("restricted"));
}

#[test]
fn llms_txt_says_how_to_get_in_what_marks_mean_and_how_to_use_get() {
    let site = behind(r#"{"type": "http", "scheme": "bearer"}"#);
    let list = text(&site, "llms.txt");
    for line in [
        "\n- restricted: Requires credentials.\n",
        "\n## Access\n\n### `card`\n\nSend it in this header field: `Authorization: Bearer $TOKEN`\n",
        "\"scheme\": \"bearer\"",
        "`GET {service}/{procedure}?name=value`",
    ] {
        assert!(list.contains(line), "{line} in {list}");
    }
    let keyed = behind(r#"{"type": "apiKey", "in": "header", "name": "X-Card"}"#);
    check_parts(
        &text(&keyed, "llms.txt"),
        &["Send it in this header field: `X-Card: $API_KEY`"],
    );
    let elsewhere = behind(r#"{"type": "apiKey", "in": "cookie", "name": "card"}"#);
    assert!(!text(&elsewhere, "llms.txt").contains("header field"));
}
