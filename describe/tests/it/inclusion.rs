//! Whether one schema includes another: cases written down, and a search for values that refute the
//! answers, with a validator by others.

use docent_describe::json::Json;
use docent_describe::schema::{Includes, Inclusion, SchemaContext};
use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::random::{Maker, Rng};

/// How many pairs are tried. `DOCENT_PAIRS` asks for more.
const PAIRS: u64 = 3000;
/// How many values are tried with each.
const VALUES: usize = 60;

fn components(shared: &Value) -> IndexMap<String, Json> {
    let shared = shared.as_object().unwrap();
    let schemas = shared.iter();
    schemas
        .map(|(name, schema)| (name.clone(), Json::from(schema)))
        .collect()
}

fn ask(narrow: &Value, wide: &Value, shared: &Value) -> Inclusion {
    let components = components(shared);
    let context = SchemaContext {
        components: &components,
        enforced_formats: Some(&[]),
    };
    let (narrow, wide) = (Json::from(narrow), Json::from(wide));
    Includes::new(context, context).ask(&narrow, &wide)
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
    let pairs = std::env::var("DOCENT_PAIRS").map_or(PAIRS, |pairs| pairs.parse().unwrap());
    let first = std::env::var("DOCENT_SEED").map_or(0, |seed| seed.parse().unwrap());
    let (mut yes, mut no, mut unknown) = (0u64, 0u64, 0u64);
    for seed in first..first + pairs {
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
        let answer = ask(&narrow, &wide, &shared);
        let told = || format!("seed {seed}: {narrow} in {wide} with {shared}");
        let (inner, outer) = (validator(&narrow, &shared), validator(&wide, &shared));
        match &answer {
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
    eprintln!("{pairs} pairs from seed {first}: {yes} yes, {no} no, {unknown} unknown");
    // An answer that is always "unknown" would be of no use, however right.
    assert!(yes * 5 > pairs, "{yes} of {pairs}");
    assert!(no * 4 > pairs, "{no} of {pairs}");
    assert!(unknown * 6 < pairs, "{unknown} of {pairs}");
}

#[test]
fn the_random_numbers_are_the_same_everywhere() {
    let mut rng = Rng::new(1);
    let first: Vec<u64> = (0..4).map(|_| rng.below(1000)).collect();
    assert_eq!(first, [465, 519, 590, 235]);
}
