//! Plans the calls to each procedure, those most likely to find something first.

use docent_describe::json::{Json, Object};
use docent_describe::schema::Validator;
use docent_describe::{Example, ParamDescription};
use fastrand::Rng;

use super::caller::Form;
use super::subject::{Subject, named};
use super::task::{Ends, Expect, Task, Trial};

/// The number of examples of a procedure that are called.
const EXAMPLES: usize = 10;
/// The number of values of a parameter that are tried in a fixed order.
const FIXED: usize = 30;

/// The tasks for one procedure.
pub(super) struct Tasks<'t, 'd> {
    pub(super) subject: &'t Subject<'d>,
    pub(super) validator: &'t Validator<'d>,
    pub(super) all: Vec<Task>,
}

/// Plans the tasks for a procedure that may be called.
pub(super) fn tasks<'t, 'd>(
    subject: &'t Subject<'d>,
    validator: &'t Validator<'d>,
    random: &mut Rng,
) -> Vec<Task> {
    let mut tasks = Tasks {
        subject,
        validator,
        all: Vec::new(),
    };
    for example in subject.procedure.examples.iter().take(EXAMPLES) {
        tasks.example(example);
    }
    let Some(base) = tasks.base() else {
        return tasks.all;
    };
    let by_name = subject.by_name(&base);
    tasks.add(Form::Post, by_name.clone());
    let first = std::mem::take(&mut tasks.all);
    tasks.forms(&base);
    tasks.members(&base);
    tasks.defaults(&base);
    if subject.procedure.idempotent {
        tasks.bad_queries();
        tasks.all.push(Task::Caching(base.clone()));
    } else {
        tasks.all.push(Task::GetOfWrite);
    }
    if subject.procedure.repeatable.is_some() {
        tasks.all.push(Task::Key(by_name.clone()));
    }
    tasks.all.push(Task::Notification(by_name.clone()));
    tasks.all.push(Task::Batch(by_name));
    let rules = std::mem::take(&mut tasks.all);
    tasks.values(&base, random);
    let values = std::mem::take(&mut tasks.all);
    tasks.combinations(&base, random);
    let combinations = std::mem::take(&mut tasks.all);
    // Alternate between them, since the limit on calls may not suffice for all.
    let mut all = first;
    let mut values = values.into_iter();
    let (mut rules, mut combinations) = (rules.into_iter(), combinations.into_iter());
    loop {
        let before = all.len();
        all.extend([values.next(), rules.next()].into_iter().flatten());
        all.extend([values.next(), combinations.next()].into_iter().flatten());
        if all.len() == before {
            return all;
        }
    }
}

impl Tasks<'_, '_> {
    pub(super) fn add(&mut self, form: Form, params: Option<Json>) {
        self.add_about(form, params, String::new());
    }

    /// Adds a call that tries one value. `focus` is an outline of the value.
    fn add_about(&mut self, form: Form, params: Option<Json>, focus: String) {
        let expect = match &params {
            None if self.subject.procedure.params.iter().any(|it| it.required) => Expect::Refused,
            None => Expect::Taken,
            Some(params) => match self.subject.takes(params, self.validator) {
                Some(true) => Expect::Taken,
                Some(false) if self.subject.is_unchecked() || form == Form::Get => return,
                Some(false) => Expect::Refused,
                None => return,
            },
        };
        let trial = Trial {
            focus,
            ..Trial::new(form, params, expect)
        };
        self.all.push(Task::Call(trial));
    }

    fn example(&mut self, example: &Example) {
        let params = example.params.clone();
        let given = params
            .clone()
            .unwrap_or_else(|| Json::Object(Object::new()));
        let expect = match self.subject.takes(&given, self.validator) {
            Some(true) => Expect::Taken,
            Some(false) => Expect::Refused,
            None => return,
        };
        let code = example
            .error
            .as_ref()
            .and_then(|error| error.get("code")?.as_i64());
        let ends = match (&example.result, code) {
            (Some(_), _) => Ends::WithResult,
            (None, Some(code)) => Ends::WithError(code),
            (None, None) => Ends::Anyhow,
        };
        let mut trial = Trial::new(Form::Post, params.clone(), expect);
        // The outcome of other procedures depends on earlier calls.
        if self.subject.procedure.idempotent {
            trial.ends = ends;
        }
        self.all.push(Task::Call(trial));
        // Make the same call by GET too.
        let params = named(self.subject.procedure, params.as_ref());
        let is_query = expect == Expect::Taken && self.subject.procedure.idempotent;
        if let Some(params) = params.filter(|_| is_query) {
            self.add(Form::Get, self.subject.by_name(&params));
        }
    }

    /// Returns parameters that the description allows: those of an example that gives a result,
    /// otherwise generated values for all of them.
    fn base(&self) -> Option<Object> {
        let subject = self.subject;
        let examples = subject.procedure.examples.iter();
        let mut examples = examples
            .filter(|example| example.error.is_none())
            .filter_map(|example| named(subject.procedure, example.params.as_ref()));
        let is_taken = |params: &Object| {
            let params = subject.by_name(params);
            params.is_some_and(|it| subject.takes(&it, self.validator) == Some(true))
        };
        examples.find(is_taken).or_else(|| {
            let mut made = self.distinct();
            if !is_taken(&made) {
                // Leave out the optional parameters.
                made.retain(|name, _| {
                    let params = &subject.procedure.params;
                    params
                        .iter()
                        .any(|it| it.required && it.name == name.as_str())
                });
            }
            Some(made).filter(is_taken)
        })
    }

    /// Generates values for all parameters, distinct ones as far as there are enough.
    pub(super) fn distinct(&self) -> Object {
        let mut made = Object::new();
        for (param, pool) in self
            .subject
            .procedure
            .params
            .iter()
            .zip(&self.subject.pools)
        {
            let is_used = |value: &&Json| made.values().any(|used| used == *value);
            let telling = |value: &&Json| !matches!(value, Json::Null) && !is_used(value);
            let value = pool.valid.iter().find(telling).or(pool.valid.first());
            if let Some(value) = value.cloned() {
                made.insert(param.name.as_str(), value);
            }
        }
        made
    }

    /// Adds calls with values of each parameter in turn: two valid values, then another, and so on.
    fn values(&mut self, base: &Object, random: &mut Rng) {
        let mut queues: Vec<(&ParamDescription, Vec<Json>)> = Vec::new();
        for (param, pool) in self
            .subject
            .procedure
            .params
            .iter()
            .zip(&self.subject.pools)
        {
            let mut values = Vec::new();
            let (mut valid, mut others) = (pool.valid.iter(), pool.others.iter());
            loop {
                // Valid values reach more of the service's code.
                let next = [valid.next(), valid.next(), others.next()];
                if next == [None, None, None] {
                    break;
                }
                values.extend(next.into_iter().flatten().cloned());
            }
            let fixed = values.len().min(FIXED);
            random.shuffle(&mut values[fixed..]);
            values.reverse();
            queues.push((param, values));
        }
        let mut turn = 0_usize;
        while queues.iter().any(|(_, values)| !values.is_empty()) {
            for (param, values) in &mut queues {
                let Some(value) = values.pop() else {
                    continue;
                };
                let focus = self.subject.outline(param, &value);
                let mut params = base.clone();
                params.insert(param.name.as_str(), value);
                turn += 1;
                let positions = turn
                    .is_multiple_of(3)
                    .then(|| self.subject.by_position(&params))
                    .flatten();
                let named = || self.subject.by_name(&params);
                let is_query = turn % 3 == 1 && self.subject.procedure.idempotent;
                if is_query {
                    self.add_about(Form::Get, named(), focus.clone());
                }
                self.add_about(Form::Post, positions.or_else(named), focus);
            }
        }
    }
}
