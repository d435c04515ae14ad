//! Builds the model of a client from a description.
//!
//! Everything that must be decided once for all languages is decided here: the names of types and errors, how
//! parameters are passed, and which calls GET can make. The types of values are made in `types/`.

use std::fmt::Write as _;

use docent_describe::json::Json;
use docent_describe::render::INPUT_SCHEMA;
use docent_describe::schema::{ReferenceGraph, SchemaViews, Side};
use docent_describe::{
    ErrorDescription, Origin, ParamDescription, ProcedureDescription, ServiceDescription,
};

use indexmap::{IndexMap, IndexSet};

use super::integers::Integers;
use super::model::{
    ClientProcedure, ErrorType, Field, Model, NamedType, OtherMembers, ParamPassing, Type,
    TypeDefinition,
};
use super::names::{pascal, words};
use super::text::paragraphs;
use super::types::TypeTable;
use crate::params::{is_list, takes_names};
use crate::plain::one_line;

/// The maximum number of words of a message that name the type of an error.
const MAX_WORDS_OF_ERROR: usize = 6;

/// Builds the model. The same description gives the same model, but for types whose names the language reserves.
pub(crate) fn model(
    service: &ServiceDescription,
    reserved_types: &'static [&'static str],
) -> Model {
    let views = SchemaViews::new(service);
    let mut types = TypeTable::new(service, &views, reserved_types);
    let mut errors = Errors::default();
    let mut procedures = Vec::new();
    for described in &service.procs {
        if service.is_called_over_http(described) {
            procedures.push(procedure(service, described, &mut types, &mut errors));
        } else {
            add_connection_types(described, &mut types);
        }
    }
    let texts = texts(service.summary.as_ref(), service.description.as_ref());
    let mut model = Model {
        is_docent: service.origin == Origin::Docent,
        integers: Integers::default(),
        docs: paragraphs(texts),
        api_key_field: api_key_field(service),
        words: words(&service.name),
        types: types.named,
        procedures,
        errors: errors.into_values().collect(),
    };
    cut_circles(&mut model.types);
    model
}

/// Adds the types of a procedure that only a connection can carry. The client has no method for it, and programs write
/// and decode its messages by themselves.
fn add_connection_types<'t>(described: &'t ProcedureDescription, types: &mut TypeTable<'t>) {
    let name = pascal(&words(&described.name));
    let wire = &described.name;
    let (params_side, output_side) = if described.is_called_by_clients() {
        (Side::Input, Side::Output)
    } else {
        (Side::Output, Side::Input)
    };
    types.side = Some(params_side);
    let passing = passing(described);
    let fields = params(described, passing, &name, types);
    if passing != ParamPassing::Whole && !fields.is_empty() {
        let definition = TypeDefinition::Object(fields, OtherMembers::Unknown);
        let docs = format!("The parameters of `{wire}`.");
        types.add(definition, &format!("{name}Params"), docs);
    }
    types.side = Some(output_side);
    let (part, docs) = match described.item_notification() {
        Some(notification) => (
            "Item",
            format!(
                "An item of the subscription `{wire}`, which comes in a notification `{notification}`."
            ),
        ),
        None => (
            "Result",
            format!("The result of `{wire}`, which the client answers with."),
        ),
    };
    if let Some(output) = described.output().filter(|_| !described.notification) {
        let hint = format!("{name}{part}");
        let ty = types.type_of_schema(&output.schema, &hint);
        if ty.named().is_none_or(|at| types.named[at].name != hint) {
            types.add(TypeDefinition::Alias(ty), &hint, docs);
        }
    }
}

/// Returns the header field of the API key, if there is one. Of several, users send each as a header field.
fn api_key_field(service: &ServiceDescription) -> Option<String> {
    let fields = service.api_key_fields();
    let only = fields.first().filter(|_| fields.len() == 1)?;
    Some((*only).to_owned())
}

/// Returns texts, empty ones for those that are missing.
fn texts<'t>(summary: Option<&'t String>, description: Option<&'t String>) -> [&'t str; 2] {
    [summary, description].map(|text| text.map_or("", String::as_str))
}

/// Builds a procedure with its types. Names are those of the procedure with an ending, such as `FindParams`.
fn procedure<'t>(
    service: &ServiceDescription,
    described: &'t ProcedureDescription,
    types: &mut TypeTable<'t>,
    errors: &mut Errors,
) -> ClientProcedure {
    let words = words(&described.name);
    let name = pascal(&words);
    let passing = passing(described);
    types.side = Some(Side::Input);
    let params = params(described, passing, &name, types);
    let params_type = match &params[..] {
        _ if passing == ParamPassing::Variadic => None,
        [] => None,
        [whole] if passing == ParamPassing::Whole => Some(whole.ty.clone()),
        _ => Some(Type::Ref(types.add(
            TypeDefinition::Object(params.clone(), OtherMembers::Unknown),
            &format!("{name}Params"),
            format!("The parameters of `{}`.", described.name),
        ))),
    };
    types.side = Some(Side::Output);
    let is_call = described.is_a_call();
    let part = if is_call { "Result" } else { "Item" };
    let output = match described.output() {
        Some(output) => types.type_of_schema(&output.schema, &format!("{name}{part}")),
        None => Type::Any,
    };
    let mut own = IndexSet::new();
    for described in &described.errors {
        own.insert(error(described, types, errors));
    }
    let resume = described
        .subscription
        .as_ref()
        .and_then(|subscription| subscription.resume.as_ref())
        .and_then(|name| params.iter().position(|param| param.wire == *name));
    ClientProcedure {
        wire: described.name.clone(),
        docs: procedure_docs(described, own.iter().map(|at| &errors[*at])),
        is_deprecated: described.deprecated.is_some(),
        params,
        params_type,
        passing,
        output,
        is_subscription: !is_call,
        resume,
        errors: own.into_iter().collect(),
        idempotent: described.idempotent && is_call,
        repeatable: described.repeatable.is_some() && !described.idempotent,
        // Only Docent's own wire format defines what GET means.
        get: described.idempotent
            && is_call
            && service.origin == Origin::Docent
            && passing == ParamPassing::ByName
            && is_segment(&described.name)
            && described.params.iter().all(|param| {
                let kinds = types.views.view_of_schema(&param.schema).text_kinds();
                kinds.are_told_apart() && !(param.required && kinds.is_empty())
            }),
        notification: described.notification,
        words,
    }
}

/// Returns the documentation of a procedure, with its result, its errors and its deprecation.
fn procedure_docs<'e>(
    described: &ProcedureDescription,
    errors: impl Iterator<Item = &'e ErrorType>,
) -> String {
    let [summary, description] = texts(described.summary.as_ref(), described.description.as_ref());
    let mut returned = String::new();
    if let Some(output) = described.output()
        && let Some(text) = &output.description
    {
        let title = match &described.subscription {
            Some(_) => "Each item",
            None => "Returns",
        };
        returned = format!("{title}: {text}");
    }
    let mut listed = String::new();
    for error in errors {
        let title = if listed.is_empty() { "Errors:" } else { "" };
        let message = one_line(&error.message);
        let _ = write!(listed, "{title}\n- `{}`: {message}", error.name);
    }
    let mut deprecated = String::new();
    if let Some(deprecation) = &described.deprecated {
        deprecated.push_str("Deprecated.");
        if let Some(reason) = &deprecation.reason {
            let _ = write!(deprecated, " {reason}");
        }
        if let Some(instead) = &deprecation.instead {
            let _ = write!(deprecated, " Use `{instead}` instead.");
        }
    }
    paragraphs([summary, description, &*returned, &listed, &deprecated])
}

/// Returns whether a name is a single segment of a path. Docent allows no other names, but a document
/// may contain any.
fn is_segment(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\'])
}

/// Returns how calls pass their parameters.
fn passing(described: &ProcedureDescription) -> ParamPassing {
    if described.extensions.contains_key(INPUT_SCHEMA) {
        ParamPassing::Whole
    } else if is_list(described) {
        ParamPassing::Variadic
    } else if takes_names(described) {
        ParamPassing::ByName
    } else {
        ParamPassing::ByPosition
    }
}

/// Builds the parameters. Of two with the same name, a call by name can pass only the first.
fn params<'t>(
    described: &'t ProcedureDescription,
    passing: ParamPassing,
    procedure: &str,
    types: &mut TypeTable<'t>,
) -> Vec<Field> {
    if let Some(whole) = described.extensions.get(INPUT_SCHEMA) {
        return vec![Field {
            wire: "params".to_owned(),
            ty: types.type_of_schema(whole, &format!("{procedure}Params")),
            required: true,
            docs: String::new(),
        }];
    }
    let mut params: IndexMap<String, Field> = IndexMap::new();
    for (at, described) in described.params.iter().enumerate() {
        let mut field = param(described, procedure, types);
        if params.contains_key(&field.wire) {
            if passing != ParamPassing::ByPosition {
                continue;
            }
            // Only the position of the parameter matters on the wire.
            field.wire = format!("{} {}", described.name, at + 1);
        }
        params.insert(field.wire.clone(), field);
    }
    params.into_values().collect()
}

/// Builds a parameter, whose documentation names its default.
fn param<'t>(param: &'t ParamDescription, procedure: &str, types: &mut TypeTable<'t>) -> Field {
    let hint = format!("{procedure}{}", pascal(&words(&param.name)));
    let deprecated = if param.deprecated { "Deprecated." } else { "" };
    let default = types.views.view_of_schema(&param.schema).default_of(param);
    let default = match default {
        Some(Json::Null) | None => String::new(),
        Some(default) => format!("Default: `{default}`."),
    };
    let description = param.description.as_deref().unwrap_or_default();
    Field {
        wire: param.name.clone(),
        ty: types.type_of_schema(&param.schema, &hint),
        required: param.required,
        docs: paragraphs([description, &default, deprecated]),
    }
}

/// The errors of all procedures, each once.
type Errors = IndexMap<ErrorKey, ErrorType>;

/// All in which errors can differ for a client.
#[derive(PartialEq, Eq, Hash)]
struct ErrorKey {
    code: i64,
    message: String,
    retry: Option<bool>,
    /// The schema of the data, as JSON text.
    data: Option<String>,
}

/// Returns the index of an error.
fn error<'t>(
    described: &'t ErrorDescription,
    types: &mut TypeTable<'t>,
    errors: &mut Errors,
) -> usize {
    let ErrorDescription { code, message, .. } = described;
    let key = ErrorKey {
        code: *code,
        message: message.clone(),
        retry: described.retry,
        data: described.data.as_ref().map(Json::to_string),
    };
    if let Some(known) = errors.get_index_of(&key) {
        return known;
    }
    let mut words = words(message);
    words.truncate(MAX_WORDS_OF_ERROR);
    let title = pascal(&words);
    let name = match title.strip_suffix("Error").unwrap_or(&title) {
        "" => format!("Code{}", code.unsigned_abs()),
        name => name.to_owned(),
    };
    let data = described
        .data
        .as_ref()
        .map(|schema| types.type_of_schema(schema, &format!("{name}Data")));
    let text = described.description.as_deref().unwrap_or_default();
    let error = ErrorType {
        name: types.scope.take(&format!("{name}Error")),
        code: *code,
        message: message.clone(),
        docs: paragraphs([&*format!("Error {code}: {message}"), text]),
        retry: described.retry,
        data,
    };
    errors.insert_full(key, error).0
}

/// Cuts types that lead back to themselves without an object or an array in between, since no value has
/// such a type.
fn cut_circles(types: &mut [NamedType]) {
    let mut edges = Vec::new();
    for named in &*types {
        edges.push(match &named.definition {
            TypeDefinition::Object(..) => Vec::new(),
            definition => definition
                .parts()
                .into_iter()
                .filter_map(|ty| ty.not_null().named())
                .collect(),
        });
    }
    let same_value: ReferenceGraph = edges.into_iter().collect();
    for (named, is_circular) in types.iter_mut().zip(same_value.circular()) {
        if is_circular {
            named.definition = TypeDefinition::Alias(Type::Any);
        }
    }
}
