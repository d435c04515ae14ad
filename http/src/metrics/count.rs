//! Counts finished calls in their series.
//!
//! Labels have few values, whatever callers send: names and codes that are not declared share one
//! series.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use docent_core::{CallRecord, Ending, Observer, Service, code};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::labels::{CallLabels, ProcedureLabels};

/// The buckets of durations in seconds, from calls that wait for nothing to the default timeout of a
/// procedure.
const DURATION_BUCKETS: [f64; 15] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

/// The buckets of sizes in bytes, up to the default limit on a response.
const SIZE_BUCKETS: [f64; 5] = [256.0, 4_096.0, 65_536.0, 1_048_576.0, 16_777_216.0];

/// The series of finished calls. All clones share them.
#[derive(Debug, Clone)]
pub(super) struct CallSeries {
    calls: Family<CallLabels, Counter>,
    mismatches: Family<ProcedureLabels, Counter>,
    replays: Family<ProcedureLabels, Counter>,
    durations: Family<ProcedureLabels, Histogram>,
    request_sizes: Family<ProcedureLabels, Histogram>,
    response_sizes: Family<ProcedureLabels, Histogram>,
}

impl CallSeries {
    /// Creates the series, without calls, and registers them.
    pub(super) fn new(registry: &mut Registry) -> Self {
        let calls = Family::default();
        let help = "Calls and subscriptions that have finished, and requests that were rejected before \
                    they became a call";
        registry.register("calls", help, calls.clone());
        let mismatches = Family::default();
        let help = "Calls whose result, or data of an error, did not match the description";
        registry.register("mismatches", help, mismatches.clone());
        let replays = Family::default();
        let help = "Calls that got the outcome of an earlier call with the same key";
        registry.register("replays", help, replays.clone());
        let durations = Family::new_with_constructor(durations as fn() -> Histogram);
        let help = "The duration of calls";
        registry.register_with_unit("call_duration", help, Unit::Seconds, durations.clone());
        let request_sizes = Family::new_with_constructor(sizes as fn() -> Histogram);
        let help = "The size of parameters as they were sent";
        registry.register_with_unit("call_request", help, Unit::Bytes, request_sizes.clone());
        let response_sizes = Family::new_with_constructor(sizes as fn() -> Histogram);
        let help = "The answers of calls";
        registry.register_with_unit("call_response", help, Unit::Bytes, response_sizes.clone());
        Self {
            calls,
            mismatches,
            replays,
            durations,
            request_sizes,
            response_sizes,
        }
    }
}

fn durations() -> Histogram {
    Histogram::new(DURATION_BUCKETS)
}

fn sizes() -> Histogram {
    Histogram::new(SIZE_BUCKETS)
}

/// Counts the calls of one service.
pub(super) struct CallCounter {
    series: CallSeries,
    mount: Arc<str>,
    /// The codes that each procedure declares.
    declared: HashMap<Arc<str>, Box<[i64]>>,
}

impl CallCounter {
    pub(super) fn new(series: CallSeries, mount: Arc<str>, service: &Service) -> Self {
        let mut declared = HashMap::new();
        for procedure in &service.description().procs {
            let codes = procedure.errors.iter().map(|error| error.code).collect();
            declared.insert(procedure.name.as_str().into(), codes);
        }
        Self {
            series,
            mount,
            declared,
        }
    }
}

impl Observer for CallCounter {
    fn finished(&self, call: &CallRecord<'_>) {
        let (procedure, declared) = match self.declared.get_key_value(call.procedure) {
            Some((name, codes)) => (Arc::clone(name), &**codes),
            None => (call.procedure.into(), &[][..]),
        };
        let mount = Arc::clone(&self.mount);
        let labels = ProcedureLabels { mount, procedure };
        let series = &self.series;
        observe(&series.request_sizes, &labels, size(call.request_bytes));
        // A subscription lasts as long as its caller wants, which says nothing of calls.
        if !call.subscription {
            if let Some(duration) = call.duration {
                observe(&series.durations, &labels, duration.as_secs_f64());
            }
            observe(&series.response_sizes, &labels, size(call.response_bytes));
        }
        if call.mismatch {
            series.mismatches.get_or_create(&labels).inc();
        }
        if call.replayed {
            series.replays.get_or_create(&labels).inc();
        }
        let call = CallLabels {
            procedure: labels,
            protocol: call.protocol.as_str(),
            code: match call.ending {
                Ending::Cancelled => "cancelled".into(),
                _ => code_label(call.code, declared),
            },
        };
        series.calls.get_or_create(&call).inc();
    }
}

fn observe(series: &Family<ProcedureLabels, Histogram>, labels: &ProcedureLabels, value: f64) {
    series.get_or_create(labels).observe(value);
}

/// Returns a size as a histogram counts it.
fn size(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX))
}

/// Returns the code as a label. Codes of the protocol and declared codes are few; all others share
/// one label.
fn code_label(code: Option<i64>, declared: &[i64]) -> Cow<'static, str> {
    match code {
        None => "ok".into(),
        Some(code) if code::find(code).is_some() || declared.contains(&code) => {
            code.to_string().into()
        }
        Some(_) => "other".into(),
    }
}
