//! Calls a service and compares its responses with its description.
//!
//! A description, a [`LiveTransport`] that sends requests, and [`LiveOptions`] with limits come in. A [`LiveReport`] of
//! findings goes out, each with the smallest call that was found to reproduce it.
//!
//! ```text
//! description ─ plan ─► PlannedTask: a call, two calls that mean the same, or a rule with requests of its own
//!     ─ threads, each with a Checker ─► TrialCall ─ TrialCaller, LiveTransport ─► LiveResponse
//!     ─ check ─► LiveOutcome, or a Finding ─ reduce: simpler calls with the same finding ─► LiveReport
//! ```
//!
//! All calls are planned in advance from the description alone (`plan.rs`): its examples, values made from its schemas,
//! both valid and invalid (`tested.rs`), and the rules of the protocol (`rules.rs`, `caching.rs`, `coercion.rs`). A
//! plan that followed the responses would find more with fewer calls, but two runs with the same seed could not be
//! compared. Subscriptions are followed instead (`subscription/`).
//!
//! Threads take the tasks of all procedures in turn, so that a limit on calls affects all procedures alike. Calls that
//! are repeated to see their effect run before all others, and alone; those that use up a limit run last
//! (`repeated.rs`).
//!
//! Calls are made only if the user allows them: not those that may change something, and not those that need
//! credentials if there are none. A response that proves nothing, because the service was busy, is only counted
//! (`conformance.rs`). A task whose call could not be made returns `None`, which proves nothing either. Whether a
//! description contradicts itself is found without a call, by the files beside this folder.

mod caching;
mod caller;
mod checker;
mod coercion;
mod combinations;
mod conformance;
mod content;
mod plan;
mod reduce;
mod repeated;
mod report;
mod reproduce;
mod response;
mod rules;
mod subscription;
mod task;
mod tested;
mod transport;

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use docent_describe::schema::{Format, SchemaContext, Validator, for_each_schema};
use docent_describe::{ProcedureDescription, ServiceDescription, changing_verb};

use super::binding::Binding;
pub use caller::LiveOptions;
use caller::TrialCaller;
use checker::Checker;
use plan::{in_turn, plan_procedure};
use repeated::{excessive, rate_limit, steady};
use report::WhyNotTried;
pub use report::{LiveReport, NotTried};
pub use reproduce::quoted;
pub use response::{LiveResponse, Unanswered};

use task::{PlannedTask, RuleCheck};
use tested::TestedProcedure;
pub use transport::{LiveStep, LiveStream, LiveSubscribed, LiveTransport};

/// The number of calls that tasks under way may still make.
const MAX_CALLS_IN_FLIGHT: usize = 12;

/// Checks the procedures of a service by calling them. There is a binding for each procedure, in their
/// order.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_tools::check::{
///     Binding, LiveOptions, LiveResponse, LiveTransport, Rule, Unanswered, check_live,
/// };
/// use docent_tools::read::read;
/// use url::Url;
///
/// /// Accepts all parameters. With `docent_core::Arguments`, only those that the description allows.
/// struct Anything;
///
/// impl Binding for Anything {
///     fn check(&self, _params: &str) -> Result<(), Json> {
///         Ok(())
///     }
///
///     fn read(&self, _query: &[(String, String)]) -> Option<Json> {
///         None
///     }
/// }
///
/// /// A client of HTTP belongs here. This service answers every request with an empty object.
/// struct Stub;
///
/// impl LiveTransport for Stub {
///     fn send(&self, _: &Url, _: Option<&str>, _: Option<&str>) -> Result<LiveResponse, Unanswered> {
///         Ok(LiveResponse::new(200, |_| None, b"{}".to_vec()))
///     }
/// }
///
/// let document = br#"{"openrpc": "1.3.2", "info": {"title": "Clock", "version": "1.0"}, "methods":
///     [{"name": "now", "params": [], "result": {"name": "now", "schema": {"type": "string"}}}]}"#;
/// let description = read(document)?.description;
/// let address = Url::parse("http://127.0.0.1:8080/rpc")?;
/// let mut options = LiveOptions::new(&address);
/// options.with_writes = true;
/// options.max_calls = 10;
/// let report = check_live(&description, [Anything].into_iter(), &Stub, options);
/// assert!(report.findings.iter().any(|finding| finding.rule == Rule::BadResponse));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_live<'d>(
    service: &'d ServiceDescription,
    bindings: impl Iterator<Item = impl Binding + 'd>,
    transport: &dyn LiveTransport,
    options: LiveOptions<'_>,
) -> LiveReport {
    let start = Instant::now();
    let mut report = LiveReport::default();
    let plan = plan_service(service, bindings, &options, &mut report);
    let caller = TrialCaller::new(transport, options, service.origin);
    let check = LiveCheck {
        service,
        caller: &caller,
        tested: &plan.tested,
        report: Mutex::new(report),
    };
    // These run alone, since other calls would hide the effect of a call.
    check.run(plan.steady, 1, 0);
    check.run(plan.calls, options.at_once, plan.reserved);
    check.run(plan.combinations, options.at_once, plan.reserved);
    // A limit that is used up would refuse all calls after it.
    check.run(plan.limits, 1, 0);
    let mut report = check
        .report
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    report.finish(service, &caller, &plan.tested);
    report.time = start.elapsed();
    report
}

/// A task for one of the tested procedures.
struct ServiceTask {
    /// The index of the procedure.
    procedure: usize,
    task: PlannedTask,
}

/// The plan for a service.
#[derive(Default)]
struct ServicePlan<'d> {
    /// The procedures that are called.
    tested: Vec<TestedProcedure<'d>>,
    /// The checks whether calls change something.
    steady: Vec<ServiceTask>,
    /// The calls and rules of all procedures, in turn.
    calls: Vec<ServiceTask>,
    /// The calls with combined values.
    combinations: Vec<ServiceTask>,
    /// The checks whether limits on calls are kept.
    limits: Vec<ServiceTask>,
    /// The number of calls that are kept for the limits.
    reserved: usize,
}

/// Plans the tasks for all procedures, and reports those that are not tried.
fn plan_service<'d>(
    service: &'d ServiceDescription,
    bindings: impl Iterator<Item = impl Binding + 'd>,
    options: &LiveOptions<'_>,
    report: &mut LiveReport,
) -> ServicePlan<'d> {
    let validator = Validator::new(service);
    let mut plan = ServicePlan::default();
    let mut calls = Vec::new();
    let mut combinations = Vec::new();
    // The same seed always leads to the same calls.
    let mut random = fastrand::Rng::with_seed(options.seed);
    for (procedure, binding) in service.procs.iter().zip(bindings) {
        if procedure.is_reserved() {
            continue;
        }
        let name = procedure.name.clone();
        if let Some(reason) = reason_not_to_call(procedure, options) {
            report.not_tried.push(reason.for_procedure(name));
            continue;
        }
        let tested = TestedProcedure::new(procedure, binding, service, &validator);
        let own = plan_procedure(&tested, &validator, &mut random);
        if own.tasks.is_empty() {
            let why_not = WhyNotTried {
                reason: "no parameters could be made from its schemas",
                cure: "give it an example",
            };
            report.not_tried.push(why_not.for_procedure(name));
            continue;
        }
        calls.push(service_tasks(plan.tested.len(), own.tasks));
        combinations.push(service_tasks(plan.tested.len(), own.combinations));
        plan.tested.push(tested);
    }
    plan.calls = in_turn(calls);
    plan.combinations = in_turn(combinations);
    // Each of these takes at least two calls. If there are too many procedures, only the first ones are
    // checked.
    plan.steady = rule_tasks(&plan.tested, steady, |procedure| procedure.idempotent);
    plan.steady.truncate(options.max_calls / 10);
    plan.limits = rule_tasks(&plan.tested, rate_limit, |procedure| {
        procedure.limits.is_some()
    });
    plan.limits.truncate(options.max_calls / 2);
    // Reserve calls for those limits that a small part of all calls can exceed.
    for limit in &plan.limits {
        if let Some(excessive) = excessive(plan.tested[limit.procedure].procedure)
            && excessive <= options.max_calls / 8
        {
            plan.reserved += excessive + MAX_CALLS_IN_FLIGHT;
        }
    }
    plan.reserved = plan.reserved.min(options.max_calls / 4);
    plan
}

/// Returns the tasks of a plan for the procedure with this index.
fn service_tasks(procedure: usize, tasks: Vec<PlannedTask>) -> Vec<ServiceTask> {
    tasks
        .into_iter()
        .map(|task| ServiceTask { procedure, task })
        .collect()
}

/// Returns the check of a rule for each procedure that it applies to.
fn rule_tasks(
    all_tested: &[TestedProcedure<'_>],
    check: RuleCheck,
    applies: fn(&ProcedureDescription) -> bool,
) -> Vec<ServiceTask> {
    let mut tasks = Vec::new();
    for (index, tested) in all_tested.iter().enumerate() {
        let procedure = tested.procedure;
        if tested.usual.is_some() && procedure.is_a_call() && applies(procedure) {
            tasks.push(ServiceTask {
                procedure: index,
                task: PlannedTask::Rule(check),
            });
        }
    }
    tasks
}

/// Returns the formats of a description that only its service knows.
fn unknown_formats(service: &ServiceDescription) -> Vec<String> {
    let mut names = Vec::new();
    for schema in service
        .procs
        .iter()
        .flat_map(ProcedureDescription::schemas)
        .chain(service.components.schemas.values())
    {
        for_each_schema(schema, &mut |schema| {
            if let Some(name) = schema.get_str("format")
                && Format::find(name).is_none()
            {
                names.push(name.to_owned());
            }
        });
    }
    names
}

/// The check of a service, which all threads share.
struct LiveCheck<'c, 'd> {
    service: &'d ServiceDescription,
    caller: &'c TrialCaller<'c>,
    tested: &'c [TestedProcedure<'d>],
    report: Mutex<LiveReport>,
}

impl LiveCheck<'_, '_> {
    /// Runs tasks in some threads at once, and leaves a number of calls for later ones.
    fn run(&self, tasks: Vec<ServiceTask>, at_once: u8, reserved: usize) {
        let tasks = Mutex::new(tasks.into_iter());
        thread::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(|| self.run_thread(&tasks, reserved));
            }
        });
    }

    /// Runs tasks in one thread, until there are none or only the reserved calls are left.
    fn run_thread(&self, tasks: &Mutex<impl Iterator<Item = ServiceTask>>, reserved: usize) {
        let validator = Validator::new(self.service);
        let formats = unknown_formats(self.service);
        let with_formats = Validator::new(SchemaContext::new(
            &self.service.components.schemas,
            Some(&formats),
        ));
        while let Some(ServiceTask { procedure, task }) = next_task(tasks) {
            let checker = Checker {
                caller: self.caller,
                tested: &self.tested[procedure],
                validator: &validator,
                with_formats: &with_formats,
                report: &self.report,
            };
            if !self.caller.has_room(reserved) {
                checker.report().is_cut = true;
                break;
            }
            // A task that had to stop proves nothing.
            let _ = task.run(&checker);
        }
    }
}

/// Takes the next task. The lock is released before the task runs, so that threads run side by side.
fn next_task<T>(tasks: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner).next()
}

/// Returns why a procedure must not be called, if so. A check must not change anything unless its user allows it.
fn reason_not_to_call(
    procedure: &ProcedureDescription,
    options: &LiveOptions<'_>,
) -> Option<WhyNotTried> {
    let (reason, cure) = if !procedure.is_called_by_clients() {
        ("sent by the service", "")
    } else if procedure.is_restricted() && !options.has_credentials {
        ("guarded", "give credentials")
    } else if options.with_writes {
        return None;
    } else if !procedure.idempotent && procedure.is_a_call() {
        ("not idempotent", "call with --unsafe")
    } else {
        // A wrong mark must not cost any data.
        changing_verb(&procedure.name)?;
        (
            "marked idempotent, but named like a change",
            "call with --unsafe",
        )
    };
    Some(WhyNotTried { reason, cure })
}
