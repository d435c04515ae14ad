//! Collects the types that the procedures of a service share, each under one name.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::keyword::{change_all, component_name, component_reference, redirect};
use super::problem::CURE_OF_CLASH;
use super::references::{References, references};
use super::shape::{Definitions, ParamsShape, Side};
use crate::Components;
use crate::json::{Json, Object};

/// Collects the types that procedures refer to by name.
///
/// Types with the same name and the same schema are one component. Types with the same name and
/// different schemas are a [`Clash`], with one exception: the schemas of a type for input and for
/// output may differ (a field with a default may be missing in input, but is always present in
/// output). If a name is used for both, and the schemas differ only in that way, the output keeps
/// the name and the input is called `{name}Input`. The same applies to every type that is used for
/// both and refers to one of those. [`SharedComponents::rewrite_input`] updates the references of
/// parameters.
#[derive(Debug, Clone, Default)]
pub struct ComponentsBuilder {
    inputs: IndexMap<String, Entry>,
    outputs: IndexMap<String, Entry>,
    clashes: Vec<Clash>,
}

#[derive(Debug, Clone)]
struct Entry {
    body: Json,
    /// The body as the generator made it, if it has been extended since.
    generated: Option<Json>,
    /// The procedure that first used the type.
    procedure: String,
    as_output: Option<fn() -> Definitions>,
}

impl Entry {
    fn as_generated(&self) -> &Json {
        self.generated.as_ref().unwrap_or(&self.body)
    }
}

impl ComponentsBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the types that the parameters of a procedure refer to.
    pub fn merge_params(&mut self, procedure: &str, shape: &ParamsShape) {
        self.add(procedure, Side::Input, &shape.definitions, Some(shape));
    }

    /// Adds the types that a schema of a procedure refers to.
    pub fn merge(&mut self, procedure: &str, side: Side, definitions: &Definitions) {
        self.add(procedure, side, definitions, None);
    }

    fn add(
        &mut self,
        procedure: &str,
        side: Side,
        definitions: &Definitions,
        shape: Option<&ParamsShape>,
    ) {
        let entries = match side {
            Side::Input => &mut self.inputs,
            Side::Output => &mut self.outputs,
        };
        for (name, body) in definitions {
            let generated = shape.and_then(|shape| shape.generated.get(name));
            match entries.get_mut(name) {
                None => {
                    let entry = Entry {
                        body: body.clone(),
                        generated: generated.cloned(),
                        procedure: procedure.to_owned(),
                        as_output: shape.map(|shape| shape.as_output),
                    };
                    entries.insert(name.clone(), entry);
                }
                Some(known) if known.body == *body => {}
                Some(known) if *known.as_generated() == *generated.unwrap_or(body) => {
                    // One type, for which one of the procedures has found more.
                    if known.generated.is_none() {
                        known.body.clone_from(body);
                        known.generated = generated.cloned();
                    }
                }
                Some(known) => {
                    self.clashes
                        .push(Clash::of_types(name, &known.procedure, procedure));
                }
            }
        }
    }

    /// Resolves the names.
    ///
    /// # Errors
    /// A [`Clash`] for every name that two different types have.
    pub fn finish(mut self) -> Result<SharedComponents, Vec<Clash>> {
        let differing = self.differing();
        let renames = self.renames(&differing);
        if !self.clashes.is_empty() {
            return Err(self.clashes);
        }
        let mut shared = SharedComponents {
            components: Components::default(),
            renames,
        };
        let mut schemas: IndexMap<String, Json> = IndexMap::new();
        for (name, mut entry) in self.inputs {
            shared.rewrite_input(&mut entry.body);
            schemas.insert(
                shared.renames.get(&name).cloned().unwrap_or(name),
                entry.body,
            );
        }
        for (name, entry) in self.outputs {
            schemas.insert(name, entry.body);
        }
        schemas.sort_unstable_keys();
        shared.components.schemas = schemas;
        Ok(shared)
    }

    /// Returns the names whose schemas differ between input and output, if they may.
    fn differing(&mut self) -> HashSet<String> {
        let mut differing = HashSet::new();
        for (name, input) in &self.inputs {
            let Some(output) = self.outputs.get_mut(name) else {
                continue;
            };
            if input.generated.as_ref() == Some(&output.body) {
                // The output gets what has been found out about the input.
                output.body.clone_from(&input.body);
            }
            if input.body == output.body {
                continue;
            }
            if is_one_type(name, input, output) {
                differing.insert(name.clone());
            } else {
                self.clashes
                    .push(Clash::of_types(name, &input.procedure, &output.procedure));
            }
        }
        differing
    }

    /// Returns the new names for input: for the types that differ themselves, and for those that
    /// refer to one of them.
    fn renames(&mut self, differing: &HashSet<String>) -> HashMap<String, String> {
        let used: References = self
            .inputs
            .iter()
            .map(|(name, entry)| {
                self.outputs
                    .contains_key(name)
                    .then(|| references(&entry.body, &self.inputs))
            })
            .map(Option::unwrap_or_default)
            .collect();
        let differing = differing
            .iter()
            .filter_map(|name| self.inputs.get_index_of(name));
        let affected = used.reversed().reach(differing);
        let mut renames = HashMap::new();
        for (name, entry) in affected
            .into_iter()
            .filter_map(|place| self.inputs.get_index(place))
        {
            let input_name = format!("{name}Input");
            if let Some(other) = self
                .inputs
                .get(&input_name)
                .or_else(|| self.outputs.get(&input_name))
            {
                self.clashes.push(Clash {
                    procedure: entry.procedure.clone(),
                    text: format!(
                        "the procedure `{}` uses a type named `{input_name}`, which is also what the \
                         parameters of `{}` need for the input side of another type; {CURE_OF_CLASH}",
                        other.procedure, entry.procedure
                    ),
                });
            }
            renames.insert(name.clone(), input_name);
        }
        renames
    }
}

/// The components of a service, and the new names for input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SharedComponents {
    /// The components, sorted by name.
    pub components: Components,
    renames: HashMap<String, String>,
}

impl SharedComponents {
    /// Updates the references in the schema of a parameter to the input names of components.
    pub fn rewrite_input(&self, schema: &mut Json) {
        if self.renames.is_empty() {
            return;
        }
        redirect(schema, &|reference| {
            let name = self.renames.get(&*component_name(reference)?)?;
            Some(component_reference(name))
        });
    }
}

/// Two different types with the same name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Clash {
    /// The procedure that uses the second of the types.
    pub procedure: String,
    text: String,
}

impl Clash {
    fn of_types(name: &str, first: &str, second: &str) -> Self {
        let users = if first == second {
            format!("the procedure `{first}` takes one type named `{name}` and returns another")
        } else {
            format!(
                "the procedures `{first}` and `{second}` use two different types named `{name}`"
            )
        };
        Self {
            procedure: second.to_owned(),
            text: format!("{users}; {CURE_OF_CLASH}"),
        }
    }
}

/// Returns whether an input and an output with the same name are one type.
///
/// Mostly the two schemas show it. If attributes cause other differences, the input type is
/// described once more as an output. If the result is what the other procedure returns, they are
/// the same type.
fn is_one_type(name: &str, input: &Entry, output: &Entry) -> bool {
    without_direction(input.as_generated()) == without_direction(&output.body)
        || input.as_output.is_some_and(|as_output| {
            as_output()
                .get(name)
                .is_some_and(|given| *given == output.body)
        })
}

fn without_direction(schema: &Json) -> Json {
    let mut schema = schema.clone();
    change_all(&mut schema, &mut |members: &mut Object| {
        for keyword in ["required", "default", "readOnly", "writeOnly"] {
            members.shift_remove(keyword);
        }
    });
    schema
}
