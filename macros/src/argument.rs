//! The arguments of a handler: their roles, and the descriptions of parameters.
//!
//! A macro sees types as they are written, so a role follows from a name (`Cx`, `Caller`) or from
//! an attribute. The compiler checks later whether it was right.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, FnArg, Pat, PatType, PathArguments, Token, Type};

use crate::docs::DocComment;
use crate::problems::MacroProblems;
use crate::types::{check_owned, first_of, has_serde_option, is_named};

/// Attributes that stay on the argument, because they are for the compiler.
const LINT_ATTRIBUTES: [&str; 5] = ["allow", "warn", "deny", "forbid", "expect"];

/// An argument that is not `self`.
pub(crate) enum HandlerArgument {
    /// The context of the call, with the type of its state if the author wrote it.
    Context {
        span: Span,
        state: Option<Box<Type>>,
    },
    /// The caller.
    Caller(CallerArgument),
    /// A struct whose fields are the parameters.
    Params(ParamsArgument),
    /// One parameter.
    Parameter(Box<ParameterArgument>),
}

/// The caller of a call.
pub(crate) struct CallerArgument {
    pub(crate) span: Span,
    /// The type that represents callers.
    pub(crate) identity: Box<Type>,
    /// True if the function also accepts calls without a known caller.
    pub(crate) is_optional: bool,
}

/// A struct whose fields are the parameters.
pub(crate) struct ParamsArgument {
    pub(crate) span: Span,
    pub(crate) ty: Box<Type>,
    /// The name of the argument, unless its pattern destructures the struct.
    #[cfg_attr(
        not(feature = "client"),
        expect(dead_code, reason = "only clients need it")
    )]
    pub(crate) name: Option<Ident>,
}

/// One parameter: a field of the generated struct.
pub(crate) struct ParameterArgument {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) docs: DocComment,
    /// The attributes of the argument that the field gets.
    pub(crate) attributes: Vec<Attribute>,
    /// The default, if the caller may leave the parameter out.
    pub(crate) default: Option<DefaultValue>,
}

impl ParameterArgument {
    /// Returns whether the parameter may be left out, null, or a value: an `Option<Option<T>>` that nothing
    /// else decodes.
    pub(crate) fn is_three_valued(&self) -> bool {
        let others = ["default", "with", "deserialize_with"];
        self.has_null() && self.default.is_none() && !has_serde_option(&self.attributes, &others)
    }

    /// Returns whether the type tells null from a parameter that is left out: an `Option<Option<T>>`.
    pub(crate) fn has_null(&self) -> bool {
        match first_of(&self.ty, "Option") {
            Some(inner) => first_of(&inner, "Option").is_some(),
            None => false,
        }
    }
}

/// The default of a parameter that the caller may leave out.
pub(crate) enum DefaultValue {
    /// The default of the type, by `Default`.
    OfType,
    /// An expression in the attribute.
    Written(Expr),
}

impl HandlerArgument {
    /// Reads an argument, and leaves on it only the attributes that the compiler understands.
    pub(crate) fn read(argument: &mut FnArg, problems: &mut MacroProblems) -> Option<Self> {
        let FnArg::Typed(argument) = argument else {
            return None;
        };
        let own = ArgumentAttributes::take(argument, problems);
        let span = argument.span();
        let ty = &argument.ty;
        check_owned(ty, "an argument cannot borrow", false, problems);
        let name = match &*argument.pat {
            Pat::Ident(pattern) => Some(pattern.ident.clone()),
            _ => None,
        };
        let (is_optional, inner) = match first_of(ty, "Option") {
            Some(inner) => (true, inner),
            None => (false, ty.clone()),
        };
        let role = if is_named(ty, "Cx") || name.as_ref().is_some_and(|name| name == "cx") {
            check_context(ty, problems);
            let state = first_of(ty, "Cx");
            Self::Context { span, state }
        } else if let Some(identity) = first_of(&inner, "Caller") {
            Self::Caller(CallerArgument {
                span,
                identity,
                is_optional,
            })
        } else if let Some(span) = own.params {
            let ty = ty.clone();
            Self::Params(ParamsArgument { span, ty, name })
        } else {
            let Some(name) = name else {
                let text = "a parameter needs a name, because callers use it: destructure the \
                            value inside the function";
                problems.add(&argument.pat, text);
                return None;
            };
            return Some(Self::Parameter(Box::new(ParameterArgument {
                name,
                ty: (**ty).clone(),
                docs: DocComment::from_attributes(&own.attributes),
                attributes: own.attributes,
                default: own.default,
            })));
        };
        if let Some(attribute) = own.attributes.first() {
            let text = "only a parameter can have documentation and attributes: remove them, or \
                        write those of a `#[params]` struct on the struct";
            problems.add(attribute, text);
        }
        Some(role)
    }

    /// Returns whether callers send it.
    pub(crate) fn is_sent(&self) -> bool {
        matches!(self, Self::Params(_) | Self::Parameter(_))
    }
}

/// Refuses a context with the type of the caller, which is an argument of its own.
fn check_context(ty: &Type, problems: &mut MacroProblems) {
    if let Type::Path(path) = ty
        && let Some(last) = path.path.segments.last()
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && arguments.args.len() > 1
    {
        let text = "the caller is a separate argument: write `cx: Cx` and `user: Caller<User>`";
        problems.add(ty, text);
    }
}

/// The attributes of an argument that are for this macro or for the generated struct.
#[derive(Default)]
struct ArgumentAttributes {
    /// The attributes for the generated struct, unchanged.
    attributes: Vec<Attribute>,
    /// The span of `params`, if the argument is a struct with all parameters.
    params: Option<Span>,
    default: Option<DefaultValue>,
}

/// Returns the last segment of an attribute's path: `procedure` for `docent::procedure`.
fn last_segment(attribute: &Attribute) -> String {
    match attribute.path().segments.last() {
        Some(last) => last.ident.to_string(),
        None => String::new(),
    }
}

impl ArgumentAttributes {
    /// Takes them off the argument. Attributes for the compiler stay on it.
    fn take(argument: &mut PatType, problems: &mut MacroProblems) -> Self {
        let mut own = Self::default();
        for attribute in std::mem::take(&mut argument.attrs) {
            match last_segment(&attribute).as_str() {
                "doc" | "serde" | "schemars" => own.attributes.push(attribute),
                "params" => own.params = Some(attribute.span()),
                "procedure" => own.default = problems.take(attribute.parse_args_with(default)),
                lint if LINT_ATTRIBUTES.contains(&lint) => argument.attrs.push(attribute),
                _ => problems.add(
                    &attribute,
                    "unknown attribute; a parameter can have `#[procedure(default = …)]`, \
                     `#[serde(…)]` or `#[schemars(…)]`",
                ),
            }
        }
        own
    }
}

/// Parses `default` or `default = …`, the options of a parameter.
fn default(input: ParseStream<'_>) -> syn::Result<DefaultValue> {
    let name = input.call(Ident::parse_any)?;
    if name != "default" {
        let text = format!(
            "unknown option `{name}`; a parameter can have `default` or `default = …`, and options \
             of the procedure belong above its function"
        );
        return Err(Error::new(name.span(), text));
    }
    if input.is_empty() {
        return Ok(DefaultValue::OfType);
    }
    input.parse::<Token![=]>()?;
    Ok(DefaultValue::Written(input.parse()?))
}
