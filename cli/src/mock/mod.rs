//! `docent mock`: stands in for a described service.
//!
//! A description goes in, and a server comes out that answers every call with an example, or a value of the right type:
//!
//! ```text
//! docent mock library.json --listen 127.0.0.1:9000
//! docent call http://127.0.0.1:9000/rpc book.find title=Emma      parameters are checked, and a book comes back
//! ```
//!
//! [`responder`] answers calls and subscriptions by the description, and [`pages`] puts them into HTTP, beside the
//! reference site; [`socket`] has the same responses over a WebSocket. None stores anything: the same call always has
//! the same response, and the items that follow it ([`stream`]) are there at once, so tests against a mock are
//! repeatable.
//!
//! The mock checks parameters with the binding of `docent-core`, but has no service of it: without handlers, there is
//! nothing to dispatch to.

mod pages;
mod responder;
#[cfg(feature = "websocket")]
mod socket;
mod stream;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use docent_describe::{Carrier, Origin, ServiceDescription};

use crate::args::MockArgs;
use crate::failure::Failure;
use crate::http::Client;
use crate::terminal::Terminal;
use crate::web;
use pages::MockPages;

/// Serves until the process is stopped.
pub(crate) fn run(args: &MockArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let described = args.input.read(client)?;
    terminal.warn_all(described.left_out());
    let mut description = described.reading.description;
    let listen = args.listen;
    let listener = TcpListener::bind(listen).map_err(|error| failed(listen, &error))?;
    let address = listener
        .local_addr()
        .map_err(|error| failed(listen, &error))?;
    let origin = format!("http://{address}");
    // A mock speaks JSON-RPC over HTTP, and counts no calls.
    if description.origin == Origin::Mcp {
        description.origin = Origin::Docent;
    }
    for procedure in &mut description.procs {
        procedure.limits = None;
    }
    description.address = Some(format!("{origin}{}", pages::MOUNT_PATH));
    description.carriers = carriers(&description, address);
    let pages = Arc::new(MockPages::new(description, &origin)?);
    let served_pages = Arc::clone(&pages);
    web::start(listener, move |request| served_pages.respond(request))
        .map_err(|error| failed(listen, &error))?;
    // Scripts need the address, so it is not progress output.
    terminal.write(format!("{origin}{}\n", pages::MOUNT_PATH))?;
    terminal.progress(format_args!("docent: docs at {origin}/docs/"));
    terminal.warn_all(pages.warnings());
    // The server has threads of its own, which end with the process.
    loop {
        thread::park();
    }
}

/// Returns the carriers of the mock of a service.
fn carriers(description: &ServiceDescription, address: SocketAddr) -> Vec<Carrier> {
    let mut carriers = vec![Carrier::new("http")];
    if description
        .procs
        .iter()
        .any(|procedure| procedure.subscription.is_some())
    {
        carriers.push(Carrier::new("sse"));
    }
    if cfg!(feature = "websocket") {
        let mut websocket = Carrier::new("websocket");
        websocket.address = Some(format!("ws://{address}{}", pages::MOUNT_PATH));
        carriers.push(websocket);
    }
    carriers
}

/// Returns a failure that names the address.
fn failed(listen: SocketAddr, error: &io::Error) -> Failure {
    Failure::system(format_args!("{listen}: {error}"))
}
