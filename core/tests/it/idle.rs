//! Registrations that have no effect, or another than they seem to have.

use std::time::Duration;

use docent_core::{Cx, Fault, Guard, Procedure, Rejection, ServiceBuilder, procedure};
use docent_describe::ProcedureDescription;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Always, User, assert_one, builder, plain, taking};

/// Covers the procedure of this name.
struct Named(&'static str);

impl Guard for Named {
    fn check(&self, _: &docent_core::CallInfo<'_>) -> Result<(), Rejection> {
        Ok(())
    }

    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        procedure.name == self.0
    }

    fn scheme(&self) -> Option<(String, docent_core::Json)> {
        Some(("badge".to_owned(), docent_core::Json::Null))
    }
}

#[track_caller]
fn warnings(builder: ServiceBuilder) -> Vec<String> {
    let service = builder.build().unwrap_or_else(|error| panic!("{error}"));
    service.warnings().to_vec()
}

#[track_caller]
fn assert_warns(builder: ServiceBuilder, words: &str) {
    let found = warnings(builder);
    let [warning] = &*found else {
        panic!("{found:?}");
    };
    assert!(warning.contains(words), "{warning}");
}

#[test]
fn an_authenticator_that_nobody_asks_draws_a_warning() {
    let open = || builder().authenticate(Always).procedure(plain("open"));
    assert_warns(open(), "no procedure asks who is calling");

    let whoami = |_: Cx<(), User>, (): ()| Ok::<_, Fault>(());
    let asking = open().procedure(Procedure::sync("whoami", whoami));
    assert_eq!(warnings(asking), [""; 0]);
    let scoped = open().procedure(plain("scoped").scope("clerk"));
    assert_eq!(warnings(scoped), [""; 0]);
    let described = open().protect(|procedure| procedure.name == "rpc.describe");
    assert_eq!(warnings(described), [""; 0]);
}

#[test]
fn a_guard_that_covers_nothing_draws_a_warning() {
    let guarded = |name| builder().procedure(plain("open")).guard(Named(name));
    assert_warns(guarded("opne"), "a guard covers no procedure");
    assert_eq!(warnings(guarded("open")), [""; 0]);
    assert_eq!(warnings(guarded("rpc.describe")), [""; 0]);
}

#[test]
fn a_service_without_procedures_draws_a_warning() {
    assert_warns(builder(), "the service has no procedures");
    // Everything else that is idle follows from that.
    assert_warns(
        builder().guard(Named("open")).authenticate(Always),
        "the service has no procedures",
    );
    let first = builder()
        .version("1")
        .procedure(plain("open"))
        .build()
        .expect("a service");
    assert_eq!(first.warnings(), [""; 0]);
    assert_warns(
        first.extend().version("2").remove("open"),
        "the service has no procedures",
    );
}

#[test]
fn a_notification_that_changes_nothing_draws_a_warning() {
    let procedure = plain("tick").idempotent().notification();
    assert_warns(
        builder().procedure(procedure),
        "remove `idempotent` or `notification`",
    );
    assert_eq!(
        warnings(builder().procedure(plain("tick").notification())),
        [""; 0]
    );
}

#[test]
fn an_idempotent_procedure_whose_name_says_that_it_changes_something_draws_a_warning() {
    for name in [
        "member.remove",
        "removeMember",
        "remove_member",
        "reset-count",
    ] {
        assert_warns(
            builder().procedure(plain(name).idempotent()),
            "but `idempotent` lets any web page call it",
        );
        let because = plain(name).idempotent_because("it only says who would be removed");
        let service = builder().procedure(because).build().expect("a service");
        assert_eq!(service.warnings(), [""; 0]);
        assert_eq!(service.is_idempotent(name), Some(true));
        let description = service.description();
        assert!(
            !docent_describe::render::describe(description)
                .to_string()
                .contains("would")
        );
    }
    let harmless =
        ["settings.get", "startup", "additive", "remove.list"].map(|name| plain(name).idempotent());
    assert_eq!(warnings(builder().procedures(harmless)), [""; 0]);
    assert_eq!(warnings(builder().procedure(plain("remove"))), [""; 0]);
}

#[derive(Deserialize, JsonSchema)]
struct Find {
    #[expect(dead_code, reason = "it is decoded, and that is all")]
    words: String,
}

/// Forgets `#[params]`.
#[procedure]
fn forgotten(p: Find) -> Result<(), Fault> {
    drop(p);
    Ok(())
}

#[procedure]
fn marked(#[params] p: Find) -> Result<(), Fault> {
    drop(p);
    Ok(())
}

#[procedure]
fn meant(filter: Find) -> Result<(), Fault> {
    drop(filter);
    Ok(())
}

#[test]
fn an_object_with_the_name_of_all_parameters_draws_a_warning() {
    let of = |procedure| builder().procedure(procedure);
    assert_warns(of(forgotten::procedure()), r#"callers send `{"p": {…}}`"#);
    assert_eq!(warnings(of(marked::procedure())), [""; 0]);
    assert_eq!(warnings(of(meant::procedure())), [""; 0]);
}

#[test]
fn a_timeout_of_no_time_is_a_mistake() {
    let procedure = plain("late").timeout(Duration::ZERO);
    assert_one(
        builder().procedure(procedure),
        Some("late"),
        &["longer than zero"],
    );
}

#[test]
#[expect(unreachable_patterns, reason = "the compiler notices, but only warns")]
fn an_alias_that_is_the_name_of_another_parameter_is_a_mistake_that_names_it() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct TypeClash {
        #[serde(alias = "words")]
        query: String,
        words: String,
    }
    assert_one(
        builder().procedure(taking::<TypeClash>("find")),
        Some("find"),
        &["two fields take the name `words`", "`alias`"],
    );
}
