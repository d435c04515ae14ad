//! The arguments of `docent new`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::EXIT_CODES_HELP;

/// The names that cargo keeps for folders of its own.
const RESERVED_NAMES: [&str; 4] = ["build", "deps", "examples", "incremental"];
/// The crates that a new service depends on, which cannot depend on itself.
const DEPENDENCIES: [&str; 3] = ["docent", "schemars", "serde"];
/// The maximum length of a name. With a longer one, a line of the new service is wider than rustfmt leaves it.
const MAX_NAME_LENGTH: usize = 60;

/// Create a service in a new folder
///
/// The folder has a service with a state, an error of its own, a type with a rule and a write that needs a token,
/// their tests, a golden description that a test compares with the service, a GitHub workflow that runs
/// docent check and docent diff, and a Containerfile. With --keys, it has a write that is done exactly once in a
/// database instead, with its test.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES_HELP)]
pub(crate) struct NewArgs {
    /// The name of the folder, the crate and the service
    #[arg(value_name = "NAME", value_parser = crate_name)]
    pub(crate) name: String,
    /// Depend on the clone of Docent in FOLDER, instead of the crate on crates.io
    ///
    /// A relative path starts in the current folder.
    #[arg(long, value_name = "FOLDER", value_parser = clone)]
    pub(crate) path: Option<PathBuf>,
    /// Write to a database, exactly once for each key of a call
    #[arg(long, value_name = "DATABASE")]
    pub(crate) keys: Option<Database>,
}

/// The databases in which a new service keeps the outcomes of calls with keys.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Database {
    /// A file, for a service of one instance
    Sqlite,
    /// PostgreSQL, for any number of instances
    Postgres,
}

/// Reads a folder with a clone of Docent.
fn clone(text: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(text);
    if folder.join("server/Cargo.toml").is_file() {
        Ok(folder)
    } else {
        Err("expected a clone of Docent, which has a file server/Cargo.toml".to_owned())
    }
}

/// Reads a name that a crate may have.
fn crate_name(text: &str) -> Result<String, String> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    if !text.starts_with(|first: char| first.is_ascii_alphabetic()) || !text.chars().all(is_allowed)
    {
        return Err(
            "expected a name that a crate can have: a letter, followed by letters, digits, `-` and `_`; the folder \
             is created in the current one"
                .to_owned(),
        );
    }
    if text.len() > MAX_NAME_LENGTH {
        return Err(format!("expected at most {MAX_NAME_LENGTH} characters"));
    }
    if RESERVED_NAMES.contains(&text) {
        return Err(format!(
            "cargo has a folder of this name; choose another, such as {text}-service"
        ));
    }
    if DEPENDENCIES.contains(&text) {
        return Err(format!(
            "the service depends on a crate of this name; choose another, such as {text}-service"
        ));
    }
    Ok(text.to_owned())
}
