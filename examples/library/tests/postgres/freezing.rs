//! Connections that freeze: nothing arrives on them any more, and nothing tells that.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use library::clock::FixedClock;
use library::model::{AddMember, GetStats};
use library::store::Store;
use postgres::Config;
use postgres::config::Host;

use crate::support::{FIRST_DAY, Library, Writes, day};

/// More than a store has connections.
const CALLERS: usize = 12;

/// A way to the server on which connections can freeze.
struct Way {
    address: SocketAddr,
    /// The number of connections that were made.
    made: AtomicUsize,
    /// The number of connections, from the first on, that are frozen.
    frozen: AtomicUsize,
}

impl Way {
    fn to(socket: String) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let way = Arc::new(Self {
            address: listener.local_addr().unwrap(),
            made: AtomicUsize::new(0),
            frozen: AtomicUsize::new(0),
        });
        let accepting = Arc::clone(&way);
        thread::spawn(move || {
            for client in listener.incoming() {
                let number = accepting.made.fetch_add(1, Ordering::SeqCst);
                let client = client.unwrap();
                let server = UnixStream::connect(&socket).unwrap();
                accepting.carry(number, &client, &server);
            }
        });
        way
    }

    /// Carries what the client and the server say.
    fn carry(self: &Arc<Self>, number: usize, client: &TcpStream, server: &UnixStream) {
        let asking = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let answering = (server.try_clone().unwrap(), client.try_clone().unwrap());
        let way = Arc::clone(self);
        thread::spawn(move || {
            way.copy(number, asking.0, &asking.1);
            let _ = asking.1.shutdown(Shutdown::Both);
        });
        let way = Arc::clone(self);
        thread::spawn(move || {
            way.copy(number, answering.0, &answering.1);
            let _ = answering.1.shutdown(Shutdown::Both);
        });
    }

    /// Copies until an end, or silently nothing more once the connection is frozen.
    fn copy(&self, number: usize, mut from: impl Read, mut to: impl Write) {
        let mut piece = [0; 8_192];
        while let Ok(length @ 1..) = from.read(&mut piece) {
            let is_frozen = number < self.frozen.load(Ordering::SeqCst);
            if !is_frozen && to.write_all(&piece[..length]).is_err() {
                return;
            }
        }
    }

    /// Freezes all connections that were made so far.
    fn freeze(&self) {
        let made = self.made.load(Ordering::SeqCst);
        self.frozen.store(made, Ordering::SeqCst);
    }
}

/// Returns the path of the socket of the server.
fn socket(url: &str) -> String {
    let config: Config = url.parse().unwrap();
    let [Host::Unix(folder)] = config.get_hosts() else {
        panic!("the server has a socket");
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    format!("{}/.s.PGSQL.{port}", folder.display())
}

/// A library whose store has used as many connections as it may, all of which are frozen.
fn frozen() -> (Library, Store) {
    let library = Library::new();
    let way = Way::to(socket(&library.database.url()));
    let address = way.address;
    let name = library.database.name();
    let url = format!("postgres://postgres@{address}/{name}");
    let clock = Arc::new(FixedClock(day(FIRST_DAY)));
    let store = Store::open_with_clock(url.as_ref(), clock).unwrap();
    let start = Barrier::new(CALLERS);
    thread::scope(|scope| {
        for _ in 0..CALLERS {
            scope.spawn(|| {
                start.wait();
                for _ in 0..5 {
                    store.stats(&GetStats::default()).unwrap();
                }
                store.add_member(&somebody()).unwrap();
            });
        }
    });
    way.freeze();
    (library, store)
}

fn somebody() -> AddMember {
    AddMember {
        name: "Tove Berg".to_owned(),
    }
}

#[test]
fn the_first_read_after_all_connections_have_frozen_has_a_result() {
    let (_library, store) = frozen();
    store.stats(&GetStats::default()).unwrap();
}

#[test]
fn the_first_write_after_all_connections_have_frozen_is_done_once() {
    let (library, store) = frozen();
    let members = || library.store.stats(&GetStats::default()).unwrap().members;
    let before = members();
    store.add_member(&somebody()).unwrap();
    assert_eq!(members(), before + 1);
}

#[test]
fn many_callers_have_results_after_all_connections_have_frozen() {
    let (_library, store) = frozen();
    thread::scope(|scope| {
        for _ in 0..CALLERS {
            scope.spawn(|| {
                // Where all wait for connections at once, one may have to come back.
                while let Err(error) = store.stats(&GetStats::default()) {
                    assert!(error.may_pass(), "{error}");
                }
            });
        }
    });
}
