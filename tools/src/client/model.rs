//! The model of a client, independently of a language: named types, procedures and errors.
//!
//! It is built once from a description (`build.rs`), and each language prints it. So all clients of a service have the
//! same types and the same methods.

use docent_describe::code::PROTOCOL_ERRORS;
use docent_describe::json::Json;
use docent_describe::schema::{IntegerRange, UnionRule};

use super::integers::Integers;

/// A client.
pub(crate) struct Model {
    /// True if Docent serves the service, so that its wire format is known.
    pub(crate) is_docent: bool,
    /// The type of integers that may be wider than usual.
    pub(crate) integers: Integers,
    /// The documentation of the service.
    pub(crate) docs: String,
    /// The header field of the API key, if the description names one.
    pub(crate) api_key_field: Option<String>,
    /// The name of the service as words.
    pub(crate) words: Vec<String>,
    /// The types, to which `Type::Ref` refers by index.
    pub(crate) types: Vec<NamedType>,
    /// The procedures, in the order of the description.
    pub(crate) procedures: Vec<ClientProcedure>,
    /// The errors of all procedures, each once.
    pub(crate) errors: Vec<ErrorType>,
}

/// A type with a name.
pub(crate) struct NamedType {
    /// The identifier, which differs from all others by more than case.
    pub(crate) name: String,
    pub(crate) docs: String,
    pub(crate) definition: TypeDefinition,
}

/// The definition of a named type.
#[derive(Clone, PartialEq)]
pub(crate) enum TypeDefinition {
    /// An object with these members, and others.
    Object(Vec<Field>, OtherMembers),
    /// One of these values: strings, numbers, Booleans.
    Values(Vec<Json>),
    /// A value of one of these types, none of them nullable. Of an object, the rule says whether it may be of several.
    Union(Vec<Type>, UnionRule),
    /// Another name for a type.
    Alias(Type),
}

impl TypeDefinition {
    /// Returns the types that the definition is made of.
    pub(crate) fn parts(&self) -> Vec<&Type> {
        match self {
            Self::Object(fields, others) => fields
                .iter()
                .map(|field| &field.ty)
                .chain(others.kept_type())
                .collect(),
            Self::Values(_) => Vec::new(),
            Self::Union(each, _) => each.iter().collect(),
            Self::Alias(ty) => vec![ty],
        }
    }
}

/// The members of an object that have no name of their own.
#[derive(Clone, PartialEq)]
pub(crate) enum OtherMembers {
    /// There may be some, of which nothing is known. Types do not keep them.
    Unknown,
    /// There are none.
    Refused,
    /// Members of this type.
    Kept(Type),
}

impl OtherMembers {
    /// Returns the type of the members that a type keeps, if it keeps any.
    pub(crate) fn kept_type(&self) -> Option<&Type> {
        match self {
            Self::Kept(ty) => Some(ty),
            Self::Unknown | Self::Refused => None,
        }
    }
}

/// A member of an object, or a parameter.
#[derive(Clone, PartialEq)]
pub(crate) struct Field {
    /// The name on the wire.
    pub(crate) wire: String,
    /// The type of its values.
    pub(crate) ty: Type,
    /// True if it must be there.
    pub(crate) required: bool,
    /// The documentation of its author, as Markdown.
    pub(crate) docs: String,
}

/// A type.
#[derive(Clone, PartialEq)]
pub(crate) enum Type {
    /// Any JSON value, also where the schema is too complex for a type.
    Any,
    Null,
    Boolean,
    /// An integer within a range, which decides its type in Rust.
    Integer(IntegerRange),
    /// A number that need not be whole.
    Number,
    Text,
    /// Bytes, as base64.
    Bytes,
    /// A list of any length.
    List(Box<Type>),
    /// A tuple of these, then any number of the last, if there is one.
    Tuple(Vec<Type>, Option<Box<Type>>),
    /// An object whose names are data.
    Map(Box<Type>),
    /// A value of this type, or null.
    Nullable(Box<Type>),
    /// The named type at this index.
    Ref(usize),
}

impl Type {
    /// Adds null to the values of the type, unless it is one of them.
    pub(crate) fn nullable(self) -> Self {
        match self {
            Self::Any | Self::Null | Self::Nullable(_) => self,
            other => Self::Nullable(Box::new(other)),
        }
    }

    /// Returns the index of a named type.
    pub(crate) fn named(&self) -> Option<usize> {
        match self {
            Self::Ref(at) => Some(*at),
            _ => None,
        }
    }

    /// Returns whether a type, or one inside it, passes a test.
    pub(crate) fn any(&self, test: &mut impl FnMut(&Self) -> bool) -> bool {
        test(self)
            || match self {
                Self::List(ty) | Self::Map(ty) | Self::Nullable(ty) => ty.any(test),
                Self::Tuple(each, rest) => {
                    each.iter().chain(rest.as_deref()).any(|ty| ty.any(test))
                }
                _ => false,
            }
    }

    /// Returns the type without null.
    pub(crate) fn not_null(&self) -> &Self {
        match self {
            Self::Nullable(inner) => inner,
            other => other,
        }
    }
}

/// A procedure.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct ClientProcedure {
    /// The name on the wire.
    pub(crate) wire: String,
    /// The words of the name, of which each language makes an identifier of its own.
    pub(crate) words: Vec<String>,
    /// The documentation, with that of the result or the items, and of the errors.
    pub(crate) docs: String,
    pub(crate) is_deprecated: bool,
    /// The parameters, in the order of the description.
    pub(crate) params: Vec<Field>,
    /// The type of all parameters together, if there are any and they have names.
    pub(crate) params_type: Option<Type>,
    pub(crate) passing: ParamPassing,
    /// The type of the result, or of the items of a subscription.
    pub(crate) output: Type,
    /// True if it yields items instead of a result.
    pub(crate) is_subscription: bool,
    /// The index of the parameter with which a subscription resumes, if it can.
    pub(crate) resume: Option<usize>,
    /// The indexes of the errors.
    pub(crate) errors: Vec<usize>,
    /// True if a call can be repeated without a key.
    pub(crate) idempotent: bool,
    /// True if a call with a key can be repeated.
    pub(crate) repeatable: bool,
    /// True if GET can carry the parameters.
    pub(crate) get: bool,
    /// True if it can be called without a response.
    pub(crate) notification: bool,
}

impl ClientProcedure {
    /// Returns the names of what a call may do, for the files that all clients share.
    pub(crate) fn options(&self) -> Vec<&'static str> {
        let mut options = Vec::new();
        if self.idempotent {
            options.push("idempotent");
        }
        if self.repeatable {
            options.push("repeatable");
        }
        if self.get {
            options.push("get");
        }
        options
    }
}

/// The way in which parameters are passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParamPassing {
    /// An object, which is preferred: it needs no order, and no values for what is left out.
    ByName,
    /// A list, for procedures that take no names.
    ByPosition,
    /// A list as the only parameter.
    Variadic,
    /// All together, as one value.
    Whole,
}

/// An error that procedures declare.
pub(crate) struct ErrorType {
    /// The identifier, which is that of no type.
    pub(crate) name: String,
    /// The code on the wire.
    pub(crate) code: i64,
    /// The message on the wire, which tells errors with the same code apart.
    pub(crate) message: String,
    pub(crate) docs: String,
    /// True or false if the description says whether repeating the call may help.
    pub(crate) retry: Option<bool>,
    /// The type of the data, if the description has a schema for it.
    pub(crate) data: Option<Type>,
}

impl Model {
    /// Returns the codes after which a call that is idempotent, or has a key, may be repeated.
    pub(crate) fn busy_codes(&self) -> String {
        PROTOCOL_ERRORS
            .iter()
            .filter(|error| self.is_docent && error.retry.helps())
            .map(|error| error.code.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Returns the errors that a procedure declares.
    pub(crate) fn errors_of(&self, owner: &ClientProcedure) -> impl Iterator<Item = &ErrorType> {
        owner.errors.iter().map(|at| &self.errors[*at])
    }

    /// Returns the type of the values of a variadic procedure.
    pub(crate) fn variadic<'m>(&'m self, procedure: &'m ClientProcedure) -> &'m Type {
        match self.definition(&procedure.params[0].ty) {
            Err(Type::List(ty)) => ty,
            _ => &Type::Any,
        }
    }

    /// Returns whether null is a value of a type.
    pub(crate) fn takes_null(&self, ty: &Type) -> bool {
        matches!(
            self.definition(ty),
            Err(Type::Nullable(_) | Type::Any | Type::Null)
        )
    }

    /// Returns the definition behind a type and its aliases, or else (`Err`) the type itself, which has no name.
    pub(crate) fn definition<'m>(&'m self, ty: &'m Type) -> Result<&'m TypeDefinition, &'m Type> {
        match self.resolve(ty) {
            Type::Ref(index) => Ok(&self.types[*index].definition),
            ty => Err(ty),
        }
    }

    /// Follows aliases, and returns the type that they stand for.
    pub(crate) fn resolve<'m>(&'m self, mut ty: &'m Type) -> &'m Type {
        // Aliases that lead only to each other were cut before.
        while let Type::Ref(index) = ty
            && let TypeDefinition::Alias(next) = &self.types[*index].definition
        {
            ty = next;
        }
        ty
    }
}
