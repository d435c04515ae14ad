//! Finds contradictions in a description: names that are used twice, examples that the schemas refuse, and members that
//! exclude each other.
//!
//! The description is checked by itself, without a call: `live` compares a service with it. Contradictions within a
//! schema are found in `lint_schemas.rs`.

use std::collections::HashSet;

use docent_describe::json::{Json, Object};
use docent_describe::schema::{Kinds, SchemaViews, Validator};
use docent_describe::{Example, ProcedureDescription, ServiceDescription, code};

use super::binding::Binding;
use super::finding::{Finding, short_json, violated};
use super::rule::Rule;
use crate::params::{reason, takes_positions};

/// Returns the contradictions in a description, in the order of the description.
pub(super) fn contradictions(
    service: &ServiceDescription,
    bindings: impl Iterator<Item = impl Binding>,
) -> Vec<Finding> {
    let validator = Validator::new(service);
    let views = SchemaViews::new(service);
    let mut found = Vec::new();
    let mut names = HashSet::new();
    for (procedure, binding) in service.procs.iter().zip(bindings) {
        let mut lint = Lint {
            views: &views,
            binding: &binding,
            procedure,
            validator: &validator,
            found: &mut found,
        };
        // A service may send a procedure with the name of one that it takes.
        if !names.insert((procedure.name.as_str(), procedure.direction)) {
            let message = "there are two procedures with this name";
            lint.add(Rule::ProcedureTwice, message);
        }
        lint.check_params();
        lint.check_errors();
        lint.check_sent();
        lint.check_schemes(&service.security_schemes);
        for (at, example) in procedure.examples.iter().enumerate() {
            lint.check_example(at + 1, example);
        }
    }
    found
}

/// The check of one procedure.
struct Lint<'v, 'l, 'd> {
    views: &'v SchemaViews<'v>,
    /// The check of parameters that the service itself would make.
    binding: &'l dyn Binding,
    procedure: &'d ProcedureDescription,
    validator: &'l Validator<'d>,
    found: &'l mut Vec<Finding>,
}

impl<'v, 'd: 'v> Lint<'v, '_, 'd> {
    fn add(&mut self, rule: Rule, message: impl Into<String>) {
        self.found
            .push(Finding::new(rule, message).in_procedure(&self.procedure.name));
    }

    /// Checks the names and the order of parameters, and their defaults.
    fn check_params(&mut self) {
        let params = &self.procedure.params;
        let mut names: Vec<&str> = Vec::new();
        let mut optional = None;
        for param in params {
            let own = &param.name;
            let mut own_names = vec![own.as_str()];
            own_names.extend(param.aliases.iter().map(|alias| alias.name.as_str()));
            for name in own_names {
                if names.contains(&name) {
                    let message = format!("two parameters are called `{name}`");
                    self.add(Rule::ParamTwice, message);
                }
                names.push(name);
            }
            // Callers by position could never leave out the optional one.
            if let Some(before) = optional
                && param.required
                && takes_positions(self.procedure)
            {
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
                let default = short_json(default);
                let message =
                    format!("the default of `{own}`, {default}, breaks its schema: {how}");
                self.add(Rule::BrokenDefault, message);
            }
        }
    }

    /// Finds what a subscription, or what the service sends, cannot have.
    fn check_sent(&mut self) {
        let procedure = self.procedure;
        let subscription = procedure.subscription.as_ref();
        if let Some(name) = subscription.and_then(|subscription| subscription.resume.as_ref())
            && !self.takes_cursor(name)
        {
            let message =
                format!("`{name}`, which resumes it, is no optional parameter for text or numbers");
            self.add(Rule::Resume, message);
        }
        if procedure.is_a_call() {
            return;
        }
        let is_sent = !procedure.is_called_by_clients();
        let what = if is_sent {
            "the service sends it"
        } else {
            "it is a subscription"
        };
        for (member, has) in [
            ("a result", !is_sent && procedure.returns.is_some()),
            ("`repeatable`", procedure.repeatable.is_some()),
            ("`cache`", procedure.cache.is_some()),
            ("`limits`", is_sent && procedure.limits.is_some()),
            ("`notification`", !is_sent && procedure.notification),
            (
                "`subscription`",
                is_sent && procedure.subscription.is_some(),
            ),
            ("`idempotent`", is_sent && procedure.idempotent),
            ("credentials", is_sent && procedure.reads_credentials()),
        ] {
            if has {
                self.add(Rule::NoCall, format!("{what}, and has {member}"));
            }
        }
    }

    /// Returns whether an optional parameter may take text. A cursor is text, and the first call has none to pass.
    fn takes_cursor(&self, name: &str) -> bool {
        self.procedure.params.iter().any(|param| {
            let view = self.views.view_of_schema(&param.schema);
            param.name == name
                && !param.required
                && view.all_kinds().meet(Kinds::STRING | Kinds::NUMBER)
        })
    }

    /// Finds credentials whose scheme is not declared.
    fn check_schemes(&mut self, declared: &Object) {
        for credential in self.procedure.credentials() {
            let name = &credential.scheme;
            if !declared.contains_key(name) {
                let message = format!("the security scheme `{name}` is not declared");
                self.add(Rule::UndeclaredScheme, message);
            }
        }
    }

    /// Finds errors that clients cannot tell apart.
    fn check_errors(&mut self) {
        for (index, error) in self.procedure.errors.iter().enumerate() {
            if self.procedure.errors[..index]
                .iter()
                .any(|other| other.code == error.code && other.message == error.message)
            {
                let code = error.code;
                let message = format!("error {code} is declared twice with the same message");
                self.add(Rule::ErrorTwice, message);
            }
        }
    }

    /// Checks an example: its parameters, its result, its items and its error.
    fn check_example(&mut self, number: usize, example: &Example) {
        let code = example
            .error
            .as_ref()
            .and_then(|error| error.get("code")?.as_i64());
        let mut problems = Vec::new();
        // An example may show a call that is rejected.
        if code != Some(code::INVALID_PARAMS) {
            let params = match &example.params {
                Some(params) => params.to_string(),
                None => "{}".to_owned(),
            };
            problems.extend(self.binding.check(&params).err().as_ref().and_then(reason));
        }
        if let (Some(result), Some(returns)) = (&example.result, &self.procedure.returns)
            && let Some(how) = self.violation(&returns.schema, result)
        {
            problems.push(format!("its result breaks the schema of the result: {how}"));
        }
        problems.extend(self.example_items(example));
        problems.extend(code.and_then(|code| self.example_error(code, example)));
        for problem in problems {
            let message = match &example.summary {
                Some(name) => format!("example {number} ({name}): {problem}"),
                None => format!("example {number}: {problem}"),
            };
            self.add(Rule::BrokenExample, message);
        }
    }

    /// Describes what is wrong with the items of an example.
    fn example_items(&self, example: &Example) -> Vec<String> {
        let mut problems = Vec::new();
        let subscription = self.procedure.subscription.as_ref();
        let is_wrong = match subscription {
            Some(_) => example.result.is_some(),
            None => example.items.is_some(),
        };
        if is_wrong {
            problems.push("a subscription has items, and only others have a result".to_owned());
        }
        let schema = subscription.map(|subscription| &subscription.item.schema);
        for item in example.items.iter().flatten() {
            let how = schema.and_then(|schema| self.violation(schema, item));
            problems.extend(how.map(|how| format!("an item breaks its schema: {how}")));
        }
        problems
    }

    /// Describes how a value violates a schema. Returns `None` if it does not.
    fn violation(&self, schema: &'d Json, value: &Json) -> Option<String> {
        Some(violated(
            &self.validator.violations(schema, value, 1).pop()?,
        ))
    }

    /// Describes what is wrong with the error of an example.
    fn example_error(&self, code: i64, example: &Example) -> Option<String> {
        let same: Vec<_> = self
            .procedure
            .errors
            .iter()
            .filter(|error| error.code == code)
            .collect();
        // No description has to declare the errors of the protocol.
        let is_known = self.procedure.errors_open || code::RESERVED.contains(&code);
        if same.is_empty() {
            return (!is_known).then(|| format!("error {code} is not declared"));
        }
        let error = example.error.as_ref()?;
        let data = error.get("data").unwrap_or(&Json::Null);
        // Errors with one code may differ in their data, so it is enough to fit one of them. A schema that cannot be
        // decided counts as fitting.
        let breaks_all = same.iter().all(|error| {
            error
                .data
                .as_ref()
                .is_some_and(|schema| self.validator.is_valid(schema, data) == Some(false))
        });
        breaks_all.then(|| format!("its data breaks the schema of error {code}"))
    }
}
