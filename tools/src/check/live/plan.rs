//! Plans the calls to each procedure, those most likely to find something first.
//!
//! A plan is made from the description alone, and never from responses: the same seed leads to the same calls. Which
//! values a parameter is tried with is decided in `tested.rs`.

use docent_describe::Example;
use docent_describe::json::{Json, Object};
use docent_describe::schema::Validator;
use fastrand::Rng;

use super::caller::{CallForm, TrialCall, UNKNOWN_PARAM};
use super::coercion::COERCION_CHECKS;
use super::combinations::covering;
use super::rules::rule_checks;
use super::subscription::subscription;
use super::task::PlannedTask;
use super::tested::TestedProcedure;
use crate::check::rule::Rule;
use crate::params::{is_list, params_by_name, takes_names, takes_positions};

/// The number of examples of a procedure that are called.
const MAX_EXAMPLES: usize = 10;
/// The number of values of a parameter that are tried in a fixed order.
const MAX_FIXED_VALUES: usize = 150;
/// The number of values of each parameter that are combined.
const MAX_COMBINED_VALUES: usize = 10;

/// The plan for one procedure.
struct Planner<'t, 'd> {
    /// The procedure, and the values to call it with.
    tested: &'t TestedProcedure<'d>,
    validator: &'t Validator<'d>,
    /// The tasks so far, in the order in which they are to be done.
    tasks: Vec<PlannedTask>,
}

/// The tasks for one procedure.
#[derive(Default)]
pub(super) struct ProcedurePlan {
    /// The tasks, in the order in which they are to be done.
    pub(super) tasks: Vec<PlannedTask>,
    /// The calls with combined values, which come after the tasks of all procedures.
    pub(super) combinations: Vec<PlannedTask>,
}

/// Plans the tasks for a procedure that may be called.
pub(super) fn plan_procedure<'d>(
    tested: &TestedProcedure<'d>,
    validator: &Validator<'d>,
    random: &mut Rng,
) -> ProcedurePlan {
    let mut plan = ProcedurePlan::default();
    if tested.procedure.subscription.is_some() {
        if tested.allowed_params(validator).next().is_some() {
            plan.tasks.push(PlannedTask::Rule(subscription));
        }
        return plan;
    }
    let mut planner = Planner {
        tested,
        validator,
        tasks: Vec::new(),
    };
    for example in tested.procedure.examples.iter().take(MAX_EXAMPLES) {
        planner.example(example);
    }
    let Some(usual) = &tested.usual else {
        plan.tasks = planner.tasks;
        return plan;
    };
    planner.add(CallForm::Post, tested.usual_params());
    plan.tasks = std::mem::take(&mut planner.tasks);
    planner.forms(usual);
    planner.members(usual);
    planner.defaults(usual);
    planner.tasks.extend(COERCION_CHECKS.map(PlannedTask::Rule));
    if !tested.is_mcp {
        let checks = rule_checks(tested.procedure);
        planner
            .tasks
            .extend(checks.into_iter().map(PlannedTask::Rule));
    }
    let rules = std::mem::take(&mut planner.tasks);
    planner.values(usual, random);
    let values = std::mem::take(&mut planner.tasks);
    // Alternate between them, since the limit on calls may not suffice for all.
    plan.tasks.extend(in_turn(vec![values, rules]));
    planner.combinations(usual, random);
    plan.combinations = planner.tasks;
    plan
}

impl Planner<'_, '_> {
    /// Adds a call that tries no value in particular.
    fn add(&mut self, form: CallForm, params: Option<Json>) {
        self.add_about(form, params, String::new());
    }

    /// Adds a call that tries one value. `focus` is an outline of the value.
    fn add_about(&mut self, form: CallForm, params: Option<Json>, focus: String) {
        let procedure = self.tested.procedure;
        let is_valid = match &params {
            None => procedure.params.iter().all(|param| !param.required),
            Some(params) => match self.tested.allows(params, self.validator) {
                Some(is_valid) => is_valid,
                None => return,
            },
        };
        let is_query = form == CallForm::Get;
        // A service that checks no parameters rejects nothing, and a query has no types that could be wrong.
        if params.is_some() && !is_valid && (self.tested.is_unchecked() || is_query) {
            return;
        }
        self.tasks.push(PlannedTask::Call(TrialCall {
            focus,
            ..TrialCall::new(form, params, is_valid)
        }));
    }

    /// Adds two calls that mean the same. `rule` is broken if their outcomes differ.
    fn add_same(&mut self, one: Json, form: CallForm, two: Json, rule: Rule) {
        let one = TrialCall::new(CallForm::Post, Some(one), true);
        self.tasks.push(PlannedTask::Same(
            one,
            TrialCall::new(form, Some(two), true),
            rule,
        ));
    }

    /// Adds a call by GET, which is answered as the same one by POST. A text in a query may mean something else than
    /// null, unless the service is one of Docent.
    fn add_get(&mut self, params: Option<Json>, focus: String) {
        let is_taken = params.as_ref().is_some_and(|params| {
            let has_null = params.to_string().contains("null");
            (self.tested.is_docent || !has_null)
                && self.tested.allows(params, self.validator) == Some(true)
        });
        match params {
            Some(params) if is_taken => {
                let one = TrialCall::new(CallForm::Post, Some(params.clone()), true);
                let two = TrialCall {
                    focus,
                    ..TrialCall::new(CallForm::Get, Some(params), true)
                };
                self.tasks
                    .push(PlannedTask::Same(one, two, Rule::GetDiffers));
            }
            params => self.add_about(CallForm::Get, params, focus),
        }
    }

    /// Adds the call of an example, and the same one by GET.
    fn example(&mut self, example: &Example) {
        let given = example
            .params
            .clone()
            .unwrap_or_else(|| Json::Object(Object::new()));
        let Some(is_valid) = self.tested.allows(&given, self.validator) else {
            return;
        };
        let mut call = TrialCall::new(CallForm::Post, example.params.clone(), is_valid);
        let is_idempotent = self.tested.procedure.idempotent;
        // The outcome of other procedures depends on earlier calls.
        if is_idempotent {
            call.example = match (&example.result, &example.error) {
                (Some(result), _) => Some(Ok(result.clone())),
                (None, Some(error)) => error.get("code").and_then(Json::as_i64).map(Err),
                (None, None) => None,
            };
        }
        self.tasks.push(PlannedTask::Call(call));
        // Make the same call by GET too.
        let params = params_by_name(self.tested.procedure, &given);
        if let Some(params) = params.filter(|_| is_valid && is_idempotent) {
            self.add_get(self.tested.by_name(&params), String::new());
        }
    }

    /// Adds calls with values of each parameter in turn: a valid value, then another, and so on.
    fn values(&mut self, usual: &Object, random: &mut Rng) {
        let mut queues = Vec::new();
        for (param, pool) in self.tested.params() {
            let mut values = in_turn(vec![pool.valid.clone(), pool.others.clone()]);
            // The first values are the most telling ones, so they keep their order.
            let fixed = values.len().min(MAX_FIXED_VALUES);
            random.shuffle(&mut values[fixed..]);
            let values = values.into_iter().map(|value| {
                let focus = format!("{}={}", param.name, pool.outline(&value));
                (param.name.clone(), value, focus)
            });
            queues.push(values.collect());
        }
        for (turn, (name, value, focus)) in in_turn(queues).into_iter().enumerate() {
            let mut params = usual.clone();
            params.insert(name, value);
            let named = self.tested.by_name(&params);
            // Every form gets a third of the values: trying each value in all forms would take three times the calls.
            let positions = self.tested.by_position(&params).filter(|_| turn % 3 == 2);
            if turn % 3 == 0 && self.tested.procedure.idempotent {
                self.add_get(named.clone(), focus.clone());
            }
            self.add_about(CallForm::Post, positions.or(named), focus);
        }
    }

    /// Adds calls that cover all pairs of values of different parameters.
    fn combinations(&mut self, usual: &Object, random: &mut Rng) {
        let tested = self.tested;
        let mut choices = Vec::new();
        for (param, pool) in tested.params() {
            let mut values: Vec<_> = pool
                .valid
                .iter()
                .take(MAX_COMBINED_VALUES)
                .map(Some)
                .collect();
            if !param.required {
                values.push(None);
            }
            // A parameter without known values keeps the value that it has.
            if values.is_empty() {
                values.push(usual.get(&param.name));
            }
            choices.push((param, values));
        }
        if choices.len() < 2 {
            return;
        }
        let sizes: Vec<usize> = choices.iter().map(|(_, values)| values.len()).collect();
        let mut combinations = covering(&sizes);
        random.shuffle(&mut combinations);
        for chosen in combinations {
            let mut params = Object::new();
            for ((param, values), at) in choices.iter().zip(chosen) {
                if let Some(value) = values[at] {
                    params.insert(param.name.as_str(), value.clone());
                }
            }
            self.add(CallForm::Post, tested.by_name(&params));
        }
    }

    /// Adds the same call by name, by position and by GET.
    fn forms(&mut self, usual: &Object) {
        let tested = self.tested;
        let distinct = tested.distinct();
        let mut all = vec![usual.clone()];
        for params in [distinct.clone(), tested.required(distinct)] {
            if !all.contains(&params) {
                all.push(params);
            }
        }
        for params in all {
            let Some(named) = self.if_allowed(&params) else {
                continue;
            };
            if let Some(positions) = tested.by_position(&params)
                && tested.allows(&positions, self.validator) == Some(true)
                && !params.is_empty()
            {
                self.add_same(named.clone(), CallForm::Post, positions, Rule::Positions);
            }
            if tested.procedure.idempotent {
                self.add_same(named.clone(), CallForm::Get, named, Rule::GetDiffers);
            }
        }
        if !takes_positions(tested.procedure) && takes_names(tested.procedure) && !tested.is_mcp {
            // A procedure that takes names only has to refuse a list.
            let values = usual.values().cloned().collect();
            self.add(CallForm::Post, Some(Json::Array(values)));
        }
    }

    /// Adds calls without single parameters, with unknown ones, and with aliases.
    fn members(&mut self, usual: &Object) {
        let tested = self.tested;
        let procedure = tested.procedure;
        let mut full = tested.distinct();
        full.extend(usual.clone());
        let required = tested.required(full.clone());
        self.add(CallForm::Post, tested.by_name(&required));
        // Without required parameters, the member `params` may be missing altogether.
        if required.is_empty() && !procedure.params.is_empty() {
            self.add(CallForm::Post, None);
        }
        if takes_names(procedure) {
            let mut more = usual.clone();
            more.insert(UNKNOWN_PARAM, Json::from(1));
            self.add(CallForm::Post, Some(Json::Object(more)));
        }
        let positions = tested.by_position(&full);
        if let Some(Json::Array(mut values)) = positions.filter(|_| !is_list(procedure)) {
            values.push(Json::from(1));
            self.add(CallForm::Post, Some(Json::Array(values)));
        }
        for param in &procedure.params {
            let mut without = full.clone();
            let value = without.shift_remove(&param.name);
            self.add(CallForm::Post, tested.by_name(&without));
            for alias in &param.aliases {
                let Some(value) = value.clone() else {
                    continue;
                };
                let mut renamed = without.clone();
                renamed.insert(alias.name.as_str(), value.clone());
                let mut both = full.clone();
                both.insert(alias.name.as_str(), value);
                if let Some(full) = tested.by_name(&full) {
                    let renamed = Json::Object(renamed);
                    self.add_same(full, CallForm::Post, renamed, Rule::Narrower);
                }
                self.add(CallForm::Post, Some(Json::Object(both)));
            }
        }
    }

    /// Adds calls that leave out a parameter, and calls that pass its default instead.
    fn defaults(&mut self, usual: &Object) {
        for param in &self.tested.procedure.params {
            let Some(default) = &param.default else {
                continue;
            };
            let mut without = usual.clone();
            without.shift_remove(&param.name);
            let mut with = without.clone();
            with.insert(param.name.as_str(), default.clone());
            if let (Some(without), Some(with)) = (self.if_allowed(&without), self.if_allowed(&with))
            {
                self.add_same(without, CallForm::Post, with, Rule::Default);
            }
        }
    }

    /// Returns parameters for a call by name, if the description allows them.
    fn if_allowed(&self, params: &Object) -> Option<Json> {
        let params = self.tested.by_name(params)?;
        (self.tested.allows(&params, self.validator)?).then_some(params)
    }
}

/// Takes the first item of each queue, then the second of each, and so on.
pub(super) fn in_turn<T>(queues: Vec<Vec<T>>) -> Vec<T> {
    let mut queues: Vec<_> = queues.into_iter().map(Vec::into_iter).collect();
    let mut items = Vec::new();
    loop {
        let count = items.len();
        items.extend(queues.iter_mut().filter_map(Iterator::next));
        if items.len() == count {
            return items;
        }
    }
}
