//! Limits connections to what the process may open.
//!
//! A worker that accepts more connections than the process has file descriptors does not fail
//! gracefully: accepting fails, and so does everything else that opens a file. The default limit is
//! often 1,024, which a process may raise itself.

use super::settings::Server;

/// Descriptors for everything else: listeners, each worker's event loop, and the handlers' files
/// and connections.
const RESERVED_FOR_PROCESS: u64 = 64;
const RESERVED_FOR_WORKER: u64 = 4;

/// The default number of connections for each worker.
const DEFAULT_CONNECTIONS: usize = 25_000;

/// Returns how many connections each worker may have. Raises the limit of the process as needed.
pub(super) fn for_connections(settings: &Server) -> usize {
    let connections = settings.connections.unwrap_or(DEFAULT_CONNECTIONS);
    let workers = settings.count_workers() as u64;
    let reserve = RESERVED_FOR_PROCESS + RESERVED_FOR_WORKER * workers;
    let needed = (connections as u64)
        .saturating_mul(workers)
        .saturating_add(reserve);
    let allowed = allowed(needed);
    if allowed >= needed {
        return connections;
    }
    let left = allowed.saturating_sub(reserve).max(allowed / 2);
    let each = usize::try_from(left / workers)
        .unwrap_or(connections)
        .max(1);
    let reason =
        format!("each worker accepts at most {each} connections: the process may not open more");
    // A reduced default is no reason for a warning.
    if settings.connections.is_some() {
        tracing::warn!(connections, workers, RLIMIT_NOFILE = allowed, "{reason}");
    } else {
        tracing::info!(workers, RLIMIT_NOFILE = allowed, "{reason}");
    }
    each
}

/// Returns how many descriptors the process may have, after raising the limit as far as allowed, so
/// that this many fit.
#[cfg(unix)]
fn allowed(needed: u64) -> u64 {
    // A limit is never lowered.
    rlimit::increase_nofile_limit(needed).unwrap_or_else(|error| {
        tracing::warn!(%error, "RLIMIT_NOFILE could not be raised");
        rlimit::increase_nofile_limit(0).unwrap_or(needed)
    })
}

#[cfg(not(unix))]
fn allowed(needed: u64) -> u64 {
    needed
}
