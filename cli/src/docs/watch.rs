//! Rebuilds the site whenever something has changed.
//!
//! Polls modification times instead of subscribing to the operating system's notifications. This
//! works on every file system, including network mounts and containers, and polling a few files is
//! cheap.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use docent_docs_gen::Site;
use tokio::sync::watch;

use super::build;
use super::output::SiteOutput;
use super::serve::{self, ServedSite};
use super::settings::Settings;
use crate::args::DocsArgs;
use crate::failure::{Failure, Kind};
use crate::http::Client;
use crate::input::{Fetched, Input};
use crate::mcp::is_command;
use crate::terminal::Terminal;

/// The interval between checks of files.
const FILE_INTERVAL: Duration = Duration::from_millis(300);
/// The interval between checks of live services.
const SERVICE_INTERVAL: Duration = Duration::from_secs(3);

/// The modification time and the size of a file, or `None` if it cannot be read.
type Stamp = (PathBuf, Option<(SystemTime, u64)>);

/// The inputs that are watched, and the output of their site.
pub(super) struct Watched<'w> {
    pub(super) args: &'w DocsArgs,
    pub(super) client: &'w Client,
    pub(super) output: &'w SiteOutput,
    pub(super) terminal: Terminal,
}

/// Serves the site, and rebuilds it when it is out of date, until the process is stopped.
pub(super) fn run(
    watched: &Watched<'_>,
    mut fetched: Vec<Fetched>,
    site: Site,
    listener: TcpListener,
) -> Result<(), Failure> {
    let Watched { args, terminal, .. } = *watched;
    // A page loaded from an earlier server must reload.
    let generation = fastrand::u64(..);
    let (current, served) = watch::channel(ServedSite { site, generation });
    let address = serve::start(listener, served).map_err(Failure::system)?;
    // Scripts need the address too, so it is not progress output.
    terminal.write(format!("http://{address}/\n"))?;
    let mut stamps = all_stamps(args);
    let mut is_old = false;
    let mut trouble = Vec::new();
    let mut polled = Instant::now();
    loop {
        thread::sleep(FILE_INTERVAL);
        if polled.elapsed() >= SERVICE_INTERVAL {
            is_old |= poll(watched, &mut fetched, &mut trouble);
            polled = Instant::now();
        }
        let now = all_stamps(args);
        if now != stamps {
            // The file may still be incomplete, so check again later.
            stamps = now;
            is_old = true;
        } else if std::mem::take(&mut is_old) {
            match rebuild(watched, &mut fetched) {
                Ok(site) => {
                    let generation = current.borrow().generation.wrapping_add(1);
                    current.send_replace(ServedSite { site, generation });
                }
                // The old site stays until the mistake is fixed.
                Err(failure) => terminal.fail(&failure),
            }
        }
    }
}

/// Requests the descriptions of live services again. Returns whether one has changed.
fn poll(watched: &Watched<'_>, fetched: &mut [Fetched], trouble: &mut Vec<String>) -> bool {
    let mut is_changed = false;
    let mut failures = Vec::new();
    for (input, last) in watched.args.inputs.iter().zip(fetched) {
        let Input::Live(url) = input else { continue };
        if is_command(url) {
            // It would be started again each time.
            continue;
        }
        let found = match input.fetch(watched.client, last.way) {
            // The way that worked last time no longer does. Another may.
            Err(failure) if failure.kind == Kind::NoDescription => {
                input.fetch(watched.client, None)
            }
            found => found,
        };
        match found {
            Ok(found) => {
                is_changed |= found.bytes != last.bytes || found.address != last.address;
                *last = found;
            }
            Err(failure) => failures.push(failure),
        }
    }
    let Err(failure) = Failure::all(failures) else {
        trouble.clear();
        return is_changed;
    };
    // One message is enough for a service that is being restarted.
    if failure.messages != *trouble {
        watched.terminal.fail(&failure);
    }
    *trouble = failure.messages;
    is_changed
}

/// Reads the files again, and writes the site of them and of what live services said last.
fn rebuild(watched: &Watched<'_>, fetched: &mut [Fetched]) -> Result<Site, Failure> {
    let Watched { args, terminal, .. } = *watched;
    let start = Instant::now();
    for (input, fetched) in args.inputs.iter().zip(fetched.iter_mut()) {
        if let Input::File(_) = input {
            *fetched = input.fetch(watched.client, None)?;
        }
    }
    let site = build(args, fetched.to_vec(), terminal)?;
    watched.output.write(&site, start, terminal)?;
    Ok(site)
}

/// Returns the stamps of all files that the site depends on.
fn all_stamps(args: &DocsArgs) -> Vec<Stamp> {
    let files = args.inputs.iter().filter_map(|input| match input {
        Input::File(path) => Some(path.clone()),
        _ => None,
    });
    // Settings that cannot be read change nothing, and are reported when the site is built.
    let settings = Settings::new(args).unwrap_or_default();
    files
        .chain(args.config.clone())
        .chain(settings.files())
        .map(stamp)
        .collect()
}

fn stamp(path: PathBuf) -> Stamp {
    let metadata = fs::metadata(&path).ok();
    let stamp = metadata.and_then(|metadata| Some((metadata.modified().ok()?, metadata.len())));
    (path, stamp)
}
