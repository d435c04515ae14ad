//! Builds the model of a client from a description.

use docent_describe::json::Json;
use docent_describe::{
    ErrorDescription, Origin, ParamDescription, ProcedureDescription, ServiceDescription,
};

use super::model::{ErrorType, Field, Model, Passing, Procedure, Shape, Type};
use super::names::{pascal, words};
use super::text::paragraphs;
use super::types::Types;

/// Builds the model. The same description gives the same model.
pub(crate) fn model(service: &ServiceDescription) -> Model {
    let mut types = Types::new(service);
    let mut errors = Errors::default();
    let mut procedures = Vec::new();
    for described in &service.procs {
        procedures.push(procedure(service, described, &mut types, &mut errors));
    }
    let mut model = Model {
        docs: paragraphs(texts(
            service.summary.as_ref(),
            service.description.as_ref(),
        )),
        words: words(&service.name),
        types: types.named,
        procedures,
        errors: errors.types,
    };
    cut_circles(&mut model);
    for at in 0..model.procedures.len() {
        let procedure = &model.procedures[at];
        let get = procedure.get && procedure.params.iter().all(|it| fits_query(&model, &it.of));
        model.procedures[at].get = get;
    }
    model
}

fn texts<'t>(summary: Option<&'t String>, description: Option<&'t String>) -> [&'t str; 2] {
    [summary, description].map(|text| text.map_or("", String::as_str))
}

fn procedure(
    service: &ServiceDescription,
    described: &ProcedureDescription,
    types: &mut Types<'_>,
    errors: &mut Errors,
) -> Procedure {
    let words = words(&described.name);
    let name = pascal(&words);
    let passing = passing(described);
    let mut params: Vec<Field> = Vec::new();
    for described in &described.params {
        let mut field = param(described, &name, types);
        let is_twice = |name: &str| params.iter().any(|it| it.wire == name);
        if is_twice(&field.wire) {
            if passing != Passing::ByPosition {
                continue;
            }
            // Only the position of the parameter matters on the wire.
            let numbers = (2..).map(|number: u64| format!("{}{number}", described.name));
            field.wire = { numbers }.find(|name| !is_twice(name)).unwrap_or_default();
        }
        params.push(field);
    }
    let is_plain = passing != Passing::Variadic && !params.is_empty();
    let params_type = is_plain.then(|| {
        let docs = format!("The parameters of `{}`.", described.name);
        types.add(
            Shape::Object(params.clone(), None),
            &format!("{name}Params"),
            docs,
        )
    });
    let (returns, returns_docs) = match &described.returns {
        Some(returns) => (
            types.of(&returns.schema, &format!("{name}Result")),
            returns.description.clone().unwrap_or_default(),
        ),
        None => (Type::Any, String::new()),
    };
    let mut places: Vec<usize> = Vec::new();
    for error in &described.errors {
        let place = errors.place(error, types);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Procedure {
        wire: described.name.clone(),
        docs: paragraphs(texts(
            described.summary.as_ref(),
            described.description.as_ref(),
        )),
        deprecated: described.deprecated.as_ref().map(|it| {
            let instead = it.instead.as_ref().map(|it| format!("Use `{it}` instead."));
            let said = [it.reason.as_deref(), instead.as_deref()];
            let said: Vec<&str> = said.into_iter().flatten().collect();
            said.join(" ")
        }),
        params,
        params_type,
        passing,
        returns,
        returns_docs,
        errors: places,
        idempotent: described.idempotent,
        repeatable: described.repeatable.is_some() && !described.idempotent,
        // Only Docent's own wire format defines what GET means.
        get: described.idempotent
            && service.origin == Origin::Docent
            && passing == Passing::ByName
            && is_segment(&described.name),
        notification: described.notification,
        words,
    }
}

/// Returns whether a name is a single segment of a path. Docent allows no other names, but a document
/// may contain any.
fn is_segment(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\'])
}

fn passing(described: &ProcedureDescription) -> Passing {
    if let [only] = &described.params[..]
        && only.variadic
    {
        return Passing::Variadic;
    }
    match described
        .extensions
        .get("$paramStructure")
        .and_then(Json::as_str)
    {
        Some("by-position") => Passing::ByPosition,
        _ => Passing::ByName,
    }
}

fn param(param: &ParamDescription, procedure: &str, types: &mut Types<'_>) -> Field {
    let hint = format!("{procedure}{}", pascal(&words(&param.name)));
    let deprecated = if param.deprecated { "Deprecated." } else { "" };
    let default = match &param.default {
        Some(Json::Null) | None => String::new(),
        Some(default) => format!("Default: `{default}`."),
    };
    let described = param.description.as_deref().unwrap_or_default();
    Field {
        wire: param.name.clone(),
        of: types.of(&param.schema, &hint),
        required: param.required,
        docs: paragraphs([described, &default, deprecated]),
        default: param.default.clone(),
    }
}

/// Collects the errors of all procedures, each once.
#[derive(Debug, Default)]
struct Errors {
    types: Vec<ErrorType>,
    known: Vec<ErrorDescription>,
}

impl Errors {
    fn place(&mut self, error: &ErrorDescription, types: &mut Types<'_>) -> usize {
        let is_same = |known: &ErrorDescription| {
            known.code == error.code
                && known.message == error.message
                && known.data == error.data
                && known.retry == error.retry
        };
        if let Some(place) = self.known.iter().position(is_same) {
            return place;
        }
        let mut words = words(&error.message);
        words.truncate(6);
        let name = pascal(&words);
        let name = match name.strip_suffix("Error").unwrap_or(&name) {
            "" => format!("Code{}", error.code.unsigned_abs()),
            name => name.to_owned(),
        };
        let data = error
            .data
            .as_ref()
            .map(|schema| types.of(schema, &format!("{name}Data")));
        let name = types.scope.take(&format!("{name}Error"));
        let described = error.description.as_deref().unwrap_or_default();
        self.types.push(ErrorType {
            name,
            code: error.code,
            message: error.message.clone(),
            docs: paragraphs([
                &*format!("Error {}: {}", error.code, error.message),
                described,
            ]),
            retry: error.retry,
            data,
        });
        self.known.push(error.clone());
        self.types.len() - 1
    }
}

/// Cuts types that lead back to themselves without an object or an array in between, since no value has
/// such a type.
fn cut_circles(model: &mut Model) {
    for start in 0..model.types.len() {
        let mut open = vec![start];
        let mut seen = vec![false; model.types.len()];
        let mut is_circular = false;
        while let Some(place) = open.pop() {
            let parts: Vec<&Type> = match &model.types[place].shape {
                Shape::Alias(of) => vec![of],
                Shape::Union(each) => each.iter().collect(),
                _ => Vec::new(),
            };
            for part in parts {
                if let Type::Ref(next) = part.not_null() {
                    is_circular |= *next == start;
                    if !std::mem::replace(&mut seen[*next], true) {
                        open.push(*next);
                    }
                }
            }
        }
        if is_circular {
            model.types[start].shape = Shape::Alias(Type::Any);
        }
    }
}

/// Returns whether a query can carry every value of a type without it being read as another value.
fn fits_query(model: &Model, of: &Type) -> bool {
    match model.shape(of.not_null()) {
        Ok(Shape::Values(values)) => values.iter().all(|value| value.as_str().is_some()),
        Err(Type::List(of)) => !matches!(of.not_null(), Type::List(_)) && is_scalar(model, of),
        _ => is_scalar(model, of),
    }
}

fn is_scalar(model: &Model, of: &Type) -> bool {
    match model.shape(of.not_null()) {
        Ok(Shape::Values(values)) => values.iter().all(|value| value.as_str().is_some()),
        Ok(_) => false,
        Err(Type::Nullable(inner)) => is_scalar(model, inner),
        Err(of) => matches!(
            of,
            Type::Boolean | Type::Integer(_) | Type::Number | Type::Text
        ),
    }
}
