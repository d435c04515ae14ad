//! Calls a service and holds what it answers against its description.
//!
//! What is tried is planned before ([`jobs`]): examples, and values made from the schemas, those that
//! they allow and those that they do not. Threads take the jobs in turn, so that a limit on calls
//! falls on all procedures alike.

mod caching;
mod caller;
mod checked;
mod jobs;
mod judge;
mod protocol;
mod quote;
mod reduce;
mod response;
mod run;
mod show;
mod status;
mod subject;
mod task;
mod variants;

use std::sync::{Mutex, PoisonError};
use std::thread;

use docent_describe::schema::{SchemaContext, Validator};
use docent_describe::{Origin, ProcedureDescription, ServiceDescription};
use url::Url;

use crate::http::Exchange;
use caller::Caller;
pub(crate) use checked::{Checked, Shortfall};
use jobs::tasks;
use judge::Judge;
use run::Runner;
pub(crate) use show::Shown;
use subject::Subject;
use task::{Job, Task};

/// How a service is called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// How many calls at most.
    pub(crate) calls: usize,
    pub(crate) at_once: usize,
    /// How many calls a second.
    pub(crate) rate: u32,
    /// Whether procedures that are not idempotent are called too.
    pub(crate) is_unsafe: bool,
}

/// Calls the procedures of a service.
pub(crate) fn check(
    service: &ServiceDescription,
    exchange: &Exchange,
    address: &Url,
    options: Options,
) -> Checked {
    let is_docent = service.origin == Origin::Docent;
    let caller = Caller::new(exchange, address, is_docent, (options.calls, options.rate));
    let mut checked = Checked::default();
    let validator = Validator::new(SchemaContext::of(service));
    let mut subjects = Vec::new();
    for procedure in service.procs.iter().filter(|it| !it.is_reserved()) {
        match reason_not_to_call(procedure, exchange, options.is_unsafe) {
            Some(reason) => checked
                .not_tried
                .push((procedure.name.clone(), reason.to_owned())),
            None => subjects.push(Subject::new(procedure, service, &validator)),
        }
    }
    // The same seed always makes the same calls.
    let mut random = fastrand::Rng::with_seed(options.seed);
    let jobs = in_turn(
        subjects
            .iter()
            .map(|subject| tasks(subject, &validator, &mut random))
            .collect(),
    );
    let mut planned = vec![false; subjects.len()];
    for job in &jobs {
        planned[job.subject] = true;
    }
    let queue = Mutex::new(jobs.into_iter());
    let results = Mutex::new(Checked::default());
    thread::scope(|scope| {
        for _ in 0..options.at_once.max(1) {
            scope.spawn(|| {
                let judge = Judge {
                    validator: Validator::new(SchemaContext::of(service)),
                    is_docent,
                };
                let runner = Runner {
                    caller: &caller,
                    judge,
                    subjects: &subjects,
                    results: &results,
                };
                runner.work(&queue);
            });
        }
    });
    let found = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    checked.lies = found.lies;
    checked.undecided = found.undecided;
    let order = |name: &str| service.procs.iter().position(|it| it.name == name);
    checked
        .lies
        .sort_by_key(|lie| (order(&lie.procedure), lie.rule.as_str()));
    for (subject, planned) in subjects.iter().zip(planned) {
        let given_up = subject.given_up.lock();
        let given_up = given_up.map_or(None, |given_up| given_up.clone());
        let reason = if planned {
            given_up
        } else {
            Some("no parameters could be made from its schemas; give it an example".to_owned())
        };
        match reason {
            Some(reason) => checked
                .not_tried
                .push((subject.procedure.name.clone(), reason)),
            None => checked.procedures += 1,
        }
    }
    checked.calls = caller.sent();
    checked.is_cut = caller.is_done();
    checked.failure = caller.failure();
    checked
}

fn reason_not_to_call(
    procedure: &ProcedureDescription,
    exchange: &Exchange,
    is_unsafe: bool,
) -> Option<&'static str> {
    let is_guarded = procedure.guarded || !procedure.security.is_empty();
    if is_guarded && !exchange.has_credentials() {
        return Some("it is guarded, and no credentials were given");
    }
    if !procedure.idempotent && !is_unsafe {
        return Some("it is not idempotent (--unsafe calls it)");
    }
    None
}

/// The first task of each procedure, then the second of each, and so on.
fn in_turn(tasks: Vec<Vec<Task>>) -> Vec<Job> {
    let mut queues: Vec<_> = tasks.into_iter().map(Vec::into_iter).collect();
    let mut jobs = Vec::new();
    loop {
        let before = jobs.len();
        for (subject, queue) in queues.iter_mut().enumerate() {
            jobs.extend(queue.next().map(|task| Job { subject, task }));
        }
        if jobs.len() == before {
            return jobs;
        }
    }
}
