//! Procedures that put a server to the test.
//!
//! They sleep, panic, fail and answer too much, each as far as its parameters say.

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use docent::{Cx, Fault, Procedure};
use schemars::JsonSchema;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Counts calls.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    fn count(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

/// Waits, and answers how long.
#[derive(Deserialize, JsonSchema)]
struct Sleep {
    /// The time, in milliseconds.
    ms: u64,
}

/// Waits, then counts.
#[derive(Deserialize, JsonSchema)]
struct SlowCount {
    /// The time, in milliseconds.
    ms: u64,
}

/// Fails as it is told to.
#[derive(Deserialize, JsonSchema)]
struct Fail {
    /// The code to fail with.
    code: i64,
    /// The message to fail with.
    message: String,
}

/// Answers a text of a given size.
#[derive(Deserialize, JsonSchema)]
struct Large {
    /// The number of bytes of the text.
    bytes: u64,
}

/// A text of any size that needs no memory until it is serialised.
struct Filler(u64);

impl fmt::Display for Filler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PIECE: &str = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
        let mut left = self.0;
        while left >= PIECE.len() as u64 {
            f.write_str(PIECE)?;
            left -= PIECE.len() as u64;
        }
        (0..left).try_for_each(|_| f.write_str("x"))
    }
}

impl Serialize for Filler {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Filler {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Filler".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

pub(crate) fn procedures() -> Vec<Procedure<Counter>> {
    let procedures = vec![
        Procedure::new("sleep", |_: Cx<Counter>, p: Sleep| async move {
            tokio::time::sleep(Duration::from_millis(p.ms)).await;
            Ok::<_, Fault>(p.ms)
        })
        .idempotent(),
        Procedure::new("panic", panics).summary("Panics."),
        Procedure::sync("fail", |_: Cx<Counter>, p: Fail| {
            Err::<(), _>(Fault::new(p.code, p.message))
        })
        .errors_open(),
        Procedure::sync("large", |_: Cx<Counter>, p: Large| {
            Ok::<_, Fault>(Filler(p.bytes))
        })
        .idempotent(),
        Procedure::sync("count", |cx: Cx<Counter>, (): ()| {
            Ok::<_, Fault>(cx.state().count())
        })
        .summary("Counts, and answers how often it has."),
        Procedure::new("slow_count", |cx: Cx<Counter>, p: SlowCount| async move {
            tokio::time::sleep(Duration::from_millis(p.ms)).await;
            Ok::<_, Fault>(cx.state().count())
        }),
    ];
    procedures
        .into_iter()
        .map(|procedure| procedure.tag("awkward"))
        .collect()
}

#[expect(clippy::panic, reason = "panicking is its purpose")]
async fn panics(_: Cx<Counter>, (): ()) -> Result<(), Fault> {
    panic!("told to panic")
}
