//! The registration as it would be written by hand: a struct with the parameters, and a `Procedure`
//! or a `Subscription` with a closure that passes them on.
//!
//! Names in the closure are hygienic, so that they neither hide names of the user nor depend on them. Reading the
//! function, and rejecting what cannot be a procedure, is the business of `handler`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Generics, Lit};

use crate::argument::{
    CallerArgument, DefaultValue, HandlerArgument, ParameterArgument, ParamsArgument,
};
use crate::constraints;
use crate::generics::{MarkerField, field_bounds, generics_of_fields};
use crate::handler::HandlerFunction;
use crate::kind::HandlerKind;
use crate::root::Root;
use crate::types::{camel_case, free_name, mentions_generics, plain};

/// Returns a procedure of a service with this state as an expression. `around` is what the `impl` of the
/// function is generic over.
pub(crate) fn procedure(
    root: Root,
    handler: &HandlerFunction,
    state: &TokenStream,
    of_impl: &Generics,
) -> TokenStream {
    let span = handler.output.resolved_at(Span::mixed_site());
    let params_name = params_name(handler);
    let (params, definition) = match (handler.params(), handler.parameters().next()) {
        (Some(ParamsArgument { ty, .. }), _) => (quote_spanned!(span=> p: #ty), None),
        (None, None) => (quote_spanned!(span=> (): ()), None),
        (None, Some(_)) => {
            let generics = generics_of_fields(of_impl, handler.parameter_types());
            let definition = params_struct(root, handler, &params_name, &generics);
            let (_, arguments, _) = generics.split_for_impl();
            (
                quote_spanned!(span=> p: #params_name #arguments),
                Some(definition),
            )
        }
    };
    let context = context(root, handler, state, span);
    let body = body(handler, span);
    // The bounds of `Cx` report a wrong type as well, but not where it is.
    let identity = handler.caller().map(|CallerArgument { identity, .. }| {
        quote_spanned!(identity.span()=> #root::__private::identity::<#identity>();)
    });
    let name = &handler.procedure;
    let constructor = match (
        handler.options.kind,
        handler.is_async,
        handler.options.blocking,
    ) {
        (HandlerKind::Subscription, ..) => quote_spanned!(span=> Subscription::new),
        (HandlerKind::Procedure, true, _) => quote_spanned!(span=> Procedure::new),
        (HandlerKind::Procedure, false, None) => quote_spanned!(span=> Procedure::sync),
        (HandlerKind::Procedure, false, Some(_)) => quote_spanned!(span=> Procedure::blocking),
    };
    let path = root.path_at(span);
    let registered = quote_spanned!(span=> #path::#constructor(#name, |#context, #params| #body));
    let documentation = handler
        .docs
        .text()
        .map(|text| quote!(.documentation(#text)));
    // A statement for each option: in a chain, the compiler would report the first unknown setter alone.
    let procedure = Ident::new("procedure", Span::mixed_site());
    let version = match (handler.options.version_function(), &handler.options.etag_by) {
        (Some(function), _) => {
            let span = function.span().resolved_at(Span::mixed_site());
            let body = if handler.options.version_is_of_state() {
                body_of_state(handler, function, span)
            } else {
                let call = call(handler, function, span);
                quote_spanned!(span=> { #call })
            };
            Some(quote_spanned!(span=> .etag_by(|#context, #params| #body)))
        }
        (None, Some(version)) => Some(quote_spanned!(version.span()=> .etag_by(#version))),
        (None, None) => None,
    };
    let setters: Vec<_> = handler.options.setters().chain(&version).collect();
    let mutable = (!setters.is_empty()).then(|| quote!(mut));
    let result = match handler.options.kind {
        HandlerKind::Procedure => quote!(#procedure),
        HandlerKind::Subscription => quote!(#root::IntoProcedure::into_procedure(#procedure)),
    };
    quote!({
        #identity
        #definition
        let #mutable #procedure = #registered #documentation;
        #(#procedure = #procedure #setters;)*
        #result
    })
}

/// Returns the struct with the parameters.
fn params_struct(
    root: Root,
    handler: &HandlerFunction,
    name: &Ident,
    generics: &Generics,
) -> TokenStream {
    let serde = root.private("serde");
    let schemars = root.private("schemars");
    let present = root.private("present");
    // The derives report a wrong type as well, but do not tell what else an argument can be. Of a generic
    // type, they tell better what it needs.
    let checks = handler
        .parameter_types()
        .filter(|ty| !mentions_generics(ty, generics))
        .map(|ty| quote_spanned!(ty.span()=> #root::__private::parameter::<#ty>();));
    let (own, arguments, clause) = generics.split_for_impl();
    let turbofish = arguments.as_turbofish();
    let path = quote!(#name #turbofish).to_string();
    let parameters = handler.parameters().map(|parameter| {
        let field = &parameter.name;
        let ty = &parameter.ty;
        let attributes = &parameter.attributes;
        let default = parameter.default.as_ref().map(|default| match default {
            DefaultValue::OfType => quote!(#[serde(default)]),
            DefaultValue::Written(_) => {
                let path = format!("{path}::{}", default_name(field));
                quote!(#[serde(default = #path)])
            }
        });
        let decoded = parameter
            .is_three_valued()
            .then(|| quote!(#[serde(default, deserialize_with = #present)]));
        let constraints = constraints::note(attributes);
        quote!(#(#attributes)* #constraints #default #decoded #field: #ty)
    });
    let fields = parameters.chain(MarkerField::new(generics).map(|marker| marker.definition));
    let types = handler.parameter_types();
    let bounds = field_bounds(
        root,
        generics,
        types,
        "deserialize",
        "serde::Deserialize<'de>",
    );
    // serde calls these functions for parameters that a caller leaves out. They are associated with
    // the struct, so that their names hide none that a default uses.
    let defaults = handler.parameters().filter_map(default_function);
    // The type of a default decides how it is wrapped, and may differ under another `cfg`.
    quote! {
        #(#checks)*
        #[derive(#root::__private::serde::Deserialize, #root::__private::schemars::JsonSchema)]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        #bounds
        struct #name #own #clause { #(#fields),* }
        #[allow(clippy::unnecessary_wraps)]
        impl #own #name #arguments #clause { #(#defaults)* }
    }
}

/// Returns the function that returns the default of a parameter, if it has one of its own.
fn default_function(parameter: &ParameterArgument) -> Option<TokenStream> {
    let Some(DefaultValue::Written(value)) = &parameter.default else {
        return None;
    };
    let function = default_name(&parameter.name);
    let ty = &parameter.ty;
    // A literal text is a `&str`, and the parameter is usually a `String`.
    let value = match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => quote_spanned!(text.span()=> ::core::convert::Into::into(#text)),
        value => value.to_token_stream(),
    };
    Some(quote!(fn #function() -> #ty { #value }))
}

/// Returns the name of the function that returns the default of a field.
fn default_name(field: &Ident) -> Ident {
    format_ident!("default_{}", plain(field))
}

/// Returns the name of the struct with the parameters. No type of a parameter has it, since the struct would hide
/// that type.
fn params_name(handler: &HandlerFunction) -> Ident {
    let function = camel_case(&plain(&handler.function));
    let name = free_name(&format!("{function}Params"), handler.parameter_types());
    Ident::new(&name, Span::call_site().located_at(handler.function.span()))
}

/// Returns the context argument of the closure. It is named only if the function, its caller or its
/// state needs it.
fn context(root: Root, handler: &HandlerFunction, state: &TokenStream, span: Span) -> TokenStream {
    let caller = handler.caller();
    let is_used = handler.has_receiver || handler.has_context() || caller.is_some();
    let name = Ident::new(if is_used { "cx" } else { "_" }, span);
    let root = root.path_at(span);
    let caller_type = caller.map(
        |CallerArgument {
             identity,
             is_optional,
             ..
         }| {
            if *is_optional {
                quote_spanned!(span=> , ::core::option::Option<#identity>)
            } else {
                quote_spanned!(span=> , #identity)
            }
        },
    );
    quote_spanned!(span=> #name: #root::Cx<#state #caller_type>)
}

/// Returns the body of a closure that calls a function of the state alone.
fn body_of_state(handler: &HandlerFunction, name: &Ident, span: Span) -> TokenStream {
    if handler.has_receiver {
        quote_spanned!(span=> { cx.state().#name() })
    } else {
        quote_spanned!(span=> { #name() })
    }
}

/// Returns the body of a closure that calls the handler. That of a subscription is always async.
fn body(handler: &HandlerFunction, span: Span) -> TokenStream {
    let call = call(handler, &handler.function, span);
    match (handler.options.kind, handler.is_async) {
        (_, true) => quote_spanned!(span=> async move { #call.await }),
        (HandlerKind::Subscription, false) => quote_spanned!(span=> async move { #call }),
        (HandlerKind::Procedure, false) => quote_spanned!(span=> { #call }),
    }
}

/// Returns the call of a function with the arguments of the handler.
fn call(handler: &HandlerFunction, name: &Ident, span: Span) -> TokenStream {
    let caller = handler.caller().map(|caller| {
        let method = if caller.is_optional {
            "cloned"
        } else {
            "clone"
        };
        let cloned = Ident::new(method, span);
        quote_spanned!(span=> let caller = cx.caller().#cloned();)
    });
    let (split, function) = match (handler.has_receiver, handler.has_context()) {
        (true, false) => (None, quote_spanned!(span=> cx.state().#name)),
        (true, true) => (
            Some(quote_spanned!(span=> let (state, cx) = cx.split();)),
            quote_spanned!(span=> state.#name),
        ),
        (false, true) if handler.state().is_none() => (
            Some(quote_spanned!(span=> let (_, cx) = cx.split();)),
            quote!(#name),
        ),
        (false, true) if caller.is_some() => (
            Some(quote_spanned!(span=> let cx = cx.without_caller();)),
            quote!(#name),
        ),
        (false, _) => (None, quote!(#name)),
    };
    let arguments = handler.arguments.iter().map(|argument| match argument {
        HandlerArgument::Context { span, .. } => {
            quote_spanned!(span.resolved_at(Span::mixed_site())=> cx)
        }
        HandlerArgument::Caller(caller) => {
            quote_spanned!(caller.span.resolved_at(Span::mixed_site())=> caller)
        }
        HandlerArgument::Params(_) => quote_spanned!(span=> p),
        HandlerArgument::Parameter(parameter) => {
            let name = &parameter.name;
            quote_spanned!(span=> p.#name)
        }
    });
    quote_spanned!(span=> #caller #split #function(#(#arguments),*))
}
