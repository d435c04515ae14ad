//! Shuts a server down gracefully: in steps, with a deadline, and at once after a second signal.
//!
//! Load balancers must see `/health` change before connections are refused, and calls that have
//! begun must be able to end.

use std::io;
use std::time::Duration;

use docent_http::RouteTable;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::after_shutdown::ClosingListeners;
use super::listener::Listener;
use super::settings::Server;
#[cfg(unix)]
use super::socket_file::SocketFile;
use crate::signals::Signals;

/// The time to wait for callers that were accepted just before the server stopped accepting.
const ACCEPTED_GRACE: Duration = Duration::from_millis(50);

/// Runs a server until it receives a signal or its handle stops it, then shuts it down gracefully. A
/// second signal ends the process.
///
/// # Errors
/// The server failed, or something had not finished by the deadline.
pub(super) async fn run_until_signal(
    mut server: actix_web::dev::Server,
    mut signals: Signals,
    settings: Server,
    routes: &RouteTable,
    stopping: &watch::Sender<bool>,
    listeners: Vec<Listener>,
) -> io::Result<()> {
    #[cfg(unix)]
    let files: Vec<SocketFile> = listeners.iter().filter_map(Listener::file).collect();
    let handle = server.handle();
    tokio::select! {
        ended = &mut server => return ended,
        () = signals.next() => {}
        () = settings.handle.is_asked() => {}
    }
    let shutting_down = async {
        if !settings.notice.is_zero() {
            tracing::info!("shutting down soon: /health is 503, calls are still accepted");
            routes.health().announce_shutdown();
            sleep(settings.notice).await;
        }
        tracing::info!("shutting down: new calls are rejected, running calls are finished");
        routes.health().begin_shutdown();
        stopping.send_replace(true);
        // The listener stays open meanwhile, so that `/health` can return 503.
        let finished = timeout(settings.shutdown, all_is_idle(routes))
            .await
            .is_ok();
        handle.pause().await;
        let retry_after = routes.first().options.retry_after_seconds();
        let closing = ClosingListeners::new(listeners, retry_after)?;
        sleep(ACCEPTED_GRACE).await;
        // Buffered responses are sent, unless the deadline has passed.
        handle.stop(finished).await;
        closing.close().await;
        io::Result::Ok(finished)
    };
    tokio::select! {
        (ended, finished) = async { tokio::join!(server, shutting_down) } => {
            ended?;
            if finished? {
                return Ok(());
            }
            let reason = "the shutdown timed out before all calls had finished";
            tracing::error!("{reason}");
            Err(io::Error::new(io::ErrorKind::TimedOut, reason))
        }
        () = signals.next() => {
            tracing::warn!("shutting down immediately");
            #[cfg(unix)]
            for file in &files {
                // Nothing is dropped when the process exits.
                let _ = std::fs::remove_file(file.path());
            }
            std::process::exit(1);
        }
    }
}

async fn all_is_idle(routes: &RouteTable) {
    while !routes.is_idle() {
        sleep(Duration::from_millis(20)).await;
    }
}
