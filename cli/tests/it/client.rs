//! `docent client`. What the clients do is tested by `cargo xtask generated`.

use std::fs;

use crate::support::{Folder, data, run};

const LANGUAGES: [&str; 3] = ["typescript", "python", "rust"];

fn client(input: &str, language: &str, output: &str, more: &[&str]) -> crate::support::Ran {
    let arguments = ["client", input, "--language", language, "-o", output];
    run(arguments.iter().chain(more))
}

/// Returns the files of a client with their contents.
fn files(folder: &Folder, name: &str) -> Vec<(String, String)> {
    folder
        .files(name)
        .into_iter()
        .map(|file| (file.clone(), folder.read(&format!("{name}/{file}"))))
        .collect()
}

#[test]
fn the_same_description_gives_the_same_bytes() {
    let folder = Folder::new();
    for language in LANGUAGES {
        for name in ["one", "two"] {
            let ran = client(&data("shop.json"), language, &folder.arg(name), &[]);
            assert_eq!(ran.code, 0, "{language}: {}", ran.stderr);
        }
        assert!(files(&folder, "one").len() > 1);
        assert_eq!(files(&folder, "one"), files(&folder, "two"), "{language}");
    }
}

#[test]
fn check_fails_where_the_folder_differs() {
    let folder = Folder::new();
    let output = folder.arg("out");
    let check = |expected: i32, said: &str| {
        let ran = client(&data("shop.json"), "typescript", &output, &["--check"]);
        assert_eq!(ran.code, expected, "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    };
    check(1, "index.ts is missing");
    assert!(!folder.has("out"));
    assert_eq!(
        client(&data("shop.json"), "typescript", &output, &[]).code,
        0
    );
    check(0, "");

    let types = folder.read("out/index.ts");
    folder.write("out/index.ts", &format!("{types} "));
    check(1, "index.ts is out of date");
    folder.write("out/index.ts", &types);
    folder.write("out/notes.md", "mine");
    check(0, "");
    folder.write("out/old.ts", &types);
    check(1, "old.ts is no longer part of the client");
    assert_eq!(
        client(&data("shop.json"), "typescript", &output, &[]).code,
        0
    );
    assert!(!folder.has("out/old.ts") && folder.has("out/notes.md"));
    check(0, "");
}

#[test]
fn files_of_others_are_kept() {
    let folder = Folder::new();
    folder.write("out/index.ts", "mine");
    let ran = client(&data("shop.json"), "typescript", &folder.arg("out"), &[]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("index.ts was not written by this command")
    );
    assert_eq!(folder.files("out"), ["index.ts"]);
    assert_eq!(folder.read("out/index.ts"), "mine");
    let ran = client(
        &data("shop.json"),
        "typescript",
        &folder.arg("out"),
        &["--force"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_ne!(folder.read("out/index.ts"), "mine");
}

#[cfg(unix)]
#[test]
fn files_stay_inside_the_folder() {
    let folder = Folder::new();
    let outside = folder.write("outside.ts", "mine");
    fs::create_dir(folder.path("out")).expect("made");
    std::os::unix::fs::symlink(&outside, folder.path("out/index.ts")).expect("linked");
    let ran = client(
        &data("shop.json"),
        "typescript",
        &folder.arg("out"),
        &["--force"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(folder.read("outside.ts"), "mine");
    assert_ne!(folder.read("out/index.ts"), "mine");
}

#[test]
fn what_is_no_description_gives_no_client() {
    let folder = Folder::new();
    let input = folder.write("input.json", "{}");
    for language in LANGUAGES {
        assert_eq!(client(&input, language, &folder.arg("out"), &[]).code, 4);
    }
    assert_eq!(
        client("nowhere.json", "rust", &folder.arg("out"), &[]).code,
        3
    );
    assert!(!folder.has("out"));
}

#[test]
fn alternatives_in_rust_are_tried_from_the_strictest() {
    let folder = Folder::new();
    let input = data("../clients/awkward.json");
    assert_eq!(client(&input, "rust", &folder.arg("out"), &[]).code, 0);
    let types = folder.read("out/src/types.rs");
    let (_, loose) = types.split_once("pub enum Loose {").expect("an enum");
    let (loose, _) = loose.split_once('}').expect("its end");
    let places =
        ["Integer(i64)", "Number(f64)", "LooseB(", "LooseA("].map(|variant| loose.find(variant));
    assert!(places.iter().all(Option::is_some), "{loose}");
    assert!(places.is_sorted(), "{loose}");
}

#[test]
fn values_beyond_doubles_are_no_literals() {
    let folder = Folder::new();
    let input = data("../clients/awkward.json");
    assert_eq!(
        client(&input, "typescript", &folder.arg("out"), &[]).code,
        0
    );
    let types = folder.read("out/index.ts");
    assert!(types.contains("BigEnum = bigint | null;"), "{types}");
    assert!(types.contains("NumEnum = 1 | 2.5;"), "{types}");
    assert!(
        types.contains("TupleRest = [number, ...(string)[]];"),
        "{types}"
    );
    // A known member is not read like the others.
    assert!(
        types.contains("[\"id\", undefined]]), rest: \"big\""),
        "{types}"
    );
}

#[test]
fn a_name_that_is_no_segment_of_a_path_is_not_called_with_get() {
    let folder = Folder::new();
    let input = data("../clients/awkward.json");
    assert_eq!(
        client(&input, "typescript", &folder.arg("out"), &[]).code,
        0
    );
    let code = folder.read("out/index.ts");
    assert!(
        code.contains("{ method: \"..\", idempotent: true }"),
        "{code}"
    );
    assert!(
        code.contains("{ method: \"positions\", params, idempotent: true, get: true,"),
        "{code}"
    );
}

/// A description with the same text in every place where text can be.
fn everywhere(attack: &str) -> String {
    let text = serde_json::Value::from(attack);
    let reference = serde_json::Value::from(format!("#/components/schemas/{attack}"));
    let schema = serde_json::json!({
        "type": "object", "description": text, "title": text,
        "properties": {
            attack: {"type": "string", "description": text, "default": text},
            format!("{attack}2"): {"enum": [text, "other", null]},
            format!("{attack}3"): {"oneOf": [{"$ref": reference}, {"type": "object", "title": text, "properties": {"is": {"const": text}}}]},
        },
        "required": [attack],
    });
    serde_json::json!({
        "sdversion": "2.0", "name": text, "id": "urn:x:y", "summary": text, "description": text,
        "procs": [{
            "name": format!("p{}", attack.replace(['/', '\n', '\r', '\0', '\u{1b}', '\u{c}'], "")),
            "summary": text, "description": text, "idempotent": true,
            "deprecated": {"since": text, "reason": text, "instead": text},
            "params": [{"name": format!("x{attack}"), "type": "obj", "required": true, "description": text, "schema": schema}],
            "return": {"type": "obj", "description": text, "schema": {"$ref": reference}},
            "errors": [{"code": 5, "message": text, "data": schema, "$description": text}],
        }],
        "components": {"schemas": {attack: schema}},
    })
    .to_string()
}

#[test]
fn text_of_a_description_stays_in_comments_and_literals() {
    // Each would be code where it is not in a comment or a literal, and is found by its marker.
    let attacks = [
        "*/ BOOM(); /*",
        "\"; BOOM(); //",
        "\"\"\"\nBOOM()\n\"\"\"",
        "'''\nBOOM()",
        "\\\"; BOOM();",
        "\\",
        "a\u{2028}BOOM()",
        "a\rBOOM()",
        "a\u{c}BOOM()",
        "`${BOOM()}`",
        "{BOOM()}",
        "```rust\nBOOM()\n```",
        "\u{202e}BOOM\u{2066}",
        "\u{0}\u{1b}[31mBOOM",
        "__proto__",
        "constructor",
        "class",
    ];
    for attack in attacks {
        for language in LANGUAGES {
            let folder = Folder::new();
            let input = folder.write("input.json", &everywhere(attack));
            let ran = client(&input, language, &folder.arg("out"), &[]);
            assert_eq!(ran.code, 0, "{attack:?}: {}", ran.stderr);
            for (name, text) in files(&folder, "out") {
                for character in text.chars() {
                    assert!(
                        character == '\n' || !character.is_control(),
                        "{attack:?}: {name} has {character:?}"
                    );
                    assert!(
                        !matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'),
                        "{attack:?}: {name} has {character:?}"
                    );
                }
                let code = code(own_part(&text), language);
                assert!(!code.contains("BOOM"), "{attack:?}: {name}:\n{code}");
            }
        }
    }
}

/// Returns the part of a file that depends on the service, in TypeScript, where one file has all parts.
fn own_part(text: &str) -> &str {
    let heading = "// The types, errors and calls of the service.";
    text.split_once(heading).map_or(text, |(_, own)| own)
}

/// Source code without comments and string literals.
fn code(text: &str, language: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("/*") && language == "typescript" {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") && language != "python"
            || first == '#' && language == "python"
        {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("\"\"\"") && language == "python" {
            literal(&rest[3..], "\"\"\"") + 3
        } else if first == '"' {
            literal(&rest[1..], "\"") + 1
        } else {
            out.push(first);
            first.len_utf8()
        };
        rest = &rest[skipped..];
    }
    out
}

/// Returns the number of bytes up to the end of a literal.
fn literal(text: &str, end: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if text[at..].starts_with(end) => return at + end.len(),
            _ => {}
        }
    }
    text.len()
}

#[test]
fn references_into_shared_types_become_types() {
    let folder = Folder::new();
    let input = data("../clients/parts.json");
    for (language, types, expected) in [
        (
            "typescript",
            "index.ts",
            &[
                "export type BookShelf = number;",
                "export type BookTagsItem = \"old\" | \"new\";",
                "export interface BookAuthor {",
                "taught?: BookAuthor;",
                // It is the same type there.
                "author?: BookAuthor;",
                "tags?: BookTagsItem[];",
            ][..],
        ),
        (
            "rust",
            "src/types.rs",
            &["pub struct BookAuthor", "pub enum BookTagsItem"],
        ),
        ("python", "models.py", &["class BookAuthor", "BookTagsItem"]),
    ] {
        let ran = client(&input, language, &folder.arg(language), &[]);
        assert_eq!(ran.code, 0, "{language}: {}", ran.stderr);
        let path = folder.files(language);
        let path = path.iter().find(|path| path.ends_with(types));
        let path = path.unwrap_or_else(|| panic!("{language}: {:?}", folder.files(language)));
        let text = folder.read(&format!("{language}/{path}"));
        let text = own_part(&text);
        for part in expected {
            assert!(text.contains(part), "{language}: {part}: {text}");
        }
        assert!(!text.contains("BookAuthor2"), "{language}: {text}");
        let is_unknown = ["unknown", "serde_json::Value", "Any"].iter().any(|name| {
            text.lines()
                .filter(|line| !line.trim_start().starts_with(['#', '/', '*']))
                .filter(|line| !line.contains("import") && !line.contains("use "))
                .any(|line| line.contains(&format!(" {name}")))
        });
        assert!(!is_unknown, "{language}: {text}");
    }
}

#[test]
fn a_large_document_costs_seconds_at_most() {
    let numbers = |count: usize| (0..count).map(|number| format!("a{number}"));
    let properties = |count| numbers(count).map(|name| (name, serde_json::json!({})));
    let properties = |count| properties(count).collect::<serde_json::Map<_, _>>();
    let values: Vec<_> = numbers(15_000).collect();
    let required: Vec<_> = numbers(10_000).collect();
    let shared = serde_json::json!({"allOf": [
        {"$ref": "#/components/schemas/Shared"}, {"type": "object", "properties": {"x": {}}},
    ]});
    let structs: Vec<_> = numbers(6_000)
        .map(
            |name| serde_json::json!({"type": "object", "properties": {name: {"type": "integer"}}}),
        )
        .collect();
    let procedures = |count, schema: &serde_json::Value| -> Vec<_> {
        let described = numbers(count).map(
            |name| serde_json::json!({"name": name, "return": {"type": "any", "schema": schema}}),
        );
        described.collect()
    };
    for procs in [
        procedures(1, &serde_json::json!({"enum": values})),
        procedures(
            1,
            &serde_json::json!({"type": "object", "properties": properties(10_000), "required": required}),
        ),
        procedures(1_000, &shared),
        procedures(1, &serde_json::json!({"anyOf": structs})),
    ] {
        let folder = Folder::new();
        let description = serde_json::json!({
            "sdversion": "2.0", "name": "large", "id": "urn:x:large", "procs": procs,
            "components": {"schemas": {"Shared": {"type": "object", "properties": properties(1_000)}}},
        });
        let input = folder.write("input.json", &description.to_string());
        for language in LANGUAGES {
            let begun = std::time::Instant::now();
            let ran = client(&input, language, &folder.arg("out"), &["--force"]);
            assert_eq!(ran.code, 0, "{language}: {}", ran.stderr);
            assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
        }
    }
}

#[test]
fn a_client_has_only_the_procedures_that_are_wanted_and_lists_them() {
    let folder = Folder::new();
    let out = folder.arg("out");
    let more = ["--only", "basket.c*", "--client-name", "kiosk"];
    for language in LANGUAGES {
        let ran = client(&data("shop.json"), language, &out, &more);
        assert_eq!(ran.code, 0, "{language}: {}", ran.stderr);
        let all: String = files(&folder, "out")
            .into_iter()
            .map(|file| file.1)
            .collect();
        assert!(
            all.contains("basket.clear") && !all.contains("basket.add"),
            "{language}"
        );
        // The type of what is left out is not needed either.
        assert!(!all.contains("Basket "), "{language}");
    }
    let listed: serde_json::Value =
        serde_json::from_str(&folder.read("out/docent-uses.json")).expect("JSON");
    let service = serde_json::json!({"id": "urn:example:shop", "name": "shop", "version": "1.0"});
    assert_eq!(listed["client"], "kiosk");
    assert_eq!(listed["service"], service);
    assert_eq!(listed["procedures"], serde_json::json!(["basket.clear"]));
    let schema = include_str!("../../docent-uses.schema.json");
    let schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
    for member in listed.as_object().expect("an object").keys() {
        assert!(schema["properties"].get(member).is_some(), "{member}");
    }

    let ran = client(&data("shop.json"), "rust", &out, &["--only", "basket.ad"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("did you mean basket.add"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_list_that_a_person_keeps_stays() {
    let folder = Folder::new();
    let (out, own) = (folder.arg("out"), "{\"service\": {\"name\": \"shop\"}}");
    folder.write("out/docent-uses.json", own);
    assert_eq!(client(&data("shop.json"), "rust", &out, &[]).code, 0);
    assert_eq!(folder.read("out/docent-uses.json"), own);
    assert_eq!(
        client(&data("shop.json"), "rust", &out, &["--check"]).code,
        0
    );
}

#[test]
fn a_client_becomes_a_package() {
    let folder = Folder::new();
    for (language, name, file, part) in [
        (
            "typescript",
            "@shop/client",
            "package.json",
            "\"name\": \"@shop/client\"",
        ),
        (
            "python",
            "shop-client",
            "pyproject.toml",
            "packages = [\"shop_client\"]",
        ),
        ("rust", "my-shop", "Cargo.toml", "name = \"my-shop\""),
    ] {
        let out = folder.arg(language);
        let ran = client(&data("shop.json"), language, &out, &["--package", name]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let manifest = folder.read(&format!("{language}/{file}"));
        assert!(manifest.contains(part), "{manifest}");
        let ran = client(
            &data("shop.json"),
            language,
            &out,
            &["--package", name, "--check"],
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let ran = client(
            &data("shop.json"),
            language,
            &out,
            &["--package", "My Shop"],
        );
        assert_eq!(ran.code, 2, "{}", ran.stderr);
    }
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.read("typescript/package.json")).expect("JSON");
    assert_eq!(manifest["exports"], "./index.ts");
    // Without a name, it is no package any more.
    let out = folder.arg("typescript");
    assert_eq!(client(&data("shop.json"), "typescript", &out, &[]).code, 0);
    assert!(!folder.has("typescript/package.json"));
}

#[test]
fn integers_beyond_doubles_are_of_the_type_that_was_asked_for() {
    let folder = Folder::new();
    let out = folder.arg("out");
    let input = data("../clients/exact.json");
    for (more, is_exact) in [
        (&[][..], true),
        (&["--integers", "bigint"], true),
        (&["--integers", "number"], false),
    ] {
        let ran = client(&input, "typescript", &out, more);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let types = folder.read("out/index.ts");
        for part in [": bigint;", "export const shapes"] {
            assert_eq!(types.contains(part), is_exact, "{more:?}: {part}: {types}");
        }
    }
    for (language, integers) in [
        ("python", "number"),
        ("python", "i128"),
        ("rust", "bigint"),
        ("typescript", "i128"),
    ] {
        let ran = client(&input, language, &out, &["--integers", integers]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        let advice = "--integers is number or bigint for TypeScript, and i128 for Rust";
        assert!(ran.stderr.contains(advice), "{}", ran.stderr);
    }
}
