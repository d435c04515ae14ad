//! The same call through `Service::handle`.

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use docent_core::{Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::Deserialize;

/// Adds two numbers.
#[derive(Deserialize, JsonSchema)]
struct Sum {
    /// Left addend.
    a: f64,
    /// Right addend.
    b: f64,
}

pub(crate) fn service(procedures: usize, asynchronous: bool) -> Service {
    let names = std::iter::once("sum".to_owned()).chain((1..procedures).map(|n| format!("sum{n}")));
    let procedures = names.map(|name| {
        if asynchronous {
            Procedure::new(
                name,
                |_: Cx, p: Sum| async move { Ok::<_, Fault>(p.a + p.b) },
            )
        } else {
            Procedure::sync(name, |_: Cx, p: Sum| Ok::<_, Fault>(p.a + p.b))
        }
    });
    Service::builder("bench", "urn:uuid:41544946-415a-495a-5645-454441534646")
        .procedures(procedures)
        .build()
        .unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn run(service: &Service, calls: usize) -> usize {
    let mut context = Context::from_waker(Waker::noop());
    (0..calls)
        .map(|_| {
            let answer = pin!(service.handle(black_box(super::BODY)));
            match answer.poll(&mut context) {
                Poll::Ready(Some(bytes)) => bytes.len(),
                _ => 0,
            }
        })
        .sum()
}
