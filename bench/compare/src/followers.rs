//! Followers: what it costs to tell items to many of them, over SSE and over WebSockets, and what each of them takes
//! while it waits.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream as StdStream};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::http::{self, HttpContender};
use crate::options::Options;
use crate::process::{self, Server};
use crate::rounds::{Spread, alternate};
use crate::websocket::frames::{self, Messages};
use crate::{BoxError, table};

const FOLLOWERS: u32 = 10_000;

/// The followers that have a connection in common over WebSockets, and those that grow what all share before memory is
/// measured.
const GROUP: u32 = 100;

/// Followers that wait for longer are lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// The beginning of the line that each event has once.
const EVENT: &[u8] = b"data: ";

/// A comparison of servers.
struct Comparison {
    title: &'static str,
    subjects: [HttpContender; 2],
    carrier: Carrier,
    /// The items that each follower gets in a round.
    items: u32,
    /// The length of an item as JSON.
    item_length: usize,
}

/// The way in which items reach followers.
#[derive(Clone, Copy)]
enum Carrier {
    /// Each follower has a connection.
    Sse,
    /// A group of followers has one.
    WebSocket,
}

const DOCENT: HttpContender = HttpContender::new("Docent", "followers", true);

const COMPARISONS: [Comparison; 2] = [
    Comparison {
        title: "over SSE",
        subjects: [
            HttpContender::new("actix-web by hand", "followers-bare", true),
            DOCENT,
        ],
        carrier: Carrier::Sse,
        items: 20,
        item_length: 4,
    },
    Comparison {
        title: "over WebSockets, 100 on a connection",
        subjects: [
            HttpContender::new("jsonrpsee", "jsonrpsee-followers", false),
            DOCENT,
        ],
        carrier: Carrier::WebSocket,
        items: 100,
        item_length: 200,
    },
];

/// A measurement of one server.
struct Measured {
    /// The core time of one item for one follower, in nanoseconds.
    on_core: f64,
    /// The memory of a follower in bytes.
    memory: f64,
}

pub(crate) fn run(options: Options) -> Result<(), BoxError> {
    http::build()?;
    for comparison in &COMPARISONS {
        comparison.run(options)?;
    }
    Ok(())
}

impl Comparison {
    fn run(&self, options: Options) -> Result<(), BoxError> {
        let measured = alternate(&self.subjects, options.rounds, |subject| {
            self.measure(&subject.start(0)?)
        })?;
        let mut rows = Vec::new();
        for (subject, rounds) in self.subjects.iter().zip(&measured) {
            let on_core = Spread::of(rounds.iter().map(|round| round.on_core));
            let memory = Spread::of(rounds.iter().map(|round| round.memory));
            rows.push(vec![
                subject.title.to_owned(),
                table::time(on_core.lower),
                table::bytes(memory.lower),
            ]);
        }
        let title = format!(
            "{FOLLOWERS} followers {}: {} items of {} bytes, the lower quartile of {} rounds",
            self.title, self.items, self.item_length, options.rounds
        );
        let names = [
            "server",
            "core time of an item for a follower",
            "memory of a follower",
        ];
        table::print(&title, &names, &rows);
        Ok(())
    }

    fn measure(&self, server: &Server) -> Result<Measured, BoxError> {
        let memory = || process::memory(server.id(), "VmRSS:").ok_or("the server has gone");
        let mut followers = Followers::new(server.address, self.carrier)?;
        followers.connect(GROUP)?;
        let before = memory()?;
        followers.connect(FOLLOWERS - GROUP)?;
        let after = memory()?;
        self.publish(server.address, 0)?;
        followers.read(FOLLOWERS)?;
        let begun = process::on_core(server.id())?;
        for number in 1..=self.items {
            self.publish(server.address, number)?;
            followers.read(FOLLOWERS)?;
        }
        let on_core = process::on_core(server.id())?.saturating_sub(begun);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let grown = after.saturating_sub(before) as f64;
        Ok(Measured {
            on_core: on_core.as_secs_f64() * 1e9 / f64::from(FOLLOWERS * self.items),
            memory: grown / f64::from(FOLLOWERS - GROUP),
        })
    }

    /// Lets the server tell an item.
    fn publish(&self, address: SocketAddr, number: u32) -> Result<(), BoxError> {
        // JSON has quotation marks around it.
        let item = format!("{number:0width$}", width = self.item_length - 2);
        match self.carrier {
            Carrier::Sse => {
                let mut connection = StdStream::connect(address)?;
                let request = format!(
                    "GET /rpc/item.publish?item={item} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                );
                connection.write_all(request.as_bytes())?;
                connection.read_to_end(&mut Vec::new())?;
            }
            Carrier::WebSocket => {
                let call = format!(
                    r#"{{"jsonrpc":"2.0","method":"item.publish","params":["{item}"],"id":1}}"#
                );
                frames::exchange(&mut frames::open(address)?, &frames::masked(&call)?, 1)?;
            }
        }
        Ok(())
    }
}

impl Carrier {
    /// Returns how many followers a connection has.
    fn group(self) -> u32 {
        match self {
            Self::Sse => 1,
            Self::WebSocket => GROUP,
        }
    }

    /// Opens a connection of followers, and reads the answer to each.
    fn open(self, address: SocketAddr) -> Result<StdStream, BoxError> {
        match self {
            Self::Sse => open_events(address),
            Self::WebSocket => {
                let mut connection = frames::open(address)?;
                let call = frames::masked(r#"{"jsonrpc":"2.0","method":"item.watch","id":1}"#)?;
                let count = usize::try_from(self.group())?;
                frames::exchange(&mut connection, &call.repeat(count), count)?;
                Ok(connection)
            }
        }
    }
}

/// Opens a connection with events, and reads the first one.
fn open_events(address: SocketAddr) -> Result<StdStream, BoxError> {
    let mut connection = StdStream::connect(address)?;
    connection.write_all(
        b"GET /rpc/item.watch HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
    )?;
    connection.set_read_timeout(Some(PATIENCE))?;
    let mut response = Vec::new();
    let mut piece = [0; 1024];
    while events(&response) == 0 {
        match connection.read(&mut piece)? {
            0 => return Err(String::from_utf8_lossy(&response).into_owned().into()),
            read => response.extend_from_slice(&piece[..read]),
        }
    }
    Ok(connection)
}

/// The connections of followers.
struct Followers {
    address: SocketAddr,
    carrier: Carrier,
    poll: Poll,
    connections: Vec<Connection>,
}

struct Connection {
    stream: TcpStream,
    messages: Messages,
}

impl Followers {
    fn new(address: SocketAddr, carrier: Carrier) -> io::Result<Self> {
        Ok(Self {
            address,
            carrier,
            poll: Poll::new()?,
            connections: Vec::new(),
        })
    }

    /// Adds followers, one connection after the other.
    fn connect(&mut self, count: u32) -> Result<(), BoxError> {
        for _ in 0..count / self.carrier.group() {
            let connection = self.carrier.open(self.address)?;
            connection.set_nonblocking(true)?;
            let mut stream = TcpStream::from_std(connection);
            let token = Token(self.connections.len());
            let registry = self.poll.registry();
            registry.register(&mut stream, token, Interest::READABLE)?;
            self.connections.push(Connection {
                stream,
                messages: Messages::default(),
            });
        }
        Ok(())
    }

    /// Reads this many items, over all connections. There must be no more.
    fn read(&mut self, count: u32) -> Result<(), BoxError> {
        let end = Instant::now() + PATIENCE;
        let mut ready = Events::with_capacity(4096);
        let mut scratch = vec![0; 64 << 10];
        let expected = usize::try_from(count)?;
        let mut items = 0;
        while items < expected {
            if Instant::now() > end {
                return Err(format!("{} followers got nothing", expected - items).into());
            }
            self.poll.poll(&mut ready, Some(Duration::from_secs(1)))?;
            for event in &ready {
                let connection = &mut self.connections[event.token().0];
                loop {
                    match connection.stream.read(&mut scratch) {
                        Ok(0) => return Err("a follower was closed".into()),
                        Ok(read) => {
                            items += match self.carrier {
                                Carrier::Sse => events(&scratch[..read]),
                                Carrier::WebSocket => {
                                    connection.messages.count(&scratch[..read])?
                                }
                            };
                        }
                        Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        }
        if items > expected {
            return Err(format!("followers got {} items too many", items - expected).into());
        }
        Ok(())
    }
}

/// Counts the events in bytes. None of these is divided, since each is smaller than a packet.
fn events(bytes: &[u8]) -> usize {
    bytes
        .windows(EVENT.len())
        .filter(|window| *window == EVENT)
        .count()
}
