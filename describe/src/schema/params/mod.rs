//! Derives a list of parameters from a struct's schema and its `Deserialize`.

mod root;

use std::borrow::Cow;
use std::collections::HashSet;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::accepted::accepted;
use super::generate;
use super::kinds::Kinds;
use super::problem::ShapeProblem;
use super::recursion::{self, Cost};
use super::references::{References, keep_used, references};
use super::returns::output;
use super::shape::{Definitions, ParamsKind, ParamsShape, Side};
use super::tree::{Node, ObjectKeywords, SchemaTree};
use super::trial::Ask;
use super::type_code::type_code;
use super::{canonical, trial};
use crate::json::{Json, Object};
use crate::{ParamAlias, ParamDescription, TypeCode};
use root::{documentation, drop_title, follow, is_array, undividable};

/// Describes the parameters of a procedure whose parameters type is `P`.
///
/// `()` and unit structs have no parameters. The fields of a struct are named parameters. A `Vec`
/// or another sequence of any length is one variadic parameter named `values`.
///
/// # Errors
/// All problems that prevent `P` from being described truthfully.
pub fn params_of<P: DeserializeOwned + JsonSchema>() -> Result<ParamsShape, Vec<ShapeProblem>> {
    assemble(&Params {
        type_name: std::any::type_name::<P>(),
        schema_name: P::schema_name,
        schema_id: P::schema_id,
        decode: trial::decode::<P>,
        ask: SchemaGenerator::root_schema_for::<P>,
        as_output: || output(SchemaGenerator::subschema_for::<P>).1,
    })
}

/// The facts about a parameters type that only generic code can find out.
struct Params {
    type_name: &'static str,
    schema_name: fn() -> Cow<'static, str>,
    schema_id: fn() -> Cow<'static, str>,
    decode: trial::Decode,
    ask: generate::SchemaRequest,
    as_output: fn() -> Definitions,
}

fn assemble(params: &Params) -> Result<ParamsShape, Vec<ShapeProblem>> {
    let run = generate::run(params.ask, Side::Input);
    let mut problems = run.problems(params.ask, Side::Input);
    let given_name = (params.schema_name)();
    let own_name = run.name_of(&(params.schema_id)(), given_name.clone());
    let mut definitions = run.definitions(Some(&own_name));
    let mut root = canonical::schema(&run.schema, Some(&own_name));
    drop_title(&mut root, &given_name);
    if run.refers_to_root() {
        if run.defines(&own_name) {
            problems.push(ShapeProblem::name_clash(&own_name));
        }
        definitions.insert_sorted(own_name.clone(), root.clone());
    }
    let root = follow(root, &definitions);
    let no_components = Definitions::new();
    let tree = SchemaTree::of(&no_components);
    let node = tree.read(&root);
    let mut shape = ParamsShape {
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
    let begun = trial::attempt(&Json::Object(Object::new()), params.decode);
    match begun.first_ask() {
        Ask::Unit => {}
        Ask::Seq if is_array(node) => shape.list(node),
        Ask::Struct(fields) if node.types == Some(Kinds::OBJECT) => {
            let others = shape.named(node, Some(fields), &begun, &mut problems);
            shape.add_aliases(others, params.decode, &mut problems);
        }
        Ask::Map if node.types == Some(Kinds::OBJECT) && root.get("properties").is_some() => {
            shape.named(node, None, &begun, &mut problems);
        }
        // A struct whose only field is a flattened enum.
        Ask::Map if !node.unions.is_empty() => problems.extend(undividable(&root)),
        ask => problems.push(not_params(params.type_name, ask, node)),
    }
    // The struct itself is a definition too, which no parameter refers to.
    let users = shape.params.iter().map(|param| &param.schema);
    keep_used(&mut shape.definitions, users);
    if problems.is_empty() {
        shape.try_out(params.decode);
        Ok(shape)
    } else {
        Err(problems)
    }
}

impl ParamsShape {
    fn list(&mut self, root: &Node<'_>) {
        let mut schema = root.source.clone();
        if let Json::Object(members) = &mut schema {
            members.shift_remove("description");
            members.shift_remove("title");
        }
        let length = root.arrays.as_ref().map(|arrays| arrays.length);
        let required = length.and_then(|length| length.least) > Some(0);
        self.kind = ParamsKind::List;
        self.params.push(ParamDescription {
            name: "values".to_owned(),
            type_code: TypeCode::Arr,
            required,
            variadic: true,
            default: (!required).then(|| Json::Array(Vec::new())),
            schema,
            ..ParamDescription::default()
        });
    }

    /// Adds the fields of a struct as parameters. Returns the other names that serde accepts.
    fn named<'f>(
        &mut self,
        root: &Node<'_>,
        fields: Option<&[&'f str]>,
        begun: &trial::Attempt,
        problems: &mut Vec<ShapeProblem>,
    ) -> Vec<&'f str> {
        self.kind = ParamsKind::Named;
        self.by_name_only = fields.is_none();
        problems.extend(undividable(root.source));
        let none = ObjectKeywords::default();
        let objects = root.objects.as_deref().unwrap_or(&none);
        let properties = &objects.properties;
        let required: HashSet<&str> = objects.required.iter().copied().collect();
        let required = |name: &str| required.contains(name);
        let (described, others) = match fields {
            Some(fields) => fields
                .iter()
                .partition(|name| properties.contains_key(**name)),
            // Fall back to the canonical order if the order of declaration is unknown.
            None => (properties.keys().copied().collect(), Vec::new()),
        };
        let mut described: Vec<&str> = described;
        let mut seen = HashSet::new();
        described.retain(|name| {
            let is_new = seen.insert(*name);
            if !is_new {
                problems.push(ShapeProblem::new(format!(
                    "two fields take the name `{name}`: an `alias` or a `rename` of one is the name of \
                     the other; remove it"
                )));
            }
            is_new
        });
        for name in &described {
            let param = self.param(name, required(name), properties[*name].source);
            self.params.push(param);
        }
        for name in properties.keys() {
            if !described.contains(name) {
                problems.push(ShapeProblem::new(format!(
                    "the schema describes a parameter `{name}`, but serde does not decode it; make \
                     `Deserialize` and `JsonSchema` of the type agree"
                )));
            }
        }
        if let Some(name) = begun.missing()
            && properties.contains_key(name)
            && !required(name)
        {
            problems.push(ShapeProblem::new(format!(
                "the schema says that `{name}` is optional, but serde requires it; add \
                 `#[serde(default)]` to the field"
            )));
        }
        let names = self.params.iter().map(|param| &param.name);
        problems.extend(names.filter_map(|name| ShapeProblem::of_name(name)));
        others
    }

    /// Adds names that serde accepts but the schema lacks to the parameters that they are aliases
    /// of.
    fn add_aliases(
        &mut self,
        names: Vec<&str>,
        decode: trial::Decode,
        problems: &mut Vec<ShapeProblem>,
    ) {
        for name in names {
            problems.extend(ShapeProblem::of_name(name));
            let owner = trial::owner(name, &self.params, &self.definitions, decode);
            let name = name.to_owned();
            match owner {
                Some(index) => self.params[index].aliases.push(ParamAlias {
                    name,
                    deprecated: true,
                }),
                None => problems.push(ShapeProblem::new(format!(
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
        let takes_null = || accepted(&schema, &self.definitions).some.meet(Kinds::NULL);
        if !required && default.is_none() && !takes_null() {
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
    pub fn misplaced(&self) -> Vec<ShapeProblem> {
        let mut optional = None;
        let mut problems = Vec::new();
        for param in &self.params {
            match (param.required, optional) {
                (false, _) => optional = Some(&param.name),
                (true, Some(optional)) => problems.push(ShapeProblem::new(format!(
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
    pub fn reordered(&self, names: &[String]) -> Result<Self, Vec<ShapeProblem>> {
        let places: Vec<Option<usize>> = names
            .iter()
            .map(|name| self.params.iter().position(|param| param.name == *name))
            .collect();
        let mut problems = Vec::new();
        for (at, (name, place)) in names.iter().zip(&places).enumerate() {
            let wrong = if place.is_none() {
                format!("the order lists `{name}`, which is not a parameter; remove it")
            } else if places[..at].contains(place) {
                format!("the order lists the parameter `{name}` twice; remove one")
            } else {
                continue;
            };
            problems.push(ShapeProblem::new(wrong));
        }
        for (place, param) in self.params.iter().enumerate() {
            if !places.contains(&Some(place)) {
                let name = &param.name;
                problems.push(ShapeProblem::new(format!(
                    "the order does not list the parameter `{name}`; add it"
                )));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let places = || places.iter().flatten();
        Ok(Self {
            params: places().map(|&place| self.params[place].clone()).collect(),
            loose: places().map(|&place| self.loose[place]).collect(),
            by_name_only: false,
            ..self.clone()
        })
    }

    /// Finds out by trial what the type really accepts, and corrects the schemas. Corrected schemas are
    /// tried again, because they have other samples.
    fn try_out(&mut self, decode: trial::Decode) {
        const MOST: usize = 3;
        for _ in 0..MOST {
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
        let used = References::new(&self.definitions);
        for (place, cost) in recursion::expensive(&self.definitions, &used) {
            let leads = |param: &&ParamDescription| {
                used.reach(references(&param.schema, &self.definitions))
                    .contains(&place)
            };
            let name = &self.definitions.keys()[place];
            if let Some(param) = self.params.iter().find(leads) {
                let parameter = &param.name;
                self.doubts.push(ShapeProblem::new(match cost {
                    Cost::Retried => format!(
                        "parameter `{parameter}`: the type `{name}` contains itself through an \
                         untagged enum, whose variants serde tries again at every level of nesting, \
                         so a few hundred bytes can keep a server busy for minutes; tag the enum \
                         (`#[serde(tag = \"…\")]`), or call `.unchecked(reason)` on the procedure"
                    ),
                    Cost::Copied => format!(
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

fn not_params(type_name: &str, ask: Ask, root: &Node<'_>) -> ShapeProblem {
    const STRUCT: &str = "use a struct with a named field for each value";
    const ENUM: (&str, &str) = ("an enum", "use a struct with one field that holds the enum");
    let is_enum = !root.unions.is_empty();
    let (found, instead) = match ask {
        Ask::Tuple => ("a tuple", STRUCT),
        Ask::Enum(_) => ENUM,
        // An enum with a tag.
        Ask::Struct(_) | Ask::Any if is_enum => ENUM,
        Ask::Map => (
            "a map",
            "use a struct, with one field that holds the map if names must stay open",
        ),
        Ask::Option => (
            "an option",
            "use a struct whose fields are optional, or `()` for no parameters",
        ),
        Ask::Struct(_) | Ask::Seq | Ask::Unit => (
            "described by a schema that does not match what it decodes",
            "make `Deserialize` and `JsonSchema` of the type agree",
        ),
        _ => (
            "a single value or decodes any value",
            "use a struct with a named field for it",
        ),
    };
    ShapeProblem::new(format!(
        "`{type_name}` is {found} and cannot be a procedure's parameters; {instead}"
    ))
}
