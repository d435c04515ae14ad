//! The arguments of a handler: their roles, and the descriptions of parameters.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, FnArg, GenericArgument, Pat, PatType, PathArguments, Token};
use syn::{Path, Type};

use crate::docs::DocComment;
use crate::problems::MacroProblems;
use crate::types::check_type;

/// Attributes that stay on the argument, because they are for the compiler.
const LINTS: [&str; 5] = ["allow", "warn", "deny", "forbid", "expect"];

/// An argument that is not `self`.
pub(crate) enum Argument {
    /// The context of the call, with the type of its state if the author wrote it.
    Context { span: Span, state: State },
    /// The caller, with the type that represents callers.
    Caller {
        span: Span,
        identity: Box<Type>,
        optional: bool,
    },
    /// A struct whose fields are the parameters.
    Params {
        span: Span,
        ty: Box<Type>,
        /// The name of the argument, unless its pattern destructures the struct.
        name: Option<Ident>,
    },
    /// One parameter.
    Parameter(Box<ParameterArgument>),
}

/// The type of a context's state.
pub(crate) enum State {
    /// `Cx`, or any other type of an argument named `cx`: no state.
    None,
    /// `Cx<…>`.
    Written(Box<Type>),
}

/// One parameter: a field of the generated struct.
pub(crate) struct ParameterArgument {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) docs: DocComment,
    /// The attributes of the argument that the field gets.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) default: Option<DefaultValue>,
}

/// The default of a parameter that the caller may leave out.
pub(crate) enum DefaultValue {
    OfType,
    Written(Expr),
}

impl Argument {
    /// Reads an argument, and leaves on it only the attributes that the compiler understands.
    pub(crate) fn read(argument: &mut FnArg, problems: &mut MacroProblems) -> Option<Self> {
        let FnArg::Typed(argument) = argument else {
            return None;
        };
        let mut own = Own::take(argument, problems);
        let ty = by_value(argument, problems);
        Some(if let Some(state) = context(&argument.pat, ty) {
            own.must_be_empty("the context of the call has no attributes", problems);
            let span = argument.span();
            Self::Context { span, state }
        } else if let Some((identity, optional)) = caller(ty) {
            own.must_be_empty(
                "the caller is no parameter, so it has no attributes",
                problems,
            );
            Self::Caller {
                span: argument.span(),
                identity,
                optional,
            }
        } else if let Some(span) = own.params.take() {
            own.must_be_empty(
                "`#[params]` marks a struct that has its own documentation and attributes: write \
                 them there",
                problems,
            );
            let ty = argument.ty.clone();
            let name = match &*argument.pat {
                Pat::Ident(pattern) => Some(pattern.ident.clone()),
                _ => None,
            };
            Self::Params { span, ty, name }
        } else {
            check_type(&argument.ty, problems);
            Self::Parameter(Box::new(ParameterArgument {
                name: name(&argument.pat, problems)?,
                ty: (*argument.ty).clone(),
                docs: DocComment::of(&own.attributes),
                attributes: own.attributes,
                default: own.default,
            }))
        })
    }
}

/// The attributes of an argument that are for this macro or for the generated struct.
#[derive(Default)]
struct Own {
    attributes: Vec<Attribute>,
    params: Option<Span>,
    default: Option<DefaultValue>,
}

impl Own {
    fn take(argument: &mut PatType, problems: &mut MacroProblems) -> Self {
        let mut own = Self::default();
        for attribute in std::mem::take(&mut argument.attrs) {
            let path = attribute.path();
            let name = path
                .segments
                .last()
                .map(|segment| segment.ident.to_string());
            match name.as_deref().unwrap_or_default() {
                "doc" | "serde" | "schemars" => own.attributes.push(attribute),
                "params" => own.params = Some(attribute.span()),
                "procedure" => {
                    let read = attribute.parse_args_with(default_value);
                    own.default = problems.take(read).or(own.default);
                }
                lint if LINTS.contains(&lint) => argument.attrs.push(attribute),
                _ => problems.add(
                    &attribute,
                    "unknown attribute; a parameter has `#[procedure(default = …)]`, \
                     `#[serde(…)]` or `#[schemars(…)]`",
                ),
            }
        }
        own
    }

    fn must_be_empty(&self, text: &str, problems: &mut MacroProblems) {
        if let Some(first) = self.attributes.first() {
            problems.add(first, text);
        } else if self.default.is_some() {
            problems.add_at(Span::call_site(), text);
        }
    }
}

/// Parses `default` or `default = …`, the options of a parameter.
fn default_value(input: ParseStream<'_>) -> syn::Result<DefaultValue> {
    let name = input.call(Ident::parse_any)?;
    if name != "default" {
        let text = format!(
            "unknown option `{name}`; a parameter has `default` or `default = …`, and the options of \
             the procedure are above its function"
        );
        return Err(Error::new(name.span(), text));
    }
    if input.is_empty() {
        return Ok(DefaultValue::OfType);
    }
    input.parse::<Token![=]>()?;
    Ok(DefaultValue::Written(input.parse()?))
}

/// Returns the name of a parameter.
fn name(pattern: &Pat, problems: &mut MacroProblems) -> Option<Ident> {
    let text = match pattern {
        Pat::Ident(pattern) if pattern.subpat.is_none() && pattern.by_ref.is_none() => {
            return Some(pattern.ident.clone());
        }
        Pat::Wild(_) => "a parameter needs a name, because callers use it",
        _ => {
            "a parameter needs one name, because callers use it: take the value apart inside the \
             function"
        }
    };
    problems.add(pattern, text);
    None
}

/// Returns the type of an argument. A reference to the context or the caller is an error, because each
/// call gets its own.
fn by_value<'a>(argument: &'a PatType, problems: &mut MacroProblems) -> &'a Type {
    let Type::Reference(reference) = &*argument.ty else {
        return &argument.ty;
    };
    let ty = &*reference.elem;
    let what = if context(&argument.pat, ty).is_some() {
        "the context of its call"
    } else if caller(ty).is_some() {
        "its caller"
    } else {
        return &argument.ty;
    };
    let written = ty.to_token_stream().to_string().replace(' ', "");
    problems.add(
        &argument.ty,
        format!("a handler owns {what}: write `{written}` instead of a reference"),
    );
    ty
}

/// Returns the state of the context if the argument is a context, by its type or by its name.
fn context(pattern: &Pat, ty: &Type) -> Option<State> {
    let by_name = matches!(pattern, Pat::Ident(pattern) if pattern.ident == "cx");
    let last = match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    match last.filter(|last| last.ident == "Cx") {
        Some(last) => Some(first_type(&last.arguments)),
        None => by_name.then_some(State::None),
    }
}

/// Returns the type that represents callers if the argument is a `Caller<…>`, and whether it is
/// optional.
fn caller(ty: &Type) -> Option<(Box<Type>, bool)> {
    let (ty, optional) = match first_of(ty, "Option") {
        Some(inner) => (inner, true),
        None => (Box::new(ty.clone()), false),
    };
    Some((first_of(&ty, "Caller")?, optional))
}

/// Returns the first type argument of a type with this name.
pub(crate) fn first_of(ty: &Type, name: &str) -> Option<Box<Type>> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == name)?;
    match first_type(&last.arguments) {
        State::Written(ty) => Some(ty),
        State::None => None,
    }
}

fn first_type(arguments: &PathArguments) -> State {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return State::None;
    };
    let first = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    first.map_or(State::None, |ty| State::Written(Box::new(ty)))
}

/// Returns whether a path is that of an attribute with this name, such as `docent_server::procedure`.
pub(crate) fn ends_with(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

/// Returns the `#[cfg(…)]` attributes, which decide whether an item exists.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    let cfgs = attributes.iter().filter(|it| it.path().is_ident("cfg"));
    cfgs.cloned().collect()
}
