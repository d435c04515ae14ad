//! Guards as `build()` checks them, and what the description says about what they guard.

use docent_core::{CallInfo, ErrorList, Guard, Rejection};
use docent_describe::ProcedureDescription;
use docent_describe::json::{Json, Object};

use crate::{assert_fine, assert_one, builder, plain};

/// Accepts every call, and declares what is wrong with it.
struct Made(&'static [&'static str]);

impl Guard for Made {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Ok(())
    }

    fn problems(&self) -> Vec<String> {
        self.0.iter().map(|&problem| problem.to_owned()).collect()
    }
}

#[test]
fn what_a_guard_finds_wrong_with_itself_is_a_mistake_of_the_service() {
    let service = || builder().procedure(plain("read"));
    assert_one(
        service().guard(Made(&["the token is empty"])),
        None,
        &["a guard", "the token is empty"],
    );
    let two = mistakes_of(&[&["one", "two"], &[], &["three"]]);
    assert_eq!(two, 3);
    assert_fine(service().guard(Made(&[])));
}

fn mistakes_of(guards: &[&'static [&'static str]]) -> usize {
    let service = guards
        .iter()
        .fold(builder(), |service, problems| service.guard(Made(problems)));
    crate::mistakes(service).len()
}

/// Covers the procedures with a tag, and names a scheme or none.
struct Silent(&'static str, Option<&'static str>);

impl Guard for Silent {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Err(Rejection::forbidden())
    }

    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        procedure.tags.iter().any(|tag| tag == self.0)
    }

    fn scheme(&self) -> Option<(String, Json)> {
        self.1
            .map(|name| (name.to_owned(), Json::Object(Object::new())))
    }
}

#[test]
fn a_guarded_procedure_is_marked_whether_its_guard_names_a_scheme_or_not() {
    let service = builder()
        .procedure(plain("open"))
        .procedure(plain("inner").tag("inner"))
        .procedure(plain("known").tag("known"))
        .guard(Silent("inner", None))
        .guard(Silent("known", Some("badge")))
        .build()
        .expect("a service");
    let procs = &service.description().procs;
    assert_eq!(
        procs
            .iter()
            .map(|procedure| procedure.guarded)
            .collect::<Vec<_>>(),
        [false, true, true]
    );
    assert!(procs[1].security.is_empty());
    let schemes = procs[2].credentials().map(|credential| &credential.scheme);
    assert!(schemes.eq(["badge"]));
}

#[test]
fn a_scheme_cannot_have_the_name_of_a_list_of_alternatives() {
    let service = |name: &'static str| {
        builder()
            .procedure(plain("read").tag("known"))
            .guard(Silent("known", Some(name)))
    };
    assert_one(service("oneOf"), None, &["oneOf", "alternatives"]);
    assert_fine(service("oneof"));
}

/// Covers every procedure, and requires a key in this header field.
struct KeyGuard(&'static str);

impl Guard for KeyGuard {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Err(Rejection::forbidden())
    }

    fn scheme(&self) -> Option<(String, Json)> {
        let mut definition = Object::new();
        definition.insert("type", Json::from("apiKey"));
        definition.insert("in", Json::from("header"));
        definition.insert("name", Json::from(self.0));
        Some(("key".to_owned(), Json::Object(definition)))
    }
}

#[test]
fn guards_cannot_give_one_name_to_schemes_that_callers_present_differently() {
    let service = |field: &'static str| {
        builder()
            .procedure(plain("read"))
            .guard(KeyGuard("X-Key"))
            .guard(KeyGuard(field))
    };
    assert_one(
        service("X-Other-Key"),
        None,
        &["\"key\"", "a name of its own"],
    );
    assert_fine(service("X-Key"));
}

#[test]
fn a_guard_without_a_scheme_draws_one_warning_that_names_a_procedure() {
    let inner = ["a", "b", "c", "d", "e"].map(|name| plain(name).tag("inner"));
    let service = builder()
        .procedures(inner)
        .procedure(plain("open"))
        .guard(Silent("inner", None))
        .guard(Silent("nothing", None))
        .build()
        .expect("a service");
    let [warning, idle] = service.warnings() else {
        panic!("{:?}", service.warnings());
    };
    assert!(idle.starts_with("a guard covers no procedure"), "{idle}");
    assert!(
        warning.starts_with(r#"procedure "a": its guard declares no scheme"#),
        "{warning}"
    );
}

/// Covers every procedure, and declares what it reads.
struct Reading(Option<&'static [&'static str]>);

impl Guard for Reading {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Err(Rejection::forbidden())
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(self.0?.iter().map(|&field| field.to_owned()).collect())
    }
}

#[test]
fn a_shared_cache_needs_guards_that_say_what_they_read() {
    let read = || builder().procedure(plain("read").idempotent().shared_cache());
    for guards in [
        &[None][..],
        &[Some(&["X-Key"][..]), None],
        &[None, Some(&[])],
    ] {
        let guarded = guards
            .iter()
            .fold(read(), |service, fields| service.guard(Reading(*fields)));
        assert_one(guarded, Some("read"), &["shared_cache", "Guard::reads"]);
    }
    assert_fine(read());
    assert_fine(read().guard(Reading(Some(&[]))));
    assert_fine(read().guard(Reading(Some(&["X-Key", "authorization"]))));
    // A guard that does not cover the procedure does not matter.
    assert_fine(read().guard(Silent("inner", None)));
    let write = builder().procedure(plain("write").shared_cache());
    assert_one(write, Some("write"), &["shared_cache", "idempotent"]);
}

#[test]
fn a_field_that_nobody_can_send_is_a_mistake_of_the_guard() {
    let service = || builder().procedure(plain("read"));
    for field in ["", "*", "x key", "X-Key:", "x\r\ny", "schlüssel", "a,b"] {
        let name: &'static [&'static str] = Box::leak(Box::new([field]));
        let guarded = service().guard(Reading(Some(name)));
        assert_one(guarded, None, &["a guard", "not a valid field name"]);
    }
    assert_fine(service().guard(Reading(Some(&["X-Key", "x_key", "DNT"]))));
}

/// Covers only the reserved procedures, and declares a code that it may not use.
struct Misdeclaring;

impl Guard for Misdeclaring {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Ok(())
    }

    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        procedure.name.starts_with("rpc.disc")
    }

    fn declare(&self, errors: &mut ErrorList) {
        errors.add(-32000, "Mine");
    }
}

#[test]
fn mistakes_in_reserved_procedures_are_found_too() {
    assert_one(
        builder().procedure(plain("read")).guard(Misdeclaring),
        Some("rpc.discover"),
        &["-32000"],
    );
}
