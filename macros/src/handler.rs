//! A function as a handler: the procedure that its signature describes.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, GenericParam, ReceiverKind, ReturnType, Signature, Type, parse_quote};

use crate::argument::{Argument, ParameterArgument, cfgs};
use crate::docs::DocComment;
use crate::options::Options;
use crate::problems::MacroProblems;
use crate::root::Root;
use crate::types::check_result;

/// A function that handles calls.
pub(crate) struct HandlerFunction {
    pub(crate) function: Ident,
    pub(crate) kind: HandlerKind,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) options: Options,
    pub(crate) docs: DocComment,
    /// Its `#[cfg(…)]` attributes.
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) returned: Option<Type>,
    /// Its documentation and its deprecation, which the client copies.
    pub(crate) of_client: Vec<Attribute>,
    /// The span of the return type, at which errors about the result are shown.
    pub(crate) output: Span,
}

/// The constructor of `Procedure` that registers a handler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandlerKind {
    New,
    Sync,
    Blocking,
}

impl HandlerFunction {
    /// Reads a function, and leaves on it only the attributes that the compiler and rustdoc
    /// understand.
    pub(crate) fn read(
        attributes: &mut Vec<Attribute>,
        signature: &mut Signature,
        options: Options,
        problems: &mut MacroProblems,
    ) -> Self {
        check(signature, problems);
        if let (Some(_), Some(blocking)) = (&signature.asyncness, options.blocking) {
            problems.add_at(
                blocking,
                "`blocking` is for a function that is not async: leave out `async`, or `blocking`",
            );
        }
        let kind = match (&signature.asyncness, options.blocking) {
            (Some(_), _) => HandlerKind::New,
            (None, None) => HandlerKind::Sync,
            (None, Some(_)) => HandlerKind::Blocking,
        };
        let arguments = signature.inputs.iter_mut();
        let mut handler = Self {
            function: signature.ident.clone(),
            kind,
            arguments: arguments
                .filter_map(|argument| Argument::read(argument, problems))
                .collect(),
            options,
            docs: DocComment::of(attributes),
            cfgs: cfgs(attributes),
            returned: match &signature.output {
                ReturnType::Type(_, ty) => Some((**ty).clone()),
                ReturnType::Default => None,
            },
            of_client: Vec::new(),
            output: match &signature.output {
                ReturnType::Type(_, ty) => ty.span(),
                ReturnType::Default => signature.ident.span(),
            },
        };
        handler.check_arguments(problems);
        handler.document(attributes);
        let copied = attributes.iter().filter(|attribute| {
            ["doc", "deprecated"]
                .iter()
                .any(|name| attribute.path().is_ident(name))
        });
        handler.of_client = copied.cloned().collect();
        // The signature depends on what callers send and receive, and not on how the body uses it.
        attributes.push(parse_quote!(#[allow(
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::unnecessary_wraps,
            clippy::unused_async,
            clippy::unused_self
        )]));
        handler
    }

    /// Returns the parameters that are an argument each.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &ParameterArgument> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Parameter(parameter) => Some(&**parameter),
            _ => None,
        })
    }

    fn check_arguments(&self, problems: &mut MacroProblems) {
        let mut contexts = 0;
        let mut callers = 0;
        let mut structs = Vec::new();
        for argument in &self.arguments {
            match argument {
                Argument::Context { span, .. } => {
                    contexts += 1;
                    if contexts > 1 {
                        problems.add_at(*span, "a function has one context");
                    }
                }
                Argument::Caller { span, .. } => {
                    callers += 1;
                    if callers > 1 {
                        problems.add_at(*span, "a call has one caller");
                    }
                }
                Argument::Params { span, .. } => structs.push(*span),
                Argument::Parameter(_) => {}
            }
        }
        let mut names = HashSet::new();
        for parameter in self.parameters() {
            let name = plain(&parameter.name);
            if !names.insert(name.clone()) {
                problems.add(
                    &parameter.name,
                    format!("there is a parameter `{name}` already: give this one another name"),
                );
            }
        }
        match &*structs {
            [span] if self.parameters().next().is_some() => problems.add_at(
                *span,
                "the fields of a `#[params]` struct are all the parameters: add the other ones to \
                 the struct, or make each field an argument",
            ),
            [_, span, ..] => problems.add_at(
                *span,
                "a function has one `#[params]` struct: use `#[serde(flatten)]` inside it for \
                 another",
            ),
            _ => {}
        }
    }

    /// Copies the documentation of parameters to the function, because rustdoc shows none on
    /// arguments.
    fn document(&self, attributes: &mut Vec<Attribute>) {
        let documented: Vec<_> = self
            .parameters()
            .filter(|parameter| parameter.docs.text().is_some())
            .map(|parameter| parameter.docs.list_item(&plain(&parameter.name)))
            .collect();
        if documented.is_empty() {
            return;
        }
        let list = format!("\n# Parameters\n{}", documented.join("\n"));
        attributes.push(parse_quote!(#[doc = #list]));
    }
}

/// Returns a name as callers see it.
pub(crate) fn plain(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

/// Refuses signatures that a handler cannot have.
fn check(signature: &Signature, problems: &mut MacroProblems) {
    for generic in &signature.generics.params {
        let text = match generic {
            GenericParam::Lifetime(_) => {
                "a handler owns its parameters, because they are decoded from the request: leave \
                 out the lifetime"
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                "a procedure has one type for each parameter, so its function cannot be generic"
            }
        };
        problems.add(generic, text);
    }
    match &signature.output {
        ReturnType::Type(_, ty) => check_result(ty, problems),
        ReturnType::Default => problems.add(
            &signature.ident,
            format!(
                "a procedure returns a `Result`: write `-> Result<(), Fault>` after `{}(…)`",
                signature.ident
            ),
        ),
    }
}

/// Refuses every receiver but `&self`.
pub(crate) fn check_receiver(root: Root, signature: &Signature, problems: &mut MacroProblems) {
    let Some(FnArg::Receiver(receiver)) = signature.inputs.first() else {
        let attribute = root.path("procedure");
        problems.add(
            &signature.ident,
            format!(
                "a procedure of an `impl` takes `&self`, the state of the service; without a state, \
                 write a function outside of the `impl` and give it `#[{attribute}]`"
            ),
        );
        return;
    };
    let text = match &receiver.kind {
        ReceiverKind::Reference(_, None, None) => return,
        ReceiverKind::Reference(_, _, Some(_)) => {
            "calls run at the same time and share the state: take `&self`, and keep what changes in \
             a `Mutex` or an atomic"
        }
        ReceiverKind::Reference(_, Some(_), None) => {
            "a handler borrows the state for one call: write `&self`"
        }
        _ => "all calls share the state: write `&self`",
    };
    problems.add(receiver, text);
}
