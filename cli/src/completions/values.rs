//! The words that can stand at the cursor.

use std::collections::BTreeSet;
use std::env;
use std::time::Duration;

use clap::{Command, Parser};
use docent_describe::json::Json;
use docent_describe::schema::{Kinds, forms};
use docent_describe::{Components, ParamDescription, ProcedureDescription, ServiceDescription};

use super::position::Position;
use crate::args::{self, Args};
use crate::cache::Cache;
use crate::http::Client;
use crate::input::Input;
use crate::remote::Remote;
use crate::terminal::Terminal;

/// At a prompt, a longer wait for a list would be a nuisance.
const TIME: Duration = Duration::from_secs(1);
/// How many forms of a schema are looked at for values.
const FORMS: usize = 64;

/// A word, and what is said about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) word: String,
    pub(super) about: Option<String>,
}

impl Candidate {
    fn new(word: impl Into<String>, about: Option<String>) -> Self {
        Self {
            word: word.into(),
            about,
        }
    }
}

/// Returns the words that begin like the one at the cursor.
pub(super) fn candidates(position: &Position<'_>, terminal: Terminal) -> Vec<Candidate> {
    let mut candidates = all(position, terminal).unwrap_or_default();
    candidates.retain(|candidate| candidate.word.starts_with(&position.current));
    candidates
}

fn all(position: &Position<'_>, terminal: Terminal) -> Option<Vec<Candidate>> {
    if let Some(option) = position.option {
        let values = option.get_possible_values();
        let candidate = |value: &clap::builder::PossibleValue| {
            Candidate::new(value.get_name(), value.get_help().map(ToString::to_string))
        };
        return Some(
            values
                .iter()
                .filter(|it| !it.is_hide_set())
                .map(candidate)
                .collect(),
        );
    }
    if position.positions.is_none() && position.current.starts_with('-') {
        return Some(options(position));
    }
    let Some(subcommand) = position.subcommand else {
        return Some(subcommands(position.command));
    };
    let arguments = &position.arguments;
    let service = || description(position, arguments.first()?, terminal);
    match subcommand.get_name() {
        "completions" => Some(
            ["bash", "zsh", "fish"]
                .map(|shell| Candidate::new(shell, None))
                .into(),
        ),
        "describe" if !arguments.is_empty() => Some(procedures(&service()?)),
        "call" if arguments.len() == 1 && position.positions.is_none() => {
            Some(procedures(&service()?))
        }
        "call" if arguments.len() > 1 => {
            let service = service()?;
            let procedure = service.procedure(&arguments[1])?;
            Some(match &position.positions {
                Some(before) => at_position(procedure, before.len(), &service.components),
                None => parameters(position, procedure, &service.components),
            })
        }
        _ => None,
    }
}

fn options(position: &Position<'_>) -> Vec<Candidate> {
    let options = position.options().filter(|option| !option.is_hide_set());
    let candidate = |option: &clap::Arg| {
        let about = option.get_help().map(ToString::to_string);
        Some(Candidate::new(format!("--{}", option.get_long()?), about))
    };
    let mut candidates: Vec<_> = options.filter_map(candidate).collect();
    candidates.push(Candidate::new("--help", None));
    candidates.dedup();
    candidates
}

fn subcommands(command: &Command) -> Vec<Candidate> {
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    let candidate =
        |it: &Command| Candidate::new(it.get_name(), it.get_about().map(ToString::to_string));
    shown.map(candidate).collect()
}

/// Returns the description of the service on the command line: the one that is kept, or what the
/// service says within a second.
fn description(
    position: &Position<'_>,
    input: &str,
    terminal: Terminal,
) -> Option<ServiceDescription> {
    let mut words = vec!["docent".to_owned(), "list".to_owned(), expand(input)?];
    for word in &position.shared {
        // Standard input belongs to the shell, and nothing is expanded here.
        words.push(expand(word).filter(|word| word != "-" && !word.ends_with("=-"))?);
    }
    let parsed = Args::try_parse_from(words).ok()?;
    let args::Command::List(list) = &parsed.command else {
        return None;
    };
    if list.input == Input::Stdin {
        return None;
    }
    let client = Client::new(&parsed.http, terminal).ok()?;
    Remote::description_within(&list.input, &client, &Cache::of_user(), TIME).ok()
}

/// Expands `~/`, and nothing else.
fn expand(word: &str) -> Option<String> {
    if word.contains(['$', '`']) {
        return None;
    }
    match word.strip_prefix("~/") {
        Some(rest) => Some(format!("{}/{rest}", env::var("HOME").ok()?)),
        None => Some(word.to_owned()),
    }
}

fn procedures(service: &ServiceDescription) -> Vec<Candidate> {
    let candidate =
        |it: &ProcedureDescription| Candidate::new(it.name.as_str(), it.summary.clone());
    service.procs.iter().map(candidate).collect()
}

/// `name=`, or `name=value` once the name is there.
fn parameters(
    position: &Position<'_>,
    procedure: &ProcedureDescription,
    components: &Components,
) -> Vec<Candidate> {
    if let Some((name, _)) = position.current.split_once('=') {
        let (name, sign) = match name.strip_suffix(':') {
            Some(name) => (name, ":="),
            None => (name, "="),
        };
        let param = procedure.params.iter().find(|param| param.name == name);
        let values = param.map(|param| values(param, components, sign == ":="));
        let candidate = |value| Candidate::new(format!("{name}{sign}{value}"), None);
        return values.into_iter().flatten().map(candidate).collect();
    }
    let given: BTreeSet<&str> = position.arguments[2..]
        .iter()
        .filter_map(|argument| Some(argument.split_once('=')?.0.trim_end_matches(':')))
        .collect();
    let is_free = |param: &&ParamDescription| !given.contains(param.name.as_str());
    let candidate = |param: &ParamDescription| {
        Candidate::new(format!("{}=", param.name), param.description.clone())
    };
    procedure
        .params
        .iter()
        .filter(is_free)
        .map(candidate)
        .collect()
}

fn at_position(
    procedure: &ProcedureDescription,
    place: usize,
    components: &Components,
) -> Vec<Candidate> {
    let param = match &*procedure.params {
        [list] if list.variadic => Some(list),
        params => params.get(place),
    };
    let values = param.map(|param| values(param, components, false));
    let values = values.into_iter().flatten();
    values.map(|value| Candidate::new(value, None)).collect()
}

/// Returns the values that a parameter lists, as text or as JSON.
fn values(param: &ParamDescription, components: &Components, as_json: bool) -> Vec<String> {
    let mut values = Vec::new();
    push_values(&param.schema, components, as_json, &mut values);
    let mut known = BTreeSet::new();
    values.retain(|value| known.insert(value.clone()));
    values
}

fn push_values(schema: &Json, components: &Components, as_json: bool, values: &mut Vec<String>) {
    for form in forms(schema, &components.schemas, FORMS) {
        match form.listed() {
            Some(listed) => values.extend(listed.into_iter().filter_map(|it| text(it, as_json))),
            None if form.kinds() == Kinds::BOOLEAN => {
                values.extend(["true".to_owned(), "false".to_owned()]);
            }
            None if form.kinds().meet(Kinds::ARRAY) && !as_json => {
                let items = form.items().into_iter();
                for item in items.flat_map(|items| forms(items, &components.schemas, FORMS)) {
                    let listed = item.listed().into_iter().flatten();
                    values.extend(listed.filter_map(|it| text(it, as_json)));
                }
            }
            None => {}
        }
    }
}

fn text(value: &Json, as_json: bool) -> Option<String> {
    match value {
        Json::Array(_) | Json::Object(_) => None,
        Json::Null if !as_json => None,
        Json::String(text) if !as_json => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
