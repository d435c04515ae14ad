//! The items of a client: a struct with a method for each procedure, and functions that return it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Generics, Type, Visibility};

use super::types::{argument, is_serialised_by_hand, may_be_left_out, outcome, owned};
use crate::argument::Argument;
use crate::handler::HandlerFunction;
use crate::registration::mentions;
use crate::root::Root;

/// The name of the struct, as the attribute specifies it.
#[derive(Default)]
pub(crate) enum ClientName {
    /// The name of the type of the `impl`, followed by `Client`.
    #[default]
    Own,
    Given(Ident),
    /// No client.
    None,
}

/// The parts of an `impl` that its client depends on.
pub(crate) struct ClientSource<'a> {
    pub(crate) generics: &'a Generics,
    pub(crate) ty: &'a Type,
    /// The name of the function that returns the procedures.
    pub(crate) function: &'a Ident,
    /// The names of all functions in the `impl`.
    pub(crate) taken: Vec<&'a Ident>,
}

/// Returns the client of an `impl`. Each handler is given with the name of its procedure.
pub(crate) fn client(
    root: Root,
    source: &ClientSource<'_>,
    name: &ClientName,
    handlers: &[(&HandlerFunction, String)],
) -> Option<TokenStream> {
    let own = last_name(source.ty)?;
    // One `impl` has `procedures()`, and others of the type are distinguished by the names of their
    // functions.
    let function = source.function.to_string();
    let group = match &*function {
        "procedures" => "",
        other => other.strip_suffix("_procedures").unwrap_or(other),
    };
    let client = match name {
        ClientName::None => return None,
        ClientName::Given(name) => name.clone(),
        ClientName::Own => format_ident!("{own}{}Client", camel_case(group), span = own.span()),
    };
    let methods = handlers.iter().filter_map(|(handler, name)| {
        let used = handler.returned.to_token_stream();
        let generic = |it: &Ident| mentions(used.clone(), &it.to_string());
        let generics = &source.generics;
        if generics.type_params().any(|it| generic(&it.ident))
            || generics.const_params().any(|it| generic(&it.ident))
        {
            return None;
        }
        let visibility = Visibility::Public(syn::token::Pub::default());
        method(root, handler, name, Some(source.ty), &visibility)
    });
    let constructors = constructors(root, source, &client, group);
    let lints = lints();
    let docs = format!("A client of the procedures of [`{own}`].");
    Some(guarded(
        root,
        &quote! {
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
        },
    ))
}

/// Returns the functions of the type that return its client, unless the `impl` has functions of the
/// same names.
fn constructors(
    root: Root,
    source: &ClientSource<'_>,
    client: &Ident,
    group: &str,
) -> Option<TokenStream> {
    let prefix = if group.is_empty() {
        String::new()
    } else {
        format!("{group}_")
    };
    let function = format_ident!("{prefix}client");
    let in_process = format_ident!("{prefix}client_in_process");
    if source
        .taken
        .iter()
        .any(|name| **name == function || **name == in_process)
    {
        return None;
    }
    let (generics, _, clause) = source.generics.split_for_impl();
    let (ty, lints) = (source.ty, lints());
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

/// Returns the function that calls the procedure of a function.
pub(crate) fn method_of_function(
    root: Root,
    handler: &HandlerFunction,
    name: &str,
    visibility: &Visibility,
) -> Option<TokenStream> {
    let function = method(root, handler, name, None, visibility)?;
    let ty = Ident::new(
        &handler.function.to_string(),
        handler.function.span().resolved_at(Span::call_site()),
    );
    let (cfgs, lints) = (&handler.cfgs, lints());
    Some(guarded(
        root,
        &quote! {
            #(#cfgs)*
            #lints
            impl #ty { #function }
        },
    ))
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
fn guarded(root: Root, code: &TokenStream) -> TokenStream {
    quote!(#root::__if_client! { #code })
}

/// Returns a method of the client `self`, or a function with the client as its first argument.
fn method(
    root: Root,
    handler: &HandlerFunction,
    procedure: &str,
    own: Option<&Type>,
    visibility: &Visibility,
) -> Option<TokenStream> {
    let returned = handler.returned.as_ref()?;
    // Only the function itself knows the type behind `impl …`.
    if mentions(returned.to_token_stream(), "impl") {
        return None;
    }
    let span = handler.output;
    let (value, error) = outcome(root, returned, own);
    let sent = Sent::of(root, handler, own);
    let Sent {
        arguments,
        bounds,
        definition,
        params,
    } = sent;
    let client = Ident::new("client", Span::mixed_site());
    let (name, receiver, transport) = if own.is_some() {
        (handler.function.clone(), quote!(&self), quote!(self.0))
    } else {
        let receiver = quote!(#client: &#root::client::Client);
        (
            Ident::new("call", Span::call_site()),
            receiver,
            quote!(#client),
        )
    };
    let attributes = &handler.of_client;
    let cfgs = own.map(|_| &handler.cfgs).into_iter().flatten();
    let deprecated = &handler.options.deprecated;
    let response = Ident::new("response", Span::mixed_site());
    let call = if handler.options.is_idempotent() {
        quote!(call_idempotent)
    } else {
        quote!(call)
    };
    let serde = quote!(#root::__private::serde);
    Some(quote_spanned! {span=>
        #(#cfgs)*
        #(#attributes)*
        #deprecated
        #visibility async fn #name(
            #receiver,
            #(#arguments),*
        ) -> ::core::result::Result<#value, #root::client::ClientError<#error>>
        where
            for<'de> #value: #serde::Deserialize<'de>,
            for<'fault> #error: #root::client::FromFault<'fault>,
            #(#bounds,)*
        {
            #definition
            let #response = #transport.#call(#procedure, #params);
            #response.await
        }
    })
}

/// The arguments of a method, and the parameters that it sends.
struct Sent {
    arguments: Vec<TokenStream>,
    bounds: Vec<TokenStream>,
    /// The struct whose fields are the parameters that are sent.
    definition: Option<TokenStream>,
    /// An expression for a reference to the parameters.
    params: TokenStream,
}

impl Sent {
    fn of(root: Root, handler: &HandlerFunction, own: Option<&Type>) -> Self {
        for argument in &handler.arguments {
            if let Argument::Params { ty, name, .. } = argument {
                return Self::whole(root, &owned(ty.to_token_stream(), own), name.as_ref());
            }
        }
        Self::named(root, handler)
    }

    /// Sends a struct that the caller creates.
    fn whole(root: Root, ty: &TokenStream, name: Option<&Ident>) -> Self {
        let name = name.map_or_else(|| Ident::new("params", Span::call_site()), Clone::clone);
        Self {
            arguments: vec![quote!(#name: impl ::core::borrow::Borrow<#ty>)],
            bounds: vec![quote_spanned! {ty.span()=>
                for<'any> &'any #ty: #root::__private::serde::Serialize
            }],
            definition: None,
            params: quote!(&<_ as ::core::borrow::Borrow<#ty>>::borrow(&#name)),
        }
    }

    /// Sends arguments that are a parameter each. Their struct is generic over their types, so that
    /// not the struct requires `Serialize`, but the method.
    fn named(root: Root, handler: &HandlerFunction) -> Self {
        let mut sent = Self {
            arguments: Vec::new(),
            bounds: Vec::new(),
            definition: None,
            params: quote!(&()),
        };
        let (mut generics, mut fields, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (at, parameter) in handler.parameters().enumerate() {
            let (name, ty) = (&parameter.name, argument(parameter));
            let kept: Vec<&Attribute> = parameter
                .attributes
                .iter()
                .filter(|attribute| attribute.path().is_ident("serde"))
                .collect();
            sent.arguments.push(quote!(#name: #ty));
            if is_serialised_by_hand(parameter) {
                fields.push(quote!(#(#kept)* #name: #ty));
                values.push(quote!(#name));
                continue;
            }
            let generic = format_ident!("Sent{at}", span = Span::mixed_site());
            generics.push(generic.clone());
            let optional = may_be_left_out(parameter);
            if optional.is_some() {
                fields.push(quote! {
                    #(#kept)*
                    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
                    #name: ::core::option::Option<#generic>
                });
                values.push(quote!(#name: ::core::option::Option::as_ref(&#name)));
            } else {
                fields.push(quote!(#(#kept)* #name: #generic));
                values.push(quote!(#name: &#name));
            }
            let ty = optional.as_deref().unwrap_or(&parameter.ty);
            sent.bounds.push(quote_spanned! {ty.span()=>
                for<'any> &'any #ty: #root::__private::serde::Serialize
            });
        }
        if fields.is_empty() {
            return sent;
        }
        let serde = root.private("serde");
        let params = Ident::new("Params", Span::mixed_site());
        sent.definition = Some(quote! {
            #[derive(#root::__private::serde::Serialize)]
            #[serde(crate = #serde)]
            struct #params<#(#generics),*> { #(#fields),* }
        });
        sent.params = quote!(&#params { #(#values),* });
        sent
    }
}

/// Returns the last segment of a type's path.
fn last_name(ty: &Type) -> Option<Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.clone()),
        _ => None,
    }
}

/// Returns `author_lists` as `AuthorLists`.
fn camel_case(name: &str) -> String {
    name.split('_')
        .filter(|word| !word.is_empty())
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters).collect::<String>()
        })
        .collect()
}
