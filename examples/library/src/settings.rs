//! The command line.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use url::Url;

use crate::token::Token;

/// How to call the program.
pub const USAGE: &str = "\
A lending library as a JSON-RPC service.

Usage: library [--listen ADDR] [--database PATH] [--public-url URL] [--token TOKEN]
               [--metrics]

  --listen ADDR     the address to listen on [default: 127.0.0.1:8080]
  --database PATH   the database file, created if it does not exist
                    [default: library.db in the current folder]
  --public-url URL  the public URL of the service, such as https://example.com/rpc,
                    used in its description
  --token TOKEN     the token that write calls require
                    [default: a random one, generated and printed at each start]
  --metrics         serve metrics for Prometheus at /metrics
  --help            print this help and exit
";

/// What the command line asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// To offer the service.
    Serve(Settings),
    /// To say how the program is called.
    Help,
}

/// How to offer the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where to listen for calls: a host, by name or by number, and a port.
    pub listen: String,
    /// The file to keep the library in.
    pub database: PathBuf,
    /// Where callers reach the service, if that is known.
    pub public_url: Option<String>,
    /// What those bring who change something; one is made where there is none.
    pub token: Option<Token>,
    /// Whether calls are counted and the counts served.
    pub metrics: bool,
}

impl Default for Settings {
    /// Port 8080, reachable from this machine alone; `library.db` in the current folder.
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8080".to_owned(),
            database: PathBuf::from("library.db"),
            public_url: None,
            token: None,
            metrics: false,
        }
    }
}

/// Why a command line was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsError {
    /// There is no such flag.
    Unknown(OsString),
    /// The flag needs a value.
    Missing(&'static str),
    /// The value is no address of the form `127.0.0.1:8080`.
    NotAnAddress(OsString),
    /// The value is no absolute URL of the form `https://example.com/rpc`.
    NotAUrl(OsString),
    /// The value cannot be brought as a bearer token. It is not repeated: it may be one but for a
    /// slip of the finger.
    NotAToken,
}

/// Reads the arguments, the program's own name not among them.
///
/// By hand: five flags do not pay for an argument parser.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, SettingsError> {
    let mut settings = Settings::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let (flag, mut value) = split(&argument);
        // `--flag=value` or `--flag value`.
        let mut value = |flag| {
            let given = value.take().or_else(|| arguments.next());
            given.ok_or(SettingsError::Missing(flag))
        };
        match flag {
            Some("--listen") => settings.listen = address(value("--listen")?)?,
            Some("--database") => settings.database = value("--database")?.into(),
            Some("--public-url") => settings.public_url = Some(url(value("--public-url")?)?),
            Some("--token") => settings.token = Some(token(&value("--token")?)?),
            // A switch has no value, and one that is given is not passed over.
            _ if argument == "--metrics" => settings.metrics = true,
            _ if argument == "--help" || argument == "-h" => return Ok(Command::Help),
            _ => return Err(SettingsError::Unknown(argument)),
        }
    }
    Ok(Command::Serve(settings))
}

/// A flag and the value behind its equals sign. What is not UTF-8 is no flag of ours, unless it is
/// the value of one, which then stands by itself.
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

fn token(value: &OsStr) -> Result<Token, SettingsError> {
    let token = value.to_str().and_then(Token::new);
    token.ok_or(SettingsError::NotAToken)
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(flag) => write!(f, "unknown argument {}", flag.display()),
            Self::Missing(flag) => write!(f, "{flag} needs a value"),
            Self::NotAnAddress(value) => {
                write!(
                    f,
                    "{} is not an address like 127.0.0.1:8080",
                    value.display()
                )
            }
            Self::NotAUrl(value) => {
                write!(
                    f,
                    "{} is not a URL like https://example.com/rpc",
                    value.display()
                )
            }
            Self::NotAToken => f.write_str("--token takes letters, digits and -._~+/ only"),
        }
    }
}

impl std::error::Error for SettingsError {}
