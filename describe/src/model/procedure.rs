//! Procedures, with their parameters, results, errors and examples.
//!
//! Members that a format lacks are extensions, whose names start with `$` whatever the format.

use std::time::Duration;

use super::limits::{CachePolicy, ProcedureLimits};
use super::security::{Credential, Requirement};
use super::subscription::{Direction, LagPolicy};
use super::types::TypeCode;
use crate::json::{Json, Object};

/// A procedure: its parameters, its result and its errors. The messages that a service sends by itself are described in
/// the same way.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a Boolean member of the format"
)]
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ProcedureDescription {
    /// The name of the procedure.
    pub name: String,
    /// A summary, one sentence.
    pub summary: Option<String>,
    /// The rest of the documentation, in Markdown.
    pub description: Option<String>,
    /// The URL of documentation for people.
    pub help: Option<String>,
    /// True if the procedure is safe: it changes nothing, and can be called with GET.
    pub idempotent: bool,
    /// The groups of the procedure.
    pub tags: Vec<String>,
    /// The parameters in positional order. Required ones come first, unless parameters must be passed
    /// by name.
    pub params: Vec<ParamDescription>,
    /// True if parameters must be passed by name.
    pub by_name_only: bool,
    /// True if parameters with unknown names are ignored instead of refused.
    pub ignores_unknown: bool,
    /// The result; `None` if unknown.
    pub returns: Option<ReturnDescription>,
    /// Set if a call starts a subscription. Then there is no result.
    pub subscription: Option<SubscriptionDescription>,
    /// The errors that the procedure declares.
    pub errors: Vec<ErrorDescription>,
    /// True if the procedure may also return unlisted errors.
    pub errors_open: bool,
    /// Examples of calls.
    pub examples: Vec<Example>,
    /// True if a guard protects the procedure.
    pub guarded: bool,
    /// The credentials that a caller needs: something of each requirement. A guarded procedure may have none, if its
    /// guard declares none.
    pub security: Vec<Requirement>,
    /// The limits on calls; `None` if the procedure has no limits of its own.
    pub limits: Option<ProcedureLimits>,
    /// The time for which caches may use a result; `None` if they must revalidate it each time.
    pub cache: Option<CachePolicy>,
    /// The time for which a call with a key can be repeated without running again. `None` if it cannot be
    /// repeated.
    pub repeatable: Option<Duration>,
    /// The reason why the description of the procedure is not checked; `None` if it is.
    pub unchecked: Option<String>,
    /// Set if the procedure is deprecated.
    pub deprecated: Option<Deprecation>,
    /// True if the procedure is meant to be called without an `id`.
    pub notification: bool,
    /// The side that calls it.
    pub direction: Direction,
    /// Extensions; their names start with `$`.
    pub extensions: Object,
}

impl ProcedureDescription {
    /// Creates a procedure that clients call, without parameters, result or errors.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Returns whether a name is reserved for the protocol (2.0, section 4; 1.1, section 6.2).
    pub fn reserves(name: &str) -> bool {
        name.starts_with("rpc.") || name.starts_with("system.")
    }

    /// Returns whether the name of this procedure is reserved.
    pub fn is_reserved(&self) -> bool {
        Self::reserves(&self.name)
    }

    /// Returns whether only some callers may call this procedure.
    pub fn is_restricted(&self) -> bool {
        self.guarded
            || self
                .security
                .iter()
                .any(|requirement| !requirement.optional)
    }

    /// Returns whether the procedure looks at credentials, also if callers need none. Wrong ones are rejected.
    pub fn reads_credentials(&self) -> bool {
        self.guarded || !self.security.is_empty()
    }

    /// Returns whether clients call this procedure. Otherwise, the service sends it.
    pub fn is_called_by_clients(&self) -> bool {
        self.direction == Direction::Client
    }

    /// Returns whether clients call this procedure and get a single answer: it is neither sent by the service
    /// nor a subscription. Formats and carriers that know only requests and responses leave out the others.
    pub fn is_a_call(&self) -> bool {
        self.is_called_by_clients() && self.subscription.is_none()
    }

    /// Returns all credentials that the procedure names: required, alternative or optional.
    pub fn credentials(&self) -> impl Iterator<Item = &Credential> {
        self.security
            .iter()
            .flat_map(|requirement| &requirement.one_of)
    }

    /// Returns the result of the procedure, or the item of its subscription.
    pub fn output(&self) -> Option<&ReturnDescription> {
        match &self.subscription {
            Some(subscription) => Some(&subscription.item),
            None => self.returns.as_ref(),
        }
    }

    /// Returns the name of the notification that carries the items of the subscription. `None` if this is no
    /// subscription.
    pub fn item_notification(&self) -> Option<&str> {
        let subscription = self.subscription.as_ref()?;
        Some(subscription.notification.as_ref().unwrap_or(&self.name))
    }

    /// Returns the parameters of a call under their own names: those by position get names, and aliases are replaced.
    /// The values of a list of any length are the one parameter. Unknown names that the procedure ignores are left out.
    ///
    /// Returns `None` if a value is that of no parameter.
    pub fn named_params(&self, params: Option<&Json>) -> Option<Object> {
        let mut named = Object::new();
        match (params, &*self.params) {
            (None | Some(Json::Null), _) => {}
            (Some(values @ Json::Array(_)), [list]) if list.variadic => {
                named.insert(&list.name, values.clone());
            }
            (Some(Json::Array(values)), described) if values.len() <= described.len() => {
                for (param, value) in described.iter().zip(values) {
                    named.insert(&param.name, value.clone());
                }
            }
            (Some(Json::Object(values)), described) => {
                for (name, value) in values {
                    let param = described
                        .iter()
                        .find(|param| param.is_called(name.as_str()));
                    match param {
                        Some(param) => _ = named.insert(&param.name, value.clone()),
                        None if self.ignores_unknown => {}
                        None => return None,
                    }
                }
            }
            (Some(_), _) => return None,
        }
        Some(named)
    }

    /// Returns the schemas of the procedure: of its parameters, its result, its items, and its errors' data.
    pub fn schemas(&self) -> impl Iterator<Item = &Json> {
        let params = self.params.iter().map(|param| &param.schema);
        let item = self
            .subscription
            .as_ref()
            .map(|subscription| &subscription.item.schema);
        let returns = self.returns.iter().map(|returns| &returns.schema);
        let data = self.errors.iter().filter_map(|error| error.data.as_ref());
        params.chain(returns).chain(item).chain(data)
    }
}

/// A parameter. The default has no name and accepts any value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ParamDescription {
    /// The name of the parameter.
    pub name: String,
    /// The type, in the terms of JSON-RPC 1.1.
    pub type_code: TypeCode,
    /// True if the parameter is required.
    pub required: bool,
    /// True if this is a list of any length that makes up all parameters.
    pub variadic: bool,
    /// The default.
    pub default: Option<Json>,
    /// A description, in Markdown.
    pub description: Option<String>,
    /// True if the parameter is deprecated.
    pub deprecated: bool,
    /// Other names that callers may use for it.
    pub aliases: Vec<ParamAlias>,
    /// Its JSON Schema (2020-12).
    pub schema: Json,
    /// Extensions; their names start with `$`.
    pub extensions: Object,
}

impl ParamDescription {
    /// Creates an optional parameter that takes the values of a schema. Its type for JSON-RPC 1.1 is `any`.
    pub fn new(name: impl Into<String>, schema: Json) -> Self {
        Self {
            name: name.into(),
            type_code: TypeCode::Any,
            required: false,
            variadic: false,
            default: None,
            description: None,
            deprecated: false,
            aliases: Vec::new(),
            schema,
            extensions: Object::new(),
        }
    }

    /// Returns whether the parameter has this name or alias.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias.name == name)
    }

    /// Returns the value of the parameter in the `params` of a call: the value at its position or under any of
    /// its names, or the whole array if the parameter is variadic.
    pub fn value_in<'j>(&self, position: usize, params: Option<&'j Json>) -> Option<&'j Json> {
        match params? {
            list @ Json::Array(_) if self.variadic => Some(list),
            Json::Array(values) => values.get(position),
            Json::Object(members) => members
                .iter()
                .find(|(name, _)| self.is_called(name.as_str()))
                .map(|(_, value)| value),
            _ => None,
        }
    }
}

impl Default for ParamDescription {
    fn default() -> Self {
        Self::new("", Json::Bool(true))
    }
}

/// Another name of a parameter, such as the one that it had before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParamAlias {
    /// The name.
    pub name: String,
    /// True if callers should use the parameter's own name instead.
    pub deprecated: bool,
}

impl ParamAlias {
    /// Creates an alias that is as good as the parameter's own name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            deprecated: false,
        }
    }
}

/// The result of a procedure. The default may be any value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReturnDescription {
    /// The type, in the terms of JSON-RPC 1.1.
    pub type_code: TypeCode,
    /// Describes the result, in Markdown.
    pub description: Option<String>,
    /// Its JSON Schema (2020-12).
    pub schema: Json,
    /// Extensions; their names start with `$`.
    pub extensions: Object,
}

impl ReturnDescription {
    /// Creates a result with a schema. Its type for JSON-RPC 1.1 is `any`.
    pub fn new(schema: Json) -> Self {
        Self {
            type_code: TypeCode::Any,
            description: None,
            schema,
            extensions: Object::new(),
        }
    }
}

impl Default for ReturnDescription {
    fn default() -> Self {
        Self::new(Json::Bool(true))
    }
}

/// A procedure that yields items instead of a result. A call is answered with the id of the subscription, and each item
/// arrives in a notification.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct SubscriptionDescription {
    /// An item.
    pub item: ReturnDescription,
    /// The name of the notification that carries an item; `None` if it is the name of the procedure.
    pub notification: Option<String>,
    /// The fate of a subscriber who reads too slowly; `None` if unknown.
    pub behind: Option<LagPolicy>,
    /// The name of the optional parameter that takes the cursor of the last item seen; `None` if a subscription cannot
    /// be resumed.
    pub resume: Option<String>,
    /// True if the service does not report the end of a subscription.
    pub ends_untold: bool,
    /// Extensions; their names start with `$`.
    pub extensions: Object,
}

impl SubscriptionDescription {
    /// Creates a subscription to items that arrive in notifications with the name of the procedure.
    pub fn new(item: ReturnDescription) -> Self {
        Self {
            item,
            ..Self::default()
        }
    }
}

/// An error of a procedure.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ErrorDescription {
    /// The error code.
    pub code: i64,
    /// The message, a short sentence.
    pub message: String,
    /// Describes, in Markdown, what the error means and how to handle it.
    pub description: Option<String>,
    /// The HTTP status for GET; 500 if `None`.
    pub status: Option<u16>,
    /// True if the same call may succeed later; `None` if the author does not say.
    pub retry: Option<bool>,
    /// The JSON Schema (2020-12) of the error's `data`; `None` if there is none.
    pub data: Option<Json>,
    /// Extensions; their names start with `$`.
    pub extensions: Object,
}

impl ErrorDescription {
    /// Creates an error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            ..Self::default()
        }
    }
}

/// An example: a call, and its result, its items or its error.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Example {
    /// A sentence that says what the example shows.
    pub summary: Option<String>,
    /// A longer explanation, in Markdown.
    pub description: Option<String>,
    /// The `params` of the call: an array, an object, or `None`.
    pub params: Option<Json>,
    /// The result; `None` for a notification, a subscription or an error.
    pub result: Option<Json>,
    /// The first items of a subscription.
    pub items: Option<Vec<Json>>,
    /// The error object, if the example shows a failure.
    pub error: Option<Json>,
    /// Extensions; their names start with `$`.
    pub extensions: Object,
}

/// The deprecation of a procedure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecation {
    /// The version of the service since which it is deprecated.
    pub since: Option<String>,
    /// The reason.
    pub reason: Option<String>,
    /// The replacement.
    pub instead: Option<String>,
}

impl Deprecation {
    /// Returns a sentence about it, such as "Deprecated since 1.2: slow. Use book.find instead."
    pub(crate) fn sentence(&self) -> String {
        let mut text = "Deprecated".to_owned();
        if let Some(since) = &self.since {
            text.extend([" since ", since]);
        }
        if let Some(reason) = &self.reason {
            text.extend([": ", reason.trim_end_matches('.')]);
        }
        text.push('.');
        if let Some(instead) = &self.instead {
            text.extend([" Use ", instead, " instead."]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_their_own_names_however_they_are_passed() {
        let schema = || Json::Bool(true);
        let mut procedure = ProcedureDescription::new("lend");
        procedure.params = ["book", "member"]
            .map(|name| ParamDescription::new(name, schema()))
            .into();
        procedure.params[1].aliases = vec![ParamAlias::new("card")];
        let named = |procedure: &ProcedureDescription, params: Option<&str>| {
            let params: Option<Json> = params.map(|text| text.parse().expect("JSON"));
            let named = procedure.named_params(params.as_ref());
            named.map(|named| Json::Object(named).to_string())
        };
        for (params, expected) in [
            (None, Some("{}")),
            (Some("null"), Some("{}")),
            (Some("[1]"), Some(r#"{"book":1}"#)),
            (Some("[1,2,3]"), None),
            (
                Some(r#"{"card":2,"book":1}"#),
                Some(r#"{"member":2,"book":1}"#),
            ),
            (Some(r#"{"copy":1}"#), None),
            (Some("1"), None),
        ] {
            assert_eq!(named(&procedure, params).as_deref(), expected, "{params:?}");
        }
        procedure.ignores_unknown = true;
        assert_eq!(
            named(&procedure, Some(r#"{"copy":1}"#)).as_deref(),
            Some("{}")
        );
        procedure.params.truncate(1);
        procedure.params[0].variadic = true;
        let list = named(&procedure, Some("[1,2]"));
        assert_eq!(list.as_deref(), Some(r#"{"book":[1,2]}"#));
    }
}
