//! The calls through `Service::handle`.
//!
//! Each kind of handler is measured, because an asynchronous one costs more than one that runs in place.

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use docent_core::{Cx, Fault, Procedure, RpcError, Service};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::types::{
    Fill, Find, Measure, NO_SUCH_SHELF, NO_SUCH_SHELF_MESSAGE, Order, Reserve, Shelf, Sum,
};

/// The ways to write handlers.
#[derive(Clone, Copy)]
pub enum HandlerKind {
    /// Asynchronous functions.
    Asynchronous,
    /// Functions that run where the call does.
    Synchronous,
    /// Functions that may block.
    Blocking,
}

/// Builds a service with this many procedures, at least those that are called.
///
/// # Panics
/// Never: the descriptions are always the same.
pub fn service(count: usize, way: HandlerKind) -> Service {
    service_of(procedures(count, way))
}

/// Builds a service of these procedures.
///
/// # Panics
/// If `build()` finds a mistake in them.
pub fn service_of(procedures: impl IntoIterator<Item = Procedure>) -> Service {
    Service::builder("bench", "urn:uuid:41544946-415a-495a-5645-454441534646")
        .procedures(procedures)
        .build()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Returns this many procedures, at least those that are called.
pub fn procedures(count: usize, way: HandlerKind) -> impl Iterator<Item = Procedure> {
    let called = [
        procedure(way, "sum", sum),
        procedure(way, "find", |params: &Find| Ok::<_, Fault>(params.found())),
        procedure(way, "reserve", |params: &Reserve| {
            Ok::<_, Fault>(params.places)
        }),
        procedure(way, "order", |params: &Order| {
            Ok::<_, Fault>(params.receipt())
        }),
        procedure(way, "shelf", |_: &Shelf| {
            Err::<u32, _>(Fault::new(NO_SUCH_SHELF, NO_SUCH_SHELF_MESSAGE))
        })
        .error(NO_SUCH_SHELF, NO_SUCH_SHELF_MESSAGE),
        procedure(way, "measure", |params: &Measure| {
            Ok::<_, Fault>(params.text.len())
        }),
        procedure(way, "fill", |params: &Fill| Ok::<_, Fault>(params.text())),
    ];
    let more = (called.len()..count).map(move |number| procedure(way, format!("sum{number}"), sum));
    called.into_iter().chain(more)
}

/// The handler of `sum`, and of the procedures that are only there to be looked up.
#[expect(clippy::unnecessary_wraps, reason = "handlers return a `Result`")]
fn sum(params: &Sum) -> Result<f64, Fault> {
    Ok(params.total())
}

/// The same function as a handler of each kind.
fn procedure<P, R, E, F>(way: HandlerKind, name: impl Into<String>, function: F) -> Procedure
where
    P: DeserializeOwned + JsonSchema + Send + 'static,
    R: Serialize + JsonSchema + 'static,
    E: RpcError,
    F: Fn(&P) -> Result<R, E> + Copy + Send + Sync + 'static,
{
    match way {
        HandlerKind::Asynchronous => {
            Procedure::new(name, move |_: Cx, params| async move { function(&params) })
        }
        HandlerKind::Synchronous => Procedure::sync(name, move |_: Cx, params| function(&params)),
        HandlerKind::Blocking => Procedure::blocking(name, move |_: Cx, params| function(&params)),
    }
}

/// Makes a number of calls, and returns the bytes of the responses.
pub fn run(service: &Service, body: &'static [u8], calls: usize) -> usize {
    (0..calls)
        .map(|_| call(service, body).map_or(0, |response| response.len()))
        .sum()
}

/// Makes a call. The handlers do not wait, so it is over at the first poll.
pub fn call(service: &Service, body: &'static [u8]) -> Option<Vec<u8>> {
    let response = pin!(service.handle(black_box(body)));
    match response.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(response) => response,
        Poll::Pending => None,
    }
}
