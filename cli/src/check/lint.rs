//! Finds contradictions in a description.

use std::collections::HashSet;
use std::fmt;

use docent_describe::json::{Json, Pointer, shorten};
use docent_describe::schema::{SchemaContext, Validator};
use docent_describe::{ErrorDescription, Example, ProcedureDescription, ServiceDescription};

use super::rule::Rule;

/// The maximum length of a value in a message.
const SHOWN: usize = 80;

/// A contradiction in a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contradiction {
    pub(super) rule: Rule,
    pub(super) subject: Subject,
    pub(super) message: String,
}

/// The part of a description that a contradiction is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    Procedure(String),
    /// A shared schema.
    Type(String),
}

impl Subject {
    pub(super) fn procedure(&self) -> Option<&str> {
        match self {
            Self::Procedure(name) => Some(name),
            Self::Type(_) => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Procedure(name) => write!(f, "procedure `{name}`"),
            Self::Type(name) => write!(f, "type `{name}`"),
        }
    }
}

/// Returns the contradictions in a description, in the order of the description.
pub(super) fn contradictions(service: &ServiceDescription) -> Vec<Contradiction> {
    let validator = Validator::new(SchemaContext::of(service));
    let mut found = Vec::new();
    let mut names = HashSet::new();
    for procedure in &service.procs {
        let mut lint = Lint {
            procedure,
            validator: &validator,
            found: &mut found,
        };
        if !names.insert(procedure.name.as_str()) {
            lint.add(
                Rule::ProcedureTwice,
                "there are two procedures with this name".to_owned(),
            );
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
    procedure: &'d ProcedureDescription,
    validator: &'l Validator<'d>,
    found: &'l mut Vec<Contradiction>,
}

impl<'d> Lint<'_, 'd> {
    fn add(&mut self, rule: Rule, message: String) {
        self.found.push(Contradiction {
            rule,
            subject: Subject::Procedure(self.procedure.name.clone()),
            message,
        });
    }

    fn params(&mut self) {
        let params = &self.procedure.params;
        let mut names: Vec<&str> = Vec::new();
        let mut optional = None;
        for param in params {
            let aliases = param.aliases.iter().map(|alias| alias.name.as_str());
            for name in std::iter::once(param.name.as_str()).chain(aliases) {
                if names.contains(&name) {
                    self.add(
                        Rule::ParamTwice,
                        format!("two parameters are called `{name}`"),
                    );
                }
                names.push(name);
            }
            let structure = self.procedure.extensions.get("$paramStructure");
            let by_name = structure.and_then(Json::as_str) == Some("by-name");
            match optional {
                Some(before) if param.required && !self.procedure.by_name_only && !by_name => {
                    let name = &param.name;
                    let message =
                        format!("`{name}` is required and follows `{before}`, which is optional");
                    self.add(Rule::ParamOrder, message);
                }
                _ => {}
            }
            if !param.required {
                optional.get_or_insert(&param.name);
            }
            if let Some(default) = &param.default
                && self.validator.is_valid(&param.schema, default) == Some(false)
            {
                let message = format!(
                    "the default of `{}` breaks its schema: {default}",
                    param.name
                );
                self.add(Rule::BrokenDefault, message);
            }
        }
    }

    fn errors(&mut self) {
        for (index, error) in self.procedure.errors.iter().enumerate() {
            let is_same =
                |it: &ErrorDescription| it.code == error.code && it.message == error.message;
            if self.procedure.errors[..index].iter().any(is_same) {
                let message = format!(
                    "error {} is declared twice with the same message",
                    error.code
                );
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
            problems.extend(self.example_params(example.params.as_ref()));
        }
        if let (Some(result), Some(returns)) = (&example.result, &self.procedure.returns)
            && let Some(how) = self.breach(&returns.schema, result)
        {
            problems.push(format!("its result breaks the schema of the result: {how}"));
        }
        problems.extend(code.and_then(|code| self.example_error(code, example)));
        for problem in problems {
            let name = example.summary.as_deref();
            let name = name.map_or(String::new(), |name| format!(" ({name})"));
            self.add(
                Rule::BrokenExample,
                format!("example {number}{name}: {problem}"),
            );
        }
    }

    /// Describes how a value violates a schema. Returns `None` if it does not.
    fn breach(&self, schema: &'d Json, value: &Json) -> Option<String> {
        let (pointer, asked) = self.validator.breach(schema, value)?;
        let at = Pointer::resolve(pointer.as_str(), value).unwrap_or(value);
        let place = match pointer.as_str() {
            "" => String::new(),
            pointer => format!(" at {pointer}"),
        };
        Some(format!("{}{place} is not {}", shown(at), shown(&asked)))
    }

    fn example_params(&self, given: Option<&Json>) -> Option<String> {
        let params = &self.procedure.params;
        let mut missing: Vec<&str> = Vec::new();
        for (at, param) in params.iter().enumerate() {
            let value = match given {
                Some(Json::Array(values)) if param.variadic => Some(Json::Array(values.clone())),
                Some(Json::Array(values)) => values.get(at).cloned(),
                Some(Json::Object(members)) => {
                    let aliases = param.aliases.iter().map(|alias| alias.name.as_str());
                    let mut names = std::iter::once(param.name.as_str()).chain(aliases);
                    names.find_map(|name| members.get(name).cloned())
                }
                _ => None,
            };
            match value {
                Some(value) if let Some(how) = self.breach(&param.schema, &value) => {
                    return Some(format!("`{}` breaks its schema: {how}", param.name));
                }
                None if param.required && !param.variadic => missing.push(&param.name),
                _ => {}
            }
        }
        if let Some(name) = missing.first() {
            return Some(format!("`{name}` is missing"));
        }
        match given {
            Some(Json::Array(values))
                if values.len() > params.len() && !params.iter().any(|it| it.variadic) =>
            {
                Some(format!(
                    "it has {} params of {}",
                    values.len(),
                    params.len()
                ))
            }
            Some(Json::Object(members)) => {
                let is_known = |name: &str| {
                    params
                        .iter()
                        .any(|it| it.name == name || it.aliases.iter().any(|it| it.name == name))
                };
                let unknown = members.keys().find(|name| !is_known(name));
                unknown.map(|name| format!("there is no parameter `{name}`"))
            }
            _ => None,
        }
    }

    fn example_error(&self, code: i64, example: &Example) -> Option<String> {
        let errors = self.procedure.errors.iter();
        let same: Vec<_> = errors.filter(|error| error.code == code).collect();
        let is_known = self.procedure.errors_open || (-32768..=-32000).contains(&code);
        if same.is_empty() {
            return (!is_known).then(|| format!("error {code} is not declared"));
        }
        let data = example.error.as_ref()?.get("data");
        let breaks = |error: &&ErrorDescription| {
            error.data.as_ref().is_some_and(|schema| {
                let data = data.unwrap_or(&Json::Null);
                self.validator.is_valid(schema, data) == Some(false)
            })
        };
        let all_break = same.iter().all(breaks);
        all_break.then(|| format!("its data breaks the schema of error {code}"))
    }
}

/// Shortens a value for use in a sentence.
pub(super) fn shown(value: &Json) -> String {
    shorten(&value.to_string(), SHOWN).to_string()
}
