//! The thread that drives the connections.

use std::io;

use tokio::runtime::{Builder, EnterGuard, Runtime};
use tokio::task::JoinHandle;

/// The runtime of the connections, with one thread.
pub(super) struct Driver {
    /// `None` only while this is dropped.
    runtime: Option<Runtime>,
}

impl Driver {
    pub(super) fn start() -> io::Result<Self> {
        let mut runtime = Builder::new_multi_thread();
        runtime.worker_threads(1).thread_name("postgres");
        let runtime = Some(runtime.enable_all().build()?);
        Ok(Self { runtime })
    }

    /// Makes this the runtime of what the current thread waits for, until the guard is dropped.
    pub(super) fn enter(&self) -> EnterGuard<'_> {
        self.runtime().enter()
    }

    /// Runs on another thread what may block.
    pub(super) fn spawn_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        self.runtime().spawn_blocking(work)
    }

    fn runtime(&self) -> &Runtime {
        let runtime = self.runtime.as_ref();
        runtime.expect("taken in `drop` alone")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // The last clone of a store may be dropped on a thread that must not block.
            runtime.shutdown_background();
        }
    }
}
