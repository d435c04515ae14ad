//! Locations of changes, by names.
//!
//! A comparison points into one version, as in `/procs/3/params/0/schema/maxLength`. The next version may have the same
//! parameter at another position. So `history` and `view/rewording` read a pointer once as a [`NamedLocation`], which
//! leads to the same value in every version that has it:
//!
//! | pointer | subject | path in its schema |
//! |---|---|---|
//! | `/procs/3/params/0` | the parameter `words` of `book.find` | |
//! | `/procs/3/params/0/schema/maxLength` | the same | `maxLength` |
//! | `/components/schemas/Book/properties/title` | the type `Book` | `properties`, `title` |

use docent_describe::json::{Json, Pointer};
use docent_describe::schema::{KeywordValue, holds};
use docent_describe::{
    ErrorDescription, ParamDescription, ProcedureDescription, ReturnDescription, ServiceDescription,
};

use crate::plan::PageTarget;
use crate::service::SiteService;

/// A location in the descriptions of all versions of a service.
pub(crate) struct NamedLocation {
    subject: Subject,
    /// The path in the schema of the subject, or `None` for the subject itself.
    schema_path: Option<Vec<String>>,
}

/// The part of a description that a pointer leads into.
enum Subject {
    Service,
    Procedure(String),
    Param { procedure: String, name: String },
    Return { procedure: String },
    Item { procedure: String },
    Error { procedure: String, error: ErrorKey },
    Type(String),
    SecurityScheme(String),
}

/// The members that tell an error of a procedure from the others.
struct ErrorKey {
    code: i64,
    message: String,
}

/// A part of a description at a location.
#[derive(Clone, Copy)]
pub(crate) enum LocatedPart<'a> {
    Service(&'a ServiceDescription),
    Procedure(&'a ProcedureDescription),
    Param(&'a ParamDescription),
    Return(&'a ReturnDescription),
    Error(&'a ErrorDescription),
    SecurityScheme(&'a Json),
    Schema(&'a Json),
}

impl NamedLocation {
    /// Reads a pointer into a description. Returns `None` if it leads nowhere.
    pub(crate) fn new(description: &ServiceDescription, pointer: &Pointer) -> Option<Self> {
        let tokens: Vec<String> = pointer.tokens().collect();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        match tokens[..] {
            ["procs", index, ref rest @ ..] => {
                let procedure = element(&description.procs, index)?;
                Self::in_procedure(procedure, rest)
            }
            ["components", "schemas", name, ref rest @ ..] => Some(Self {
                subject: Subject::Type(name.to_owned()),
                schema_path: Some(owned(rest)),
            }),
            ["securitySchemes", name, ..] => Some(Self {
                subject: Subject::SecurityScheme(name.to_owned()),
                schema_path: None,
            }),
            _ => Some(Self {
                subject: Subject::Service,
                schema_path: None,
            }),
        }
    }

    /// Reads the rest of a pointer into a procedure.
    fn in_procedure(procedure: &ProcedureDescription, tokens: &[&str]) -> Option<Self> {
        let name = procedure.name.clone();
        match *tokens {
            ["params", index, ref rest @ ..] => {
                let param = element(&procedure.params, index)?;
                let subject = Subject::Param {
                    procedure: name,
                    name: param.name.clone(),
                };
                Some(Self::in_subject(subject, "schema", rest))
            }
            ["errors", index, ref rest @ ..] => {
                let error = element(&procedure.errors, index)?;
                let error = ErrorKey {
                    code: error.code,
                    message: error.message.clone(),
                };
                let subject = Subject::Error {
                    procedure: name,
                    error,
                };
                Some(Self::in_subject(subject, "data", rest))
            }
            ["return", ref rest @ ..] => {
                let subject = Subject::Return { procedure: name };
                Some(Self::in_subject(subject, "schema", rest))
            }
            ["subscription", "item", ref rest @ ..] => {
                let subject = Subject::Item { procedure: name };
                Some(Self::in_subject(subject, "schema", rest))
            }
            _ => Some(Self {
                subject: Subject::Procedure(name),
                schema_path: None,
            }),
        }
    }

    /// Reads the rest of a pointer into a subject, whose schema is the member `schema_name`.
    fn in_subject(subject: Subject, schema_name: &str, tokens: &[&str]) -> Self {
        let schema_path = match tokens {
            [member, rest @ ..] if *member == schema_name => Some(owned(rest)),
            _ => None,
        };
        Self {
            subject,
            schema_path,
        }
    }

    /// Returns the location, or that of the innermost value that contains it and that a version of the service has.
    pub(crate) fn innermost_in(mut self, service: &SiteService) -> Option<Self> {
        let part = self.subject.find(service)?;
        self.schema_path = match (self.schema_path, part.schema()) {
            (Some(mut path), Some(schema)) => {
                path.truncate(innermost(schema, &path).depth);
                Some(path)
            }
            _ => None,
        };
        Some(self)
    }

    /// Returns the names on the way to the location, with dots between them.
    pub(crate) fn path(&self) -> String {
        let mut path = self.subject.path();
        for token in self.schema_path.iter().flatten() {
            path.push('.');
            path.push_str(token);
        }
        path
    }

    /// Returns the part of a version of the service at the location, if it has one there.
    pub(crate) fn find<'a>(&self, service: &'a SiteService) -> Option<LocatedPart<'a>> {
        let part = self.subject.find(service)?;
        let Some(path) = &self.schema_path else {
            return Some(part);
        };
        let inner = innermost(part.schema()?, path);
        (inner.depth == path.len()).then_some(LocatedPart::Schema(inner.schema))
    }
}

impl Subject {
    /// Returns its names, with dots between them.
    fn path(&self) -> String {
        match self {
            Self::Service => "service".to_owned(),
            Self::Procedure(name) | Self::Type(name) | Self::SecurityScheme(name) => name.clone(),
            Self::Param { procedure, name } => format!("{procedure}.{name}"),
            Self::Return { procedure } => format!("{procedure}.return"),
            Self::Item { procedure } => format!("{procedure}.item"),
            Self::Error { procedure, error } => format!("{procedure}.error.{}", error.code),
        }
    }

    /// Returns the part of a version's description that this is.
    fn find<'a>(&self, service: &'a SiteService) -> Option<LocatedPart<'a>> {
        let description = &*service.options.description;
        Some(match self {
            Self::Service => LocatedPart::Service(description),
            Self::Procedure(name) => LocatedPart::Procedure(procedure(service, name)?),
            Self::Param {
                procedure: owner,
                name,
            } => {
                let params = &procedure(service, owner)?.params;
                LocatedPart::Param(params.iter().find(|param| param.name == *name)?)
            }
            Self::Return { procedure: owner } => {
                LocatedPart::Return(procedure(service, owner)?.returns.as_ref()?)
            }
            Self::Item { procedure: owner } => {
                let subscription = procedure(service, owner)?.subscription.as_ref()?;
                LocatedPart::Return(&subscription.item)
            }
            Self::Error {
                procedure: owner,
                error,
            } => LocatedPart::Error(error.find(&procedure(service, owner)?.errors)?),
            Self::Type(name) => LocatedPart::Schema(description.components.schemas.get(name)?),
            Self::SecurityScheme(name) => {
                LocatedPart::SecurityScheme(description.security_schemes.get(name.as_str())?)
            }
        })
    }
}

impl ErrorKey {
    /// Returns the error, or the first with its code if none has its message.
    fn find<'a>(&self, errors: &'a [ErrorDescription]) -> Option<&'a ErrorDescription> {
        errors
            .iter()
            .find(|error| error.code == self.code && error.message == self.message)
            .or_else(|| errors.iter().find(|error| error.code == self.code))
    }
}

impl<'a> LocatedPart<'a> {
    /// Returns the schema of the values that it describes, if it describes any.
    fn schema(&self) -> Option<&'a Json> {
        match self {
            Self::Param(param) => Some(&param.schema),
            Self::Return(returns) => Some(&returns.schema),
            Self::Error(error) => error.data.as_ref(),
            Self::Schema(schema) => Some(schema),
            Self::Service(_) | Self::Procedure(_) | Self::SecurityScheme(_) => None,
        }
    }
}

/// A schema inside another.
struct InnerSchema<'a> {
    schema: &'a Json,
    /// The number of tokens that lead to it.
    depth: usize,
}

/// Returns the innermost schema on a path.
fn innermost<'a>(schema: &'a Json, path: &[String]) -> InnerSchema<'a> {
    let mut innermost = InnerSchema { schema, depth: 0 };
    while let Some(inner) = innermost.next(path) {
        innermost = inner;
    }
    innermost
}

impl InnerSchema<'_> {
    /// Returns the next schema on the path.
    fn next(&self, path: &[String]) -> Option<Self> {
        let keyword = path.get(self.depth)?;
        let value = self.schema.get(keyword)?;
        let token = path.get(self.depth + 1);
        let (schema, tokens) = match holds(keyword) {
            KeywordValue::Schema if value.as_array().is_none() => (value, 1),
            KeywordValue::Schema | KeywordValue::Schemas => {
                (element(value.as_array()?, token?)?, 2)
            }
            KeywordValue::Named => (value.get(token?)?, 2),
            _ => return None,
        };
        Some(Self {
            schema,
            depth: self.depth + tokens,
        })
    }
}

/// Returns a procedure of a version.
fn procedure<'a>(service: &'a SiteService, name: &str) -> Option<&'a ProcedureDescription> {
    match service.plan.procedure(name)? {
        PageTarget::Procedure(at) => service.options.description.procs.get(at),
        _ => None,
    }
}

/// Returns the element of a list at an index that is a token of a pointer.
fn element<'a, T>(list: &'a [T], index: &str) -> Option<&'a T> {
    list.get(index.parse::<usize>().ok()?)
}

/// Returns tokens of a pointer as strings of their own.
fn owned(tokens: &[&str]) -> Vec<String> {
    tokens.iter().map(|&token| token.to_owned()).collect()
}
