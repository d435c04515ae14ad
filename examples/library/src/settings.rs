//! The command line.

use std::ffi::OsString;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// How to call the program.
pub const USAGE: &str = "\
A lending library as a JSON-RPC service.

Usage: library [--listen ADDR] [--database PATH]

  --listen ADDR    where to listen for calls [default: 127.0.0.1:8080]
  --database PATH  the file to keep the library in, created where it is not there
                   [default: library.db in the current folder]
  --help           print this and stop
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
    /// Where to listen for calls.
    pub listen: SocketAddr,
    /// The file to keep the library in.
    pub database: PathBuf,
}

impl Default for Settings {
    /// Port 8080, reachable from this machine alone; `library.db` in the current folder.
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            database: PathBuf::from("library.db"),
        }
    }
}

/// Why a command line was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsError {
    /// There is no such flag.
    Unknown(OsString),
    /// The flag needs a value after it.
    Missing(&'static str),
    /// The value is no address of the form `127.0.0.1:8080`.
    NotAnAddress(OsString),
}

/// Reads the arguments, the program's own name not among them.
///
/// By hand: two flags do not pay for an argument parser.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, SettingsError> {
    let mut settings = Settings::default();
    let mut arguments = arguments.into_iter();
    while let Some(flag) = arguments.next() {
        match flag.to_str() {
            Some("--listen") => {
                let value = arguments.next().ok_or(SettingsError::Missing("--listen"))?;
                settings.listen = value
                    .to_str()
                    .and_then(|text| text.parse().ok())
                    .ok_or(SettingsError::NotAnAddress(value))?;
            }
            Some("--database") => {
                let value = arguments
                    .next()
                    .ok_or(SettingsError::Missing("--database"))?;
                settings.database = value.into();
            }
            Some("--help" | "-h") => return Ok(Command::Help),
            _ => return Err(SettingsError::Unknown(flag)),
        }
    }
    Ok(Command::Serve(settings))
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(flag) => write!(f, "unknown argument {}", flag.display()),
            Self::Missing(flag) => write!(f, "{flag} needs a value"),
            Self::NotAnAddress(value) => {
                write!(f, "{} is no address like 127.0.0.1:8080", value.display())
            }
        }
    }
}

impl std::error::Error for SettingsError {}
