//! Derives a list of parameters from a struct's schema and its `Deserialize`.
//!
//! The schema has names, types and documentation; serde has the order of the fields and the values that it really
//! decodes. Both are needed, and neither alone is the truth:
//!
//! ```text
//! #[derive(Deserialize, JsonSchema)]
//! struct Search {
//!     text: String,               a required parameter, at the first position
//!     #[serde(alias = "max")]
//!     limit: Option<u32>,         an optional one, with an alias that only serde knows
//! }
//! ```
//!
//! [`describe_params`] generates the schema, lets the type decode `{}` to see which fields it expects, and divides the
//! properties into parameters. If the two contradict each other, the result is a [`SchemaProblem`] for each
//! contradiction, and no parameters. [`trial`] then finds out which values each parameter takes.
//!
//! Generic code is a thin shell around `describe_params`, which is compiled once. A derive macro of Docent's own could
//! read the fields directly, but not the effect of serde's attributes and of implementations that are written by hand.

mod root;

use std::borrow::Cow;
use std::collections::HashSet;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::accepted::accepted;
use super::constraints::constrain_arguments;
use super::generate::{SchemaRequest, generate};
use super::kinds::Kinds;
use super::problem::SchemaProblem;
use super::recursion::{RecursionCost, expensive_types};
use super::references::{ReferenceGraph, keep_used, references};
use super::returns::output;
use super::tree::{Node, ObjectKeywords, SchemaTree};
use super::type_code::type_code;
use super::type_schemas::{Definitions, ParamsKind, ParamsSchema, Side};
use super::{canonical, trial};
use crate::json::de::Hint;
use crate::json::{Json, Object};
use crate::{ParamAlias, ParamDescription, TypeCode};
use root::{documentation, drop_title, is_array, undividable_keywords, unwrap_newtypes};

/// The warning about types of parameters that are too many to look for constraints that the generator drops.
const HIDDEN_CONSTRAINTS: &str = "the types of the parameters contain each other too often to find \
    constraints on fields whose type has a name; put each constraint on the type itself";

/// The maximum number of times that corrected schemas are tried again.
const MAX_TRIALS: usize = 3;

/// Describes the parameters of a procedure whose parameters type is `P`.
///
/// `()` and unit structs have no parameters. The fields of a struct are named parameters. A `Vec`
/// or another sequence of any length is one variadic parameter named `values`.
///
/// ```
/// use docent_describe::schema::params_of;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Search {
///     text: String,
///     limit: Option<u32>,
/// }
///
/// let schema = params_of::<Search>().unwrap();
/// assert_eq!(schema.params[0].name, "text");
/// assert!(schema.params[0].required);
/// assert!(!schema.params[1].required);
/// ```
///
/// # Errors
/// All problems that prevent `P` from being described truthfully.
pub fn params_of<P: DeserializeOwned + JsonSchema>() -> Result<ParamsSchema, Vec<SchemaProblem>> {
    describe_params(&ParamsType {
        type_name: std::any::type_name::<P>(),
        schema_name: P::schema_name,
        schema_id: P::schema_id,
        decode: trial::decode::<P>,
        request: SchemaGenerator::root_schema_for::<P>,
        as_output: || output(SchemaGenerator::subschema_for::<P>).definitions,
    })
}

/// The facts about a parameters type that only generic code can find out.
struct ParamsType {
    /// The type's name in Rust, for problems.
    type_name: &'static str,
    /// Returns the name that the type has for the generator.
    schema_name: fn() -> Cow<'static, str>,
    /// Returns the id of the type, which includes its parameters.
    schema_id: fn() -> Cow<'static, str>,
    /// Decodes the type from a sample.
    decode: trial::Decode,
    /// Asks the generator for the schema of the type.
    request: SchemaRequest,
    /// Returns the definitions of the type for output.
    as_output: fn() -> Definitions,
}

/// Describes a parameters type.
///
/// # Errors
/// All problems that were found.
fn describe_params(params: &ParamsType) -> Result<ParamsSchema, Vec<SchemaProblem>> {
    let generated = generate(params.request, Side::Input);
    let mut problems = generated.problems(params.request, Side::Input);
    let generated_name = (params.schema_name)();
    let own_name = generated.published_name(&(params.schema_id)(), generated_name.clone());
    let mut definitions = generated.definitions(Some(&own_name));
    let mut outermost = canonical::schema(&generated.schema, Some(&own_name));
    drop_title(&mut outermost, &generated_name);
    if generated.refers_to_root() {
        if generated.defines(&own_name) {
            problems.push(SchemaProblem::name_clash(&own_name));
        }
        definitions.insert_sorted(own_name.clone(), outermost.clone());
    }
    problems.extend(constrain_arguments(&mut outermost, &definitions));
    let root = unwrap_newtypes(outermost, &definitions);
    let no_components = Definitions::new();
    let tree = SchemaTree::with_components(&no_components);
    let node = tree.read(&root);
    let mut schema = ParamsSchema {
        kind: ParamsKind::None,
        params: Vec::new(),
        by_name_only: false,
        documentation: documentation(node),
        definitions,
        warnings: Vec::new(),
        doubts: Vec::new(),
        loose: Vec::new(),
        generated: Definitions::new(),
        as_output: params.as_output,
    };
    let empty_call = trial::attempt(&Json::Object(Object::new()), params.decode);
    match empty_call.first_hint() {
        Hint::Unit => {}
        Hint::Seq if is_array(node) => schema.add_list(node),
        Hint::Struct(fields) if node.types == Some(Kinds::OBJECT) => {
            let other_names = schema.add_fields(node, Some(fields), &empty_call, &mut problems);
            schema.add_aliases(other_names, params.decode, &mut problems);
        }
        Hint::Map if node.types == Some(Kinds::OBJECT) && root.get("properties").is_some() => {
            schema.add_fields(node, None, &empty_call, &mut problems);
        }
        // A struct whose only field is a flattened enum.
        Hint::Map if !node.unions.is_empty() => problems.extend(undividable_keywords(&root)),
        hint => problems.push(not_params(params.type_name, hint, node)),
    }
    if generated.hides_constraints {
        schema.warnings.push(HIDDEN_CONSTRAINTS.to_owned());
    }
    // The struct itself is a definition too, which no parameter refers to.
    keep_used(
        &mut schema.definitions,
        schema.params.iter().map(|param| &param.schema),
    );
    if problems.is_empty() {
        schema.try_out(params.decode);
        Ok(schema)
    } else {
        Err(problems)
    }
}

impl ParamsSchema {
    /// Adds the one parameter of a sequence.
    fn add_list(&mut self, root: &Node<'_>) {
        let mut schema = root.source.clone();
        if let Json::Object(members) = &mut schema {
            members.shift_remove("description");
            members.shift_remove("title");
        }
        let required = root
            .arrays
            .as_ref()
            .and_then(|arrays| arrays.length.least)
            .is_some_and(|least| least > 0);
        self.kind = ParamsKind::List;
        self.params.push(ParamDescription {
            name: "values".to_owned(),
            type_code: TypeCode::Arr,
            required,
            variadic: true,
            default: if required {
                None
            } else {
                Some(Json::Array(Vec::new()))
            },
            schema,
            ..ParamDescription::default()
        });
    }

    /// Adds the fields of a struct as parameters. Returns the other names that serde accepts.
    fn add_fields<'f>(
        &mut self,
        root: &Node<'_>,
        fields: Option<&[&'f str]>,
        empty_call: &trial::Attempt,
        problems: &mut Vec<SchemaProblem>,
    ) -> Vec<&'f str> {
        self.kind = ParamsKind::Named;
        self.by_name_only = fields.is_none();
        problems.extend(undividable_keywords(root.source));
        let no_keywords = ObjectKeywords::default();
        let objects = root.objects.as_deref().unwrap_or(&no_keywords);
        let properties = &objects.properties;
        let required: HashSet<&str> = objects.required.iter().copied().collect();
        let mut described: Vec<&str> = Vec::new();
        let mut other_names = Vec::new();
        match fields {
            Some(fields) => {
                for name in fields {
                    if properties.contains_key(name) {
                        described.push(name);
                    } else {
                        other_names.push(*name);
                    }
                }
            }
            // Fall back to the canonical order if the order of declaration is unknown.
            None => described.extend(properties.keys()),
        }
        let mut seen = HashSet::new();
        described.retain(|name| {
            let is_new = seen.insert(*name);
            if !is_new {
                problems.push(SchemaProblem::new(format!(
                    "two fields take the name `{name}`: an `alias` or a `rename` of one is the name of \
                     the other; remove it"
                )));
            }
            is_new
        });
        for name in &described {
            let param = self.param(name, required.contains(name), properties[*name].source);
            self.params.push(param);
        }
        for name in properties.keys() {
            if !described.contains(name) {
                problems.push(SchemaProblem::new(format!(
                    "the schema describes a parameter `{name}`, but serde does not decode it; make \
                     `Deserialize` and `JsonSchema` of the type agree"
                )));
            }
        }
        if let Some(name) = empty_call.missing()
            && properties.contains_key(name)
            && !required.contains(name)
        {
            problems.push(SchemaProblem::new(format!(
                "the schema says that `{name}` is optional, but serde requires it; add \
                 `#[serde(default)]` to the field"
            )));
        }
        for param in &self.params {
            problems.extend(SchemaProblem::of_name(&param.name));
        }
        other_names
    }

    /// Adds names that serde accepts but the schema lacks to the parameters that they are aliases
    /// of.
    fn add_aliases(
        &mut self,
        names: Vec<&str>,
        decode: trial::Decode,
        problems: &mut Vec<SchemaProblem>,
    ) {
        for name in names {
            problems.extend(SchemaProblem::of_name(name));
            let owner = trial::owner_of_alias(name, &self.params, &self.definitions, decode);
            let name = name.to_owned();
            match owner {
                Some(index) => self.params[index].aliases.push(ParamAlias {
                    name,
                    deprecated: true,
                }),
                None => problems.push(SchemaProblem::new(format!(
                    "serde accepts the name `{name}`, but the schema does not describe it (a field \
                     with `schemars(skip)`?); remove the attribute"
                ))),
            }
        }
    }

    /// Returns a parameter. Its schema does not repeat the members that the description has for it,
    /// except for its deprecation, which tools look for in the schema.
    fn param(&mut self, name: &str, required: bool, schema: &Json) -> ParamDescription {
        let mut schema = schema.clone();
        let mut default = None;
        let mut description = None;
        let mut deprecated = false;
        if let Json::Object(members) = &mut schema {
            default = members.shift_remove("default");
            deprecated = members.get("deprecated") == Some(&Json::Bool(true));
            if let Some(Json::String(text)) = members.shift_remove("description") {
                description = Some(text);
            }
        }
        let schema = canonical::objectified(schema);
        if !required
            && default.is_none()
            && !accepted(&schema, &self.definitions).some.meet(Kinds::NULL)
        {
            self.warnings.push(format!(
                "the parameter `{name}` is optional, but its type does not implement `Serialize`, \
                 so its default cannot be described"
            ));
        }
        ParamDescription {
            name: name.to_owned(),
            type_code: type_code(&schema, &self.definitions).of_param(),
            required,
            default,
            description,
            deprecated,
            schema,
            ..ParamDescription::default()
        }
    }

    /// Returns a problem for each required parameter that follows an optional one. This matters if
    /// parameters can be passed by position.
    pub fn misplaced(&self) -> Vec<SchemaProblem> {
        let mut optional = None;
        let mut problems = Vec::new();
        for param in &self.params {
            match (param.required, optional) {
                (false, _) => optional = Some(&param.name),
                (true, Some(optional)) => problems.push(SchemaProblem::new(format!(
                    "the required parameter `{}` follows the optional `{optional}`; declare required \
                     fields first, so that optional ones can be left out by position, or call \
                     `.by_name_only()` on the procedure",
                    param.name
                ))),
                (true, None) => {}
            }
        }
        problems
    }

    /// Returns the same parameters in another positional order. They can then be passed by
    /// position, even if a flattened field hid the order of declaration.
    ///
    /// # Errors
    /// A problem for each name that is unknown, repeated or missing.
    pub fn reordered(&self, names: &[String]) -> Result<Self, Vec<SchemaProblem>> {
        let mut indexes = Vec::new();
        let mut problems = Vec::new();
        for name in names {
            match self.params.iter().position(|param| param.name == *name) {
                None => problems.push(SchemaProblem::new(format!(
                    "the order lists `{name}`, which is not a parameter; remove it"
                ))),
                Some(index) if indexes.contains(&index) => problems.push(SchemaProblem::new(
                    format!("the order lists the parameter `{name}` twice; remove one"),
                )),
                Some(index) => indexes.push(index),
            }
        }
        for (index, param) in self.params.iter().enumerate() {
            if !indexes.contains(&index) {
                let name = &param.name;
                problems.push(SchemaProblem::new(format!(
                    "the order does not list the parameter `{name}`; add it"
                )));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut reordered = Self {
            params: Vec::new(),
            loose: Vec::new(),
            by_name_only: false,
            ..self.clone()
        };
        for index in indexes {
            reordered.params.push(self.params[index].clone());
            reordered.loose.push(self.loose[index]);
        }
        Ok(reordered)
    }

    /// Finds out by trial what the type really accepts, and corrects the schemas. Corrected schemas
    /// are tried again, because they have other samples.
    fn try_out(&mut self, decode: trial::Decode) {
        for _ in 0..MAX_TRIALS {
            let findings = trial::examine(&self.params, &self.definitions, decode);
            self.loose = findings.loose;
            self.doubts = findings.problems;
            if findings.edits.is_empty() {
                break;
            }
            for param in &mut self.params {
                findings.edits.apply(&mut param.schema);
            }
            for (name, schema) in &mut self.definitions {
                let generated = schema.clone();
                if findings.edits.apply(schema) {
                    self.generated.entry(name.clone()).or_insert(generated);
                }
            }
        }
        self.find_expensive_recursion();
    }

    /// Finds types that contain themselves in a way that is expensive to decode.
    fn find_expensive_recursion(&mut self) {
        let types = ReferenceGraph::new(&self.definitions);
        for expensive in expensive_types(&self.definitions, &types) {
            let user = self.params.iter().find(|param| {
                let referenced = references(&param.schema, &self.definitions);
                types.reach(referenced).contains(&expensive.index)
            });
            if let Some(param) = user {
                let name = &self.definitions.keys()[expensive.index];
                let parameter = &param.name;
                self.doubts.push(SchemaProblem::new(match expensive.cost {
                    RecursionCost::Retried => format!(
                        "parameter `{parameter}`: the type `{name}` contains itself through an \
                         untagged enum, whose variants serde tries again at every level of nesting, \
                         so a few hundred bytes can keep a server busy for minutes; tag the enum \
                         (`#[serde(tag = \"…\")]`), or call `.unchecked(reason)` on the procedure"
                    ),
                    RecursionCost::Copied => format!(
                        "parameter `{parameter}`: the type `{name}` contains itself through a \
                         flattened map or a flattened enum, which serde copies at every level of \
                         nesting, so one large body can keep a server busy for seconds; use a \
                         separate field instead of `#[serde(flatten)]`, or call \
                         `.unchecked(reason)` on the procedure"
                    ),
                }));
            }
        }
    }
}

/// Returns the problem of a type that is no struct, sequence or unit.
fn not_params(type_name: &str, hint: Hint, root: &Node<'_>) -> SchemaProblem {
    let is_enum = match hint {
        Hint::Enum(_) => true,
        // An enum with a tag.
        Hint::Struct(_) | Hint::Any => !root.unions.is_empty(),
        _ => false,
    };
    let (found, instead) = match hint {
        _ if is_enum => ("an enum", "use a struct with one field that holds the enum"),
        Hint::Tuple => ("a tuple", "use a struct with a named field for each value"),
        Hint::Map => (
            "a map",
            "use a struct, with one field that holds the map if names must stay open",
        ),
        Hint::Option => (
            "an option",
            "use a struct whose fields are optional, or `()` for no parameters",
        ),
        Hint::Struct(_) | Hint::Seq | Hint::Unit => (
            "described by a schema that does not match what it decodes",
            "make `Deserialize` and `JsonSchema` of the type agree",
        ),
        _ => (
            "a single value or decodes any value",
            "use a struct with a named field for it",
        ),
    };
    SchemaProblem::new(format!(
        "`{type_name}` is {found} and cannot be a procedure's parameters; {instead}"
    ))
}
