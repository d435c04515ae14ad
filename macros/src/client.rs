//! The client's side of a procedure: a method with the same arguments and result.
//!
//! The macro does not know whether the client will be used. So the client requires nothing of its
//! types until it is called: each bound has a lifetime of its own (`for<'de>`), and the compiler
//! checks such a bound of a method only where the method is used.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    GenericArgument, ImplItem, ItemImpl, PathArguments, Type, TypePath, Visibility, parse_quote,
};

use crate::client_name::ClientName;
use crate::handler::HandlerFunction;
use crate::kind::HandlerKind;
use crate::root::Root;
use crate::types::{
    attributes, camel_case, first_of, has_serde_option, is_named, mentions, mentions_generics,
};

impl HandlerFunction {
    /// Returns the types that callers send and receive.
    fn types(&self) -> TokenStream {
        let params = self.params().map(|params| &params.ty);
        let parameters = self.parameter_types();
        let returned = &self.returned;
        quote!(#params #(#parameters)* #returned)
    }
}

/// Returns the client of an `impl` whose procedures a function returns.
pub(crate) fn client(
    root: Root,
    block: &ItemImpl,
    function: &Ident,
    name: &ClientName,
    handlers: &[HandlerFunction],
) -> Option<TokenStream> {
    let Type::Path(ty) = &*block.self_ty else {
        return None;
    };
    let own = &ty.path.segments.last()?.ident;
    // One `impl` has `procedures()`, and others of the type are distinguished by the names of their
    // functions.
    let function = function.to_string();
    let group = match &*function {
        "procedures" => "",
        other => other.strip_suffix("_procedures").unwrap_or(other),
    };
    let client = match name {
        ClientName::None => return None,
        ClientName::Chosen(name) => name.clone(),
        ClientName::OfType => format_ident!("{own}{}Client", camel_case(group), span = own.span()),
    };
    let visibility = quote!(pub);
    let methods = handlers.iter().filter_map(|handler| {
        if mentions_generics(handler.types(), &block.generics) {
            return None;
        }
        method(root, handler, Some(&block.self_ty), &visibility)
    });
    let constructors = constructors(root, block, &client, group);
    let lints = lints();
    let docs = format!("A client of the procedures of [`{own}`].");
    let code = quote! {
        #[doc = #docs]
        #[derive(Debug, Clone)]
        #lints
        pub struct #client(#root::client::Client);

        #lints
        impl #client { #(#methods)* }

        #[automatically_derived]
        impl ::core::convert::From<#root::client::Client> for #client {
            fn from(client: #root::client::Client) -> Self {
                Self(client)
            }
        }

        #constructors
    };
    guarded(root, &code)
}

/// Returns the functions of the type that return its client, unless the `impl` has functions of the
/// same names.
fn constructors(root: Root, block: &ItemImpl, client: &Ident, group: &str) -> Option<TokenStream> {
    let prefix = if group.is_empty() { "" } else { "_" };
    let function = format_ident!("{group}{prefix}client");
    let in_process = format_ident!("{function}_in_process");
    if has_function(block, &function) || has_function(block, &in_process) {
        return None;
    }
    let (generics, _, clause) = block.generics.split_for_impl();
    let ty = &block.self_ty;
    let lints = lints();
    Some(quote! {
        #lints
        impl #generics #ty #clause {
            /// Returns a client of a service that has these procedures: at a URL, or with a transport
            /// of its own.
            pub fn #function(
                service: impl ::core::convert::Into<#root::client::Client>,
            ) -> #client {
                #client(::core::convert::Into::into(service))
            }

            /// Returns a client of a service in this process that has these procedures.
            pub fn #in_process(service: &#root::Service) -> #client {
                #client(#root::client::InProcess::new(service).into())
            }
        }
    })
}

/// Returns whether the author has written a function that would be generated.
fn has_function(block: &ItemImpl, name: &Ident) -> bool {
    block
        .items
        .iter()
        .any(|item| matches!(item, ImplItem::Fn(function) if function.sig.ident == *name))
}

/// Returns the function that calls the procedure of a function.
pub(crate) fn method_of_function(
    root: Root,
    handler: &HandlerFunction,
    visibility: &Visibility,
) -> Option<TokenStream> {
    let method = method(root, handler, None, visibility)?;
    let ty = &handler.function;
    let cfgs = &handler.cfgs;
    let lints = lints();
    guarded(root, &quote!(#(#cfgs)* #lints impl #ty { #method }))
}

/// Returns the lints to allow: the client is not to blame for a function's names and types. The code
/// is part of the user's crate, where a lint may be on or off: `#[expect]` would warn if it is off.
fn lints() -> TokenStream {
    quote! {
        #[allow(
            dead_code, deprecated, missing_docs, private_interfaces, unreachable_pub,
            clippy::all, clippy::pedantic, clippy::nursery
        )]
    }
}

/// Wraps code that only users with the feature `client` get.
fn guarded(root: Root, code: &TokenStream) -> Option<TokenStream> {
    root.has_clients()
        .then(|| quote!(#root::__if_client! { #code }))
}

/// Returns a method of the client `self`, or a function with the client as its first argument.
fn method(
    root: Root,
    handler: &HandlerFunction,
    own: Option<&Type>,
    visibility: &impl ToTokens,
) -> Option<TokenStream> {
    let returned = handler.returned.as_ref()?;
    // Only the function itself knows the type behind `impl …`, and a client calls no subscriptions.
    if mentions(returned, "impl") || handler.options.kind == HandlerKind::Subscription {
        return None;
    }
    let span = handler.output;
    let returned = owned(returned, own);
    let outcome = quote_spanned!(returned.span()=> <#returned as #root::client::Outcome>);
    let SentParams {
        arguments,
        bounds,
        reference,
    } = match handler.params() {
        Some(params) => params_struct(root, &owned(&params.ty, own), params.name.as_ref()),
        None => params(root, handler),
    };
    let client = Ident::new("client", Span::mixed_site());
    let (name, receiver, transport) = if own.is_some() {
        (handler.function.clone(), quote!(&self), quote!(self.0))
    } else {
        let receiver = quote!(#client: &#root::client::Client);
        let name = format_ident!("call");
        (name, receiver, quote!(#client))
    };
    let attributes = &handler.of_client;
    let cfgs = own.map(|_| &handler.cfgs).into_iter().flatten();
    let deprecated = &handler.options.deprecated;
    let response = Ident::new("response", Span::mixed_site());
    let is_idempotent = handler.options.is_idempotent();
    let call = format_ident!("call{}", if is_idempotent { "_idempotent" } else { "" });
    let procedure = &handler.procedure;
    Some(quote_spanned! {span=>
        #(#cfgs)*
        #(#attributes)*
        #deprecated
        #visibility async fn #name(
            #receiver,
            #(#arguments),*
        ) -> #root::client::CallResult<#returned>
        where
            for<'de> #outcome::Value: #root::__private::serde::Deserialize<'de>,
            for<'fault> #outcome::Error: #root::client::FromFault<'fault>,
            #(#bounds,)*
        {
            let #response = #transport.#call(#procedure, #reference);
            #response.await
        }
    })
}

/// The parameters that a method sends.
struct SentParams {
    /// The arguments of the method.
    arguments: Vec<TokenStream>,
    /// The bounds of their types.
    bounds: Vec<TokenStream>,
    /// An expression for a reference to the parameters.
    reference: TokenStream,
}

/// Sends a struct that the caller creates.
fn params_struct(root: Root, ty: &Type, name: Option<&Ident>) -> SentParams {
    let name = match name {
        Some(name) => name.clone(),
        None => format_ident!("params"),
    };
    SentParams {
        arguments: vec![quote!(#name: impl ::core::borrow::Borrow<#ty>)],
        bounds: vec![serialize(root, ty)],
        reference: quote!(&<_ as ::core::borrow::Borrow<#ty>>::borrow(&#name)),
    }
}

/// Sends arguments that are a parameter each. Their struct is generic over their types, so that not
/// the struct requires `Serialize`, but the method.
fn params(root: Root, handler: &HandlerFunction) -> SentParams {
    let mut arguments = Vec::new();
    let mut bounds = Vec::new();
    let mut generics = Vec::new();
    let mut fields = Vec::new();
    let mut values = Vec::new();
    for (at, parameter) in handler.parameters().enumerate() {
        let name = &parameter.name;
        let ty = &parameter.ty;
        let all = &parameter.attributes;
        let kept = attributes(all, &["serde"]);
        // These attributes name a function that takes exactly the written type.
        let by_hand = ["with", "serialize_with", "skip_serializing_if", "into"];
        if has_serde_option(all, &by_hand) {
            arguments.push(quote!(#name: #ty));
            fields.push(quote!(#(#kept)* #name: #ty));
            values.push(quote!(#name));
            continue;
        }
        let generic = format_ident!("Sent{at}", span = Span::mixed_site());
        let optional = first_of(ty, "Option");
        let argument = match &optional {
            Some(inner) if is_text(inner) => quote!(::core::option::Option<&str>),
            None if is_text(ty) => quote!(&str),
            _ => ty.to_token_stream(),
        };
        arguments.push(quote!(#name: #argument));
        // `None` means the same as leaving the parameter out. With a default, it does not, unless the
        // parameter has another `None` that is null.
        let has_default =
            parameter.default.is_some() || has_serde_option(all, &["default", "deserialize_with"]);
        if let Some(inner) = optional
            && (!has_default || parameter.has_null())
        {
            fields.push(quote! {
                #(#kept)*
                #[serde(skip_serializing_if = "::core::option::Option::is_none")]
                #name: ::core::option::Option<#generic>
            });
            values.push(quote!(#name: ::core::option::Option::as_ref(&#name)));
            bounds.push(serialize(root, &inner));
        } else {
            fields.push(quote!(#(#kept)* #name: #generic));
            values.push(quote!(#name: &#name));
            bounds.push(serialize(root, ty));
        }
        generics.push(generic);
    }
    if fields.is_empty() {
        return SentParams {
            arguments,
            bounds,
            reference: quote!(&()),
        };
    }
    let serde = root.private("serde");
    let name = Ident::new("Params", Span::mixed_site());
    let reference = quote! {&{
        #[derive(#root::__private::serde::Serialize)]
        #[serde(crate = #serde)]
        struct #name<#(#generics),*> { #(#fields),* }
        #name { #(#values),* }
    }};
    SentParams {
        arguments,
        bounds,
        reference,
    }
}

/// Returns the bound of a type that a method sends, with a lifetime of its own: the compiler then checks
/// it only where the method is called.
fn serialize(root: Root, ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> for<'any> &'any #ty: #root::__private::serde::Serialize)
}

/// Returns whether a type is `String`, which a method borrows.
fn is_text(ty: &Type) -> bool {
    let Type::Path(TypePath {
        qself: None, path, ..
    }) = ty
    else {
        return false;
    };
    is_named(ty, "String")
        && path
            .segments
            .iter()
            .all(|segment| segment.arguments.is_none())
}

/// Returns a type in the form in which a client reads it: it owns its values, and `Self` is the type
/// of the `impl`.
fn owned(ty: &Type, own: Option<&Type>) -> Type {
    let mut ty = ty.clone();
    match &mut ty {
        Type::Path(path) => {
            if let Some(own) = own
                && path.path.is_ident("Self")
            {
                return own.clone();
            }
            for segment in &mut path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else {
                    continue;
                };
                for argument in &mut arguments.args {
                    if let GenericArgument::Type(inner) = argument {
                        *inner = owned(inner, own);
                    }
                }
            }
        }
        Type::Tuple(tuple) => {
            for element in &mut tuple.elems {
                *element = owned(element, own);
            }
        }
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => {
                let element = owned(&slice.elem, own);
                return parse_quote!(::std::vec::Vec<#element>);
            }
            text if is_named(text, "str") => return parse_quote!(::std::string::String),
            _ => {}
        },
        _ => {}
    }
    ty
}
