//! The call that represents a procedure: in its samples, its example and the form to try it.
//!
//! [`SampleCall::choose`] finds the parameters: those of an example by the author, or values that fit the schemas.
//! [`request`], [`response`] and [`get`] make the messages, or the path and the query, from them:
//!
//! ```text
//! request   {"jsonrpc": "2.0", "method": "book.find", "params": {"words": "moby"}, "id": 1}
//! get       /book.find?words=moby
//! response  {"jsonrpc": "2.0", "result": [], "id": 1}
//! ```
//!
//! A [`CallAddress`] says where the call is sent. `samples` writes the code that sends it, and `view` the page with it.

use docent_describe::json::{Json, Object};
use docent_describe::render::INPUT_SCHEMA;
use docent_describe::schema::{SchemaViews, Side};
use docent_describe::{
    ErrorDescription, Example, Origin, ParamDescription, ProcedureDescription, ServiceDescription,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use url::Url;

use crate::json_text;
use crate::schema::{ServiceSchemas, is_answered, sides};
use crate::text::has_scheme;

/// The origin in pages and Markdown of a live site that does not know its own URL. The server that sends such a
/// text replaces it with its own origin.
pub const PLACEHOLDER_ORIGIN: &str = "http://host.invalid";

/// The maximum length of an address, and of the path and query of a call with GET. Longer ones are cut
/// by some clients and servers.
const MAX_ADDRESS_LENGTH: usize = 2000;

/// The address that calls are sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallAddress {
    /// The address as the author gives it.
    pub(crate) text: String,
    /// True if the address is relative, so that a browser completes it from the address of the page.
    pub(crate) relative: bool,
    /// The absolute address, if it is known without a browser.
    pub(crate) absolute: Option<String>,
}

impl CallAddress {
    /// Creates an address. Returns `None` if the text is not an address, or if anything in it could
    /// end a quoted string in a language of the samples.
    pub(crate) fn new(text: &str, live: bool) -> Option<Self> {
        let is_plain = text.chars().all(is_plain_in_address);
        if text.is_empty() || text.len() > MAX_ADDRESS_LENGTH || !is_plain {
            return None;
        }
        let absolute = has_scheme(text, "http://") || has_scheme(text, "https://");
        let relative = live && !text.contains(':') && !text.starts_with("//");
        (absolute || relative).then(|| Self {
            text: text.to_owned(),
            relative: !absolute,
            absolute: absolute.then(|| text.to_owned()),
        })
    }

    /// Completes a relative address from the URL of the folder that it is relative to.
    pub(crate) fn completed(mut self, folder: &Url) -> Self {
        if self.relative
            && let Ok(url) = folder.join(&self.text)
        {
            self.absolute = Self::new(url.as_str(), false).map(|absolute| absolute.text);
        }
        self
    }

    /// Returns the address for readers who cannot complete it from the address of a page: there is none, or
    /// its scripts do not run. The server puts its host in when it sends the text.
    pub(crate) fn at_host(&self) -> Self {
        let mut address = self.clone();
        if self.absolute.is_none()
            && let Ok(host) = Url::parse(PLACEHOLDER_ORIGIN)
        {
            address.absolute = host.join(&self.text).ok().map(String::from);
        }
        address
    }

    /// Returns the address for a file that may be opened from anywhere.
    pub(crate) fn for_anywhere(&self) -> Self {
        self.absolute
            .as_deref()
            .and_then(|absolute| Self::new(absolute, false))
            .unwrap_or_else(|| self.clone())
    }
}

/// Returns whether a character of an address is harmless in every language of the samples: it ends no
/// quoted string, and none of them interprets it.
fn is_plain_in_address(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-._~:/?#[]@!$&()*+,;=%".contains(character)
}

/// The id of a subscription in examples.
const SUBSCRIPTION_ID: &str = "s1";

/// The call of a procedure in its samples.
pub(crate) struct SampleCall {
    /// The parameters, by name or by position, unless there are none.
    pub(crate) params: Option<Json>,
    /// True if the call was made from the schemas, and is no example of the author.
    pub(crate) is_made: bool,
    /// True if a required parameter is missing, because no value was found that fits its schema.
    pub(crate) lacks_params: bool,
}

/// The maximum number of optional parameters of a call without required ones.
const MAX_OPTIONAL_PARAMS: usize = 8;

impl SampleCall {
    /// Returns the call of the first example that succeeds and does not break its schemas, or else one that is made
    /// from the schemas.
    pub(crate) fn choose<'j>(
        procedure: &'j ProcedureDescription,
        schemas: &'j ServiceSchemas<'j>,
    ) -> Self {
        let example = procedure.examples.iter().find(|example| {
            example.error.is_none()
                && (example.params.is_some() || procedure.params.is_empty())
                && !schemas.is_broken(procedure, example)
                && (!is_by_position(procedure) || can_be_positioned(procedure, schemas, example))
        });
        match example {
            Some(example) => Self {
                params: without_cursor(procedure, example.params.as_ref()),
                is_made: false,
                lacks_params: false,
            },
            None => Self::from_schemas(procedure, schemas),
        }
    }

    /// Makes a call that fits the schemas.
    fn from_schemas<'j>(
        procedure: &'j ProcedureDescription,
        schemas: &'j ServiceSchemas<'j>,
    ) -> Self {
        let (side, _) = sides(procedure);
        if let Some(schema) = procedure.extensions.get(INPUT_SCHEMA) {
            let view = schemas.views.view_of_schema(schema);
            let params = schemas.examples.value_for(view, Some(side));
            return Self {
                lacks_params: params.is_none(),
                params,
                is_made: true,
            };
        }
        let mut call = Self {
            params: None,
            is_made: true,
            lacks_params: false,
        };
        match procedure.params.as_slice() {
            [] => {}
            [list] if list.variadic => {
                let value = param_value(list, schemas, side);
                call.lacks_params = list.required && value.is_none();
                call.params = Some(match value {
                    Some(list @ Json::Array(_)) => list,
                    _ => Json::Array(Vec::new()),
                });
            }
            params => {
                let mut values = Object::new();
                let last_required = params.iter().rposition(|param| param.required);
                for param in &params[..last_required.map_or(0, |last| last + 1)] {
                    if param.required {
                        let value = named_value(param, schemas, side);
                        call.lacks_params |= value.is_none();
                        values.extend(value);
                    } else if is_by_position(procedure) && stand_in(param, schemas).is_none() {
                        // Without it, those after it could not be given.
                        values.extend(named_value(param, schemas, side));
                    }
                }
                if last_required.is_none() {
                    // A call without parameters would show none of them. These are the first ones, without a gap, so
                    // they can also be given by position.
                    for param in params.iter().take(MAX_OPTIONAL_PARAMS) {
                        if resumes(procedure, param) {
                            break;
                        }
                        let Some(value) = named_value(param, schemas, side) else {
                            break;
                        };
                        values.extend([value]);
                    }
                }
                call.params = (!values.is_empty()).then_some(Json::Object(values));
            }
        }
        call
    }
}

/// Returns the parameters of an example without a cursor, which no service knows any more.
fn without_cursor(procedure: &ProcedureDescription, params: Option<&Json>) -> Option<Json> {
    let mut params = params.cloned();
    let Some(position) = procedure
        .params
        .iter()
        .position(|param| resumes(procedure, param))
    else {
        return params;
    };
    match &mut params {
        Some(Json::Object(members)) => {
            members.shift_remove(procedure.params[position].name.as_str());
            params.filter(|params| params.as_object().is_some_and(|all| !all.is_empty()))
        }
        // Only the last one can be left out: without another, those after it would move.
        Some(Json::Array(values)) if values.len() == position + 1 => {
            values.pop();
            params
        }
        _ => params,
    }
}

/// Returns whether a parameter takes the cursor with which a subscription resumes. No reader can make one up.
fn resumes(procedure: &ProcedureDescription, param: &ParamDescription) -> bool {
    procedure
        .subscription
        .as_ref()
        .is_some_and(|subscription| subscription.resume.as_ref() == Some(&param.name))
}

/// Returns a value for a parameter: its default if it is required, or one that fits its schema.
fn param_value<'j>(
    param: &'j ParamDescription,
    schemas: &'j ServiceSchemas<'j>,
    side: Side,
) -> Option<Json> {
    let view = schemas.views.view_of_schema(&param.schema);
    if param.required
        && let Some(default) = view.default_of(param)
    {
        return Some(default.clone());
    }
    schemas.examples.value_named(&param.name, view, Some(side))
}

/// Returns a parameter's name with a value for it.
fn named_value<'j>(
    param: &'j ParamDescription,
    schemas: &'j ServiceSchemas<'j>,
    side: Side,
) -> Option<(String, Json)> {
    Some((param.name.clone(), param_value(param, schemas, side)?))
}

/// Returns whether a procedure can be called with GET. Docent and JSON-RPC 1.1 (section 6.3.2) both
/// allow it for idempotent procedures, if a query can carry what is required. OpenRPC and MCP have no such calls.
pub(crate) fn takes_get<'j>(
    service: &ServiceDescription,
    procedure: &'j ProcedureDescription,
    views: &'j SchemaViews<'j>,
) -> bool {
    procedure.idempotent
        && service.is_called_over_http(procedure)
        && !matches!(service.origin, Origin::OpenRpc | Origin::Mcp)
        && procedure.params.iter().all(|param| {
            !param.required || !views.view_of_schema(&param.schema).text_kinds().is_empty()
        })
}

/// Returns whether named parameters must be given by position. OpenRPC has a member for that, which
/// the reader keeps as an extension, because the format itself has none.
pub(crate) fn is_by_position(procedure: &ProcedureDescription) -> bool {
    procedure.extensions.get_str("$paramStructure") == Some("by-position")
}

/// Returns the value that is sent for an omitted parameter if others after it are sent by position: its default, or
/// else null if its schema accepts it.
pub(crate) fn stand_in<'j>(
    param: &'j ParamDescription,
    schemas: &'j ServiceSchemas<'j>,
) -> Option<Json> {
    let view = schemas.views.view_of_schema(&param.schema);
    let takes_null = view.takes_null == Some(true);
    view.default_of(param)
        .cloned()
        .or(takes_null.then_some(Json::Null))
}

/// Returns named parameters by position, up to the last one that is there. Returns `None` if there is no value for one
/// that is omitted before it, or if a name is not that of a parameter.
fn positions<'j>(
    procedure: &'j ProcedureDescription,
    schemas: &'j ServiceSchemas<'j>,
    named: &Object,
) -> Option<Vec<Json>> {
    let mut left = named.len();
    let mut values = Vec::new();
    for param in &procedure.params {
        if left == 0 {
            break;
        }
        let value = match named.get(&param.name) {
            Some(value) => {
                left -= 1;
                value.clone()
            }
            None => stand_in(param, schemas)?,
        };
        values.push(value);
    }
    (left == 0).then_some(values)
}

/// Returns whether the parameters of an example can be given by position.
fn can_be_positioned<'j>(
    procedure: &'j ProcedureDescription,
    schemas: &'j ServiceSchemas<'j>,
    example: &Example,
) -> bool {
    let named = example.params.as_ref().and_then(Json::as_object);
    named.is_none_or(|named| positions(procedure, schemas, named).is_some())
}

/// Returns the message of the request, envelope included. Its parameters are by position if they must be, or if that is
/// customary, and if they can be. It is customary in OpenRPC unless a document requires names: its examples are lists,
/// and its services often accept nothing else.
pub(crate) fn request<'j>(
    service: &ServiceDescription,
    schemas: &'j ServiceSchemas<'j>,
    procedure: &'j ProcedureDescription,
    params: Option<&Json>,
) -> Json {
    let mut method = procedure.name.as_str();
    let is_customary = service.origin == Origin::OpenRpc
        && !procedure.by_name_only
        && !procedure.params.iter().any(|param| param.variadic);
    let mut sent_params = params.cloned();
    if (is_customary || is_by_position(procedure))
        && let Some(Json::Object(named)) = params
        && let Some(values) = positions(procedure, schemas, named)
    {
        sent_params = Some(Json::Array(values));
    }
    if service.origin == Origin::Mcp {
        let call = Object::new().with("name", method);
        sent_params = Some(call.maybe("arguments", sent_params).into());
        method = "tools/call";
    }
    let message = Object::new()
        .with("jsonrpc", "2.0")
        .with("method", method)
        .maybe("params", sent_params)
        .maybe("id", is_answered(procedure).then_some(1));
    Json::Object(message)
}

/// Returns the arguments with which a generated client in TypeScript makes the call: the parameters by name.
pub(crate) fn client_arguments(procedure: &ProcedureDescription, params: Option<&Json>) -> String {
    let named = match params {
        Some(Json::Object(members)) => members.clone(),
        params => procedure.named_params(params).unwrap_or_default(),
    };
    if named.is_empty() {
        return String::new();
    }
    json_text::pretty(&Json::Object(named), usize::MAX).text
}

/// Returns the message of the response, or `None` for a notification or an example without a result or
/// error. The response to a subscription is its id.
pub(crate) fn response(procedure: &ProcedureDescription, example: &Example) -> Option<Json> {
    let message = Object::new().with("jsonrpc", "2.0");
    let message = match (&example.error, &example.result) {
        (Some(error), _) => message.with("error", error.clone()),
        (None, Some(result)) if is_answered(procedure) => message.with("result", result.clone()),
        (None, None) if procedure.subscription.is_some() => message.with("result", SUBSCRIPTION_ID),
        _ => return None,
    };
    Some(message.with("id", 1).into())
}

/// Returns the message that carries an item of a subscription. The subscription's id and the cursor of the item
/// stand for those of the service.
pub(crate) fn item_message(procedure: &ProcedureDescription, item: &Json) -> Option<Json> {
    let subscription = procedure.subscription.as_ref()?;
    let cursor = subscription.resume.as_ref().map(|_| "CURSOR");
    let params = Object::new()
        .with("subscription", SUBSCRIPTION_ID)
        .with("result", item.clone())
        .maybe("cursor", cursor);
    let message = Object::new()
        .with("jsonrpc", "2.0")
        .with("method", procedure.item_notification()?)
        .with("params", Json::Object(params));
    Some(Json::Object(message))
}

/// Returns the code of the error that an example returns.
pub(crate) fn error_code(example: &Example) -> Option<i64> {
    example.error.as_ref()?.get("code")?.as_i64()
}

/// Returns the response with an error in one of a procedure's examples.
pub(crate) fn authors_failure(
    schemas: &ServiceSchemas<'_>,
    procedure: &ProcedureDescription,
    code: i64,
    message: &str,
) -> Option<Json> {
    for example in &procedure.examples {
        if let Some(error) = &example.error
            && error_code(example) == Some(code)
            && error.get_str("message") == Some(message)
            && !schemas.is_broken(procedure, example)
        {
            return response(procedure, example);
        }
    }
    None
}

/// Makes the response with an error that a procedure declares.
pub(crate) fn made_failure<'a>(
    schemas: &'a ServiceSchemas<'a>,
    procedure: &ProcedureDescription,
    error: &'a ErrorDescription,
) -> Option<Json> {
    let mut members = Object::new()
        .with("code", error.code)
        .with("message", error.message.as_str());
    if let Some(data) = &error.data {
        // A response without its data would differ from that of the service.
        let view = schemas.views.view_of_schema(data);
        let data = schemas.examples.value_for(view, Some(Side::Output))?;
        members = members.with("data", data);
    }
    let mut example = Example::default();
    example.error = Some(Json::Object(members));
    response(procedure, &example)
}

/// Returns the path and query that make the call with GET, or `None` if a value cannot be sent that
/// way.
pub(crate) fn get(procedure: &ProcedureDescription, params: Option<&Json>) -> Option<String> {
    let mut target = String::from("/");
    target.extend(encoded(&procedure.name));
    let mut separator = '?';
    for (index, param) in procedure.params.iter().enumerate() {
        let Some(value) = param.value_in(index, params) else {
            continue;
        };
        let single = std::slice::from_ref(value);
        for element in value.as_array().unwrap_or(single) {
            target.push(separator);
            separator = '&';
            target.extend(encoded(&param.name));
            target.push('=');
            let text = match element {
                Json::String(text) => text.as_str(),
                Json::Number(_) | Json::Bool(_) => &json_text::compact(element),
                _ => return None,
            };
            target.extend(encoded(text));
        }
    }
    (target.len() < MAX_ADDRESS_LENGTH).then_some(target)
}

/// Percent-encodes everything but the unreserved characters of RFC 3986.
fn encoded(text: &str) -> PercentEncode<'_> {
    const ENCODED_CHARACTERS: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    utf8_percent_encode(text, ENCODED_CHARACTERS)
}
