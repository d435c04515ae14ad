//! Inclusion of one schema in another: cases written down, and a search for values that refute the answers. Other
//! people's validator checks the values, because ours could be wrong in the same way as the answers.

use std::ops::Range;

use docent_describe::json::Json;
use docent_describe::schema::{SchemaContext, SchemaViews};
use docent_describe::{
    ParamDescription, ProcedureDescription, ReturnDescription, ServiceDescription,
};
use docent_tools::compare::{Change, Verdict, compare};
use docent_tools::inclusion::{Inclusion, InclusionChecker};
use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::random::{Maker, Rng};

/// The number of pairs to try, unless `DOCENT_PAIRS` asks for more.
const PAIRS: u64 = 3000;
/// The number of values to try with each pair.
const VALUES: usize = 60;

fn pairs() -> u64 {
    std::env::var("DOCENT_PAIRS").map_or(PAIRS, |pairs| pairs.parse().unwrap())
}

/// Seeds from 0, or from `DOCENT_SEED`.
fn seeds(pairs: u64) -> Range<u64> {
    let first: u64 = std::env::var("DOCENT_SEED").map_or(0, |seed| seed.parse().unwrap());
    first..first + pairs
}

fn components(shared: &Value) -> IndexMap<String, Json> {
    let mut components = IndexMap::new();
    for (name, schema) in shared.as_object().unwrap() {
        components.insert(name.clone(), Json::from(schema));
    }
    components
}

fn ask(narrow: &Value, wide: &Value, shared: &Value) -> Inclusion {
    let components = components(shared);
    let context = SchemaContext::new(&components, Some(&[]));
    let narrow = Json::from(narrow);
    let wide = Json::from(wide);
    let views = SchemaViews::new(context);
    let narrow_node = views.tree.read(&narrow);
    let wide_node = views.tree.read(&wide);
    InclusionChecker::new(&views, &views).check(&[narrow_node], &[wide_node])
}

/// A schema as a document of its own, for the validator.
fn validator(schema: &Value, shared: &Value) -> jsonschema::Validator {
    let whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "allOf": [schema],
        "components": {"schemas": shared},
    });
    jsonschema::options().build(&whole).unwrap()
}

fn value_of(json: &Json) -> Value {
    serde_json::from_str(&json.to_string()).unwrap()
}

#[test]
fn no_value_refutes_an_answer() {
    let pairs = pairs();
    let (mut yes, mut no, mut unknown) = (0u64, 0u64, 0u64);
    for seed in seeds(pairs) {
        let mut maker = Maker::new(seed);
        let shared = maker.shared();
        let narrow = maker.schema(3);
        let wide = if maker.rng.chance(90) {
            (0..=maker.rng.below(2)).fold(narrow.clone(), |schema, _| maker.mutated(&schema))
        } else {
            maker.schema(3)
        };
        let (narrow, wide) = if maker.rng.chance(50) {
            (narrow, wide)
        } else {
            (wide, narrow)
        };
        let response = ask(&narrow, &wide, &shared);
        let told = || format!("seed {seed}: {narrow} in {wide} with {shared}");
        let (inner, outer) = (validator(&narrow, &shared), validator(&wide, &shared));
        match &response {
            Inclusion::Unknown => unknown += 1,
            Inclusion::No(witness) => {
                no += 1;
                let witness = value_of(witness);
                assert!(
                    inner.is_valid(&witness),
                    "{witness} is not valid: {}",
                    told()
                );
                assert!(!outer.is_valid(&witness), "{witness} is valid: {}", told());
            }
            Inclusion::Yes => {
                yes += 1;
                for at in 0..VALUES {
                    let from = if at % 2 == 0 { &narrow } else { &wide };
                    let value = maker.value(from, &shared, 4);
                    assert!(
                        !inner.is_valid(&value) || outer.is_valid(&value),
                        "{value} refutes it: {}",
                        told()
                    );
                }
            }
        }
    }
    eprintln!("{pairs} pairs: {yes} yes, {no} no, {unknown} unknown");
    // An answer that is always "unknown" would be of no use, however right.
    assert!(yes * 5 > pairs, "{yes} of {pairs}");
    assert!(no * 4 > pairs, "{no} of {pairs}");
    assert!(unknown * 6 < pairs, "{unknown} of {pairs}");
}

/// A service with one procedure that takes and returns values of a schema.
fn service(schema: &Value, shared: &Value) -> ServiceDescription {
    let schema = Json::from(schema);
    let mut param = ParamDescription::new("a", schema.clone());
    param.required = true;
    let mut procedure = ProcedureDescription::new("p");
    procedure.params = vec![param];
    procedure.returns = Some(ReturnDescription::new(schema));
    let mut service = ServiceDescription::default();
    service.procs = vec![procedure];
    service.components.schemas = components(shared);
    service
}

/// The worst verdict of changes of a parameter or of a result.
fn worst(changes: &[Change], part: &str) -> Verdict {
    let of_part = |change: &&Change| change.message.starts_with(part);
    let verdicts = changes.iter().filter(of_part).map(Change::verdict);
    verdicts.max().unwrap_or(Verdict::Safe)
}

#[test]
fn no_value_refutes_a_verdict() {
    let (mut safe, mut breaking) = (0u64, 0u64);
    let pairs = pairs() / 2;
    for seed in seeds(pairs) {
        let mut maker = Maker::new(seed);
        let shared = maker.shared();
        let old = maker.schema(3);
        let new = (0..=maker.rng.below(2)).fold(old.clone(), |schema, _| maker.mutated(&schema));
        let changes = compare(&service(&old, &shared), &service(&new, &shared));
        let told = || format!("seed {seed}: {old} became {new} with {shared}: {changes:#?}");
        let (before, after) = (validator(&old, &shared), validator(&new, &shared));
        let verdicts = [
            worst(&changes, "The parameter"),
            worst(&changes, "The result"),
        ];
        safe += verdicts
            .iter()
            .filter(|verdict| **verdict == Verdict::Safe)
            .count() as u64;
        breaking += verdicts
            .iter()
            .filter(|verdict| **verdict == Verdict::Breaking)
            .count() as u64;
        // A schema that accepts everything that the old one did breaks no caller.
        let directions = [(&old, &new), (&new, &old)];
        for (verdict, (narrow, wide)) in verdicts.iter().zip(directions) {
            let is_included = ask(narrow, wide, &shared) == Inclusion::Yes;
            assert!(
                !(is_included && *verdict == Verdict::Breaking),
                "{}",
                told()
            );
        }
        for at in 0..VALUES {
            let value = maker.value(if at % 2 == 0 { &old } else { &new }, &shared, 4);
            let (was, is) = (before.is_valid(&value), after.is_valid(&value));
            let is_lost = was && !is && verdicts[0] == Verdict::Safe;
            let is_gained = is && !was && verdicts[1] == Verdict::Safe;
            assert!(!is_lost && !is_gained, "{value} refutes it: {}", told());
        }
    }
    eprintln!(
        "{pairs} pairs: {safe} safe, {breaking} breaking of {} verdicts",
        pairs * 2
    );
    assert!(
        safe * 5 > pairs && breaking * 5 > pairs,
        "{safe} {breaking} of {pairs}"
    );
}

#[test]
fn a_value_that_is_listed_twice_counts_once() {
    let narrow = json!({"not": {"enum": [2, 0.5, 0.5]}});
    let wide = json!({"not": {"enum": [2, 0.5, false]}});
    assert_eq!(
        ask(&narrow, &wide, &json!({})),
        Inclusion::No(Json::Bool(false))
    );
    assert_ne!(
        ask(&wide, &narrow, &json!({})),
        Inclusion::No(Json::Bool(false))
    );
}

#[test]
fn the_random_numbers_are_the_same_everywhere() {
    let mut rng = Rng::new(1);
    let first: Vec<u64> = (0..4).map(|_| rng.below(1000)).collect();
    assert_eq!(first, [657, 534, 239, 778]);
}
