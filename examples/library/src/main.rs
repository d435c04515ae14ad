//! Opens the library and serves it at `/rpc` and for agents at `/mcp`, or over standard input and output.
//!
//! It reads the settings, opens the store, and adds to the service what only an operator decides: addresses,
//! limits and logs.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::ExitCode;

use actix_web::web;
use docent::{Routes, Server};
use library::api;
use library::settings::{self, Command, Settings, SettingsError, TOKEN_VARIABLE, USAGE};
use library::store::{self, Store};
use library::token::Token;

/// The number of threads in each worker that wait for the database. It has one connection for
/// writing and a few for reading, so more threads would use memory only to wait elsewhere.
const BLOCKING_THREADS: usize = 16;

fn main() -> ExitCode {
    let settings = match command() {
        Ok(Command::Help) => {
            say(USAGE);
            return ExitCode::SUCCESS;
        }
        Ok(Command::Serve(settings)) => settings,
        Err(error) => {
            eprintln!("library: {error}; see --help");
            return ExitCode::from(2);
        }
    };
    match serve(&settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("library: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the command that the arguments ask for, with the token of the environment if they have none.
fn command() -> Result<Command, SettingsError> {
    match settings::parse(std::env::args_os().skip(1))? {
        Command::Help => Ok(Command::Help),
        Command::Serve(settings) => {
            let token = std::env::var_os(TOKEN_VARIABLE);
            Ok(Command::Serve(settings.with_token_of_environment(token)?))
        }
    }
}

/// Opens the library and serves it until the program is told to stop.
fn serve(settings: &Settings) -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .init();
    // Bound before anything is done to the database: another process at this address may be using it.
    let listener = if settings.mcp || settings.stdio {
        None
    } else {
        Some(listen(&settings.listen)?)
    };
    let store = Store::open(&settings.database)?;
    let (token, was_made) = match &settings.token {
        Some(token) => (token.clone(), false),
        None => (Token::random()?, true),
    };
    let service = api::service(store.clone(), &token, settings.public_url.as_deref())?;
    let Some(listener) = listener else {
        // The caller reads standard output, so nothing else is printed there.
        return Ok(actix_web::rt::System::new().block_on(async {
            if settings.mcp {
                docent::mcp::serve(&service).await
            } else {
                docent::stdio::serve(&service).await
            }
        })?);
    };
    actix_web::rt::System::new().block_on(async {
        let mut routes = Routes::new(service)
            .websocket()
            .ready(move || check(store.clone()))
            .options(|options| options.mcp_origins = own_origins(&settings.listen));
        if settings.metrics {
            routes = routes.metrics();
        }
        let server = Server::new(routes)
            .blocking_threads(BLOCKING_THREADS)
            .shutdown_notice(settings.notice)
            .listen(listener)?;
        greet(server.addresses(), &settings.database);
        if let Some(address) = server.addresses().first() {
            say(&how_to_write(*address, was_made.then_some(&token)));
        }
        Ok(server.run().await?)
    })
}

/// Asks the database whether it can serve calls.
async fn check(store: Store) -> Result<(), Box<dyn Error + Send + Sync>> {
    Ok(web::block(move || store.check()).await??)
}

/// Listens on the first address of a name that works.
fn listen(address: &str) -> io::Result<TcpListener> {
    TcpListener::bind(address).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
    })
}

/// Returns the origins of the library's own pages, if only this machine can reach them: they may call tools.
/// Pages of other origins may not, whatever name they have given to this machine.
fn own_origins(listen: &str) -> Vec<String> {
    let Ok(address) = listen.parse::<SocketAddr>() else {
        return Vec::new();
    };
    let port = address.port();
    // With port 0, the system chooses one, which is not known yet.
    if !address.ip().is_loopback() || port == 0 {
        return Vec::new();
    }
    vec![
        format!("http://{address}"),
        format!("http://localhost:{port}"),
    ]
}

/// Prints the library's address and a first call to try.
fn greet(addresses: &[SocketAddr], database: &Path) {
    for address in addresses {
        say(&format!("library listens at http://{address}/rpc\n"));
    }
    if let Some(address) = addresses.first() {
        let database = store::describe(database);
        say(&format!(
            "\nThe books and loans are {database}. Find a book:\n\n  \
             curl 'http://{address}/rpc/book.find?words=whale&limit=1'\n\n\
             The reference site is at http://{address}/docs/. Get the description:\n\n  \
             curl http://{address}/rpc\n\n\
             Agents find tools at http://{address}/mcp.\n\n"
        ));
    }
}

/// Returns what write calls require. A token from the command line is not printed, because output
/// may be logged.
fn how_to_write(address: SocketAddr, made: Option<&Token>) -> String {
    let (origin, token) = match made {
        Some(token) => (
            "this token, generated for this run (choose your own with --token)",
            token.as_str(),
        ),
        None => ("the token you gave with --token", "TOKEN"),
    };
    format!(
        "Anyone can read. Write calls require {origin}:\n\n  \
         curl http://{address}/rpc -H 'Content-Type: application/json' \\\n    \
         -H 'Authorization: Bearer {token}' \\\n    \
         -d '{{\"jsonrpc\":\"2.0\",\"method\":\"member.add\",\"params\":[\"Tove Berg\"],\"id\":1}}'\n\n"
    )
}

/// Prints a text. A closed standard output does not stop the service.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
