//! Leaving in good order.

use std::time::Duration;

use actix_web::dev::ServerHandle;
use docent_core::Service;
use tokio::time::{sleep, timeout};

use crate::health::Health;

/// Waits for a signal and leaves in good order. Never ends: the server's own end is the end.
pub(super) async fn on_signal(
    handle: ServerHandle,
    services: Vec<Service>,
    health: Health,
    deadline: Duration,
) -> std::convert::Infallible {
    signal().await;
    tracing::info!("leaving: new calls are refused, running ones are finished");
    health.leave();
    tokio::select! {
        // The listener stays open meanwhile, so that `/health` can be asked and answers 503.
        finished = timeout(deadline, all_calls_end(&services)) => {
            if finished.is_err() {
                tracing::warn!("leaving with calls that have not ended within the deadline");
            }
            handle.stop(true).await;
        }
        () = signal() => {
            tracing::warn!("leaving at once");
            std::process::exit(1);
        }
    }
    std::future::pending().await
}

async fn all_calls_end(services: &[Service]) {
    while services.iter().any(|service| service.running_calls() > 0) {
        sleep(Duration::from_millis(20)).await;
    }
}

/// SIGTERM or SIGINT, whichever comes first.
#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) {
        (Ok(mut terminate), Ok(mut interrupt)) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
        // Without signals the server can only be ended from outside, which needs no help of ours.
        _ => std::future::pending().await,
    }
}

/// Ctrl-C.
#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
