//! Followers: what it costs to tell an item to many of them over SSE, and what each of them takes while it waits.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream as StdStream};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::options::Options;
use crate::process::{self, Server};
use crate::rounds::Spread;
use crate::{BoxError, table};

const FOLLOWERS: u32 = 10_000;

/// The items that each follower gets in a round.
const ITEMS: u32 = 20;

/// The servers: their titles, and the words that start them. The others are compared with the first.
const SUBJECTS: [(&str, &str); 2] = [
    ("actix-web by hand", "followers-bare"),
    ("Docent", "followers"),
];

/// Followers that wait for longer are lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// The beginning of the line that each event has once.
const EVENT: &[u8] = b"data: ";

/// A measurement of one server.
struct Measured {
    /// The core time of one item for one follower, in nanoseconds.
    on_core: f64,
    /// The memory of a follower in bytes.
    memory: f64,
}

pub(crate) fn run(options: Options) -> Result<(), BoxError> {
    process::build(&["bench-http"])?;
    let mut measured: [Vec<Measured>; 2] = Default::default();
    for _ in 0..options.rounds {
        for ((_, way), rounds) in SUBJECTS.iter().zip(&mut measured) {
            let mut command = process::pinned("0", process::ours("serve"));
            command.args([way, "1"]);
            rounds.push(measure(&Server::start(&mut command)?)?);
        }
    }
    let mut rows = Vec::new();
    for ((title, _), rounds) in SUBJECTS.iter().zip(&measured) {
        let on_core = Spread::of(rounds.iter().map(|round| round.on_core));
        let memory = Spread::of(rounds.iter().map(|round| round.memory));
        rows.push(vec![
            (*title).to_owned(),
            table::time(on_core.lower),
            table::bytes(memory.lower),
        ]);
    }
    let title = format!(
        "{FOLLOWERS} followers of one item over SSE, the lower quartile of {} rounds",
        options.rounds
    );
    let names = [
        "server",
        "core time of an item for a follower",
        "memory of a follower",
    ];
    table::print(&title, &names, &rows);
    Ok(())
}

fn measure(server: &Server) -> Result<Measured, BoxError> {
    let memory = || process::memory(server.id(), "VmRSS:").ok_or("the server has gone");
    let mut followers = Followers::new(server.address)?;
    // The first hundred grow what all share.
    followers.connect(100)?;
    let before = memory()?;
    followers.connect(FOLLOWERS - 100)?;
    let after = memory()?;
    publish(server.address, 0)?;
    followers.read(FOLLOWERS)?;
    let begun = process::on_core(server.id())?;
    for item in 1..=ITEMS {
        publish(server.address, item)?;
        followers.read(FOLLOWERS)?;
    }
    let on_core = process::on_core(server.id())?.saturating_sub(begun);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let grown = after.saturating_sub(before) as f64;
    Ok(Measured {
        on_core: on_core.as_secs_f64() * 1e9 / f64::from(FOLLOWERS * ITEMS),
        memory: grown / f64::from(FOLLOWERS - 100),
    })
}

/// Lets the server tell an item.
fn publish(address: SocketAddr, item: u32) -> io::Result<()> {
    let mut connection = StdStream::connect(address)?;
    let request = format!(
        "GET /rpc/item.publish?item={item} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    );
    connection.write_all(request.as_bytes())?;
    connection.read_to_end(&mut Vec::new())?;
    Ok(())
}

/// The connections of followers.
struct Followers {
    address: SocketAddr,
    poll: Poll,
    connections: Vec<TcpStream>,
}

impl Followers {
    fn new(address: SocketAddr) -> io::Result<Self> {
        Ok(Self {
            address,
            poll: Poll::new()?,
            connections: Vec::new(),
        })
    }

    /// Adds followers, one after the other, and reads the answer to each.
    fn connect(&mut self, count: u32) -> Result<(), BoxError> {
        for _ in 0..count {
            let mut connection = StdStream::connect(self.address)?;
            connection.write_all(
                b"GET /rpc/item.watch HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
            )?;
            connection.set_read_timeout(Some(PATIENCE))?;
            let mut answer = Vec::new();
            let mut piece = [0; 1024];
            while events(&answer) == 0 {
                match connection.read(&mut piece)? {
                    0 => return Err(String::from_utf8_lossy(&answer).into_owned().into()),
                    read => answer.extend_from_slice(&piece[..read]),
                }
            }
            connection.set_nonblocking(true)?;
            let mut connection = TcpStream::from_std(connection);
            let token = Token(self.connections.len());
            let registry = self.poll.registry();
            registry.register(&mut connection, token, Interest::READABLE)?;
            self.connections.push(connection);
        }
        Ok(())
    }

    /// Reads this many events, over all connections.
    fn read(&mut self, count: u32) -> Result<(), BoxError> {
        let end = Instant::now() + PATIENCE;
        let mut ready = Events::with_capacity(4096);
        let mut scratch = vec![0; 64 << 10];
        let mut left = usize::try_from(count)?;
        while left > 0 {
            if Instant::now() > end {
                return Err(format!("{left} followers got nothing").into());
            }
            self.poll.poll(&mut ready, Some(Duration::from_secs(1)))?;
            for event in &ready {
                loop {
                    match self.connections[event.token().0].read(&mut scratch) {
                        Ok(0) => return Err("a follower was closed".into()),
                        Ok(read) => left = left.saturating_sub(events(&scratch[..read])),
                        Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                        Err(error) => return Err(error.into()),
                    }
                }
            }
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
