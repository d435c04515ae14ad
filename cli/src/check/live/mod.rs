//! Calls a service and compares its responses with its description.
//!
//! The calls are planned in advance ([`jobs`]): examples, and values made from the schemas, both valid
//! and invalid. Threads take the jobs in turn, so that a limit on calls affects all procedures alike.

mod caching;
mod caller;
mod checked;
mod combinations;
mod errors;
mod jobs;
mod judge;
mod lie;
mod met;
mod protocol;
mod quote;
mod reduce;
mod response;
mod run;
mod show;
mod status;
mod steady;
mod subject;
mod task;
mod variants;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use docent_describe::json::Json;
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

/// The options of a check of a live service.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// The maximum number of calls.
    pub(crate) calls: usize,
    pub(crate) at_once: usize,
    /// The maximum number of calls a second.
    pub(crate) rate: u32,
    /// True if procedures that are not idempotent are called too.
    pub(crate) is_unsafe: bool,
}

/// Checks the procedures of a service by calling them.
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
    let listed = Arc::new(subject::listed(service));
    let mut subjects = Vec::new();
    for procedure in service.procs.iter().filter(|it| !it.is_reserved()) {
        match reason_not_to_call(procedure, exchange, options.is_unsafe) {
            Some(reason) => checked
                .not_tried
                .push((procedure.name.clone(), reason.to_owned())),
            None => subjects.push(Subject::new(procedure, service, &validator, &listed)),
        }
    }
    // The same seed always leads to the same calls.
    let mut random = fastrand::Rng::with_seed(options.seed);
    let jobs = in_turn(
        subjects
            .iter()
            .map(|subject| tasks(subject, &validator, &mut random))
            .collect(),
    );
    let mut planned = vec![false; subjects.len()];
    let mut taken = vec![None; subjects.len()];
    for job in &jobs {
        planned[job.subject] = true;
        if taken[job.subject].is_none() {
            taken[job.subject] = job.task.taken().map(|trial| trial.params.clone());
        }
    }
    // Make a job for each of these procedures, with the parameters of its first call that should be
    // accepted. Each job takes at least two calls. If there are too many procedures, only the first
    // ones get jobs.
    let once_each = |calls: usize, is_meant: fn(&ProcedureDescription) -> bool, task: OnceTask| {
        let meant = (0..subjects.len()).filter(|at| is_meant(subjects[*at].procedure));
        let all = meant.filter_map(|subject| {
            let task = task(taken[subject].clone()?);
            Some(Job { subject, task })
        });
        all.take(calls / 2).collect()
    };
    let steady = once_each(options.calls / 5, |it| it.idempotent, Task::Steady);
    let has_rate =
        |it: &ProcedureDescription| it.limits.as_ref().is_some_and(|it| it.rate.is_some());
    let limits = once_each(options.calls, has_rate, Task::Limits);
    let work = Work {
        service,
        caller: &caller,
        subjects: &subjects,
        results: Mutex::new(checked),
    };
    // Run these alone, since other calls would hide the effect of a call. Use up limits last.
    work.run(steady, 1);
    work.run(jobs, options.at_once);
    work.run(limits, 1);
    let results = work.results.into_inner();
    let mut checked = results.unwrap_or_else(PoisonError::into_inner);
    let order = |name: &str| service.procs.iter().position(|it| it.name == name);
    checked
        .lies
        .sort_by_key(|lie| (order(&lie.procedure), lie.rule.as_str()));
    for (subject, planned) in subjects.iter().zip(planned) {
        let reason = if planned {
            subject.given_up()
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

/// A function that makes a task from the parameters of a call.
type OnceTask = fn(Option<Json>) -> Task;

/// The state that the threads share.
struct Work<'w, 'd> {
    service: &'d ServiceDescription,
    caller: &'w Caller<'w>,
    subjects: &'w [Subject<'d>],
    results: Mutex<Checked>,
}

impl Work<'_, '_> {
    /// Runs all jobs.
    fn run(&self, jobs: Vec<Job>, at_once: usize) {
        let queue = Mutex::new(jobs.into_iter());
        thread::scope(|scope| {
            for _ in 0..at_once.max(1) {
                scope.spawn(|| {
                    let judge = Judge {
                        validator: Validator::new(SchemaContext::of(self.service)),
                        is_docent: self.caller.is_docent,
                    };
                    let runner = Runner {
                        caller: self.caller,
                        judge,
                        subjects: self.subjects,
                        results: &self.results,
                    };
                    runner.work(&queue);
                });
            }
        });
    }
}

fn reason_not_to_call(
    procedure: &ProcedureDescription,
    exchange: &Exchange,
    is_unsafe: bool,
) -> Option<&'static str> {
    if procedure.is_restricted() && !exchange.has_credentials() {
        return Some("it is guarded, and no credentials were given");
    }
    if !procedure.idempotent && !is_unsafe {
        return Some("it is not idempotent (--unsafe calls it)");
    }
    None
}

/// Orders tasks in rounds: the first of each procedure, then the second of each, and so on.
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
