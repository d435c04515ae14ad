//! Parses the command line.
//!
//! Every setting is checked before anything is opened, so that a mistake stops the program at once and with a
//! message.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use crate::token::Token;

/// The help text.
pub const USAGE: &str = "\
A lending library as a JSON-RPC service.

Usage: library [--listen ADDR] [--database PATH] [--public-url URL] [--token TOKEN]
               [--metrics] [--notice SECONDS]
       library --mcp | --stdio [--database PATH]

  --listen ADDR     the address to listen on [default: 127.0.0.1:8080]
  --database PATH   the database file, created if it does not exist, or the URL of a
                    PostgreSQL database, such as postgres://user@localhost/library;
                    the variable PGPASSWORD may hold its password
                    [default: library.db in the current folder]
  --public-url URL  the public URL of the service, such as https://example.com/rpc,
                    used in its description
  --token TOKEN     the token that write calls require; other users of the machine can
                    see arguments, so prefer the variable LIBRARY_TOKEN
                    [default: a random one, generated and printed at each start]
  --metrics         serve metrics for Prometheus at /metrics
  --notice SECONDS  the time to accept calls after the signal to stop, while /health
                    already answers 503 [default: 0]
  --mcp             serve only the tools for agents, over standard input and output
                    instead of over HTTP at /mcp
  --stdio           serve calls and subscriptions over standard input and output, one
                    message on each line, instead of over HTTP; without a token, so
                    that nothing is written
  --help            print this help and exit
";

/// The environment variable with the token that write calls require.
pub const TOKEN_VARIABLE: &str = "LIBRARY_TOKEN";

/// A request on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Serve the library.
    Serve(Settings),
    /// Print the help text.
    Help,
}

/// The settings of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The address to listen on: a host name or an IP address, and a port.
    pub listen: String,
    /// The database file, or the URL of a PostgreSQL database.
    pub database: PathBuf,
    /// The URL where callers reach the service, if known.
    pub public_url: Option<String>,
    /// The token that write calls require. `None` generates one.
    pub token: Option<Token>,
    /// True if calls are counted and the counts are served.
    pub metrics: bool,
    /// The time for which calls are accepted after the signal to stop.
    pub notice: Duration,
    /// True if tools are served over standard input and output, instead of HTTP.
    pub mcp: bool,
    /// True if calls and subscriptions are served over standard input and output, instead of HTTP.
    pub stdio: bool,
}

impl Default for Settings {
    /// Returns port 8080, reachable only from this machine, and `library.db` in the current folder.
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8080".to_owned(),
            database: PathBuf::from("library.db"),
            public_url: None,
            token: None,
            metrics: false,
            notice: Duration::ZERO,
            mcp: false,
            stdio: false,
        }
    }
}

/// A mistake in a command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// There is no such flag.
    #[error("unknown argument {}", .0.display())]
    Unknown(OsString),
    /// The flag needs a value.
    #[error("{0} needs a value")]
    Missing(&'static str),
    /// The value is not an address of the form `127.0.0.1:8080`.
    #[error("{} is not an address like 127.0.0.1:8080", .0.display())]
    NotAnAddress(OsString),
    /// The value is not an absolute URL of the form `https://example.com/rpc`.
    #[error("{} is not a URL like https://example.com/rpc", .0.display())]
    NotAUrl(OsString),
    /// The value is not a number of seconds.
    #[error("{} is not a number of seconds", .0.display())]
    NotSeconds(OsString),
    /// The value cannot be used as a bearer token. The error does not repeat it, because it may be
    /// the real token with a typo.
    #[error("--token takes letters, digits and -._~+/ only")]
    NotAToken,
    /// The variable [`TOKEN_VARIABLE`] cannot be used as a bearer token.
    #[error("{TOKEN_VARIABLE} takes letters, digits and -._~+/ only")]
    NotATokenInVariable,
}

/// Parses the arguments that follow the program's name.
///
/// A few flags do not justify a dependency on an argument parser.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, SettingsError> {
    let mut settings = Settings::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let (flag, mut value) = split(&argument);
        // `--flag=value` or `--flag value`.
        let mut value = |flag| {
            value
                .take()
                .or_else(|| arguments.next())
                .ok_or(SettingsError::Missing(flag))
        };
        match flag {
            Some("--listen") => settings.listen = address(value("--listen")?)?,
            Some("--database") => settings.database = value("--database")?.into(),
            Some("--public-url") => settings.public_url = Some(url(value("--public-url")?)?),
            Some("--token") => settings.token = Some(token(&value("--token")?)?),
            Some("--notice") => settings.notice = seconds(value("--notice")?)?,
            // A switch with a value, such as `--metrics=1`, is an unknown flag.
            _ if argument == "--metrics" => settings.metrics = true,
            _ if argument == "--mcp" => settings.mcp = true,
            _ if argument == "--stdio" => settings.stdio = true,
            _ if argument == "--help" || argument == "-h" => return Ok(Command::Help),
            _ => return Err(SettingsError::Unknown(argument)),
        }
    }
    Ok(Command::Serve(settings))
}

impl Settings {
    /// Takes the token from the value of [`TOKEN_VARIABLE`], unless the command line has one.
    pub fn with_token_of_environment(
        mut self,
        value: Option<OsString>,
    ) -> Result<Self, SettingsError> {
        if self.token.is_none()
            && let Some(value) = value
        {
            let token = token(&value).map_err(|_| SettingsError::NotATokenInVariable)?;
            self.token = Some(token);
        }
        Ok(self)
    }
}

/// Splits an argument into a flag and the value after its equals sign. An argument that is not
/// UTF-8 can only be the value of a flag, as a separate argument.
fn split(argument: &OsString) -> (Option<&str>, Option<OsString>) {
    match argument.to_str().map(|text| (text, text.split_once('='))) {
        Some((_, Some((flag, value)))) => (Some(flag), Some(value.into())),
        Some((flag, None)) => (Some(flag), None),
        None => (None, None),
    }
}

fn address(value: OsString) -> Result<String, SettingsError> {
    match value.to_str().and_then(|text| text.rsplit_once(':')) {
        Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
            Ok(format!("{host}:{port}"))
        }
        _ => Err(SettingsError::NotAnAddress(value)),
    }
}

fn url(value: OsString) -> Result<String, SettingsError> {
    let is_url =
        |text: &str| Url::parse(text).is_ok_and(|u| matches!(u.scheme(), "http" | "https"));
    match value.into_string() {
        Ok(text) if is_url(&text) => Ok(text),
        Ok(text) => Err(SettingsError::NotAUrl(text.into())),
        Err(value) => Err(SettingsError::NotAUrl(value)),
    }
}

fn seconds(value: OsString) -> Result<Duration, SettingsError> {
    let number = value.to_str().and_then(|text| text.parse::<u32>().ok());
    match number {
        Some(number) => Ok(Duration::from_secs(number.into())),
        None => Err(SettingsError::NotSeconds(value)),
    }
}

fn token(value: &OsStr) -> Result<Token, SettingsError> {
    let token = value.to_str().and_then(Token::new);
    token.ok_or(SettingsError::NotAToken)
}
