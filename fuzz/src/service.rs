//! The service under test: a procedure of every kind, under several configurations.
//!
//! Its limits are low in some configurations, so that short inputs reach them.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::{future, pin};

use docent_core::{Cx, Fault, Procedure, Protocol, RpcError, Service};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::oracle::{Calls, ServiceContract, version_of};
use crate::params::{
    Amount, Anything, Chain, Checked, Choices, Flat, Nested, Optional, Renamed, Scalars, Subtract,
    Text, Verbatim, Widths, sum,
};

/// The errors of procedures that fail on purpose.
#[derive(RpcError)]
enum PurposefulError {
    #[rpc(code = 417, message = "Failed on purpose", status = 422)]
    OnPurpose(String),
}

/// The number of runs of the procedure with a side effect.
type Runs = AtomicUsize;

/// A service, and the facts about its configuration that the oracle needs.
pub struct Setup {
    pub(crate) service: Service,
    pub(crate) name: &'static str,
    contract: ServiceContract,
    runs: Arc<Runs>,
}

impl Deref for Setup {
    type Target = ServiceContract;

    fn deref(&self) -> &ServiceContract {
        &self.contract
    }
}

/// Limits low enough for short inputs to reach.
pub(crate) struct SmallLimits;

impl SmallLimits {
    pub(crate) const MAX_BODY: usize = 512;
    pub(crate) const MAX_RESPONSE: usize = 256;
    pub(crate) const MAX_BATCH: usize = 4;
    pub(crate) const MAX_NESTING: usize = 8;
}

impl Setup {
    /// Returns every configuration that bodies are tested with.
    pub fn all() -> Vec<Self> {
        vec![
            Self::new("as it comes", true, false, Protocol::V2_0, false),
            Self::new("all versions", true, true, Protocol::V1_1, false),
            Self::new("2.0 only, small limits", false, false, Protocol::V2_0, true),
            Self::new("an address", true, true, Protocol::V2_0, false).only("integers"),
        ]
    }

    /// Returns a service whose procedures are tools.
    pub(crate) fn tools() -> Self {
        let tools = procedures().map(Procedure::tool);
        Self::with("tools", tools, false, false, Protocol::V2_0, false)
    }

    fn new(name: &'static str, v1_1: bool, v1_0: bool, get: Protocol, small: bool) -> Self {
        Self::with(name, procedures(), v1_1, v1_0, get, small)
    }

    fn with(
        name: &'static str,
        procedures: impl Iterator<Item = Procedure<Runs>>,
        v1_1: bool,
        v1_0: bool,
        get: Protocol,
        small: bool,
    ) -> Self {
        let runs = Arc::new(Runs::default());
        let service = Service::builder("fuzzed", "urn:example:fuzzed")
            .shared_state(Arc::clone(&runs))
            .procedures(procedures)
            .protocols(|protocols| {
                protocols.v1_1 = v1_1;
                protocols.v1_0 = v1_0;
                protocols.get = get;
            })
            .limits(|limits| {
                if small {
                    limits.max_body_bytes = SmallLimits::MAX_BODY;
                    limits.max_response_bytes = SmallLimits::MAX_RESPONSE;
                    limits.max_batch_entries = SmallLimits::MAX_BATCH;
                    limits.max_depth = SmallLimits::MAX_NESTING;
                    limits.max_batch_concurrency = 2;
                }
            })
            .build()
            .unwrap_or_else(|error| panic!("{error}"));
        let limits = service.limits();
        let mut procedures = Vec::new();
        let mut keyless = Vec::new();
        for procedure in &service.description().procs {
            procedures.push(procedure.name.clone());
            if !procedure.idempotent && procedure.repeatable.is_none() {
                keyless.push(procedure.name.clone());
            }
        }
        let contract = ServiceContract {
            v1_1,
            v1_0,
            get_version: version_of(get),
            only_procedure: None,
            max_body_bytes: limits.max_body_bytes,
            max_response_bytes: limits.max_response_bytes,
            max_batch: limits.max_batch_entries,
            max_nesting: limits.max_depth,
            procedures,
            keyless,
            declared: &[],
            calls: Calls::Known,
        };
        Self {
            service,
            name,
            contract,
            runs,
        }
    }

    /// Returns the same configuration at the address of one procedure.
    fn only(mut self, procedure: &'static str) -> Self {
        self.contract.only_procedure = Some(procedure);
        self
    }

    /// Returns how often the procedure with a side effect has run since the last call.
    pub(crate) fn take_runs(&self) -> usize {
        self.runs.swap(0, Ordering::Relaxed)
    }
}

/// Returns all procedures.
fn procedures() -> impl Iterator<Item = Procedure<Runs>> {
    echoing()
        .into_iter()
        .chain(others())
        .chain(of_the_specification())
}

/// Returns the procedures that return their parameters.
fn echoing() -> Vec<Procedure<Runs>> {
    vec![
        echo::<()>("none"),
        echo::<Vec<Value>>("values"),
        echo::<Vec<i64>>("integers"),
        echo::<Scalars>("scalars"),
        echo::<Text>("text"),
        echo::<Anything>("anything"),
        echo::<Widths>("widths"),
        echo::<Optional>("optional"),
        echo::<Nested>("nested"),
        echo::<Choices>("choices"),
        echo::<Checked>("checked"),
        echo::<Chain>("chain"),
        echo::<Renamed>("renamed")
            .by_name_only()
            .alias("required", "first"),
        echo::<Flat>("flat").order(["flag", "text"]),
        Procedure::sync("verbatim", |_: Cx<Runs>, p: Verbatim| Ok::<_, Fault>(p)).idempotent(),
        Procedure::blocking("blocking", |_: Cx<Runs>, p: Text| Ok::<_, Fault>(p)).idempotent(),
        Procedure::new("slow", |_: Cx<Runs>, p: Amount| async move {
            for _ in 0..p.amount {
                give_way().await;
            }
            Ok::<_, Fault>(p)
        })
        .idempotent(),
    ]
}

fn echo<P: DeserializeOwned + Serialize + JsonSchema + 'static>(name: &str) -> Procedure<Runs> {
    Procedure::sync(name, |_: Cx<Runs>, p: P| Ok::<_, Fault>(p)).idempotent()
}

/// Returns the procedures that count, fail, panic or return too much.
fn others() -> Vec<Procedure<Runs>> {
    vec![
        Procedure::sync("count", |cx: Cx<Runs>, (): ()| {
            cx.state().fetch_add(1, Ordering::Relaxed);
            Ok::<_, Fault>(())
        }),
        Procedure::sync("fails", |_: Cx<Runs>, p: Text| {
            Err::<(), _>(PurposefulError::OnPurpose(p.text))
        })
        .idempotent(),
        Procedure::sync("undeclared", |_: Cx<Runs>, (): ()| {
            Err::<(), _>(Fault::new(4711, "never declared"))
        }),
        Procedure::sync("panics", |_: Cx<Runs>, (): ()| panic_quietly()).idempotent(),
        Procedure::new("panics_later", |_: Cx<Runs>, (): ()| async {
            give_way().await;
            panic_quietly()
        }),
        Procedure::sync("infinite", |_: Cx<Runs>, (): ()| {
            Ok::<_, Fault>(f64::INFINITY)
        })
        .idempotent(),
        Procedure::sync("large", |_: Cx<Runs>, p: Amount| {
            Ok::<_, Fault>("é".repeat(p.amount.into()))
        })
        .idempotent(),
    ]
}

/// Returns the procedures in the examples of JSON-RPC 2.0, section 7.
fn of_the_specification() -> Vec<Procedure<Runs>> {
    vec![
        Procedure::sync("subtract", |_: Cx<Runs>, p: Subtract| {
            Ok::<_, Fault>(p.difference())
        }),
        Procedure::sync("sum", |_: Cx<Runs>, p: Vec<i32>| Ok::<_, Fault>(sum(&p))),
        Procedure::sync("update", |_: Cx<Runs>, _: Vec<i64>| Ok::<_, Fault>(())),
        Procedure::sync(
            "notify_hello",
            |_: Cx<Runs>, _: Vec<i64>| Ok::<_, Fault>(()),
        ),
        Procedure::sync("get_data", |_: Cx<Runs>, (): ()| {
            Ok::<_, Fault>(("hello", 5))
        }),
    ]
}

/// Panics without calling the panic hook, because a fuzzer's hook treats every panic as a finding.
fn panic_quietly() -> Result<(), Fault> {
    std::panic::resume_unwind(Box::new("a panic on purpose"))
}

/// Yields once, so that other calls run first.
fn give_way() -> impl Future<Output = ()> {
    let mut asked = false;
    future::poll_fn(move |context| {
        if std::mem::replace(&mut asked, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

/// Runs a future that waits for nothing outside.
///
/// # Panics
/// If the future needs far more polls than any input can require.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin::pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..1_000_000 {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
    panic!("a call never finishes")
}
