//! The end of a handler: its result or fault, checked against the description.

use super::results::Results;
use crate::call::{Call, Callee, Ended};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::incident::Incident;
use crate::output::Output;
use crate::panic::Panic;
use crate::report::Report;
use crate::runtime::Runtime;

/// Turns the end of a handler into an outcome that the description allows. Log entries are written
/// in the span of the call, so they name it.
#[inline]
pub(super) fn settle(
    call: &Call,
    results: Option<&Results>,
    output: &mut Output,
    outcome: Result<Result<(), Fault>, Interruption>,
) -> Result<(), Fault> {
    match outcome {
        Ok(Ok(())) if results.is_none() || call.callee().has_plain_result => Ok(()),
        outcome => settle_by_description(call, results, output, outcome),
    }
}

/// Does the same as [`settle`] for a handler that owns its output.
pub(super) fn settled(
    call: &Call,
    results: Option<&Results>,
    outcome: Result<Ended, Interruption>,
) -> Ended {
    let (mut output, outcome) = match outcome {
        Ok(Ended { output, result }) => (output, Ok(result)),
        Err(interruption) => (Output::lost(), Err(interruption)),
    };
    let result = settle(call, results, &mut output, outcome);
    Ended { output, result }
}

/// Does the same for a fault, an interruption, or a result that is checked.
#[inline(never)]
fn settle_by_description(
    call: &Call,
    results: Option<&Results>,
    output: &mut Output,
    outcome: Result<Result<(), Fault>, Interruption>,
) -> Result<(), Fault> {
    match outcome {
        Ok(result) => {
            let held = match results {
                None => result,
                Some(results) => results.hold(call, output, result),
            };
            let settle = |fault| Scene::of(call).settle(fault);
            held.map_err(|fault| call.in_span(|| settle(fault)))
        }
        Err(interruption) => {
            // The output may be incomplete.
            *output = Output::lost();
            Err(call.in_span(|| Scene::of(call).interrupted(interruption)))
        }
    }
}

/// The context of a problem, with all that the log needs to name the call.
pub(super) struct Scene<'a> {
    pub(super) callee: &'a Callee,
    pub(super) runtime: Option<&'a dyn Runtime>,
    pub(super) extensions: Option<&'a Extensions>,
}

impl<'a> Scene<'a> {
    fn of(call: &'a Call) -> Self {
        Self {
            callee: call.callee(),
            runtime: call.runtime.as_deref(),
            extensions: call.extensions.as_deref(),
        }
    }

    /// Returns a report with an incident ID: that of the request, or a new one.
    fn report(&self) -> (Report<'a>, Incident) {
        let of_request = self.extensions.and_then(Extensions::take_incident);
        let incident = of_request.unwrap_or_else(|| self.callee.incidents.next(self.runtime));
        let report = Report {
            incident: Some(incident),
            ..Report::new(self.callee.name(), self.runtime).of(self.extensions)
        };
        (report, incident)
    }

    /// Turns a fault into one that the description allows, and logs what the caller must not see.
    pub(super) fn settle(&self, fault: Fault) -> Fault {
        if fault.cause().is_none() && self.callee.may_answer(&fault) {
            return fault;
        }
        let (report, incident) = self.report();
        let (code, said) = (fault.code(), fault.message());
        if let Some(cause) = fault.cause() {
            report.failed(cause);
        } else if code::RESERVED.contains(&code) {
            report.misused("a procedure returned a reserved error code", code, said);
        } else {
            report.misused("a procedure returned an undeclared error code", code, said);
        }
        fault.replaced(Fault::incident(incident))
    }

    /// Returns the fault that the caller of an interrupted call gets.
    pub(super) fn interrupted(&self, interruption: Interruption) -> Fault {
        match interruption {
            Interruption::Late => Fault::protocol(code::TIMED_OUT),
            Interruption::NotStarted => Fault::not_started(),
            Interruption::Panic(panic) => self.panicked("a procedure", panic),
            Interruption::Clockless(panic) => self.panicked("the runtime", panic),
        }
    }

    fn panicked(&self, who: &str, panic: Panic) -> Fault {
        let (report, incident) = self.report();
        report.panicked(who, panic);
        Fault::incident(incident)
    }
}

/// The reason why a handler did not finish, from its caller's point of view.
pub(super) enum Interruption {
    Panic(Panic),
    /// The call timed out.
    Late,
    /// The call timed out before it started, and will not start.
    NotStarted,
    /// The runtime panicked while it provided the time or a timer.
    Clockless(Panic),
}
