//! Building again whenever something has changed.
//!
//! Times of modification are looked at instead of asking the operating system to be told: it works
//! on every file system, network mounts and containers included, and a few files cost nothing.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use docent_docs_gen::Site;

use super::build;
use super::output::Output;
use super::serve::{self, Shown};
use crate::args::DocsArgs;
use crate::failure::{Failure, Kind};
use crate::input::{Fetched, Input};
use crate::terminal::Terminal;

/// How often files are looked at.
const FILES: Duration = Duration::from_millis(300);
/// How often live services are asked.
const SERVICES: Duration = Duration::from_secs(3);

/// When a file was changed, and how long it is; none, where it cannot be had.
type Stamp = (PathBuf, Option<(SystemTime, u64)>);

/// Serves the site, and builds it again whenever it is out of date, until somebody ends it.
pub(super) fn run(
    args: &DocsArgs,
    output: &Output,
    mut fetched: Vec<Fetched>,
    site: Site,
    listener: TcpListener,
    terminal: Terminal,
) -> Result<(), Failure> {
    let shown = Shown::new(site);
    let address = serve::start(listener, shown.clone()).map_err(Failure::system)?;
    // Scripts want to know it too, so it is no progress.
    terminal.write(format!("http://{address}/\n").as_bytes())?;
    let (sender, changes) = mpsc::channel();
    for (index, (input, fetched)) in args.inputs.iter().zip(&fetched).enumerate() {
        if let Input::Live(_) = input {
            let (input, fetched, sender) = (input.clone(), fetched.clone(), sender.clone());
            thread::spawn(move || ask_again(index, &input, fetched, &sender, terminal));
        }
    }
    let mut stamps = all_stamps(args);
    let mut is_old = false;
    loop {
        match changes.recv_timeout(FILES) {
            Ok((index, found)) => {
                fetched[index] = found;
                is_old = true;
            }
            Err(RecvTimeoutError::Timeout) => {}
            // This end holds a sender, so there is always one.
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        let now = all_stamps(args);
        if now != stamps {
            // The file may still be being written; look again later.
            stamps = now;
            is_old = true;
        } else if is_old {
            is_old = false;
            match again(args, output, &mut fetched, terminal) {
                Ok(site) => shown.replace(site),
                // The old site stays until the mistake is mended.
                Err(failure) => terminal.fail(&failure),
            }
        }
    }
}

fn again(
    args: &DocsArgs,
    output: &Output,
    fetched: &mut [Fetched],
    terminal: Terminal,
) -> Result<Site, Failure> {
    let start = Instant::now();
    for (input, fetched) in args.inputs.iter().zip(fetched.iter_mut()) {
        if let Input::File(_) = input {
            *fetched = input.fetch(None)?;
        }
    }
    let site = build(args, fetched.to_vec(), terminal)?;
    output.write(&site, start, terminal)?;
    Ok(site)
}

/// Asks a live service every few seconds, and passes on what is new.
fn ask_again(
    index: usize,
    input: &Input,
    mut last: Fetched,
    changes: &Sender<(usize, Fetched)>,
    terminal: Terminal,
) {
    let mut trouble = None;
    loop {
        thread::sleep(SERVICES);
        let found = match input.fetch(last.way) {
            // What it answered the last time it answers no more; it may answer something else.
            Err(failure) if failure.kind == Kind::Input => input.fetch(None),
            found => found,
        };
        match found {
            Ok(found) => {
                trouble = None;
                if found != last {
                    last = found.clone();
                    if changes.send((index, found)).is_err() {
                        return;
                    }
                }
            }
            Err(failure) => {
                // Once is enough for a service that is being restarted.
                if trouble.as_ref() != Some(&failure.messages) {
                    terminal.fail(&failure);
                    trouble = Some(failure.messages);
                }
            }
        }
    }
}

fn all_stamps(args: &DocsArgs) -> Vec<Stamp> {
    let files = args.inputs.iter().filter_map(|input| match input {
        Input::File(path) => Some(path.clone()),
        _ => None,
    });
    let mut stamps: Vec<Stamp> = files.map(stamp).collect();
    if let Some(folder) = &args.templates {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let is_template =
            |path: &Path| path.extension().is_some_and(|extension| extension == "hbs");
        let mut templates: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| is_template(path))
            .collect();
        templates.sort();
        stamps.extend(templates.into_iter().map(stamp));
    }
    stamps
}

fn stamp(path: PathBuf) -> Stamp {
    let metadata = fs::metadata(&path).ok();
    let stamp = metadata.and_then(|metadata| Some((metadata.modified().ok()?, metadata.len())));
    (path, stamp)
}
