//! `soak LIBRARY --cluster URL`: instances of the library that share a PostgreSQL database, behind nginx.
//!
//! Callers write with keys and repeat each call until it is answered, whatever happens to it on the
//! way. Others follow the loans, and come back with their last cursor. For two thirds of the time,
//! instances are killed at random moments, connections are cut after a call was sent, and
//! `cargo xtask cluster` restarts the database. In the last third, the instances are replaced one after
//! another, as in a deployment, and no call may fail. At the end, the ledger shows whether each write with
//! a key took effect exactly once, and each write without one at most once. The table of events shows
//! whether each follower was told of every loan exactly once and in order.
//!
//! `soak LIBRARY --growth URL` measures instead how many calls a second several instances answer.

mod followers;
mod growth;
mod instances;
mod nginx;
mod report;
mod writers;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::EXTRA_TIME;
use super::options::Options;
use super::run::deadline;
use super::world::{EndOnDrop, World};
use crate::{BoxError, holdings};
use followers::{FollowEnd, compare, follow};
pub(crate) use growth::measure;
use instances::Instances;
use nginx::Nginx;
use report::ClusterReport;

/// The number of instances.
const INSTANCE_COUNT: usize = 3;

/// The number of concurrent callers.
const CALLER_COUNT: u64 = 6;

/// The number of followers.
const FOLLOWER_COUNT: u64 = 6;

/// The time for which followers may go on after the last write.
const CATCH_UP_TIME: Duration = Duration::from_secs(30);

/// Returns the part of a soak in which instances are killed: two thirds. In the rest, they are replaced.
fn killing_time(time: Duration) -> Duration {
    time * 2 / 3
}

/// The longest and the shortest time between two kills.
const MAX_LIFE: Duration = Duration::from_secs(5);
const MIN_LIFE: Duration = Duration::from_secs(1);

/// The pause between replacing two instances.
const CALM_PAUSE: Duration = Duration::from_secs(1);

/// The places where the library can be called.
#[derive(Clone, Copy)]
struct Places<'w> {
    proxy: SocketAddr,
    instances: &'w [SocketAddr],
}

/// Runs a soak of several instances. Reports whether every write took effect as its response says, and
/// whether every follower was told of every event.
pub(crate) fn soak(options: Options, binary: &Path, database: &str) -> Result<(), BoxError> {
    let Options { time, seed } = options;
    println!(
        "soak of {INSTANCE_COUNT} instances for {} s with seed {seed}",
        time.as_secs()
    );
    // All members and their loans are compared at the end.
    let _deadline = deadline(time + time / 4 + CATCH_UP_TIME + EXTRA_TIME);
    let folder = tempfile::Builder::new().prefix("soak-").tempdir()?;
    let world = World::new(seed, time);
    let report = ClusterReport::default();
    let mut instances = Instances::start(binary, database, &world.token, INSTANCE_COUNT)?;
    let nginx = Nginx::start(folder.path(), &instances.addresses())?;
    let addresses = instances.addresses();
    let places = Places {
        proxy: nginx.address(),
        instances: &addresses,
    };
    let end = OnceLock::new();
    let events = thread::scope(|scope| {
        let world = &world;
        let report = &report;
        let end = &end;
        let followers: Vec<_> = (1..=FOLLOWER_COUNT)
            .map(|number| scope.spawn(move || follow(world, report, places, number, end)))
            .collect();
        let written = write(world, report, places, &mut instances, &nginx, time);
        let table = written.and_then(|()| followers::table(database));
        // Without the table, they end at once.
        let _ = end.set(FollowEnd {
            events: table.as_ref().map_or(0, Vec::len),
            latest: Instant::now() + CATCH_UP_TIME,
        });
        let table = table?;
        for (number, follower) in (1..).zip(followers) {
            let seen = follower.join();
            let seen = seen.map_err(|_| BoxError::from("a follower panicked"))?;
            for finding in compare(number, &seen, &table) {
                world.found(finding);
            }
        }
        Ok::<usize, BoxError>(table.len())
    })?;
    let records = holdings::all(&world, addresses[0])?;
    for finding in world.ledger().audit(&records) {
        world.found(finding.to_string());
    }
    instances.shut_down()?;
    report.print(&world, records.len(), events);
    report.verdict(&world, events)
}

/// Lets callers write while instances are killed, and then while they are replaced.
fn write(
    world: &World,
    report: &ClusterReport,
    places: Places<'_>,
    instances: &mut Instances,
    nginx: &Nginx,
    time: Duration,
) -> Result<(), BoxError> {
    thread::scope(|scope| {
        let _end = EndOnDrop(world);
        for number in 1..=CALLER_COUNT {
            scope.spawn(move || writers::work(world, report, places, number));
        }
        kill(world, report, instances, time)?;
        replace(world, report, instances, nginx, time)
    })
}

/// Kills instances at random moments and starts them again.
fn kill(
    world: &World,
    report: &ClusterReport,
    instances: &mut Instances,
    time: Duration,
) -> Result<(), BoxError> {
    let end = Instant::now() + killing_time(time);
    let mut rng = Rng::with_seed(world.seed);
    while Instant::now() < end {
        thread::sleep(MIN_LIFE + MAX_LIFE.saturating_sub(MIN_LIFE).mul_f64(rng.f64()));
        instances.kill(rng.usize(..INSTANCE_COUNT))?;
        report.killed.add_one();
        thread::sleep(Duration::from_millis(rng.u64(..500)));
        instances.revive()?;
    }
    Ok(())
}

/// Replaces one instance after another, as a deployment does, while no call may fail.
fn replace(
    world: &World,
    report: &ClusterReport,
    instances: &mut Instances,
    nginx: &Nginx,
    time: Duration,
) -> Result<(), BoxError> {
    // By then, the calls that the last kill broke are over.
    report.calm_at(Instant::now() + CALM_PAUSE);
    thread::sleep(CALM_PAUSE * 2);
    let end = Instant::now() + time.saturating_sub(killing_time(time));
    for number in (0..INSTANCE_COUNT).cycle() {
        // Replace each instance at least once.
        if Instant::now() > end && report.replaced.get() >= INSTANCE_COUNT as u64 {
            return Ok(());
        }
        nginx.send_to(|other| other != number)?;
        instances.replace(number)?;
        nginx.send_to(|_| true)?;
        report.replaced.add_one();
        thread::sleep(CALM_PAUSE);
        if world.findings() > 100 {
            return Ok(());
        }
    }
    Ok(())
}
