//! The end of a call: its answer, and what becomes of a fault.

use super::Entry;
use super::panic::Panic;
use crate::code;
use crate::cx::Call;
use crate::fault::Fault;
use crate::guard::Denial;
use crate::output::Output;
use crate::procedure::Ended;
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
        Ok(ended @ (_, Ok(()))) => ended,
        Ok((output, Err(fault))) => {
            let settle = || settle(&call.entry, fault);
            (output, Err(call.span.in_scope(settle)))
        }
        Err(interruption) => call.span.in_scope(|| failed(&call.entry, interruption)),
    }
}

/// Makes a fault one that the description allows, and logs what is not for the caller.
pub(super) fn settle(entry: &Entry, mut fault: Fault) -> Fault {
    let procedure = &*entry.description.name;
    let allowed = if let Some(cause) = fault.cause() {
        tracing::error!(procedure, cause, "a procedure failed");
        Fault::protocol(fault.code())
    } else if entry.may_answer(&fault) {
        return fault;
    } else {
        log_code(procedure, &fault);
        Fault::protocol(code::INTERNAL_ERROR)
    };
    // A refusal stays one, whatever is wrong with its words.
    match fault.take_denial() {
        Some(denial) => allowed.denied(denial),
        None => allowed,
    }
}

/// Logs what a procedure answered and may not.
fn log_code(procedure: &str, fault: &Fault) {
    let (code, message) = (fault.code(), fault.message());
    if code::RESERVED.contains(&code) {
        tracing::error!(
            procedure,
            code,
            message,
            "a procedure answered with a code that is reserved"
        );
    } else {
        tracing::error!(
            procedure,
            code,
            message,
            "a procedure answered with a code it never declared"
        );
    }
}

/// Why a handler did not come to its end, as far as its caller is concerned.
pub(super) enum Interruption {
    Panic(Panic),
    Timeout,
}

/// The end of a call that was interrupted.
pub(super) fn failed(entry: &Entry, interruption: Interruption) -> Ended {
    let fault = match interruption {
        Interruption::Timeout => Fault::protocol(code::TIMED_OUT),
        Interruption::Panic(panic) => {
            log_panic(entry, panic);
            Fault::protocol(code::INTERNAL_ERROR)
        }
    };
    (Output::new(usize::MAX, false), Err(fault))
}

pub(super) fn log_panic(entry: &Entry, panic: Panic) {
    panic.log("a procedure", &entry.description.name);
}
