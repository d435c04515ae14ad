//! Finds contradictions in a description.

use std::collections::HashSet;

use docent_describe::json::Json;
use docent_describe::schema::Validator;
use docent_describe::{Example, ProcedureDescription, ServiceDescription};

use super::binding::Binding;
use super::finding::{Finding, shown, violated};
use super::rule::Rule;
use crate::params::{reason, takes_positions};

/// Returns the contradictions in a description, in the order of the description.
pub(super) fn contradictions(
    service: &ServiceDescription,
    bindings: impl Iterator<Item = impl Binding>,
) -> Vec<Finding> {
    let validator = Validator::new(service);
    let mut found = Vec::new();
    let mut names = HashSet::new();
    for (procedure, binding) in service.procs.iter().zip(bindings) {
        let mut lint = Lint {
            binding: &binding,
            procedure,
            validator: &validator,
            found: &mut found,
        };
        if !names.insert(procedure.name.as_str()) {
            let message = "there are two procedures with this name";
            lint.add(Rule::ProcedureTwice, message);
        }
        lint.params();
        lint.errors();
        for (at, example) in procedure.examples.iter().enumerate() {
            lint.example(at + 1, example);
        }
    }
    found
}

struct Lint<'l, 'd> {
    binding: &'l dyn Binding,
    procedure: &'d ProcedureDescription,
    validator: &'l Validator<'d>,
    found: &'l mut Vec<Finding>,
}

impl<'d> Lint<'_, 'd> {
    fn add(&mut self, rule: Rule, message: impl Into<String>) {
        self.found
            .push(Finding::new(rule, message).in_procedure(&self.procedure.name));
    }

    fn params(&mut self) {
        let params = &self.procedure.params;
        let mut names: Vec<&str> = Vec::new();
        let mut optional = None;
        for param in params {
            let own = &param.name;
            let aliases = param.aliases.iter().map(|alias| alias.name.as_str());
            for name in std::iter::once(param.name.as_str()).chain(aliases) {
                if names.contains(&name) {
                    let message = format!("two parameters are called `{name}`");
                    self.add(Rule::ParamTwice, message);
                }
                names.push(name);
            }
            let needs_order = takes_positions(self.procedure);
            if let Some(before) = optional.filter(|_| param.required && needs_order) {
                let message =
                    format!("`{own}` is required and follows `{before}`, which is optional");
                self.add(Rule::ParamOrder, message);
            }
            if !param.required {
                optional.get_or_insert(param.name.as_str());
            }
            if let Some(default) = &param.default
                && let Some(how) = self.violation(&param.schema, default)
            {
                let default = shown(default);
                let message =
                    format!("the default of `{own}`, {default}, breaks its schema: {how}");
                self.add(Rule::BrokenDefault, message);
            }
        }
    }

    fn errors(&mut self) {
        for (index, error) in self.procedure.errors.iter().enumerate() {
            if self.procedure.errors[..index]
                .iter()
                .any(|it| it.code == error.code && it.message == error.message)
            {
                let code = error.code;
                let message = format!("error {code} is declared twice with the same message");
                self.add(Rule::ErrorTwice, message);
            }
        }
    }

    fn example(&mut self, number: usize, example: &Example) {
        let code = example
            .error
            .as_ref()
            .and_then(|error| error.get("code")?.as_i64());
        let mut problems = Vec::new();
        // An example may show a call that is rejected.
        if code != Some(-32602) {
            let params = example.params.as_ref();
            let params = params.map_or("{}".to_owned(), Json::to_string);
            problems.extend(self.binding.check(&params).err().as_ref().and_then(reason));
        }
        if let (Some(result), Some(returns)) = (&example.result, &self.procedure.returns)
            && let Some(how) = self.violation(&returns.schema, result)
        {
            problems.push(format!("its result breaks the schema of the result: {how}"));
        }
        problems.extend(code.and_then(|code| self.example_error(code, example)));
        for problem in problems {
            let message = match &example.summary {
                Some(name) => format!("example {number} ({name}): {problem}"),
                None => format!("example {number}: {problem}"),
            };
            self.add(Rule::BrokenExample, message);
        }
    }

    /// Describes how a value violates a schema. Returns `None` if it does not.
    fn violation(&self, schema: &'d Json, value: &Json) -> Option<String> {
        Some(violated(
            &self.validator.violations(schema, value, 1).pop()?,
        ))
    }

    fn example_error(&self, code: i64, example: &Example) -> Option<String> {
        let same: Vec<_> = self
            .procedure
            .errors
            .iter()
            .filter(|error| error.code == code)
            .collect();
        let is_known = self.procedure.errors_open || (-32768..=-32000).contains(&code);
        if same.is_empty() {
            return (!is_known).then(|| format!("error {code} is not declared"));
        }
        let error = example.error.as_ref()?;
        let data = error.get("data").unwrap_or(&Json::Null);
        same.iter()
            .all(|error| {
                error
                    .data
                    .as_ref()
                    .is_some_and(|schema| self.validator.is_valid(schema, data) == Some(false))
            })
            .then(|| format!("its data breaks the schema of error {code}"))
    }
}
