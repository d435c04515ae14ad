//! Checks results, and the data of errors, against the description.
//!
//! A handler's result has the type of its schema, but its values may still break the schema: a field
//! with `range(max = 10)` may be 200, and a function under `serialize_with` may write anything. If the
//! service is configured to check results, the text is checked here before it is sent, unless values
//! of its type always match their schema ([`Callee::has_plain_result`]). If it is not configured so,
//! there are no [`Results`], and the check costs one comparison per call.

use std::sync::atomic::{AtomicUsize, Ordering};

use docent_describe::json::Json;
use docent_describe::{ProcedureDescription, ServiceDescription};

use crate::call::Call;
use crate::fast_map::FastMap;
use crate::fault::Fault;
use crate::output::Output;
use docent_describe::schema::check::{Check, Compiler};

/// The treatment of results and error data that contradict the description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckResults {
    /// Results and error data are not checked.
    Off,
    /// Mismatches are logged as errors, and the result or error is sent. Observers see the mismatch
    /// ([`CallRecord::mismatch`](crate::CallRecord::mismatch)). A tool of MCP answers `isError: true`
    /// instead, with a text that says that the call has run.
    Log,
    /// A mismatch in the result of an idempotent procedure fails the call with an Internal error
    /// (-32603), and is logged. Everything else is treated as by [`Log`](Self::Log), because a call
    /// that has changed something must not look as if it had not run. Results that would be sent in any
    /// case are only sampled: the first 100 calls of a procedure, then one in 64, and all results of tools
    /// of MCP.
    RefuseIdempotent,
    /// The call fails with an Internal error (-32603), and the mismatch is logged.
    Refuse,
}

/// Returns [`Refuse`](Self::Refuse) in builds with debug assertions, and
/// [`RefuseIdempotent`](Self::RefuseIdempotent) in others.
impl Default for CheckResults {
    fn default() -> Self {
        if cfg!(debug_assertions) {
            Self::Refuse
        } else {
            Self::RefuseIdempotent
        }
    }
}

/// The compiled checks of the results of a service's procedures.
pub(super) struct Results {
    check: CheckResults,
    /// The checks by the name of the procedure, without the reserved procedures.
    procedures: FastMap<Box<str>, OutcomeChecks>,
}

/// The number of calls of a procedure whose results are all checked, although a mismatch would be sent.
const CHECKED_AT_FIRST: usize = 100;

/// Afterwards, one in so many results is checked.
const SAMPLING_INTERVAL: usize = 64;

struct OutcomeChecks {
    /// The check of the result, or of each item; `None` if it cannot be checked.
    result: Option<Check>,
    /// The number of results that were sent unchecked.
    unenforced: AtomicUsize,
    /// The declared errors by code.
    errors: Box<[(i64, DeclaredData)]>,
}

/// The declared data of an error.
enum DeclaredData {
    /// The error has no data.
    Absent,
    Checked(Check),
    /// The data cannot be checked.
    Unknown,
}

impl Results {
    /// Compiles the schemas of a description for checking; `None` if checks are off. A text has at most
    /// `longest` bytes. Schemas that cannot be checked are passed to `unknown`.
    pub(super) fn new(
        description: &ServiceDescription,
        check: CheckResults,
        longest: usize,
        unknown: &mut dyn FnMut(String),
    ) -> Option<Self> {
        if check == CheckResults::Off {
            return None;
        }
        let mut compiler = Compiler::new(&description.components.schemas).max_text_bytes(longest);
        let mut procedures = FastMap::default();
        for procedure in &description.procs {
            let checks = OutcomeChecks::new(procedure, &mut compiler, unknown);
            procedures.insert(procedure.name.as_str().into(), checks);
        }
        Some(Self { check, procedures })
    }

    /// Checks the outcome of a handler against the description.
    pub(super) fn check(
        &self,
        call: &Call,
        output: &mut Output,
        result: Result<(), Fault>,
    ) -> Result<(), Fault> {
        match result {
            // The outcome of a call with a key is checked twice.
            result if output.mismatch => result,
            Ok(()) => self.check_result(call, output),
            Err(fault) => Err(self.check_fault(call, output, fault)),
        }
    }

    fn check_result(&self, call: &Call, output: &mut Output) -> Result<(), Fault> {
        let is_subscription = call.callee().is_subscription();
        if call.meta.notification || is_subscription || output.shared.is_some() {
            // The result of a notification is not written, that of a subscription is its id, and that of a
            // reserved procedure has no checks.
            return Ok(());
        }
        let Some(checks) = self.checks(call) else {
            return Ok(());
        };
        let Some(check) = checks
            .result
            .as_ref()
            .filter(|_| self.is_checked(call, checks))
        else {
            return Ok(());
        };
        let mut before = Vec::new();
        call.meta.protocol.begin_result(&mut before);
        let Some(Ok(result)) = output.buffer.get(before.len()..).map(str::from_utf8) else {
            return Ok(());
        };
        match check.check(result) {
            Ok(()) => Ok(()),
            Err(violation) => {
                let cause = format_args!("the result does not match the description: {violation}");
                self.handle_mismatch(call, self.is_refused(call), cause)?;
                output.mismatch = true;
                Ok(())
            }
        }
    }

    /// Checks an item of a subscription against the description.
    pub(super) fn check_item(&self, call: &Call, item: &[u8]) -> Result<(), Fault> {
        let Some(checks) = self
            .checks(call)
            .filter(|checks| self.is_checked(call, checks))
        else {
            return Ok(());
        };
        let (Some(check), Ok(item)) = (&checks.result, str::from_utf8(item)) else {
            return Ok(());
        };
        check.check(item).or_else(|violation| {
            let cause = format_args!("an item does not match the description: {violation}");
            self.handle_mismatch(call, self.is_refused(call), cause)
        })
    }

    /// Returns whether a result that does not match is refused although not all are.
    fn is_refused(&self, call: &Call) -> bool {
        self.check == CheckResults::RefuseIdempotent && call.callee().description.idempotent
    }

    /// Returns whether this result is checked. One whose mismatch would only be logged is a sample, because
    /// a check takes as long as writing the result.
    fn is_checked(&self, call: &Call, checks: &OutcomeChecks) -> bool {
        let is_enforced = call.callee().description.idempotent || call.meta.is_tool;
        if is_enforced || self.check != CheckResults::RefuseIdempotent {
            return true;
        }
        let before = checks.unenforced.fetch_add(1, Ordering::Relaxed);
        before < CHECKED_AT_FIRST || before.is_multiple_of(SAMPLING_INTERVAL)
    }

    /// Checks the data of an error against its declaration.
    fn check_fault(&self, call: &Call, output: &mut Output, fault: Fault) -> Fault {
        let Some(checks) = self.checks(call).filter(|_| !fault.is_protocols_own()) else {
            return fault;
        };
        let Some((code, data)) = checks.errors.iter().find(|(code, _)| *code == fault.code())
        else {
            return fault;
        };
        let mismatch = match (data, fault.data()) {
            (DeclaredData::Unknown, _) | (DeclaredData::Absent, None) => return fault,
            (DeclaredData::Absent, Some(_)) => "it declares none".to_owned(),
            // Data that may be null may be left out.
            (DeclaredData::Checked(check), data) => match check.check(data.unwrap_or("null")) {
                Ok(()) => return fault,
                Err(_) if data.is_none() => "there is none".to_owned(),
                Err(violation) => violation.to_string(),
            },
        };
        let cause =
            format_args!("the data of error {code} does not match the description: {mismatch}");
        match self.handle_mismatch(call, false, cause) {
            Ok(()) => {
                output.mismatch = true;
                fault
            }
            Err(mismatch) => fault.replaced(mismatch),
        }
    }

    fn checks(&self, call: &Call) -> Option<&OutcomeChecks> {
        self.procedures.get(call.callee().name())
    }

    /// Refuses a mismatch, or logs it and accepts it. Only the log gets the pointer and the value.
    #[cold]
    fn handle_mismatch(
        &self,
        call: &Call,
        is_refused: bool,
        cause: std::fmt::Arguments<'_>,
    ) -> Result<(), Fault> {
        if is_refused || self.check == CheckResults::Refuse {
            return Err(Fault::internal(cause));
        }
        call.in_span(|| call.report().noticed(cause));
        Ok(())
    }
}

impl OutcomeChecks {
    fn new(
        procedure: &ProcedureDescription,
        compiler: &mut Compiler<'_>,
        unknown: &mut dyn FnMut(String),
    ) -> Self {
        let name = &procedure.name;
        let result = match (&procedure.returns, &procedure.subscription) {
            (Some(returns), _) => check_of("the result", &returns.schema, name, compiler, unknown),
            (None, Some(subscription)) => check_of(
                "an item",
                &subscription.item.schema,
                name,
                compiler,
                unknown,
            ),
            (None, None) => None,
        };
        let mut errors = Vec::with_capacity(procedure.errors.len());
        for error in &procedure.errors {
            let data = match &error.data {
                None => DeclaredData::Absent,
                Some(schema) => {
                    let what = format!("the data of error {}", error.code);
                    match check_of(&what, schema, name, compiler, unknown) {
                        Some(check) => DeclaredData::Checked(check),
                        None => DeclaredData::Unknown,
                    }
                }
            };
            errors.push((error.code, data));
        }
        Self {
            result,
            unenforced: AtomicUsize::new(0),
            errors: errors.into(),
        }
    }
}

/// Compiles the check of a procedure's result or error data, or reports why there is none.
fn check_of(
    what: &str,
    schema: &Json,
    procedure: &str,
    compiler: &mut Compiler<'_>,
    unknown: &mut dyn FnMut(String),
) -> Option<Check> {
    match compiler.compile(schema) {
        Ok(check) => Some(check),
        Err(reasons) => {
            let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
            unknown(format!(
                "procedure {procedure:?}: {what} is not checked: {}",
                reasons.join("; ")
            ));
            None
        }
    }
}
