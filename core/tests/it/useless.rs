//! Values with which an option can have no effect: each is refused by `build()`, or told when the server starts.
//!
//! The table is the list of all methods of builders. A new one needs a row, or a place among those that have no
//! such value.

use std::collections::BTreeSet;
use std::time::Duration;

use docent_core::{CallInfo, Cx, Fault, Guard, Procedure, Rejection, ServiceBuilder, ToolHints};
use docent_describe::Deprecation;
use serde_json::json;

use crate::{Always, User, builder, mistakes, plain, taking};

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

/// Returns the rows about names and texts of procedures.
fn texts() -> Vec<Row> {
    vec![
        (
            "ServiceBuilder::unsubscribe_alias",
            of_service(|service| service.unsubscribe_alias("leave")),
            "`unsubscribe_alias` has no effect",
        ),
        (
            "Procedure::deprecated",
            of_procedure(|procedure| procedure.deprecated(deprecated(" "))),
            "`deprecated` is empty",
        ),
        (
            "Procedure::description",
            of_procedure(|procedure| procedure.description("")),
            "`description` is empty",
        ),
        (
            "Procedure::documentation",
            of_procedure(|procedure| procedure.documentation("\n")),
            "`documentation` is empty",
        ),
        (
            "Procedure::idempotent_because",
            of_procedure(|procedure| procedure.idempotent_because("")),
            "`idempotent_because` is empty",
        ),
        (
            "Procedure::returns",
            of_procedure(|procedure| procedure.returns("")),
            "`returns` is empty",
        ),
        (
            "Procedure::summary",
            of_procedure(|procedure| procedure.summary("")),
            "`summary` is empty",
        ),
        (
            "Procedure::tag",
            of_procedure(|procedure| procedure.tag("")),
            "`tag` is empty",
        ),
        (
            "Procedure::unchecked",
            of_procedure(|procedure| procedure.unchecked("")),
            "`unchecked` is empty",
        ),
        (
            "Procedure::unchecked",
            of_procedure(|procedure| procedure.unchecked("it is checked")),
            "every constraint of the parameters is enforced",
        ),
    ]
}

/// Returns the rows about examples, errors and tools.
fn examples() -> Vec<Row> {
    vec![
        (
            "Procedure::error",
            of_procedure(|procedure| procedure.error(1, "a").error(1, "a")),
            "declared twice",
        ),
        (
            "Procedure::example",
            of_procedure(|procedure| procedure.example(["a"], ())),
            "example",
        ),
        (
            "Procedure::example_error",
            of_procedure(|procedure| procedure.example_error((), 5, ())),
            "example",
        ),
        (
            "Procedure::example_error_with_summary",
            of_procedure(|procedure| procedure.example_error_with_summary("a", (), 5, ())),
            "example",
        ),
        (
            "Procedure::example_params_with_summary",
            of_procedure(|procedure| procedure.example_params_with_summary("a", ["a"])),
            "example",
        ),
        (
            "Procedure::example_with_summary",
            of_procedure(|procedure| procedure.example_with_summary("a", ["a"], ())),
            "example",
        ),
        (
            "Procedure::only_errors",
            of_procedure(|procedure| procedure.only_errors([5])),
            "does not declare",
        ),
        (
            "Procedure::tool",
            builder().procedures([plain("a.b").tool(), plain("a_b").tool()]),
            "a tool with the same name",
        ),
        (
            "Procedure::tool_hints",
            of_procedure(|procedure| procedure.tool().tool_hints(ToolHints::new())),
            "no hint",
        ),
        (
            "Procedure::tool_named",
            of_procedure(|procedure| procedure.tool_named("a b")),
            "cannot be the name of a tool",
        ),
    ]
}

/// Returns the rows about how procedures are called.
fn calls() -> Vec<Row> {
    vec![
        (
            "Procedure::cache_for",
            of_procedure(|procedure| procedure.idempotent().cache_for(Duration::from_millis(900))),
            "whole seconds",
        ),
        (
            "Procedure::cache_for",
            of_procedure(|procedure| procedure.cache_for(Duration::from_secs(1))),
            "only with GET",
        ),
        (
            "Procedure::etag_by",
            of_procedure(|procedure| procedure.etag_by(|_: Cx, (): ()| 1)),
            "only with GET",
        ),
        (
            "Procedure::keys_without_caller",
            of_procedure(Procedure::keys_without_caller),
            "without `repeatable`",
        ),
        (
            "Procedure::max_concurrent",
            of_procedure(|procedure| procedure.max_concurrent(0)),
            "would reject every call",
        ),
        (
            "Procedure::max_concurrent",
            of_procedure(|procedure| procedure.max_concurrent(1_024)),
            "never reached",
        ),
        (
            "Procedure::rate",
            of_procedure(|procedure| procedure.rate(0, Duration::from_secs(1))),
            "would reject every call",
        ),
        (
            "Procedure::rate",
            of_procedure(|procedure| procedure.rate(1, Duration::ZERO)),
            "longer than zero",
        ),
        (
            "Procedure::repeatable",
            of_procedure(|procedure| procedure.repeatable(Duration::ZERO)),
            "longer than zero",
        ),
        (
            "Procedure::scope",
            of_procedure(|procedure| procedure.scope("")),
            "must not be empty",
        ),
        (
            "Procedure::shared_cache",
            of_procedure(Procedure::shared_cache),
            "only with GET",
        ),
        (
            "Procedure::timeout",
            of_procedure(|procedure| procedure.timeout(Duration::ZERO)),
            "longer than zero",
        ),
    ]
}

/// Returns the rows about parameters and marks.
fn params() -> Vec<Row> {
    vec![
        (
            "Procedure::alias",
            of_procedure(|procedure| procedure.alias("none", "other")),
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
            of_procedure(|procedure| procedure.idempotent().notification()),
            "remove `idempotent` or `notification`",
        ),
        (
            "Procedure::list_name",
            of_procedure(|procedure| procedure.list_name("words")),
            "procedures that take a list",
        ),
        (
            "Procedure::notification",
            of_procedure(|procedure| procedure.idempotent().notification()),
            "remove `idempotent` or `notification`",
        ),
        (
            "Procedure::order",
            of_list(|procedure| procedure.order(["values"])),
            "takes a list",
        ),
        (
            "Procedure::order",
            of_procedure(|procedure| procedure.order(["none"])),
            "not a parameter",
        ),
    ]
}

/// Returns the rows about guards and authenticators.
fn gates() -> Vec<Row> {
    vec![
        (
            "ServiceBuilder::authenticate",
            of_service(|builder| builder.authenticate(Always)),
            "no procedure asks who is calling",
        ),
        (
            "ServiceBuilder::authorize",
            of_service(|builder| builder.authorize(|_: &User, _| Ok(()))),
            "no authenticator returns",
        ),
        (
            "ServiceBuilder::failed_logins",
            of_service(|builder| builder.failed_logins(3, Duration::from_secs(1))),
            "failed_logins limits nothing",
        ),
        (
            "ServiceBuilder::failed_logins",
            of_service(|builder| {
                builder
                    .guard(Nowhere)
                    .failed_logins(0, Duration::from_secs(1))
            }),
            "failed_logins",
        ),
        (
            "ServiceBuilder::guard",
            of_service(|builder| builder.guard(Nowhere)),
            "a guard covers no procedure",
        ),
        (
            "ServiceBuilder::protect",
            of_service(|builder| builder.authenticate(Always).protect(|_| false)),
            "`protect` selects no procedure",
        ),
    ]
}

/// Returns the rows about everything else of a service.
fn services() -> Vec<Row> {
    vec![
        (
            "ServiceBuilder::documentation",
            of_service(|builder| builder.documentation(" ")),
            "`documentation` is empty",
        ),
        (
            "ServiceBuilder::help",
            of_service(|builder| builder.help("")),
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
            of_service(|builder| builder.instructions("Read first.")),
            "no procedure is one",
        ),
        (
            "ServiceBuilder::key_store",
            of_service(|builder| builder.key_store(docent_core::MemoryKeyStore::new())),
            "the key store keeps nothing",
        ),
        (
            "ServiceBuilder::limits",
            of_service(|builder| {
                builder.limits(|limits| limits.batch_timeout = Some(Duration::ZERO))
            }),
            "`batch_timeout` is zero",
        ),
        (
            "ServiceBuilder::limits",
            of_service(|builder| builder.limits(|limits| limits.max_batch_concurrency = 0)),
            "runs anyway",
        ),
        (
            "ServiceBuilder::procedures",
            builder().procedures(Vec::<Procedure>::new()),
            "the service has no procedures",
        ),
        (
            "ServiceBuilder::public_url",
            of_service(|builder| builder.public_url("example.com")),
            "must be an absolute http or https URL",
        ),
        (
            "ServiceBuilder::remove",
            of_service(|builder| builder.remove("none")),
            "no procedure with this name",
        ),
        (
            "ServiceBuilder::replace",
            of_service(|builder| builder.replace(plain("none"))),
            "no procedure with this name",
        ),
        (
            "ServiceBuilder::state",
            of_service(|builder| builder.state(5_u8).state(())),
            "no procedure is registered after `state` with the type `u8`",
        ),
        (
            "ServiceBuilder::version",
            of_service(|builder| builder.version("")),
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
fn a_value_without_an_effect_is_refused_or_reported() {
    let mut silent = Vec::new();
    for (method, builder, phrase) in table() {
        let texts: Vec<String> = match builder.build() {
            Ok(service) => service.warnings().to_vec(),
            Err(error) => error
                .mistakes()
                .iter()
                .map(ToString::to_string)
                .chain(error.warnings().iter().cloned())
                .collect(),
        };
        if !texts.iter().any(|text| text.contains(phrase)) {
            silent.push(format!("{method}: {texts:?}"));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn every_method_of_a_builder_is_in_the_table() {
    let mut known: BTreeSet<_> = table().map(|(method, ..)| method.to_owned()).collect();
    known.extend(ALWAYS_EFFECTIVE.map(str::to_owned));
    for builder in ["Procedure", "ServiceBuilder"] {
        for method in golden::public_methods("core", builder) {
            let method = format!("{builder}::{method}");
            assert!(known.contains(&method), "{method} needs a row");
        }
    }
}

#[test]
fn settings_that_have_an_effect_are_not_reported() {
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
    assert!(mistakes(of_procedure(|procedure| procedure.example_params(json!({})))).is_empty());
}
