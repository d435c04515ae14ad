//! Counts a finished call in its series.

use std::collections::HashMap;
use std::sync::Arc;

use docent_core::{CallRecord, Ending, Observer, Service, code};

use super::Shared;
use super::labels::{CallLabels, Code, ProcedureLabels};

/// Counts the calls of one service.
pub(super) struct CallCounter {
    shared: Arc<Shared>,
    mount: Arc<str>,
    /// The codes that each procedure declares.
    declared: HashMap<Arc<str>, Box<[i64]>>,
}

impl CallCounter {
    pub(super) fn new(shared: Arc<Shared>, mount: Arc<str>, service: &Service) -> Self {
        let procedures = service.description().procs.iter();
        let declared = procedures.map(|procedure| {
            let codes = procedure.errors.iter().map(|error| error.code);
            (procedure.name.as_str().into(), codes.collect())
        });
        Self {
            shared,
            mount,
            declared: declared.collect(),
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
        let place = ProcedureLabels { mount, procedure };
        let size = |bytes: usize| f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
        let Shared {
            calls,
            mismatches,
            durations,
            request_sizes,
            response_sizes,
            ..
        } = &*self.shared;
        if let Some(duration) = call.duration {
            durations
                .get_or_create(&place)
                .observe(duration.as_secs_f64());
        }
        request_sizes
            .get_or_create(&place)
            .observe(size(call.request_bytes));
        response_sizes
            .get_or_create(&place)
            .observe(size(call.response_bytes));
        if call.mismatch {
            mismatches.get_or_create(&place).inc();
        }
        let call = CallLabels {
            mount: place.mount,
            procedure: place.procedure,
            protocol: call.protocol.as_str(),
            code: match call.ending {
                Ending::Cancelled => Code::Cancelled,
                _ => known(call.code, declared),
            },
        };
        calls.get_or_create(&call).inc();
    }
}

/// Returns the code as a label. Codes of the protocol and declared codes are few; all others share
/// one label.
fn known(code: Option<i64>, declared: &[i64]) -> Code {
    match code {
        None => Code::Ok,
        Some(code) if code::row(code).is_some() || declared.contains(&code) => Code::Known(code),
        Some(_) => Code::Other,
    }
}
