//! The signals that stop serving: SIGTERM and SIGINT, or Ctrl-C.
//!
//! They are received from the moment at which the value exists, so that none is lost before
//! somebody waits for it.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals received since this value was created. A signal is not lost if it arrives before the
/// server runs or between two polls.
pub(crate) struct Signals {
    #[cfg(unix)]
    both: Option<[Signal; 2]>,
}

#[cfg(unix)]
impl Signals {
    pub(crate) fn new() -> Self {
        Self {
            both: receive_both(),
        }
    }

    /// Waits for the next signal. On systems without signals, only killing the process stops it.
    pub(crate) async fn next(&mut self) {
        let Some([terminate, interrupt]) = &mut self.both else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

#[cfg(unix)]
fn receive_both() -> Option<[Signal; 2]> {
    // Without a runtime, nothing could receive a signal.
    tokio::runtime::Handle::try_current().ok()?;
    let terminate = signal(SignalKind::terminate()).ok()?;
    let interrupt = signal(SignalKind::interrupt()).ok()?;
    Some([terminate, interrupt])
}

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn new() -> Self {
        Self {}
    }

    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}
