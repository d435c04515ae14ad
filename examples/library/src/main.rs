//! Opens the library and serves it at `/rpc`.

use std::error::Error;
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;

use docent_server::Server;
use library::api;
use library::settings::{self, Command, Settings, USAGE};
use library::store::Store;

fn main() -> ExitCode {
    let command = match settings::parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("library: {error}; --help says what there is");
            return ExitCode::from(2);
        }
    };
    let outcome = match command {
        Command::Help => {
            say(USAGE);
            Ok(())
        }
        Command::Serve(settings) => run(&settings),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("library: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(settings: &Settings) -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    let store = Store::open(&settings.database)?;
    let service = api::service(store, settings.public_url.as_deref())?;
    actix_web::rt::System::new().block_on(async {
        let server = Server::new(service)
            .bind(&settings.listen)
            .map_err(|error| format!("cannot listen at {}: {error}", settings.listen))?;
        greet(server.addresses(), &settings.database);
        Ok(server.run().await?)
    })
}

/// Says where the library is and what to try first.
fn greet(addresses: &[SocketAddr], database: &Path) {
    let Some(first) = addresses.first() else {
        return;
    };
    let places: Vec<_> = addresses
        .iter()
        .map(|address| {
            format!(
                "library listens at http://{address}/rpc
"
            )
        })
        .collect();
    let places = places.concat();
    let database = database.display();
    say(&format!(
        "{places}\nIts books and loans are in {database}. Find a book:\n\n  \
         curl 'http://{first}/rpc/book.find?words=whale&limit=1'\n\n\
         See what else it can do:\n\n  curl http://{first}/rpc\n\n"
    ));
}

/// Prints a text. Whoever closed the other end does not want to read it, and that is no reason not
/// to serve.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
