//! The end of a call: its answer, and what becomes of a fault.

use super::Entry;
use super::panic::Panic;
use crate::code;
use crate::cx::Call;
use crate::denial::Denial;
use crate::fault::Fault;
use crate::incident::Incident;
use crate::output::Output;
use crate::procedure::Ended;
use crate::runtime::Runtime;
use crate::wire::Protocol;

/// The answer of a call.
pub(super) struct Answer {
    pub(super) body: Vec<u8>,
    /// The code of the error that it is; none for a result.
    pub(super) code: Option<i64>,
    /// Set where a guard refused.
    pub(super) denial: Option<Denial>,
}

/// Completes the answer of a call that has ended.
#[inline]
pub(super) fn finish(ended: Ended, protocol: Protocol, id: Option<&str>) -> Answer {
    let (mut output, result) = ended;
    match result {
        Ok(()) if output.has_room_for(protocol.end_length(id)) => {
            protocol.end_result(&mut output.buffer, id);
            Answer {
                body: output.buffer,
                code: None,
                denial: None,
            }
        }
        Ok(()) => write_fault(
            output,
            Fault::protocol(code::RESPONSE_TOO_LARGE),
            protocol,
            id,
        ),
        Err(fault) => write_fault(output, fault, protocol, id),
    }
}

fn write_fault(output: Output, mut fault: Fault, protocol: Protocol, id: Option<&str>) -> Answer {
    let limit = output.limit();
    let mut body = output.buffer;
    body.clear();
    protocol.write_fault(&mut body, id, &fault);
    let denial = fault.take_denial();
    // A fault may carry as much text as a result, and is bounded like one.
    if body.len() > limit && fault.code() != code::RESPONSE_TOO_LARGE {
        fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
        body = Vec::new();
        protocol.write_fault(&mut body, id, &fault);
    }
    Answer {
        body,
        code: Some(fault.code()),
        denial,
    }
}

/// What a handler came to, as the description allows it. What there is to log is logged within the
/// call's span, and so says which call it was.
#[inline]
pub(super) fn settled(call: &Call, outcome: Result<Ended, Interruption>) -> Ended {
    match outcome {
        Ok(ended @ (_, Ok(()))) if call.results.is_none() => ended,
        Ok((output, result)) => {
            let held = match &call.results {
                None => result,
                Some(results) => results.hold(call, &output, result),
            };
            let settle = |fault| Scene::of(call).settle(fault);
            let settled = held.map_err(|fault| call.span.in_scope(|| settle(fault)));
            (output, settled)
        }
        Err(interruption) => {
            let fault = call
                .span
                .in_scope(|| Scene::of(call).interrupted(interruption));
            (Output::lost(), Err(fault))
        }
    }
}

/// Where something went wrong: what it takes to say so in the log, and to find it there.
pub(super) struct Scene<'a> {
    pub(super) entry: &'a Entry,
    pub(super) runtime: Option<&'a dyn Runtime>,
}

impl<'a> Scene<'a> {
    fn of(call: &'a Call) -> Self {
        Self {
            entry: &call.entry,
            runtime: call.runtime.as_deref(),
        }
    }

    fn procedure(&self) -> &'a str {
        &self.entry.description.name
    }

    fn incident(&self) -> Incident {
        self.entry.incidents.next(self.runtime)
    }

    /// Makes a fault one that the description allows, and logs what is not for the caller.
    pub(super) fn settle(&self, mut fault: Fault) -> Fault {
        if fault.cause().is_none() && self.entry.may_answer(&fault) {
            return fault;
        }
        let incident = self.incident();
        self.log(&fault, incident);
        let allowed = Fault::incident(incident);
        // A refusal stays one, whatever is wrong with its words.
        match fault.take_denial() {
            Some(denial) => allowed.denied(denial),
            None => allowed,
        }
    }

    /// Logs a fault that is not for the caller.
    fn log(&self, fault: &Fault, incident: Incident) {
        let procedure = self.procedure();
        let (code, said) = (fault.code(), fault.message());
        if let Some(cause) = fault.cause() {
            tracing::error!(procedure, %incident, cause, "a procedure failed");
        } else if code::RESERVED.contains(&code) {
            let text = "a procedure returned a reserved error code";
            tracing::error!(procedure, %incident, code, said, "{text}");
        } else {
            let text = "a procedure returned an undeclared error code";
            tracing::error!(procedure, %incident, code, said, "{text}");
        }
    }

    /// What the caller is told of a call that was interrupted.
    pub(super) fn interrupted(&self, interruption: Interruption) -> Fault {
        match interruption {
            Interruption::Late => Fault::protocol(code::TIMED_OUT),
            Interruption::NotStarted => Fault::not_started(),
            Interruption::Panic(panic) => self.panicked("a procedure", panic),
            Interruption::Clockless(panic) => self.panicked("the runtime", panic),
        }
    }

    fn panicked(&self, what: &str, panic: Panic) -> Fault {
        let incident = self.incident();
        panic.log_incident(what, self.procedure(), incident);
        Fault::incident(incident)
    }
}

/// Why a handler did not come to its end, as far as its caller is concerned.
pub(super) enum Interruption {
    Panic(Panic),
    /// Its time is over.
    Late,
    /// Its time is over, and nothing of it has run or will.
    NotStarted,
    /// The runtime panicked when it was asked for the time or for a timer.
    Clockless(Panic),
}

pub(super) fn log_panic(entry: &Entry, panic: Panic) {
    panic.log("a procedure", &entry.description.name);
}
