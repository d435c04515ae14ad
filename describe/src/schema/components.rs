//! Collects the types that the procedures of a service share, each under one name.
//!
//! A service is built only if every name means one type, so two types with one name are reported
//! and never renamed. The one exception are the two sides of a type.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::component_names::{component_name, component_reference};
use super::keyword::{change_all, redirect};
use super::problem::CURE_OF_CLASH;
use super::references::{ReferenceGraph, references};
use super::type_schemas::{Definitions, ParamsSchema, Side};
use crate::Components;
use crate::json::{Json, Object};

/// Collects the types that procedures refer to by name.
///
/// Types with the same name and the same schema are one component. Types with the same name and
/// different schemas are a [`TypeClash`], with one exception: the schemas of a type for input and for
/// output may differ (a field with a default may be missing in input, but is always present in
/// output). If a name is used for both, and the schemas differ only in that way, the output keeps
/// the name and the input is called `{name}Input`. The same applies to every type that is used for
/// both and refers to one of those. [`SharedComponents::rewrite_input`] updates the references of
/// parameters.
///
/// ```
/// use docent_describe::schema::{ComponentsBuilder, Side, return_of};
///
/// #[derive(schemars::JsonSchema)]
/// struct Book {
///     title: String,
/// }
///
/// let schema = return_of::<Vec<Book>>().unwrap();
/// let mut builder = ComponentsBuilder::new();
/// builder.merge("books.list", Side::Output, &schema.definitions);
/// let shared = builder.finish().unwrap();
/// assert!(shared.components.schemas.contains_key("Book"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ComponentsBuilder {
    /// The types of parameters, by name.
    inputs: IndexMap<String, SharedType>,
    /// The types of results, items and the data of errors, by name.
    outputs: IndexMap<String, SharedType>,
    /// The clashes so far. All are reported together.
    clashes: Vec<TypeClash>,
}

/// A type that procedures refer to by name, on one side.
#[derive(Debug, Clone)]
struct SharedType {
    /// The schema, with the edits of trials.
    schema: Json,
    /// The schema as the generator made it, if it has been extended since.
    generated: Option<Json>,
    /// The procedure that first used the type.
    procedure: String,
    /// Returns the definitions of the same type for output, if it belongs to parameters.
    as_output: Option<fn() -> Definitions>,
}

impl SharedType {
    /// Returns the schema as the generator made it.
    fn as_generated(&self) -> &Json {
        self.generated.as_ref().unwrap_or(&self.schema)
    }
}

impl ComponentsBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the types that the parameters of a procedure refer to.
    pub fn merge_params(&mut self, procedure: &str, schema: &ParamsSchema) {
        self.add(procedure, Side::Input, &schema.definitions, Some(schema));
    }

    /// Adds the types that a schema of a procedure refers to.
    pub fn merge(&mut self, procedure: &str, side: Side, definitions: &Definitions) {
        self.add(procedure, side, definitions, None);
    }

    /// Adds types for one side. Those of parameters come with the parameters that they belong to.
    fn add(
        &mut self,
        procedure: &str,
        side: Side,
        definitions: &Definitions,
        params: Option<&ParamsSchema>,
    ) {
        let types = match side {
            Side::Input => &mut self.inputs,
            Side::Output => &mut self.outputs,
        };
        for (name, schema) in definitions {
            let generated = params.and_then(|params| params.generated.get(name));
            match types.get_mut(name) {
                None => {
                    types.insert(
                        name.clone(),
                        SharedType {
                            schema: schema.clone(),
                            generated: generated.cloned(),
                            procedure: procedure.to_owned(),
                            as_output: params.map(|params| params.as_output),
                        },
                    );
                }
                Some(first) if first.schema == *schema => {}
                Some(first) if *first.as_generated() == *generated.unwrap_or(schema) => {
                    // One type, which the trials of one of the procedures have edited.
                    if first.generated.is_none() {
                        first.schema.clone_from(schema);
                        first.generated = generated.cloned();
                    }
                }
                Some(first) => {
                    self.clashes
                        .push(TypeClash::of_types(name, &first.procedure, procedure));
                }
            }
        }
    }

    /// Resolves the names.
    ///
    /// # Errors
    /// A [`TypeClash`] for every name that two different types have.
    pub fn finish(mut self) -> Result<SharedComponents, Vec<TypeClash>> {
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
        for (name, mut input) in self.inputs {
            shared.rewrite_input(&mut input.schema);
            let input_name = shared.renames.get(&name).cloned().unwrap_or(name);
            schemas.insert(input_name, input.schema);
        }
        for (name, output) in self.outputs {
            schemas.insert(name, output.schema);
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
            if input.generated.as_ref() == Some(&output.schema) {
                // The output gets the edits of the input.
                output.schema.clone_from(&input.schema);
            }
            if input.schema == output.schema {
                continue;
            }
            if is_one_type(name, input, output) {
                differing.insert(name.clone());
            } else {
                self.clashes.push(TypeClash::of_types(
                    name,
                    &input.procedure,
                    &output.procedure,
                ));
            }
        }
        differing
    }

    /// Returns the new names for input: for the types that differ themselves, and for those that
    /// refer to one of them.
    fn renames(&mut self, differing: &HashSet<String>) -> HashMap<String, String> {
        let references_of_inputs: ReferenceGraph = self
            .inputs
            .iter()
            .map(|(name, input)| {
                if self.outputs.contains_key(name) {
                    references(&input.schema, &self.inputs)
                } else {
                    Vec::new()
                }
            })
            .collect();
        let differing = differing
            .iter()
            .filter_map(|name| self.inputs.get_index_of(name));
        let mut renames = HashMap::new();
        for index in references_of_inputs.reversed().reach(differing) {
            let Some((name, input)) = self.inputs.get_index(index) else {
                continue;
            };
            let input_name = format!("{name}Input");
            let homonym = self
                .inputs
                .get(&input_name)
                .or_else(|| self.outputs.get(&input_name));
            if let Some(other) = homonym {
                self.clashes.push(TypeClash {
                    procedure: input.procedure.clone(),
                    text: format!(
                        "the procedure `{}` uses a type named `{input_name}`, which is also what the \
                         parameters of `{}` need for the input side of another type; {CURE_OF_CLASH}",
                        other.procedure, input.procedure
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
    /// The names of types for input that differ from their names for output, by the latter.
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
pub struct TypeClash {
    /// The procedure that uses the second of the types.
    pub procedure: String,
    /// The sentence about the procedures that use the types, with advice.
    text: String,
}

impl TypeClash {
    /// Returns the clash of two types that two procedures use, or two sides of one procedure.
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
fn is_one_type(name: &str, input: &SharedType, output: &SharedType) -> bool {
    without_direction(input.as_generated()) == without_direction(&output.schema)
        || input.as_output.is_some_and(|as_output| {
            as_output()
                .get(name)
                .is_some_and(|schema| *schema == output.schema)
        })
}

/// Returns a schema without the keywords that differ between the sides of a type.
fn without_direction(schema: &Json) -> Json {
    let mut schema = schema.clone();
    change_all(&mut schema, &mut |members: &mut Object| {
        for keyword in ["required", "default", "readOnly", "writeOnly"] {
            members.shift_remove(keyword);
        }
    });
    schema
}
