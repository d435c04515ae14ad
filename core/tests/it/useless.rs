//! Values with which an option can have no effect: each is refused by `build()`, or told when the server starts.
//!
//! The table is the list of all methods of builders. A new one needs a row, or a place among those that have no
//! such value.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use docent_core::{
    Authentication, Authenticator, CallInfo, Credentials, Cx, Fault, Guard, Identity, Procedure,
    Rejection, ServiceBuilder, ToolHints,
};
use docent_describe::Deprecation;
use serde_json::json;

use crate::{builder, mistakes, plain, taking};

/// The public items of the crate.
const API: &str = include_str!("../../../api/core.txt");

/// Methods without a value, or all of whose values have an effect.
const ALWAYS_EFFECTIVE: [&str; 17] = [
    "Procedure::blocking",
    "Procedure::errors_open",
    "Procedure::ignore_unknown",
    "Procedure::name",
    "Procedure::new",
    "Procedure::sync",
    "Procedure::with_state",
    "ServiceBuilder::build",
    "ServiceBuilder::check_results",
    "ServiceBuilder::observer",
    "ServiceBuilder::openrpc",
    "ServiceBuilder::procedure",
    "ServiceBuilder::protect_own",
    "ServiceBuilder::protocols",
    "ServiceBuilder::shared_state",
    "Procedure::error_with_data",
    "Procedure::example_params",
];

struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("otto")
    }
}

struct Always;

impl Authenticator for Always {
    type Identity = User;

    fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> {
        Authentication::ready(Some(User))
    }
}

/// A guard that covers nothing.
struct Nowhere;

impl Guard for Nowhere {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Ok(())
    }

    fn covers(&self, _: &docent_describe::ProcedureDescription) -> bool {
        false
    }
}

/// A row of the table: a method, a service that calls it with a useless value, and words of the answer.
type Row = (&'static str, ServiceBuilder, &'static str);

fn of_procedure(change: impl FnOnce(Procedure) -> Procedure) -> ServiceBuilder {
    builder().procedure(change(plain("p")))
}

fn of_list(change: impl FnOnce(Procedure) -> Procedure) -> ServiceBuilder {
    builder().procedure(change(taking::<Vec<u8>>("p")))
}

fn of_service(change: impl FnOnce(ServiceBuilder) -> ServiceBuilder) -> ServiceBuilder {
    change(builder()).procedure(plain("p"))
}

fn deprecated(reason: &str) -> Deprecation {
    let mut deprecation = Deprecation::default();
    deprecation.reason = Some(reason.to_owned());
    deprecation
}

/// Returns the rows about texts that procedures have.
fn texts() -> Vec<Row> {
    vec![
        (
            "Procedure::deprecated",
            of_procedure(|it| it.deprecated(deprecated(" "))),
            "`deprecated` is empty",
        ),
        (
            "Procedure::description",
            of_procedure(|it| it.description("")),
            "`description` is empty",
        ),
        (
            "Procedure::documentation",
            of_procedure(|it| it.documentation("\n")),
            "`documentation` is empty",
        ),
        (
            "Procedure::idempotent_because",
            of_procedure(|it| it.idempotent_because("")),
            "`idempotent_because` is empty",
        ),
        (
            "Procedure::returns",
            of_procedure(|it| it.returns("")),
            "`returns` is empty",
        ),
        (
            "Procedure::summary",
            of_procedure(|it| it.summary("")),
            "`summary` is empty",
        ),
        (
            "Procedure::tag",
            of_procedure(|it| it.tag("")),
            "`tag` is empty",
        ),
        (
            "Procedure::unchecked",
            of_procedure(|it| it.unchecked("")),
            "`unchecked` is empty",
        ),
        (
            "Procedure::unchecked",
            of_procedure(|it| it.unchecked("it is checked")),
            "every constraint of the parameters is enforced",
        ),
    ]
}

/// Returns the rows about examples, errors and tools.
fn examples() -> Vec<Row> {
    vec![
        (
            "Procedure::error",
            of_procedure(|it| it.error(1, "a").error(1, "a")),
            "declared twice",
        ),
        (
            "Procedure::example",
            of_procedure(|it| it.example(["a"], ())),
            "example",
        ),
        (
            "Procedure::example_error",
            of_procedure(|it| it.example_error((), 5, ())),
            "example",
        ),
        (
            "Procedure::example_error_with_summary",
            of_procedure(|it| it.example_error_with_summary("a", (), 5, ())),
            "example",
        ),
        (
            "Procedure::example_params_with_summary",
            of_procedure(|it| it.example_params_with_summary("a", ["a"])),
            "example",
        ),
        (
            "Procedure::example_with_summary",
            of_procedure(|it| it.example_with_summary("a", ["a"], ())),
            "example",
        ),
        (
            "Procedure::only_errors",
            of_procedure(|it| it.only_errors([5])),
            "does not declare",
        ),
        (
            "Procedure::tool",
            builder().procedures([plain("a.b").tool(), plain("a_b").tool()]),
            "a tool with the same name",
        ),
        (
            "Procedure::tool_hints",
            of_procedure(|it| it.tool().tool_hints(ToolHints::new())),
            "no hint",
        ),
        (
            "Procedure::tool_named",
            of_procedure(|it| it.tool_named("a b")),
            "cannot be the name of a tool",
        ),
    ]
}

/// Returns the rows about how procedures are called.
fn calls() -> Vec<Row> {
    vec![
        (
            "Procedure::cache_for",
            of_procedure(|it| it.idempotent().cache_for(Duration::from_millis(900))),
            "whole seconds",
        ),
        (
            "Procedure::cache_for",
            of_procedure(|it| it.cache_for(Duration::from_secs(1))),
            "only with GET",
        ),
        (
            "Procedure::etag_by",
            of_procedure(|it| it.etag_by(|_: Cx, (): ()| 1)),
            "only with GET",
        ),
        (
            "Procedure::keys_without_caller",
            of_procedure(Procedure::keys_without_caller),
            "without `repeatable`",
        ),
        (
            "Procedure::max_concurrent",
            of_procedure(|it| it.max_concurrent(0)),
            "would reject every call",
        ),
        (
            "Procedure::max_concurrent",
            of_procedure(|it| it.max_concurrent(1_024)),
            "never reached",
        ),
        (
            "Procedure::rate",
            of_procedure(|it| it.rate(0, Duration::from_secs(1))),
            "would reject every call",
        ),
        (
            "Procedure::rate",
            of_procedure(|it| it.rate(1, Duration::ZERO)),
            "longer than zero",
        ),
        (
            "Procedure::repeatable",
            of_procedure(|it| it.repeatable(Duration::ZERO)),
            "longer than zero",
        ),
        (
            "Procedure::scope",
            of_procedure(|it| it.scope("")),
            "must not be empty",
        ),
        (
            "Procedure::shared_cache",
            of_procedure(Procedure::shared_cache),
            "only with GET",
        ),
        (
            "Procedure::timeout",
            of_procedure(|it| it.timeout(Duration::ZERO)),
            "longer than zero",
        ),
    ]
}

/// Returns the rows about parameters and marks.
fn params() -> Vec<Row> {
    vec![
        (
            "Procedure::alias",
            of_procedure(|it| it.alias("none", "other")),
            "there is no parameter `none`",
        ),
        (
            "Procedure::by_name_only",
            of_procedure(Procedure::by_name_only),
            "by_name_only has no effect",
        ),
        (
            "Procedure::by_name_only",
            of_list(Procedure::by_name_only),
            "takes a list",
        ),
        (
            "Procedure::idempotent",
            of_procedure(|it| it.idempotent().notification()),
            "remove `idempotent` or `notification`",
        ),
        (
            "Procedure::list_name",
            of_procedure(|it| it.list_name("words")),
            "procedures that take a list",
        ),
        (
            "Procedure::notification",
            of_procedure(|it| it.idempotent().notification()),
            "remove `idempotent` or `notification`",
        ),
        (
            "Procedure::order",
            of_list(|it| it.order(["values"])),
            "takes a list",
        ),
        (
            "Procedure::order",
            of_procedure(|it| it.order(["none"])),
            "not a parameter",
        ),
    ]
}

/// Returns the rows about guards and authenticators.
fn gates() -> Vec<Row> {
    vec![
        (
            "ServiceBuilder::authenticate",
            of_service(|it| it.authenticate(Always)),
            "no procedure asks who is calling",
        ),
        (
            "ServiceBuilder::authorize",
            of_service(|it| it.authorize(|_: &User, _| Ok(()))),
            "no authenticator returns",
        ),
        (
            "ServiceBuilder::failed_logins",
            of_service(|it| it.failed_logins(3, Duration::from_secs(1))),
            "failed_logins limits nothing",
        ),
        (
            "ServiceBuilder::failed_logins",
            of_service(|it| it.guard(Nowhere).failed_logins(0, Duration::from_secs(1))),
            "failed_logins",
        ),
        (
            "ServiceBuilder::guard",
            of_service(|it| it.guard(Nowhere)),
            "a guard covers no procedure",
        ),
        (
            "ServiceBuilder::protect",
            of_service(|it| it.authenticate(Always).protect(|_| false)),
            "`protect` selects no procedure",
        ),
    ]
}

/// Returns the rows about everything else of a service.
fn services() -> Vec<Row> {
    vec![
        (
            "ServiceBuilder::documentation",
            of_service(|it| it.documentation(" ")),
            "`documentation` is empty",
        ),
        (
            "ServiceBuilder::help",
            of_service(|it| it.help("")),
            "must be an absolute http or https URL",
        ),
        (
            "ServiceBuilder::idempotent_tools",
            of_service(ServiceBuilder::idempotent_tools),
            "no procedure is idempotent",
        ),
        (
            "ServiceBuilder::ignore_unknown",
            builder().ignore_unknown().procedure(taking::<Vec<u8>>("p")),
            "every procedure takes a list",
        ),
        (
            "ServiceBuilder::instructions",
            of_service(|it| it.instructions("Read first.")),
            "no procedure is one",
        ),
        (
            "ServiceBuilder::key_store",
            of_service(|it| it.key_store(docent_core::MemoryKeyStore::new())),
            "the key store keeps nothing",
        ),
        (
            "ServiceBuilder::limits",
            of_service(|it| it.limits(|limits| limits.batch_timeout = Some(Duration::ZERO))),
            "`batch_timeout` is zero",
        ),
        (
            "ServiceBuilder::limits",
            of_service(|it| it.limits(|limits| limits.max_batch_concurrency = 0)),
            "runs anyway",
        ),
        (
            "ServiceBuilder::procedures",
            builder().procedures(Vec::<Procedure>::new()),
            "the service has no procedures",
        ),
        (
            "ServiceBuilder::public_url",
            of_service(|it| it.public_url("example.com")),
            "must be an absolute http or https URL",
        ),
        (
            "ServiceBuilder::remove",
            of_service(|it| it.remove("none")),
            "no procedure with this name",
        ),
        (
            "ServiceBuilder::replace",
            of_service(|it| it.replace(plain("none"))),
            "no procedure with this name",
        ),
        (
            "ServiceBuilder::state",
            of_service(|it| it.state(5_u8).state(())),
            "no procedure is registered after `state` with the type `u8`",
        ),
        (
            "ServiceBuilder::version",
            of_service(|it| it.version("")),
            "the version is empty",
        ),
    ]
}

/// Returns the whole table.
fn table() -> impl Iterator<Item = Row> {
    [texts(), examples(), calls(), params(), gates(), services()]
        .into_iter()
        .flatten()
}

#[test]
fn a_value_without_an_effect_is_refused_or_told() {
    let mut silent = Vec::new();
    for (method, builder, words) in table() {
        let told: Vec<String> = match builder.build() {
            Ok(service) => service.warnings().to_vec(),
            Err(error) => {
                let mistakes = error.mistakes().iter().map(ToString::to_string);
                mistakes.chain(error.warnings().iter().cloned()).collect()
            }
        };
        if !told.iter().any(|told| told.contains(words)) {
            silent.push(format!("{method}: {told:?}"));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn every_method_of_a_builder_is_in_the_table() {
    let mut known: BTreeSet<_> = table().map(|(method, ..)| method.to_owned()).collect();
    known.extend(ALWAYS_EFFECTIVE.map(str::to_owned));
    for builder in ["Procedure", "ServiceBuilder"] {
        let prefix = format!("struct.{builder}: pub fn ");
        let methods = API.lines().filter_map(|line| line.strip_prefix(&prefix));
        for method in methods.filter_map(|method| method.split(['(', '<']).next()) {
            let method = format!("{builder}::{method}");
            assert!(known.contains(&method), "{method} needs a row");
        }
    }
}

#[test]
fn settings_that_have_an_effect_are_not_told() {
    let used = builder()
        .version("1")
        .documentation("Counts.")
        .instructions("Read first.")
        .state(5_u8)
        .procedure(Procedure::sync("five", |cx: Cx<u8>, (): ()| Ok::<_, Fault>(*cx.state())).tool())
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(used.warnings(), [""; 0]);
    let extended = used.extend().version("2").build().expect("a service");
    assert_eq!(extended.warnings(), [""; 0]);
    assert!(mistakes(of_procedure(|it| it.example_params(json!({})))).is_empty());
}
