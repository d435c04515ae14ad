//! The phases of a soak.
//!
//! Traffic goes on while the library is killed and started again, then for a while without kills, and until
//! it shuts down. After each phase, records are compared with the ledger.

use std::path::Path;
use std::process::exit;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::memory::{self, Memory};
use super::options::Options;
use super::program::{Program, Shutdown};
use super::report::Report;
use super::world::{EndOnDrop, LibraryProcess, World};
use super::{EXTRA_TIME, holdings, honest, hostile};
use crate::BoxError;

/// The number of callers on each side.
const HONEST_WORKERS: u64 = 5;
const HOSTILE_WORKERS: u64 = 3;

/// Returns the part of a soak in which the process is killed: two thirds.
fn killing_time(time: Duration) -> Duration {
    time * 2 / 3
}

/// The longest and the shortest time between two kills. A short soak uses shorter ones, so that two
/// kills fit.
const MAX_LIFE: Duration = Duration::from_secs(25);
const MIN_LIFE: Duration = Duration::from_secs(3);

/// Runs a soak and reports whether the library kept its promises.
pub(crate) fn soak(options: Options, binary: &Path) -> Result<(), BoxError> {
    let Options { time, seed } = options;
    println!("soak of {} s with seed {seed}", time.as_secs());
    let _deadline = deadline(time + EXTRA_TIME);
    // The target directory is on a disk. The system's temporary directory might be in memory.
    let folder = tempfile::Builder::new()
        .prefix("soak-")
        .tempdir_in(binary.parent().unwrap_or(Path::new(".")))?;
    let world = World::new(seed, time);
    let mut course = Course {
        world: &world,
        binary,
        database: &folder.path().join("library.db"),
        program: None,
        report: Report::default(),
    };
    let memory = thread::scope(|scope| {
        let _end = EndOnDrop(&world);
        let memory = start_callers(scope, &world);
        course.traffic(time)?;
        world.over();
        memory
            .join()
            .map_err(|_| BoxError::from("the thread that samples memory panicked"))
    })?;
    course.check_after_traffic()?;
    course.report.print(&world, &memory, time);
    course.verdict(&memory)
}

/// Starts all callers and the thread that samples memory.
fn start_callers<'s>(
    scope: &'s Scope<'s, '_>,
    world: &'s World,
) -> thread::ScopedJoinHandle<'s, Memory> {
    for number in 1..=HONEST_WORKERS {
        scope.spawn(move || honest::work(world, number));
    }
    for number in 1..=HOSTILE_WORKERS {
        scope.spawn(move || hostile::work(world, number));
    }
    scope.spawn(|| hostile::creep(world));
    scope.spawn(|| hostile::flood(world));
    scope.spawn(|| memory::watch(world))
}

/// Ends this process, and with it the library, if the soak takes too long. Dropping the sender
/// cancels the deadline.
pub(crate) fn deadline(time: Duration) -> Sender<()> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        if receiver.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            eprintln!("soak: not done after {} s", time.as_secs());
            exit(1);
        }
    });
    sender
}

/// After the first starts, only every fifth one compares records: a lost record stays lost, and
/// there are ever more records to compare.
const STARTS_PER_AUDIT: u32 = 5;

struct Course<'w> {
    world: &'w World,
    binary: &'w Path,
    database: &'w Path,
    program: Option<Program>,
    report: Report,
}

impl Course<'_> {
    /// Runs all phases with traffic.
    fn traffic(&mut self, time: Duration) -> Result<(), BoxError> {
        let start = Instant::now();
        self.start()?;
        let killing = killing_time(time);
        let mut rng = Rng::with_seed(self.world.seed);
        let longest = MAX_LIFE.min(killing / 3);
        let shortest = MIN_LIFE.min(longest / 2);
        loop {
            let wait = shortest + longest.saturating_sub(shortest).mul_f64(rng.f64());
            if self.report.has_enough_kills() && start.elapsed() + wait > killing {
                break;
            }
            self.wait(wait)?;
            self.kill()?;
            self.start()?;
        }
        self.report.begin_calm();
        self.wait(time.saturating_sub(start.elapsed()))?;
        self.shut_down()
    }

    fn begin(&mut self) -> Result<LibraryProcess, BoxError> {
        let start = Instant::now();
        let program = Program::start(self.binary, "127.0.0.1:0", self.database, &self.world.token)?;
        let at = self.report.started(start.elapsed(), &program);
        self.program = Some(program);
        Ok(at)
    }

    /// Starts the program, compares its records with what was promised, and then lets the traffic
    /// in.
    fn start(&mut self) -> Result<(), BoxError> {
        let at = self.begin()?;
        if at.incarnation < 4 || at.incarnation.is_multiple_of(STARTS_PER_AUDIT) {
            self.audit(at)?;
        }
        self.world.up(at);
        Ok(())
    }

    fn audit(&mut self, at: LibraryProcess) -> Result<(), BoxError> {
        let start = Instant::now();
        let records = holdings::all(self.world, at.address)?;
        for finding in self.world.ledger().audit(&records) {
            self.world.found(finding.to_string());
        }
        self.report.audited(start.elapsed(), records.len());
        Ok(())
    }

    fn kill(&mut self) -> Result<(), BoxError> {
        self.world.down();
        if let Some(program) = self.program.take() {
            let complaints = program.kill()?;
            self.complain(complaints);
            self.report.killed();
        }
        Ok(())
    }

    fn shut_down(&mut self) -> Result<(), BoxError> {
        if let Some(program) = self.program.take() {
            self.world.shutting_down(self.report.at(&program));
            let Shutdown { time, complaints } = program.shut_down()?;
            self.world.down();
            self.complain(complaints);
            self.report.shut_down(time);
        }
        Ok(())
    }

    /// Lets the traffic run for a while. A process that ends by itself ends the soak.
    fn wait(&mut self, time: Duration) -> Result<(), BoxError> {
        let start = Instant::now();
        while start.elapsed() < time {
            let ended = self.program.as_mut().and_then(Program::has_ended);
            if let Some(status) = ended {
                self.world.down();
                return Err(BoxError::from(format!(
                    "the library ended by itself: {status}"
                )));
            }
            thread::sleep((time.saturating_sub(start.elapsed())).min(Duration::from_millis(50)));
        }
        Ok(())
    }

    fn complain(&self, complaints: Vec<String>) {
        for complaint in complaints {
            self.world.found(format!("the library logs: {complaint}"));
        }
    }

    /// Compares the records once more after the traffic, and shuts the idle program down.
    fn check_after_traffic(&mut self) -> Result<(), BoxError> {
        let at = self.begin()?;
        self.audit(at)?;
        self.shut_down()
    }

    fn verdict(&self, memory: &Memory) -> Result<(), BoxError> {
        for wrong in memory.problems(self.report.calm()) {
            self.world.found(wrong);
        }
        for wrong in self.report.problems(self.world) {
            self.world.found(wrong);
        }
        match self.world.findings() {
            0 => {
                println!("\nnothing was lost, nothing was done twice, every answer was right");
                Ok(())
            }
            findings => Err(BoxError::from(format!("{findings} findings"))),
        }
    }
}
