//! The files of new services, as they are under `cli/template/`.

use crate::args::Database;

/// The files of a new service.
pub(super) struct Template {
    /// The template of `Cargo.toml`. By that name, it would mean something to cargo here, as `.gitignore` to Git.
    pub(super) manifest: &'static str,
    /// The crates that it depends on, besides those that every service may depend on.
    pub(super) crates: &'static [&'static str],
    pub(super) gitignore: &'static str,
    /// The other paths, and their templates.
    pub(super) files: [(&'static str, &'static str); 5],
    /// The files that build a service alone: no member of a workspace, which has its own, and without a clone beside
    /// it.
    pub(super) files_to_build: [(&'static str, &'static str); 2],
    /// The variables that its tests need, as they stand before a command.
    pub(super) test_variables: &'static str,
}

const PLAIN: Template = Template {
    manifest: include_str!("../../template/Cargo.toml.in"),
    crates: &[],
    gitignore: include_str!("../../template/gitignore"),
    files: [
        ("src/main.rs", include_str!("../../template/main.rs")),
        ("src/service.rs", include_str!("../../template/service.rs")),
        ("src/tests.rs", include_str!("../../template/tests.rs")),
        (
            "description.json",
            include_str!("../../template/description.json"),
        ),
        ("README.md", include_str!("../../template/README.md")),
    ],
    files_to_build: [
        (
            ".github/workflows/ci.yml",
            include_str!("../../template/ci.yml"),
        ),
        (
            "Containerfile",
            include_str!("../../template/Containerfile"),
        ),
    ],
    test_variables: "",
};

const SQLITE: Template = Template {
    manifest: include_str!("../../template/keys/sqlite/Cargo.toml.in"),
    crates: &["docent-keys", "rusqlite", "tempfile"],
    gitignore: include_str!("../../template/keys/sqlite/gitignore"),
    files: [
        (
            "src/main.rs",
            include_str!("../../template/keys/sqlite/main.rs"),
        ),
        (
            "src/service.rs",
            include_str!("../../template/keys/sqlite/service.rs"),
        ),
        (
            "src/tests.rs",
            include_str!("../../template/keys/sqlite/tests.rs"),
        ),
        (
            "description.json",
            include_str!("../../template/keys/description.json"),
        ),
        (
            "README.md",
            include_str!("../../template/keys/sqlite/README.md"),
        ),
    ],
    files_to_build: [
        (
            ".github/workflows/ci.yml",
            include_str!("../../template/ci.yml"),
        ),
        (
            "Containerfile",
            include_str!("../../template/keys/sqlite/Containerfile"),
        ),
    ],
    test_variables: "",
};

const POSTGRES: Template = Template {
    manifest: include_str!("../../template/keys/postgres/Cargo.toml.in"),
    crates: &["deadpool-postgres", "docent-keys", "tokio-postgres"],
    gitignore: PLAIN.gitignore,
    files: [
        (
            "src/main.rs",
            include_str!("../../template/keys/postgres/main.rs"),
        ),
        (
            "src/service.rs",
            include_str!("../../template/keys/postgres/service.rs"),
        ),
        (
            "src/tests.rs",
            include_str!("../../template/keys/postgres/tests.rs"),
        ),
        (
            "description.json",
            include_str!("../../template/keys/description.json"),
        ),
        (
            "README.md",
            include_str!("../../template/keys/postgres/README.md"),
        ),
    ],
    files_to_build: [
        (
            ".github/workflows/ci.yml",
            include_str!("../../template/keys/postgres/ci.yml"),
        ),
        (
            "Containerfile",
            include_str!("../../template/keys/postgres/Containerfile"),
        ),
    ],
    test_variables: "TEST_DATABASE=postgres://postgres@localhost ",
};

impl Template {
    /// Returns the files of a service that writes exactly once to a database, or of one without a database.
    pub(super) fn of(database: Option<Database>) -> Self {
        match database {
            None => PLAIN,
            Some(Database::Sqlite) => SQLITE,
            Some(Database::Postgres) => POSTGRES,
        }
    }
}
