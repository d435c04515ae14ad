//! Tests the types of clients with awkward and with random schemas.
//!
//! ```sh
//! cargo run -p docent-tools --example schemas -- DIR         # writes a description and three programs into DIR
//! cargo run -p docent-tools --example schemas -- judge FILE  # checks what the program in Rust has printed
//! ```
//!
//! Between the two, `cargo xtask` generates the clients and runs the programs. Those in TypeScript and Python only have
//! to pass their type checkers; the one in Rust reads each value, and prints how it is written again.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

#[path = "../../describe/tests/it/views/schemas.rs"]
mod schemas;
#[expect(dead_code, reason = "tests use more of it")]
#[path = "../../describe/tests/it/views/subjects.rs"]
mod subjects;

use self::subjects::Subject;

/// The number of random schemas.
const RANDOM_SCHEMAS: usize = 120;

/// The beginning of the program in Rust. It prints the number of each value, the variant that it is, and how it is
/// written again.
const RUST: &str = r#"//! Reads values of awkward types and writes them again.

use std::fmt::Debug;

use schemas_client::types;

fn check<T: serde::de::DeserializeOwned + serde::Serialize + Debug>(number: u32, value: &str) {
    match serde_json::from_str::<T>(value) {
        Ok(decoded) => {
            let encoded = serde_json::to_string(&decoded).unwrap_or_default();
            println!("{number}\t{encoded}\t{decoded:?}");
        }
        Err(error) => println!("{number}\t\t{error}"),
    }
}

"#;

/// The beginning of the program in TypeScript, which tells alternatives apart by their tags.
const TYPESCRIPT: &str = r#"import type * as types from "./schemas/index.ts";

export const pet = (it: types.Pet) => (it.kind === "cat" ? it.lives : it.tricks?.length);
export const mapped = (it: types.Mapped) => (it.sound === "m" ? it.lives : it.tricks);
export const told = (it: types.TruthTag) => (it.ok ? it.data : it.why);
export const numbered = (it: types.NumberTag) => (it.version === 1 ? it.a?.length : it.a);
export const owned = (it: types.ExtendsUnion) => (it.kind === "dog" ? it.tricks : it.lives);
"#;

/// The beginning of the program in Python, which tells alternatives apart by their tags. A typed dictionary has no
/// members of other names.
const PYTHON: &str = r#"# mypy: disable-error-code="typeddict-unknown-key"
from schemas import models


def pet(it: models.Pet) -> int | None:
    return it.get("lives") if it["kind"] == "cat" else len(it.get("tricks", []))


def mapped(it: models.Mapped) -> int:
    return it["lives"] if it["sound"] == "m" else it["tricks"]


def owned(it: models.ExtendsUnion) -> list[str] | int | None:
    return it.get("tricks") if it["kind"] == "dog" else it.get("lives")


"#;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let subjects = subjects();
    match &arguments[..] {
        [folder] => write(&subjects, Path::new(folder)),
        [command, printed] if command == "judge" => check(&subjects, &fs::read_to_string(printed)?),
        _ => Err("usage: schemas DIR | schemas judge FILE".into()),
    }
}

fn subjects() -> Vec<Subject> {
    let mut subjects = subjects::awkward();
    subjects.extend(subjects::random(RANDOM_SCHEMAS, as_type));
    subjects
}

/// Changes a schema to one whose values a type can hold: it says which values are objects and arrays, and asks for no
/// members that it does not describe.
fn as_type(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            let has = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
            let kind = if has(&["type", "enum", "const", "$ref"]) {
                None
            } else if has(&[
                "properties",
                "additionalProperties",
                "patternProperties",
                "required",
            ]) {
                Some("object")
            } else {
                has(&["items", "prefixItems", "contains"]).then_some("array")
            };
            if let Some(kind) = kind {
                keywords.insert("type".to_owned(), json!(kind));
            }
            for name in ["dependentRequired", "minProperties", "propertyNames"] {
                keywords.remove(name);
            }
            keywords.values_mut().for_each(as_type);
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(as_type),
        _ => {}
    }
}

/// Returns whether each member of a value, and of those in it, has a name that schemas mention.
fn is_known(value: &Value) -> bool {
    match value {
        Value::Object(members) => members
            .iter()
            .all(|(name, value)| !["key", "noSuchMember"].contains(&&**name) && is_known(value)),
        Value::Array(elements) => elements.iter().all(is_known),
        _ => true,
    }
}

/// A value that fits a schema.
struct ValidValue<'s> {
    /// The number that the programs print for it.
    number: usize,
    subject: &'s Subject,
    value: &'s Value,
}

/// Returns all values that fit a schema and that its type keeps whole.
fn values(subjects: &[Subject]) -> Vec<ValidValue<'_>> {
    // Its `y` is a member of another alternative, which the type of its own does not keep.
    let of_another = json!({"kind": "a", "x": "y", "y": "z"});
    let mut values = Vec::new();
    for subject in subjects {
        for value in &subject.valid {
            if is_known(value) && *value != of_another {
                values.push(ValidValue {
                    number: values.len(),
                    subject,
                    value,
                });
            }
        }
    }
    values
}

/// Writes the description and the programs.
fn write(subjects: &[Subject], folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let document = subjects::openrpc(subjects).to_string();
    fs::write(folder.join("document.json"), document)?;
    let mut rust = RUST.to_owned();
    let mut main = String::new();
    let mut typescript = TYPESCRIPT.to_owned();
    let mut python = PYTHON.to_owned();
    for ValidValue {
        number,
        subject,
        value,
    } in values(subjects)
    {
        let name = &subject.name;
        // A function each, since one with all values takes long to compile.
        writeln!(
            rust,
            "fn check_{number}() {{\n    check::<types::{name}>({number}, r##\"{value}\"##);\n}}\n"
        )?;
        writeln!(main, "    check_{number}();")?;
        writeln!(
            typescript,
            "export const value{number}: types.{name} = {value};"
        )?;
        if !is_of_several(subjects, subject, value) {
            let value = in_python(value);
            writeln!(python, "value{number}: models.{name} = {value}")?;
        }
    }
    fs::write(
        folder.join("values.rs"),
        format!("{rust}fn main() {{\n{main}}}\n"),
    )?;
    fs::write(folder.join("values.ts"), typescript)?;
    fs::write(folder.join("values.py"), python)?;
    Ok(())
}

/// Returns whether a value fits several alternatives. A dictionary in Python is of one type only.
fn is_of_several(subjects: &[Subject], subject: &Subject, value: &Value) -> bool {
    if !value.is_object() {
        return false;
    }
    let mut fitting = 0;
    for branch in alternatives(subject, "anyOf") {
        let validator = match referred_name(branch) {
            Some(name) => Ok(subjects::validator(subjects, name)),
            None => jsonschema::validator_for(branch),
        };
        fitting += usize::from(validator.is_ok_and(|validator| validator.is_valid(value)));
    }
    fitting > 1
}

/// Returns the alternatives that a keyword of a schema lists.
fn alternatives<'s>(subject: &'s Subject, keyword: &str) -> &'s [Value] {
    subject.schema[keyword]
        .as_array()
        .map_or(&[], Vec::as_slice)
}

/// Returns the name of the shared schema that a schema refers to.
fn referred_name(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// Returns a value as it is written in Python.
fn in_python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(in_python).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}: {}", json!(name), in_python(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        plain => plain.to_string(),
    }
}

/// Checks each value that Rust has read and written again: nothing is lost, and the variant is the one of the schema
/// that the value fits.
fn check(subjects: &[Subject], printed: &str) -> Result<(), Box<dyn Error>> {
    let mut wrong = String::new();
    let mut lines = printed.lines();
    for ValidValue {
        number,
        subject,
        value,
    } in values(subjects)
    {
        // The number, the value as it is written again, and the variant as `Debug` writes it.
        let mut columns = lines.next().ok_or("too few lines")?.split('\t').skip(1);
        let encoded = columns.next().unwrap_or_default();
        let variant = columns.next().unwrap_or_default();
        let is_kept = encoded
            .parse()
            .is_ok_and(|encoded| is_kept(value, &encoded));
        if !is_kept || !is_right_variant(subjects, subject, value, variant) {
            let name = &subject.name;
            writeln!(
                wrong,
                "{number}: {name}: {value} became {encoded} as {variant}\n  {}",
                subject.schema
            )?;
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.into())
    }
}

/// Returns whether a value is the same after it was read and written. Null may be left out.
fn is_kept(value: &Value, encoded: &Value) -> bool {
    match (value, encoded) {
        (Value::Object(members), Value::Object(others)) => {
            others.keys().all(|name| members.contains_key(name))
                && members.iter().all(|(name, value)| match others.get(name) {
                    Some(other) => is_kept(value, other),
                    None => value.is_null(),
                })
        }
        (Value::Array(elements), Value::Array(others)) => {
            elements.len() == others.len()
                && elements
                    .iter()
                    .zip(others)
                    .all(|(one, other)| is_kept(one, other))
        }
        (Value::Number(number), Value::Number(other)) => number.as_f64() == other.as_f64(),
        _ => value == encoded,
    }
}

/// Returns whether a variant has the name of no alternative that refuses the value.
fn is_right_variant(subjects: &[Subject], subject: &Subject, value: &Value, variant: &str) -> bool {
    let variant = variant.strip_prefix("Some(").unwrap_or(variant);
    for branch in ["oneOf", "anyOf"]
        .iter()
        .flat_map(|keyword| alternatives(subject, keyword))
    {
        if let Some(name) = referred_name(branch)
            && variant.starts_with(&format!("{name}("))
            && !subjects::validator(subjects, name).is_valid(value)
        {
            return false;
        }
    }
    true
}
