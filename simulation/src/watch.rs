//! The subscription of the simulated service: a source that yields, waits, loses, fails and panics as its script says.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use docent_core::__private::{ItemSource, SourceItem};
use docent_core::{BoxFuture, Cx, Fault, Procedure, Runtime};
use futures_util::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connections::ConnectionOrigin;
use crate::settings::{MAX_RESPONSE_BYTES, Planted};
use crate::world::{HandlerError, World, planned_panic};

/// The parameters of `watch`.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub(crate) struct WatchParams {
    /// The number of the subscription, in the whole run.
    pub(crate) n: u64,
    /// The time until the handler gives its source, in milliseconds.
    pub(crate) ms: u64,
    /// True if the handler fails instead of giving a source.
    pub(crate) fails: bool,
    pub(crate) script: VecDeque<SourceStep>,
}

/// A step of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub(crate) enum SourceStep {
    Yield,
    /// Waits for this many milliseconds.
    Wait(u64),
    /// Loses this many items.
    Lose(u64),
    /// Yields an item that is larger than a response may be.
    Large,
    Fail,
    Panic,
    /// Never ends.
    Hang,
}

/// Returns the subscription.
pub(crate) fn procedure() -> Procedure<World> {
    Procedure::subscription("watch", |cx: Cx<World>, params: WatchParams| async move {
        let world = cx.state().clone();
        if params.ms > 0 {
            let time = Duration::from_millis(params.ms);
            world.executor().after(time).await;
        }
        if params.fails {
            return Err(HandlerError::AsDirected);
        }
        let connection = cx
            .extension::<ConnectionOrigin>()
            .map_or(0, |origin| origin.0);
        let source: ItemSource = Box::pin(Source::open(world, connection, params));
        Ok(source)
    })
}

/// The source of a subscription.
struct Source {
    world: World,
    connection: u64,
    params: WatchParams,
    waiting: Option<BoxFuture<()>>,
    /// The number of items that there were, the lost ones included.
    position: u64,
}

impl Source {
    fn open(world: World, connection: u64, params: WatchParams) -> Self {
        world.note(format_args!("the source of {} opens", params.n));
        world.record_check(world.ledger().connections.open_source(connection, params.n));
        Self {
            world,
            connection,
            params,
            waiting: None,
            position: 0,
        }
    }

    fn advance(&mut self, items: u64) {
        self.position += items;
        let mut ledger = self.world.ledger();
        ledger
            .connections
            .set_position(self.params.n, self.position);
    }
}

impl Stream for Source {
    type Item = Result<SourceItem, Fault>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.world.ledger().connections.poll_source(self.connection);
        self.world.record_check(polled);
        loop {
            if let Some(waiting) = &mut self.waiting {
                if waiting.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                self.waiting = None;
            }
            let n = self.params.n;
            let Some(step) = self.params.script.pop_front() else {
                return Poll::Ready(None);
            };
            self.world.note(format_args!("the source of {n}: {step:?}"));
            match step {
                SourceStep::Yield => {
                    let position = self.position;
                    self.advance(1);
                    return Poll::Ready(Some(Ok(SourceItem::Value {
                        json: format!(r#"{{"n":{n},"k":{position}}}"#).into(),
                        cursor: Some(position.to_string()),
                        missed: 0,
                    })));
                }
                SourceStep::Wait(ms) => {
                    let time = Duration::from_millis(ms);
                    self.waiting = Some(self.world.executor().sleep(time));
                }
                SourceStep::Lose(items) => {
                    self.advance(items);
                    if !self.world.settings().is(Planted::LossUnreported) {
                        return Poll::Ready(Some(Ok(SourceItem::Missed(items))));
                    }
                }
                SourceStep::Large => {
                    return Poll::Ready(Some(Ok(SourceItem::Value {
                        json: format!("{:?}", "x".repeat(MAX_RESPONSE_BYTES)).into(),
                        cursor: None,
                        missed: 0,
                    })));
                }
                SourceStep::Fail => return Poll::Ready(Some(Err(Fault::new(7, "Told to")))),
                SourceStep::Panic => planned_panic(),
                SourceStep::Hang => {
                    self.params.script.push_front(SourceStep::Hang);
                    return Poll::Pending;
                }
            }
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let Self { world, params, .. } = self;
        world.note(format_args!("the source of {} is dropped", params.n));
        if world.settings().is(Planted::SourceKept) && world.chance(20) {
            return;
        }
        world.ledger().connections.close_source(self.connection);
    }
}
