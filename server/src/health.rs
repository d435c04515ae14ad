//! Whether the server takes calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::contract::pieces::Body;
use crate::contract::request::Method;
use crate::contract::response::{After, Field, Response, Status};

/// `/health`: 200 while the server accepts calls, 503 once it is shutting down.
#[derive(Debug, Clone, Default)]
pub struct Health {
    leaving: Arc<AtomicBool>,
}

impl Health {
    /// Creates the health of a server that accepts calls.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports that the server is shutting down.
    pub fn begin_shutdown(&self) {
        self.leaving.store(true, Ordering::SeqCst);
    }

    /// Returns whether the server is shutting down.
    pub fn is_shutting_down(&self) -> bool {
        self.leaving.load(Ordering::SeqCst)
    }

    /// Responds to whatever arrives at `/health`.
    pub(crate) fn respond(&self, method: Method) -> Response {
        let leaving = self.is_shutting_down();
        let mut response = if !method.is_read() {
            Response::read_only()
        } else if leaving {
            report(Status::SERVICE_UNAVAILABLE, r#"{"status":"leaving"}"#)
        } else {
            report(Status::OK, r#"{"status":"ok"}"#)
        };
        if leaving {
            response.after = After::Close;
        }
        response
    }
}

fn report(status: Status, text: &'static str) -> Response {
    Response::new(status)
        .with(Field::CacheControl, "no-store")
        .content("application/json", Body::Whole(text.into()))
}
