//! Measures how many calls a second one, two and three instances answer.
//!
//! Callers on connections of their own, through nginx, send the next call as soon as the last one is
//! answered. Each round measures every number of instances, in alternating order, and ratios are
//! computed within a round, because the load from other programs changes from minute to minute.

use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::INSTANCE_COUNT;
use super::instances::Instances;
use super::nginx::Nginx;
use crate::BoxError;
use crate::call::{ExpectedCall, post};
use crate::contract::Version;
use crate::honest::add_member;
use crate::http::{Connection, Trouble, closes, shown};
use crate::rounds::{Spread, alternate, ratio};
use crate::world::World;

/// The number of callers.
const CALLER_COUNT: usize = 32;

/// The duration of each measurement, after a warm-up.
const MEASURED_TIME: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(1);

const ROUND_COUNT: usize = 7;

/// A kind of call: its title, and a function that makes one.
type Kind = (&'static str, fn(&World) -> ExpectedCall);

const CALL_KINDS: [Kind; 2] = [("book.get", read), ("member.add with a key", write)];

/// Measures each kind of call with each number of instances.
pub(crate) fn measure(binary: &Path, database: &str, seed: u64) -> Result<(), BoxError> {
    let folder = tempfile::Builder::new().prefix("growth-").tempdir()?;
    let world = World::new(seed, MEASURED_TIME);
    let instances = Instances::start(binary, database, &world.token, INSTANCE_COUNT)?;
    let nginx = Nginx::start(folder.path(), &instances.addresses())?;
    println!(
        "{CALLER_COUNT} callers, {ROUND_COUNT} rounds of {MEASURED_TIME:?}; ratios to one instance"
    );
    for (title, call) in CALL_KINDS {
        println!("\n{title}: instances, calls a second, ratio");
        let counts: Vec<_> = (1..=INSTANCE_COUNT).collect();
        let measured = alternate(&counts, ROUND_COUNT, |count| {
            nginx.send_to(|number| number < *count)?;
            per_second(&world, nginx.address(), call)
        })?;
        for (count, rounds) in counts.iter().zip(&measured) {
            let ratio = ratio(rounds, &measured[0], |value| *value);
            let median = Spread::of(rounds.iter().copied()).median;
            println!("{count}  {median:>7.0}  {ratio}");
        }
    }
    instances.shut_down()
}

fn read(world: &World) -> ExpectedCall {
    ExpectedCall::new("book.get", json!([1 + world.serial() % 100]))
}

fn write(world: &World) -> ExpectedCall {
    add_member(world).keyed(world)
}

/// Returns how many calls a second get a result.
fn per_second(
    world: &World,
    proxy: SocketAddr,
    call: fn(&World) -> ExpectedCall,
) -> Result<f64, BoxError> {
    let begin = Instant::now() + WARM_UP;
    let answered = thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLER_COUNT)
            .map(|_| scope.spawn(|| ask(world, proxy, call, begin)))
            .collect();
        let mut answered = 0;
        for caller in callers {
            answered += caller
                .join()
                .map_err(|_| BoxError::from("a caller panicked"))??;
        }
        Ok::<u32, BoxError>(answered)
    })?;
    Ok(f64::from(answered) / MEASURED_TIME.as_secs_f64())
}

/// Sends one call after another until the time is over. Returns how many were answered in that time.
fn ask(
    world: &World,
    proxy: SocketAddr,
    call: fn(&World) -> ExpectedCall,
    begin: Instant,
) -> Result<u32, BoxError> {
    let mut connection = Connection::open(proxy).map_err(|trouble| no_answer(&trouble))?;
    let mut answered = 0;
    loop {
        let body = call(world).text(Version::V2_0);
        let response = connection
            .send(&post(world, body.as_bytes()))
            .and_then(|()| connection.receive(false))
            .map_err(|trouble| no_answer(&trouble))?;
        if !response.body.starts_with(br#"{"jsonrpc":"2.0","result":"#) {
            return Err(BoxError::from(format!("{body}: {}", shown(&response))));
        }
        let now = Instant::now();
        if now > begin + MEASURED_TIME {
            return Ok(answered);
        }
        if now > begin {
            answered += 1;
        }
        // nginx closes a connection after a thousand requests.
        if closes(&response) {
            connection = Connection::open(proxy).map_err(|trouble| no_answer(&trouble))?;
        }
    }
}

fn no_answer(trouble: &Trouble) -> BoxError {
    BoxError::from(format!("no answer: {trouble}"))
}
