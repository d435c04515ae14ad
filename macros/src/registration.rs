//! The registration as it would be written by hand: a struct with the parameters, and a `Procedure`
//! with a closure that passes them on.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit};

use crate::argument::{Argument, DefaultValue, ParameterArgument, State};
use crate::handler::{HandlerFunction, HandlerKind, plain};
use crate::root::Root;

/// The way in which the function is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// The function is a method of the state.
    State,
    /// The function is called by its name.
    Nothing,
}

/// Returns a procedure as an expression.
pub(crate) fn procedure(
    root: Root,
    handler: &HandlerFunction,
    name: &str,
    receiver: Receiver,
    state: &TokenStream,
) -> TokenStream {
    let span = handler.output.resolved_at(Span::mixed_site());
    let params = Params::of(handler);
    let definition = params.definition(root, handler);
    let (taken, ty) = (params.pattern(span), params.ty());
    let context = context(root, handler, receiver, state, span);
    let call = call(handler, receiver, span);
    let split = split(handler, receiver, span);
    let caller = caller_of(handler).map(|(_, optional)| {
        let cloned = Ident::new(if optional { "cloned" } else { "clone" }, span);
        quote_spanned!(span=> let caller = cx.caller().#cloned();)
    });
    // The bounds of `Cx` report a wrong type as well, but not where it is.
    let identity = caller_of(handler).map(|(identity, _)| {
        quote_spanned!(identity.span()=> #root::__private::identity::<#identity>();)
    });
    let (root, kind) = (root.at(span), handler.kind.constructor(span));
    let new = quote_spanned!(span=> #root::Procedure::#kind);
    let body = if handler.kind == HandlerKind::New {
        quote_spanned!(span=> async move { #caller #split #call })
    } else {
        quote_spanned!(span=> { #caller #split #call })
    };
    let registered = quote_spanned!(span=> #new(#name, |#context, #taken: #ty| #body));
    let documentation = handler
        .docs
        .text()
        .map(|text| quote!(.documentation(#text)));
    let setters = &handler.options.setters;
    quote!({ #identity #definition #registered #documentation #setters })
}

/// The parameters of the closure.
enum Params<'a> {
    None,
    Struct(&'a syn::Type),
    Named(Ident),
}

impl<'a> Params<'a> {
    fn of(handler: &'a HandlerFunction) -> Self {
        for argument in &handler.arguments {
            if let Argument::Params { ty, .. } = argument {
                return Self::Struct(ty);
            }
        }
        match handler.parameters().next() {
            Some(_) => Self::Named(struct_name(handler)),
            None => Self::None,
        }
    }

    /// Returns the struct with the parameters, unless the author wrote one.
    fn definition(&self, root: Root, handler: &HandlerFunction) -> Option<TokenStream> {
        let Self::Named(name) = self else {
            return None;
        };
        let (serde, schemars) = (root.private("serde"), root.private("schemars"));
        let fields = handler.parameters().map(|parameter| {
            let ParameterArgument {
                name: field,
                ty,
                attributes,
                ..
            } = parameter;
            let default = parameter.default.as_ref().map(|default| match default {
                DefaultValue::OfType => quote!(#[serde(default)]),
                DefaultValue::Written(_) => {
                    let path = format!("{name}::{}", default_name(field));
                    quote!(#[serde(default = #path)])
                }
            });
            quote!(#(#attributes)* #default #field: #ty)
        });
        let defaults = defaults(name, handler);
        // The derives report a wrong type as well, but do not tell what else an argument can be.
        let checks = handler.parameters().map(|ParameterArgument { ty, .. }| {
            let span = ty.span();
            quote_spanned!(span=> const _: () = #root::__private::parameter::<#ty>();)
        });
        Some(quote! {
            #(#checks)*
            #[derive(#root::__private::serde::Deserialize, #root::__private::schemars::JsonSchema)]
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars)]
            struct #name { #(#fields),* }
            #defaults
        })
    }

    fn pattern(&self, span: Span) -> TokenStream {
        if let Self::None = self {
            quote_spanned!(span=> ())
        } else {
            quote_spanned!(span=> p)
        }
    }

    fn ty(&self) -> TokenStream {
        match self {
            Self::None => quote!(()),
            Self::Struct(ty) => ty.to_token_stream(),
            Self::Named(name) => name.to_token_stream(),
        }
    }
}

/// Returns the functions that serde calls for parameters that a caller leaves out. They are associated
/// with the struct, so that their names hide none that a default uses.
fn defaults(name: &Ident, handler: &HandlerFunction) -> Option<TokenStream> {
    let functions: Vec<_> = handler
        .parameters()
        .filter_map(|parameter| {
            let Some(DefaultValue::Written(value)) = &parameter.default else {
                return None;
            };
            let (function, ty) = (default_name(&parameter.name), &parameter.ty);
            let value = match value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => quote_spanned!(text.span()=> ::core::convert::Into::into(#text)),
                value => value.to_token_stream(),
            };
            Some(quote!(fn #function() -> #ty { #value }))
        })
        .collect();
    // The type of the value decides how it is wrapped, and may differ under another `cfg`.
    let lints = quote!(#[allow(clippy::unnecessary_wraps)]);
    (!functions.is_empty()).then(|| quote!(#lints impl #name { #(#functions)* }))
}

fn default_name(field: &Ident) -> Ident {
    format_ident!("default_{}", plain(field))
}

/// Returns a name for the struct that is not the name of any parameter's type.
fn struct_name(handler: &HandlerFunction) -> Ident {
    let words = plain(&handler.function);
    let words = words.split('_').filter(|word| !word.is_empty());
    let mut name: String = words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(letters).collect()
            })
        })
        .collect();
    name.push_str("Params");
    while handler
        .parameters()
        .any(|it| mentions(it.ty.to_token_stream(), &name))
    {
        name.push('_');
    }
    Ident::new(&name, Span::call_site().located_at(handler.function.span()))
}

/// Returns whether a name occurs anywhere in the tokens.
pub(crate) fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == name,
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// Returns the context argument of the closure. It is named only if the function, its caller or its
/// state needs it.
fn context(
    root: Root,
    handler: &HandlerFunction,
    receiver: Receiver,
    state: &TokenStream,
    span: Span,
) -> TokenStream {
    let caller = caller_of(handler);
    let taken = receiver == Receiver::State || context_of(handler).is_some() || caller.is_some();
    let name = if taken {
        quote_spanned!(span=> cx)
    } else {
        quote_spanned!(span=> _)
    };
    let root = root.at(span);
    let caller = caller.map(|(identity, optional)| {
        if optional {
            quote_spanned!(span=> , ::core::option::Option<#identity>)
        } else {
            quote_spanned!(span=> , #identity)
        }
    });
    quote_spanned!(span=> #name: #root::Cx<#state #caller>)
}

/// Splits the context, if the function wants it without the state.
fn split(handler: &HandlerFunction, receiver: Receiver, span: Span) -> Option<TokenStream> {
    let state = context_of(handler)?;
    match (receiver, state) {
        (Receiver::State, _) => Some(quote_spanned!(span=> let (state, cx) = cx.split();)),
        (Receiver::Nothing, State::None) => Some(quote_spanned!(span=> let (_, cx) = cx.split();)),
        (Receiver::Nothing, State::Written(_)) => None,
    }
}

/// Returns the context that the function takes, with its state if the author wrote it.
pub(crate) fn context_of(handler: &HandlerFunction) -> Option<&State> {
    handler.arguments.iter().find_map(|it| match it {
        Argument::Context { state, .. } => Some(state),
        _ => None,
    })
}

/// Returns the type of the caller that the function takes, and whether it is optional.
pub(crate) fn caller_of(handler: &HandlerFunction) -> Option<(&syn::Type, bool)> {
    handler.arguments.iter().find_map(|it| match it {
        Argument::Caller {
            identity, optional, ..
        } => Some((&**identity, *optional)),
        _ => None,
    })
}

/// Returns the call of the function.
fn call(handler: &HandlerFunction, receiver: Receiver, span: Span) -> TokenStream {
    let function = &handler.function;
    let function = match (receiver, context_of(handler)) {
        (Receiver::Nothing, _) => quote!(#function),
        (Receiver::State, None) => quote_spanned!(span=> cx.state().#function),
        (Receiver::State, Some(_)) => quote_spanned!(span=> state.#function),
    };
    let arguments = handler.arguments.iter().map(|argument| match argument {
        Argument::Context { span: place, .. } => {
            quote_spanned!(place.resolved_at(Span::mixed_site())=> cx)
        }
        Argument::Caller { span: place, .. } => {
            quote_spanned!(place.resolved_at(Span::mixed_site())=> caller)
        }
        Argument::Params { .. } => quote_spanned!(span=> p),
        Argument::Parameter(parameter) => {
            let name = &parameter.name;
            quote_spanned!(span=> p.#name)
        }
    });
    let wait = (handler.kind == HandlerKind::New).then(|| quote_spanned!(span=> .await));
    quote_spanned!(span=> #function(#(#arguments),*) #wait)
}

impl HandlerKind {
    fn constructor(self, span: Span) -> Ident {
        let name = match self {
            Self::New => "new",
            Self::Sync => "sync",
            Self::Blocking => "blocking",
        };
        Ident::new(name, span)
    }
}
