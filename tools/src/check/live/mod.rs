//! Calls a service and compares its responses with its description.
//!
//! The calls are planned in advance ([`plan()`]): examples, and values made from the schemas, both valid
//! and invalid, and the checks of [`rules`]. Subscriptions are followed instead ([`subscription`]). Threads take the tasks
//! in turn, so that a limit on calls affects all procedures alike.

mod caching;
mod caller;
mod checker;
mod coercion;
mod combinations;
mod content;
mod judge;
mod plan;
mod reduce;
mod repeated;
mod report;
mod response;
mod rules;
mod show;
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
use plan::{in_turn, plan};
use repeated::{excessive, rate_limit, steady};
use report::WhyNotTried;
pub use report::{LiveReport, NotTried};
pub use response::{LiveResponse, Unanswered};
pub use show::quoted;
use task::{PlannedTask, RuleCheck};
use tested::TestedProcedure;
pub use transport::{LiveStep, LiveStream, LiveSubscribed, LiveTransport};

/// The number of calls that tasks under way may still make.
const MAX_CALLS_IN_FLIGHT: usize = 12;

/// Checks the procedures of a service by calling them. There is a binding for each procedure, in their
/// order.
pub fn check_live<'d>(
    service: &'d ServiceDescription,
    bindings: impl Iterator<Item = impl Binding + 'd>,
    transport: &dyn LiveTransport,
    options: LiveOptions<'_>,
) -> LiveReport {
    let start = Instant::now();
    let caller = TrialCaller::new(transport, options, service.origin);
    let mut report = LiveReport::default();
    let validator = Validator::new(service);
    let mut all_tested = Vec::new();
    let mut plans = Vec::new();
    let mut combinations = Vec::new();
    // The same seed always leads to the same calls.
    let mut random = fastrand::Rng::with_seed(options.seed);
    for (procedure, binding) in service.procs.iter().zip(bindings) {
        if procedure.is_reserved() {
            continue;
        }
        let name = procedure.name.clone();
        if let Some(reason) = reason_not_to_call(procedure, &options) {
            report.not_tried.push(reason.of(name));
            continue;
        }
        let tested = TestedProcedure::new(procedure, binding, service, &validator);
        let (tasks, combined) = plan(&tested, &validator, &mut random);
        if tasks.is_empty() {
            let why_not = WhyNotTried {
                reason: "no parameters could be made from its schemas",
                cure: "give it an example",
            };
            report.not_tried.push(why_not.of(name));
            continue;
        }
        plans.push(with_procedure(all_tested.len(), tasks));
        combinations.push(with_procedure(all_tested.len(), combined));
        all_tested.push(tested);
    }
    // Each of these takes at least two calls. If there are too many procedures, only the first ones are
    // checked.
    let mut is_steady = rule_tasks(&all_tested, steady, |procedure| procedure.idempotent);
    is_steady.truncate(options.max_calls / 10);
    let mut limits = rule_tasks(&all_tested, rate_limit, |procedure| {
        procedure.limits.is_some()
    });
    limits.truncate(options.max_calls / 2);
    // Keep calls for those limits that a small part of all calls can exceed.
    let needed: usize = limits
        .iter()
        .filter_map(|(at, _)| excessive(all_tested[*at].procedure))
        .filter(|calls| *calls <= options.max_calls / 8)
        .map(|calls| calls + MAX_CALLS_IN_FLIGHT)
        .sum();
    let kept = needed.min(options.max_calls / 4);
    let report = Mutex::new(report);
    // Run some of them alone, since other calls would hide the effect of a call. Use up limits last.
    for (tasks, at_once, kept) in [
        (is_steady, 1, 0),
        (in_turn(plans).collect(), options.at_once, kept),
        (in_turn(combinations).collect(), options.at_once, kept),
        (limits, 1, 0),
    ] {
        let tasks = Mutex::new(tasks.into_iter());
        thread::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(|| run(&tasks, kept, service, &all_tested, (&caller, &report)));
            }
        });
    }
    let mut report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.finish(service, &caller, &all_tested);
    report.time = start.elapsed();
    report
}

/// Adds the index of a procedure to its tasks.
fn with_procedure(at: usize, tasks: Vec<PlannedTask>) -> Vec<(usize, PlannedTask)> {
    tasks.into_iter().map(|task| (at, task)).collect()
}

/// Returns the check of a rule for each procedure that it applies to.
fn rule_tasks(
    all_tested: &[TestedProcedure<'_>],
    check: RuleCheck,
    applies: fn(&ProcedureDescription) -> bool,
) -> Vec<(usize, PlannedTask)> {
    let mut tasks = Vec::new();
    for (at, tested) in all_tested.iter().enumerate() {
        let procedure = tested.procedure;
        if tested.base.is_some() && procedure.is_a_call() && applies(procedure) {
            tasks.push((at, PlannedTask::Rule(check)));
        }
    }
    tasks
}

/// Returns the formats of a description that only its service knows.
fn unknown_formats(service: &ServiceDescription) -> Vec<String> {
    let mut names = Vec::new();
    let schemas = service.procs.iter().flat_map(ProcedureDescription::schemas);
    for schema in schemas.chain(service.components.schemas.values()) {
        for_each_schema(schema, &mut |schema| {
            let name = schema.get_str("format");
            names.extend(
                name.filter(|name| Format::find(name).is_none())
                    .map(str::to_owned),
            );
        });
    }
    names
}

/// Takes the next task. The lock is released before the task runs, so that threads run side by side.
fn next_task<T>(tasks: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner).next()
}

/// Runs tasks, each for one of the procedures, and leaves a number of calls for others.
fn run<'d>(
    tasks: &Mutex<impl Iterator<Item = (usize, PlannedTask)>>,
    kept: usize,
    service: &'d ServiceDescription,
    all_tested: &[TestedProcedure<'d>],
    (caller, report): (&TrialCaller<'_>, &Mutex<LiveReport>),
) {
    let validator = Validator::new(service);
    let formats = unknown_formats(service);
    let with_formats = Validator::new(SchemaContext::new(
        &service.components.schemas,
        Some(&formats),
    ));
    while let Some((at, task)) = next_task(tasks) {
        let checker = Checker {
            caller,
            tested: &all_tested[at],
            validator: &validator,
            with_formats: &with_formats,
            report,
        };
        if !caller.has_room(kept) {
            checker.report().is_cut = true;
            break;
        }
        // A task that had to stop proves nothing.
        let _ = task.run(&checker);
    }
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
