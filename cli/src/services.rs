//! Named services: `@NAME` stands for an address in a file of the user, which has the credentials too.
//!
//! The file is read once, when an input or a request first needs it. Which of the credentials a request
//! carries is decided in `http::credentials`.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use url::Url;

use crate::exec;
use crate::failure::Failure;
use docent_tools::request::without_secrets;

/// The environment variable with the path of the file.
const PATH_VARIABLE: &str = "DOCENT_SERVICES";

/// A service in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct NamedService {
    #[serde(deserialize_with = "deserialize_url")]
    address: Url,
    /// A command for the shell that prints a bearer token.
    token_command: Option<String>,
    /// Header fields, such as `X-Team: books`.
    #[serde(default)]
    pub(crate) headers: Vec<String>,
    /// The token, once the command has printed it: one run is enough.
    #[serde(skip)]
    token: OnceLock<String>,
}

/// Reads an address, which may be a command, as an input does.
fn deserialize_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Url, D::Error> {
    let text = String::deserialize(deserializer)?;
    let url = match text.strip_prefix("exec:") {
        Some(command) => exec::command_url(command),
        None => Url::parse(&text).map_err(|error| error.to_string()),
    };
    url.map_err(|error| D::Error::custom(format_args!("{text}: {error}")))
}

/// Returns the path of the file: of the variable, or in the user's folder for settings.
fn path() -> Option<PathBuf> {
    if let Some(path) = path_of_variable(PATH_VARIABLE) {
        return Some(path);
    }
    let folder = match path_of_variable("XDG_CONFIG_HOME") {
        Some(folder) => folder,
        None => env::home_dir()?.join(".config"),
    };
    Some(folder.join("docent/services.toml"))
}

/// Returns the path in an environment variable. An empty one counts as none.
fn path_of_variable(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}

/// Returns the services by name. There are none without the file.
fn services() -> Result<&'static BTreeMap<String, NamedService>, String> {
    static NAMED_SERVICES: OnceLock<Result<BTreeMap<String, NamedService>, String>> =
        OnceLock::new();
    let services = NAMED_SERVICES.get_or_init(|| {
        let Some(path) = path().filter(|path| path.exists()) else {
            return Ok(BTreeMap::new());
        };
        let display_name = path.display();
        let text = fs::read_to_string(&path).map_err(|error| format!("{display_name}: {error}"))?;
        toml::from_str(&text).map_err(|error| format!("{display_name}: {error}"))
    });
    services.as_ref().map_err(Clone::clone)
}

/// Returns the address of a service.
pub(crate) fn address(name: &str) -> Result<Url, String> {
    let services = services()?;
    if let Some(service) = services.get(name) {
        return Ok(service.address.clone());
    }
    let mut known: Vec<&str> = services.keys().map(String::as_str).collect();
    if known.is_empty() {
        known.push("none");
    }
    Err(format!(
        "no service is called `{name}` in {}; there: {}",
        path().unwrap_or_default().display(),
        known.join(", ")
    ))
}

/// Returns the services whose names begin with some text, with their addresses.
pub(crate) fn beginning_with(start: &str) -> Vec<(&'static str, String)> {
    services()
        .into_iter()
        .flatten()
        .filter(|(name, _)| name.starts_with(start))
        .map(|(name, service)| (&**name, without_secrets(&service.address).to_string()))
        .collect()
}

/// Returns the service whose credentials are for a URL: the one at this address, or else on this origin.
pub(crate) fn with_credentials_for(url: &Url) -> Option<&'static NamedService> {
    // No command gets credentials.
    if exec::is_command(url) {
        return None;
    }
    let services = services().ok()?;
    services
        .values()
        .find(|service| service.address == *url)
        .or_else(|| {
            services
                .values()
                .find(|service| service.address.origin() == url.origin())
        })
}

impl NamedService {
    /// Returns the bearer token. The first time, runs the command for it.
    pub(crate) fn token(&self) -> Result<Option<&str>, Failure> {
        let Some(command) = &self.token_command else {
            return Ok(None);
        };
        if self.token.get().is_none() {
            let [shell, option] = if cfg!(windows) {
                ["cmd", "/C"]
            } else {
                ["sh", "-c"]
            };
            let output = Command::new(shell)
                .args([option, command])
                .stderr(Stdio::inherit())
                .output()
                .map_err(|error| token_failure(command, &error))?;
            if !output.status.success() {
                return Err(token_failure(command, &output.status));
            }
            let _ = self
                .token
                .set(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        Ok(self.token.get().map(String::as_str))
    }
}

fn token_failure(command: &str, reason: &dyn std::fmt::Display) -> Failure {
    Failure::system(format_args!("token-command `{command}`: {reason}"))
}
