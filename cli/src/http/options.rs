//! The options that all commands share: how to reach a service, and as whom.
//!
//! Their documentation is the help text of the command. [`super::Client`] carries them out.

use std::path::PathBuf;
use std::time::Duration;

/// The heading of these options in help.
pub(crate) const REQUESTS_HEADING: &str = "Requests";

/// The options for reaching a service, and the credentials for it.
#[derive(Clone, Default, clap::Args)]
#[command(next_help_heading = REQUESTS_HEADING)]
pub(crate) struct RequestOptions {
    /// Read a bearer token from FILE, or from standard input with `-`
    ///
    /// Without this option, the variable DOCENT_TOKEN is used if it is set. Credentials are sent
    /// only to the origin (scheme, host and port) that you type.
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "token")]
    pub(crate) token_file: Option<PathBuf>,
    /// Send this bearer token
    ///
    /// Other users of this machine can see it in the list of processes, and it stays in your
    /// shell's history. Prefer --token-file or DOCENT_TOKEN.
    #[arg(long, global = true, value_name = "TOKEN")]
    pub(crate) token: Option<String>,
    /// Send the API key in FILE, or in standard input with `-`, with calls
    ///
    /// The key goes into the header field that the description names. Without this option, the variable
    /// DOCENT_API_KEY is used if it is set. If the description itself requires a key, or the service has
    /// several, use -H.
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "api_key")]
    pub(crate) api_key_file: Option<PathBuf>,
    /// Send this API key with calls
    ///
    /// Other users can see it, as with --token. Prefer --api-key-file or DOCENT_API_KEY.
    #[arg(long, global = true, value_name = "KEY")]
    pub(crate) api_key: Option<String>,
    /// Send a header field, or those in a file with `@FILE`, one on each line
    ///
    /// A value given as an argument can be seen in the list of processes, like --token. Header
    /// fields go only to the origin that you type, and their values are never printed.
    #[arg(short = 'H', long, global = true, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,
    /// The most time to connect, in seconds
    #[arg(long, global = true, value_name = "SECONDS", default_value = "5", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) connect_timeout: Duration,
    /// The most time for a request and its response, in seconds [default: 30 for descriptions, no
    /// limit for calls]
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) max_time: Option<Duration>,
    /// Use this proxy: `http://`, `https://`, `socks4://` or `socks5://`
    ///
    /// Without this option, the variables http_proxy, https_proxy, all_proxy and no_proxy decide.
    /// They do not apply to this machine (localhost).
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) proxy: Option<String>,
    /// Trust the certificate authorities in this file (PEM), and no others
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) cacert: Option<PathBuf>,
    /// Identify yourself with this certificate (PEM)
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) cert: Option<PathBuf>,
    /// The private key of --cert (PEM) [default: the key in the same file]
    #[arg(long, global = true, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
    /// Connect to this Unix domain socket, whatever host the URL names
    #[arg(long, global = true, value_name = "PATH", conflicts_with = "proxy")]
    pub(crate) unix_socket: Option<PathBuf>,
    /// Accept any certificate, which lets anyone on the network read and change what is sent
    #[arg(long, global = true)]
    pub(crate) insecure: bool,
    /// True while a shell completes a line.
    #[arg(skip)]
    pub(crate) is_at_prompt: bool,
}

/// Reads a number of seconds, such as `2` or `0.5`.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("expected a number of seconds above 0".to_owned()),
    }
}
