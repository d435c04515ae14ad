//! The candidates that a service adds: procedures, parameters and values.
//!
//! Somebody waits at a prompt, so whatever fails or takes long gives no candidates, and no message.

use std::collections::BTreeSet;
use std::env;
use std::time::Duration;

use clap::{ArgMatches, ColorChoice, CommandFactory, FromArgMatches};
use clap_complete::CompletionCandidate;
use docent_describe::json::Json;
use docent_describe::schema::{Kinds, Outline, SchemaViews};
use docent_describe::{ParamDescription, ProcedureDescription, ServiceDescription};
use indexmap::IndexSet;

use crate::args::Args;
use crate::exec::is_command;
use crate::http::{Client, RequestOptions};
use crate::input::Input;
use crate::list::mark;
use crate::terminal::Terminal;
use docent_tools::params::is_list;

/// The time limit for getting a description. A longer wait at a prompt would be a nuisance.
const MAX_WAIT: Duration = Duration::from_secs(1);
/// The maximum number of cases of a schema that are searched for values.
const MAX_CASES: usize = 64;

/// Returns the procedures of the service on the command line.
pub(crate) fn procedures() -> Vec<CompletionCandidate> {
    let Some((service, _)) = described_service(&words()) else {
        return Vec::new();
    };
    let mut candidates = Vec::new();
    for procedure in &service.procs {
        let mut texts = Vec::new();
        texts.extend(mark(procedure).map(|mark| format!("({mark})")));
        texts.extend(procedure.summary.clone());
        let help = texts.join(" ");
        candidates.extend(candidate(
            &procedure.name,
            Some(&help).filter(|help| !help.is_empty()),
        ));
    }
    candidates
}

/// Returns the arguments of the call on the command line: parameters by name, or, after `--`, values by
/// position.
pub(crate) fn arguments() -> Vec<CompletionCandidate> {
    find_arguments(&words()).unwrap_or_default()
}

/// Returns the arguments, or `None` as soon as something about the line or its service is not known.
fn find_arguments(words: &[String]) -> Option<Vec<CompletionCandidate>> {
    let (service, call) = described_service(words)?;
    let procedure = service.procedure(call.try_get_one::<String>("procedure").ok()??)?;
    let (current, before) = words.split_last()?;
    let Some(separator) = before.iter().position(|word| word == "--") else {
        return Some(by_name(procedure, current, &call, &service));
    };
    let param = if is_list(procedure) {
        procedure.params.first()
    } else {
        procedure.params.get(before.len() - separator - 1)
    };
    Some(
        values(param, &service)
            .into_iter()
            .map(Into::into)
            .collect(),
    )
}

/// Returns the words of the line that is completed as far as the cursor, with `~/` expanded, and nothing else.
fn words() -> Vec<String> {
    let home = env::home_dir().unwrap_or_default();
    env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .skip_while(|word| word != "--")
        .skip(1)
        .map(|word| match word.strip_prefix("~/") {
            Some(rest) => home.join(rest).to_string_lossy().into_owned(),
            None => word,
        })
        .collect()
}

/// Returns the description of the service on the command line, if it answers within a second, and the
/// arguments of the subcommand.
fn described_service(words: &[String]) -> Option<(ServiceDescription, ArgMatches)> {
    let (_, before) = words.split_last()?;
    if before.iter().any(|word| word.contains(['$', '`'])) {
        // Only the shell can expand it.
        return None;
    }
    let command = Args::command().ignore_errors(true);
    let mut matches = command.try_get_matches_from(before).ok()?;
    let mut options = RequestOptions::from_arg_matches(&matches).ok()?;
    options.is_at_prompt = true;
    options.max_time = Some(options.max_time.unwrap_or(MAX_WAIT).min(MAX_WAIT));
    let (_, arguments) = matches.remove_subcommand()?;
    let input = arguments.try_get_one::<Input>("input").ok()??;
    if matches!(input, Input::Live(url) if is_command(url)) {
        // No command may run before its line is complete.
        return None;
    }
    let client = Client::new(&options, Terminal::new(false, ColorChoice::Never)).ok()?;
    let described = input.read(&client).ok()?;
    Some((described.reading.description, arguments))
}

/// Makes a candidate of a name. Returns `None` if the name would be taken for an option.
fn candidate(name: &str, help: Option<&String>) -> Option<CompletionCandidate> {
    if name.starts_with('-') {
        return None;
    }
    Some(CompletionCandidate::new(name).help(help.map(Into::into)))
}

/// Returns `name=` of each parameter that is not given yet, or `name=value` once the name is there.
fn by_name(
    procedure: &ProcedureDescription,
    current: &str,
    call: &ArgMatches,
    service: &ServiceDescription,
) -> Vec<CompletionCandidate> {
    if let Some((name, _)) = current.split_once('=') {
        let param = procedure.params.iter().find(|param| param.name == name);
        return values(param, service)
            .into_iter()
            .map(|value| format!("{name}={value}").into())
            .collect();
    }
    let mut given = BTreeSet::new();
    if let Ok(Some(arguments)) = call.try_get_many::<String>("arguments") {
        for argument in arguments {
            // A value may be given as text, `name=`, or as JSON, `name:=`.
            if let Some((name, _)) = argument.split_once('=') {
                given.insert(name.trim_end_matches(':'));
            }
        }
    }
    procedure
        .params
        .iter()
        .filter(|param| !given.contains(param.name.as_str()))
        .filter_map(|param| candidate(&format!("{}=", param.name), param.description.as_ref()))
        .collect()
}

/// Returns the values that a parameter lists, as text.
fn values(param: Option<&ParamDescription>, service: &ServiceDescription) -> IndexSet<String> {
    let mut values = IndexSet::new();
    let Some(param) = param else {
        return values;
    };
    let views = SchemaViews::new(service);
    let view = views.view_of_schema(&param.schema);
    for view in view.first_cases(MAX_CASES).views {
        match view.outline() {
            Outline::Listed(listed) => {
                values.extend(listed.iter().filter_map(|listed| text(listed.value)));
            }
            Outline::Scalar(Kinds::BOOLEAN) => {
                values.extend(["true".to_owned(), "false".to_owned()]);
            }
            _ => {}
        }
    }
    values
}

/// Returns a value as it is typed on a command line. Arrays, objects and null are not offered.
fn text(value: &Json) -> Option<String> {
    match value {
        Json::Array(_) | Json::Object(_) | Json::Null => None,
        Json::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
