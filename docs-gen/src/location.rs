//! Locations of changes, by names.
//!
//! A comparison points into one version, as in `/procs/3/params/0/schema/maxLength`. The next version may have the same
//! parameter at another position. So a pointer is read once as a [`NamedLocation`], which leads to the same value in
//! every version that has it:
//!
//! | pointer | subject | inside |
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
    /// The path inside the schema of the subject, or `None` for the subject itself.
    inside: Option<Vec<String>>,
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
        let names: Vec<String> = pointer.tokens().collect();
        let tokens: Vec<&str> = names.iter().map(String::as_str).collect();
        match tokens[..] {
            ["procs", at, ref rest @ ..] => {
                let procedure = element(&description.procs, at)?;
                Self::in_procedure(procedure, rest)
            }
            ["components", "schemas", name, ref rest @ ..] => Some(Self {
                subject: Subject::Type(name.to_owned()),
                inside: Some(owned(rest)),
            }),
            ["securitySchemes", name, ..] => Some(Self {
                subject: Subject::SecurityScheme(name.to_owned()),
                inside: None,
            }),
            _ => Some(Self {
                subject: Subject::Service,
                inside: None,
            }),
        }
    }

    /// Reads the rest of a pointer into a procedure.
    fn in_procedure(procedure: &ProcedureDescription, tokens: &[&str]) -> Option<Self> {
        let name = procedure.name.clone();
        let (subject, schema, rest) = match *tokens {
            ["params", at, ref rest @ ..] => {
                let param = element(&procedure.params, at)?;
                let subject = Subject::Param {
                    procedure: name,
                    name: param.name.clone(),
                };
                (subject, "schema", rest)
            }
            ["errors", at, ref rest @ ..] => {
                let error = element(&procedure.errors, at)?;
                let error = ErrorKey {
                    code: error.code,
                    message: error.message.clone(),
                };
                let subject = Subject::Error {
                    procedure: name,
                    error,
                };
                (subject, "data", rest)
            }
            ["return", ref rest @ ..] => (Subject::Return { procedure: name }, "schema", rest),
            ["subscription", "item", ref rest @ ..] => {
                (Subject::Item { procedure: name }, "schema", rest)
            }
            _ => (Subject::Procedure(name), "", &[][..]),
        };
        let inside = rest
            .split_first()
            .filter(|(member, _)| **member == schema)
            .map(|(_, inside)| owned(inside));
        Some(Self { subject, inside })
    }

    /// Returns the location of the innermost value around it that a version of the service has.
    pub(crate) fn around(mut self, service: &SiteService) -> Option<Self> {
        let part = self.subject.find(service)?;
        self.inside = self.inside.zip(part.schema()).map(|(mut inside, schema)| {
            inside.truncate(innermost(schema, &inside).depth);
            inside
        });
        Some(self)
    }

    /// Returns the names on the way to the location, with dots between them.
    pub(crate) fn path(&self) -> String {
        let mut path = self.subject.path();
        for token in self.inside.iter().flatten() {
            path.push('.');
            path.push_str(token);
        }
        path
    }

    /// Returns what a version of the service has at the location.
    pub(crate) fn find<'a>(&self, service: &'a SiteService) -> Option<LocatedPart<'a>> {
        let part = self.subject.find(service)?;
        let Some(inside) = &self.inside else {
            return Some(part);
        };
        let inner = innermost(part.schema()?, inside);
        (inner.depth == inside.len()).then_some(LocatedPart::Schema(inner.schema))
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
        let held = self.schema.get(keyword)?;
        let token = path.get(self.depth + 1);
        let (schema, tokens) = match holds(keyword) {
            KeywordValue::Schema if held.as_array().is_none() => (held, 1),
            KeywordValue::Schema | KeywordValue::Schemas => (element(held.as_array()?, token?)?, 2),
            KeywordValue::Named => (held.get(token?)?, 2),
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

/// Returns the element of a list at a position.
fn element<'a, T>(list: &'a [T], position: &str) -> Option<&'a T> {
    list.get(position.parse::<usize>().ok()?)
}

/// Returns tokens of a pointer as strings of their own.
fn owned(tokens: &[&str]) -> Vec<String> {
    tokens.iter().map(|&token| token.to_owned()).collect()
}
