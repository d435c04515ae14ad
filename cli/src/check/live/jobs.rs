//! What is tried with each procedure, the most telling first.

use docent_describe::json::{Json, Object};
use docent_describe::schema::Validator;
use docent_describe::{Example, ParamDescription, TypeCode};
use fastrand::Rng;

use super::caller::Form;
use super::judge::Expect;
use super::subject::{Subject, UNKNOWN, named};
use crate::check::rule::Rule;

/// How many examples of a procedure are called.
const EXAMPLES: usize = 10;
/// How many values of a parameter are tried in a fixed order.
const FIXED: usize = 30;

/// One thing to try.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Which procedure.
    pub(super) subject: usize,
    pub(super) task: Task,
}

#[derive(Debug, Clone)]
pub(super) enum Task {
    /// One call.
    Call(Trial),
    /// Two calls that mean the same.
    Same {
        one: Trial,
        two: Trial,
        rule: Rule,
    },
    /// How responses to GET may be stored.
    Caching(Object),
    Notification(Option<Json>),
    Batch(Option<Json>),
    /// GET, for a procedure that it must not run.
    GetOfWrite,
    /// GET with a parameter that makes no sense.
    BadQuery {
        name: String,
        text: &'static str,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Trial {
    pub(super) form: Form,
    pub(super) params: Option<Json>,
    pub(super) expect: Expect,
    pub(super) ends: Ends,
}

/// How an example says that its call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    Anyhow,
    WithResult,
    WithError(i64),
}

impl Trial {
    fn new(form: Form, params: Option<Json>, expect: Expect) -> Self {
        Self {
            form,
            params,
            expect,
            ends: Ends::Anyhow,
        }
    }
}

/// The tasks for one procedure.
struct Tasks<'t, 'd> {
    subject: &'t Subject<'d>,
    validator: &'t Validator<'d>,
    all: Vec<Task>,
}

/// Plans what is tried with a procedure that may be called.
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
    let base = tasks.base();
    if let Some(base) = &base {
        tasks.forms(base);
        tasks.members(base);
        tasks.defaults(base);
        if subject.procedure.idempotent {
            tasks.bad_queries();
            tasks.all.push(Task::Caching(base.clone()));
        } else {
            tasks.all.push(Task::GetOfWrite);
        }
        let params = subject.by_name(base);
        tasks.all.push(Task::Notification(params.clone()));
        tasks.all.push(Task::Batch(params));
        tasks.values(base, random);
    }
    tasks.all
}

impl Tasks<'_, '_> {
    fn add(&mut self, form: Form, params: Option<Json>) {
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
        self.all.push(Task::Call(Trial::new(form, params, expect)));
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
        // What others end with depends on what they did before.
        if self.subject.procedure.idempotent {
            trial.ends = ends;
        }
        self.all.push(Task::Call(trial));
        // By the other way, too.
        let params = named(self.subject.procedure, params.as_ref());
        let is_query = expect == Expect::Taken && self.subject.procedure.idempotent;
        if let Some(params) = params.filter(|_| is_query) {
            self.add(Form::Get, self.subject.by_name(&params));
        }
    }

    /// Parameters that the description allows: those of an example that gives a result, otherwise
    /// values for all of them.
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
                // What cannot be made is left out.
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

    /// Values for all parameters, distinct where there are enough.
    fn distinct(&self) -> Object {
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

    /// The same call by name, by position and by GET.
    fn forms(&mut self, base: &Object) {
        let by_name = self.subject.by_name(base);
        self.add(Form::Post, by_name.clone());
        let trial = |form, params: Option<Json>| Trial::new(form, params, Expect::Taken);
        let mut all = vec![base.clone(), self.distinct()];
        all.dedup();
        for params in all {
            let named = self.subject.by_name(&params);
            let takes = |it: &Json| self.subject.takes(it, self.validator) == Some(true);
            if !named.as_ref().is_some_and(takes) {
                continue;
            }
            if let Some(positions) = self
                .subject
                .by_position(&params)
                .filter(|it| !params.is_empty() && takes(it))
            {
                self.all.push(Task::Same {
                    one: trial(Form::Post, named.clone()),
                    two: trial(Form::Post, Some(positions)),
                    rule: Rule::Positions,
                });
            }
            if self.subject.procedure.idempotent {
                self.all.push(Task::Same {
                    one: trial(Form::Post, named.clone()),
                    two: trial(Form::Get, named),
                    rule: Rule::GetDiffers,
                });
            }
        }
        if !self.subject.takes_positions() && self.subject.takes_names() {
            let values = base.values().cloned().collect();
            self.add(Form::Post, Some(Json::Array(values)));
        }
    }

    /// Calls without single parameters, and with unknown ones.
    fn members(&mut self, base: &Object) {
        let subject = self.subject;
        let params = &subject.procedure.params;
        let full: Object = {
            let mut full = self.distinct();
            full.extend(
                base.iter()
                    .map(|(name, value)| (name.clone(), value.clone())),
            );
            full
        };
        let mut required = full.clone();
        required.retain(|name, _| is_required(params, name.as_str()));
        self.add(Form::Post, subject.by_name(&required));
        for param in params {
            let mut without = full.clone();
            without.shift_remove(&param.name);
            self.add(Form::Post, subject.by_name(&without));
        }
        if required.is_empty() && !params.is_empty() {
            self.add(Form::Post, None);
        }
        if subject.takes_names() {
            let mut more = base.clone();
            more.insert(UNKNOWN, Json::from(1));
            self.add(Form::Post, Some(Json::Object(more)));
        }
        if let Some(Json::Array(mut values)) =
            subject.by_position(&full).filter(|_| !subject.is_list())
        {
            values.push(Json::from(1));
            self.add(Form::Post, Some(Json::Array(values)));
        }
        for param in params {
            for alias in &param.aliases {
                let Some(value) = full.get(&param.name) else {
                    continue;
                };
                let mut both = full.clone();
                both.insert(alias.name.as_str(), value.clone());
                let mut renamed = both.clone();
                renamed.shift_remove(&param.name);
                self.all.push(Task::Same {
                    one: Trial::new(Form::Post, subject.by_name(&full), Expect::Taken),
                    two: Trial::new(Form::Post, Some(Json::Object(renamed)), Expect::Taken),
                    rule: Rule::Narrower,
                });
                self.add(Form::Post, Some(Json::Object(both)));
            }
        }
    }

    /// Queries that only Docent promises to reject.
    fn bad_queries(&mut self) {
        let texts = [(UNKNOWN.to_owned(), "1")];
        let params = self.subject.procedure.params.iter();
        let numbers =
            params.filter(|param| matches!(param.type_code, TypeCode::Num | TypeCode::Bit));
        let numbers = numbers.map(|param| (param.name.clone(), "docent-check"));
        let all = texts.into_iter().chain(numbers.take(1));
        self.all
            .extend(all.map(|(name, text)| Task::BadQuery { name, text }));
    }

    /// A parameter that is left out means its default.
    fn defaults(&mut self, base: &Object) {
        for param in &self.subject.procedure.params {
            let Some(default) = &param.default else {
                continue;
            };
            let mut without = base.clone();
            without.shift_remove(&param.name);
            let mut with = without.clone();
            with.insert(param.name.as_str(), default.clone());
            let takes = |params: &Object| {
                let params = self.subject.by_name(params)?;
                (self.subject.takes(&params, self.validator)?).then_some(params)
            };
            if let (Some(without), Some(with)) = (takes(&without), takes(&with)) {
                self.all.push(Task::Same {
                    one: Trial::new(Form::Post, Some(without), Expect::Taken),
                    two: Trial::new(Form::Post, Some(with), Expect::Taken),
                    rule: Rule::Default,
                });
            }
        }
    }

    /// Values of each parameter in turn, those that its schema allows and others by turns.
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
                let next = [valid.next(), others.next()];
                if next == [None, None] {
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
                    self.add(Form::Get, named());
                }
                self.add(Form::Post, positions.or_else(named));
            }
        }
    }
}

fn is_required(params: &[ParamDescription], name: &str) -> bool {
    params
        .iter()
        .any(|param| param.required && param.name == name)
}
