//! New services. That they build, under any name, is shown by `cargo xtask newcomer`.

use std::process::Command;

use crate::support::{Folder, Ran, docent};

fn new(folder: &Folder, name: &str) -> Ran {
    new_with(folder, name, &[])
}

fn new_with(folder: &Folder, name: &str, options: &[&str]) -> Ran {
    let mut command = docent(["new", name]);
    command.args(options).current_dir(folder.path(""));
    command.output().expect("it runs").into()
}

fn version() -> &'static str {
    let (version, _) = env!("CARGO_PKG_VERSION").rsplit_once('.').expect("a patch");
    version
}

fn assert_has_no_template_words(text: &str) {
    for word in [
        "greeter",
        "DOCENT_VERSION",
        "DOCENT_SOURCE",
        "DOCENT_KEYS_SOURCE",
        "DOCENT_RELEASE",
        "DOCENT_REPOSITORY",
    ] {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_new_service_has_its_name_everywhere() {
    let folder = Folder::new();
    let ran = new(&folder, "lending-library");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("cd lending-library\n"),
        "{}",
        ran.stdout
    );
    let files = folder.files("lending-library");
    let expected = [
        ".github/workflows/ci.yml",
        ".gitignore",
        "Cargo.toml",
        "Containerfile",
        "README.md",
        "description.json",
        "src/main.rs",
        "src/service.rs",
        "src/tests.rs",
    ];
    assert_eq!(files, expected);
    let text: String = files
        .iter()
        .map(|file| folder.read(&format!("lending-library/{file}")))
        .collect();
    assert!(text.contains("name = \"lending-library\""));
    assert!(text.contains("https://example.com/lending-library"));
    assert_has_no_template_words(&text);
    assert!(text.contains(&format!("docent = \"{}\"\n", version())));
    let archive = concat!(
        "docent-",
        env!("CARGO_PKG_VERSION"),
        "-x86_64-unknown-linux-musl\n"
    );
    assert!(text.contains(archive), "{text}");
}

#[test]
fn a_new_service_passes_its_own_check_of_the_format_whatever_its_name() {
    let folder = Folder::new();
    // With a dash, a name is no identifier, so that code with the name in it is not in form.
    let long = ["a", "b", "c"].map(|letter| letter.repeat(60));
    let cases = [
        ("a-b", [].as_slice()),
        (&long[0], &[]),
        (&long[1], &["--keys=sqlite"]),
        (&long[2], &["--keys=postgres"]),
    ];
    for (name, options) in cases {
        assert_eq!(new_with(&folder, name, options).code, 0);
        let mut rustfmt = Command::new("rustfmt");
        rustfmt.args(["--check", "--edition", "2024"]);
        rustfmt.arg(folder.path(&format!("{name}/src/main.rs")));
        let ran = Ran::from(rustfmt.output().expect("it runs"));
        assert_eq!(ran.code, 0, "{}", ran.stdout);
    }
}

#[test]
fn with_keys_a_new_service_depends_on_a_store_and_says_how_to_test_it() {
    let folder = Folder::new();
    let cases = [
        ("sqlite", "  cd on-sqlite\n  cargo test\n"),
        (
            "postgres",
            "  cd on-postgres\n  TEST_DATABASE=postgres://postgres@localhost cargo test\n",
        ),
    ];
    for (database, printed) in cases {
        let name = format!("on-{database}");
        let ran = new_with(&folder, &name, &["--keys", database]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains(printed), "{}", ran.stdout);
        let files = folder.files(&name);
        assert_eq!(files.len(), 9, "{files:?}");
        for file in files {
            let text = folder.read(&format!("{name}/{file}"));
            assert_has_no_template_words(&text);
        }
        let manifest = folder.read(&format!("{name}/Cargo.toml"));
        let version = version();
        for line in [
            format!("docent = {{ version = \"{version}\", features = [\"keys\"] }}\n"),
            format!("docent-keys = {{ version = \"{version}\", features = [\"{database}\"] }}\n"),
        ] {
            assert!(manifest.contains(&line), "{manifest}");
        }
    }
    let ran = new_with(&folder, "other", &["--keys=mysql"]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
}

/// Returns the dependencies in a `Cargo.toml`, by their names.
fn dependencies(manifest: &str) -> toml::Table {
    let mut manifest: toml::Table = toml::from_str(manifest).expect("TOML");
    let mut all = toml::Table::new();
    for table in ["dependencies", "dev-dependencies"] {
        if let Some(toml::Value::Table(dependencies)) = manifest.remove(table) {
            all.extend(dependencies);
        }
    }
    all
}

#[test]
fn a_new_service_has_the_drivers_that_the_stores_have() {
    let workspace = include_str!("../../../Cargo.toml");
    let workspace: toml::Table = toml::from_str(workspace).expect("TOML");
    let workspace = &workspace["workspace"]["dependencies"];
    let folder = Folder::new();
    for database in ["sqlite", "postgres"] {
        assert_eq!(new_with(&folder, database, &["--keys", database]).code, 0);
        let manifest = folder.read(&format!("{database}/Cargo.toml"));
        for (name, dependency) in dependencies(&manifest) {
            if name.starts_with("docent") {
                continue;
            }
            let [ours, theirs] = [&workspace[&name], &dependency].map(|dependency| {
                let version = dependency.get("version").unwrap_or(dependency);
                version.as_str().expect("a version").to_owned()
            });
            assert!(ours.starts_with(&theirs), "{name} {theirs}: ours is {ours}");
        }
    }
}

#[test]
fn the_workflow_on_postgres_is_the_usual_one_with_a_server() {
    let folder = Folder::new();
    assert_eq!(new_with(&folder, "usual", &["--keys=sqlite"]).code, 0);
    assert_eq!(new_with(&folder, "other", &["--keys=postgres"]).code, 0);
    let [usual, other] =
        ["usual", "other"].map(|name| folder.read(&format!("{name}/.github/workflows/ci.yml")));
    let (before, rest) = other.split_once("    services:\n").expect("a server");
    let (_, after) = rest.split_once("    steps:\n").expect("steps");
    assert_eq!(format!("{before}    steps:\n{after}"), usual);
}

#[test]
fn with_keys_a_name_is_not_that_of_a_dependency() {
    let folder = Folder::new();
    for database in ["sqlite", "postgres"] {
        assert_eq!(new_with(&folder, database, &["--keys", database]).code, 0);
        let manifest = folder.read(&format!("{database}/Cargo.toml"));
        for name in dependencies(&manifest).keys() {
            let ran = new_with(&folder, name, &["--keys", database]);
            assert_eq!(ran.code, 2, "{}", ran.stdout);
            let cure = format!("such as {name}-service");
            assert!(ran.stderr.contains(&cure), "{}", ran.stderr);
            assert!(!folder.has(name));
        }
    }
    assert_eq!(new(&folder, "tempfile").code, 0);
}

#[test]
fn a_new_service_in_a_workspace_is_a_member_of_it_and_has_no_ci() {
    let workspaces = [
        (
            "[workspace]\nmembers = []\n",
            "[workspace]\nmembers = [\"crates/new\"]\n",
        ),
        (
            "[workspace]\nmembers = [\"a\", \"b\"] # all\n",
            "[workspace]\nmembers = [\"crates/new\", \"a\", \"b\"] # all\n",
        ),
        (
            "[workspace]\nmembers = [\n    # first\n    \"a\" # last\n]\n",
            "[workspace]\nmembers = [\n    \"crates/new\",\n    # first\n    \"a\" # last\n]\n",
        ),
        (
            "[package]\nname = \"a\"\n\n[workspace]\n",
            "[package]\nname = \"a\"\n\n[workspace]\nmembers = [\"crates/new\"]\n",
        ),
        (
            "workspace.members = [\"crates/*\"]\n",
            "workspace.members = [\"crates/*\"]\n",
        ),
    ];
    for (before, after) in workspaces {
        let folder = Folder::new();
        folder.write("Cargo.toml", before);
        folder.write("crates/README.md", "");
        let mut command = docent(["new", "new"]);
        command.current_dir(folder.path("crates"));
        let ran = Ran::from(command.output().expect("it runs"));
        assert_eq!(ran.code, 0, "{before}: {}", ran.stderr);
        assert_eq!(folder.read("Cargo.toml"), after);
        assert!(!folder.has("crates/new/.github") && !folder.has("crates/new/.gitignore"));
        assert!(!folder.read("crates/new/Cargo.toml").contains("[profile"));
    }
}

#[test]
fn a_folder_that_the_workspace_leaves_out_is_no_member() {
    let folder = Folder::new();
    let manifest = "[workspace]\nexclude = [\"new\"]\n";
    folder.write("Cargo.toml", manifest);
    assert_eq!(new(&folder, "new").code, 0);
    assert_eq!(folder.read("Cargo.toml"), manifest);
    assert!(folder.has("new/.github/workflows/ci.yml"));
}

#[test]
fn a_new_service_depends_on_a_clone_by_its_path() {
    let folder = Folder::new();
    folder.write("greeter/server/Cargo.toml", "");
    folder.write("work/README.md", "");
    let absolute = folder.arg("greeter");
    let cases = [
        (
            "../greeter",
            "docent = { path = \"../../greeter/server\" }\n",
        ),
        (
            &absolute,
            &format!("docent = {{ path = \"{absolute}/server\" }}\n"),
        ),
    ];
    for (at, (path, written)) in cases.into_iter().enumerate() {
        let name = format!("new{at}");
        let mut command = docent(["new", &name, "--path", path]);
        command.current_dir(folder.path("work"));
        let ran = Ran::from(command.output().expect("it runs"));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let manifest = folder.read(&format!("work/{name}/Cargo.toml"));
        assert!(manifest.contains(written), "{manifest}");
        // A checkout elsewhere has no clone beside it.
        assert!(!folder.has(&format!("work/{name}/.github")));
        assert!(!folder.has(&format!("work/{name}/Containerfile")));
        assert!(folder.has(&format!("work/{name}/.gitignore")));
    }
    let mut command = docent(["new", "keyed", "--keys=sqlite", "--path", "../greeter"]);
    command.current_dir(folder.path("work"));
    assert_eq!(command.status().expect("it runs").code(), Some(0));
    let manifest = folder.read("work/keyed/Cargo.toml");
    for written in [
        r#"docent = { path = "../../greeter/server", features"#,
        r#"docent-keys = { path = "../../greeter/keys", features"#,
    ] {
        assert!(manifest.contains(written), "{manifest}");
    }
    let mut command = docent(["new", "other", "--path", "../elsewhere"]);
    command.current_dir(folder.path("work"));
    let ran = Ran::from(command.output().expect("it runs"));
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(!folder.has("work/other"));
}

#[test]
fn nothing_that_exists_is_touched() {
    let folder = Folder::new();
    folder.write("taken/src/main.rs", "fn main() {}");
    folder.write("file", "text");
    for name in ["taken", "file"] {
        let ran = new(&folder, name);
        let expected =
            format!("docent: {name} exists already; choose another name, or remove it\n");
        assert_eq!((ran.code, &*ran.stderr), (2, &*expected));
    }
    assert_eq!(folder.files(""), ["file", "taken/src/main.rs"]);
}

#[test]
fn names_that_no_crate_can_have_are_rejected_with_what_would_do() {
    let folder = Folder::new();
    let long = "a".repeat(61);
    let cases = [
        ("", "a letter, followed by"),
        ("1st", "a letter, followed by"),
        ("_", "a letter, followed by"),
        ("../outside", "a letter, followed by"),
        ("a/b", "a letter, followed by"),
        ("C:\\x", "a letter, followed by"),
        ("naïve", "a letter, followed by"),
        ("two words", "a letter, followed by"),
        ("a\"\nb", "a letter, followed by"),
        ("$(touch owned)", "a letter, followed by"),
        (&*long, "at most 60 characters"),
        ("build", "such as build-service"),
        ("docent", "such as docent-service"),
        ("schemars", "such as schemars-service"),
        ("serde", "such as serde-service"),
    ];
    for (name, cure) in cases {
        let ran = new(&folder, name);
        assert_eq!(ran.code, 2, "{name:?}");
        assert!(ran.stderr.contains(cure), "{name:?}: {}", ran.stderr);
    }
    assert!(folder.files("").is_empty());
}
