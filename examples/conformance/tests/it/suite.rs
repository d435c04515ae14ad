//! Services for the tests, and their responses in process.

use std::sync::LazyLock;

use docent::{Limits, Protocols, Service};

pub(crate) fn service() -> Service {
    conformance::service(Limits::default(), Protocols::default())
        .expect("the service is the same every time")
}

/// Returns a service shared by tests that change nothing.
pub(crate) fn shared() -> &'static Service {
    static SHARED: LazyLock<Service> = LazyLock::new(service);
    &SHARED
}

/// Returns a service with other limits.
pub(crate) fn service_with(change: impl FnOnce(&mut Limits)) -> Service {
    let mut limits = Limits::default();
    change(&mut limits);
    conformance::service(limits, Protocols::default()).expect("limits cannot be wrong")
}

/// Returns a call with these parameters and the id 1.
pub(crate) fn call_with(procedure: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":{params},"id":1}}"#)
}

/// Returns the in-process response to a body.
pub(crate) fn handle(service: &Service, body: &[u8]) -> Option<Vec<u8>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime
        .expect("a runtime")
        .block_on(service.handle(body.to_vec()))
}

/// Returns the in-process response to a body in short form.
pub(crate) fn outcome(service: &Service, body: impl AsRef<[u8]>) -> String {
    crate::reply::brief(handle(service, body.as_ref()).as_deref())
}

/// Checks the response to every body in a table.
#[track_caller]
pub(crate) fn assert_outcomes<B: AsRef<[u8]>, E: AsRef<str>>(service: &Service, table: &[(B, E)]) {
    for (body, expected) in table {
        let shown = String::from_utf8_lossy(body.as_ref());
        assert_eq!(outcome(service, body), expected.as_ref(), "{shown}");
    }
}

/// Polls a future once and returns its output if it is ready.
pub(crate) fn now<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::Pin::new(future).poll(&mut cx) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}
