//! The inverse conversion, for clients: from a received fault to the error.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Field, parse_quote};

use super::declared::Declared;
use super::variant::{ErrorData, ErrorKind, ErrorVariant};
use crate::registration::mentions;
use crate::root::Root;

/// Writes the implementation of `FromFault`. Its bounds have lifetimes of their own, so that only its
/// users need data that can be deserialised.
pub(super) fn implementation(
    root: Root,
    item: &DeriveInput,
    variants: &[ErrorVariant],
) -> Option<TokenStream> {
    if !root.has_clients() {
        return None;
    }
    let name = &item.ident;
    let mut generics = item.generics.clone();
    let (_, arguments, _) = item.generics.split_for_impl();
    generics.params.insert(0, parse_quote!('fault));
    let clause = generics.make_where_clause();
    for bound in variants.iter().flat_map(|variant| bounds(root, variant)) {
        clause.predicates.push(parse_quote!(#bound));
    }
    let (own, _, clause) = generics.split_for_impl();
    let data = variants
        .iter()
        .filter_map(|variant| data_struct(root, variant));
    let exact = variants.iter().map(|variant| attempt(root, variant, true));
    let by_code = variants.iter().map(|variant| attempt(root, variant, false));
    let (option, fault) = (quote!(::core::option::Option), quote!(&'fault #root::Fault));
    Some(quote!(#root::__if_client! {
        #(#data)*

        #[automatically_derived]
        impl #own #root::client::FromFault<'fault> for #name #arguments #clause {
            fn from_fault(fault: #fault) -> #option<Self> {
                let _ = fault;
                #(#exact)*
                #option::None
            }

            fn from_fault_by_code(fault: #fault) -> #option<Self> {
                let _ = fault;
                #(#by_code)*
                #option::None
            }
        }
    }))
}

/// Returns the bounds on the types of a variant.
fn bounds(root: Root, variant: &ErrorVariant) -> Vec<TokenStream> {
    let readable = |ty: &dyn ToTokens| {
        quote_spanned! {ty.to_token_stream().span()=>
            for<'de> #ty: #root::__private::serde::Deserialize<'de>
        }
    };
    match &variant.kind {
        ErrorKind::Declared(_, ErrorData::Held(ty)) => vec![readable(ty)],
        ErrorKind::Declared(_, ErrorData::Named(_, fields)) => {
            let fields = fields.iter().filter(|field| !is_read_by_hand(field));
            fields.map(|field| readable(&field.ty)).collect()
        }
        ErrorKind::Held { ty, .. } => vec![quote_spanned! {ty.span()=>
            for<'any> #ty: #root::client::FromFault<'any>
        }],
        ErrorKind::Declared(_, ErrorData::None) | ErrorKind::Wrong => Vec::new(),
    }
}

/// Returns whether an attribute names a function that returns exactly the written type.
fn is_read_by_hand(field: &Field) -> bool {
    let names = ["with", "deserialize_with", "from", "try_from"];
    field.attrs.iter().any(|attribute| {
        let tokens = attribute.meta.to_token_stream();
        attribute.path().is_ident("serde")
            && names.iter().any(|name| mentions(tokens.clone(), name))
    })
}

fn read_name(data: &Ident) -> Ident {
    format_ident!("{data}Read")
}

/// Returns the struct that named fields are read into. It is generic over their types, so that its
/// bounds are those of the implementation.
fn data_struct(root: Root, variant: &ErrorVariant) -> Option<TokenStream> {
    let ErrorKind::Declared(_, ErrorData::Named(name, fields)) = &variant.kind else {
        return None;
    };
    let (serde, name) = (root.private("serde"), read_name(name));
    let mut generics = Vec::new();
    let fields: Vec<_> = fields
        .iter()
        .enumerate()
        .map(|(at, field)| {
            let (name, ty) = (&field.ident, &field.ty);
            let attributes = field.attrs.iter().filter(|it| it.path().is_ident("serde"));
            let ty = if is_read_by_hand(field) {
                ty.to_token_stream()
            } else {
                let generic = generic(at);
                generics.push(generic.clone());
                generic.to_token_stream()
            };
            quote!(#(#attributes)* #name: #ty)
        })
        .collect();
    Some(quote! {
        #[derive(#root::__private::serde::Deserialize)]
        #[serde(crate = #serde)]
        struct #name<#(#generics),*> { #(#fields),* }
    })
}

fn generic(at: usize) -> Ident {
    format_ident!("Read{at}", span = Span::mixed_site())
}

/// Returns the statement that returns this error if the fault matches it.
fn attempt(root: Root, variant: &ErrorVariant, is_exact: bool) -> TokenStream {
    let path = &variant.path;
    let some = quote!(::core::option::Option::Some);
    match &variant.kind {
        ErrorKind::Declared(declared, data) => {
            let Declared { code, message, .. } = &**declared;
            let said = is_exact.then(|| quote!(&& fault.message() == #message));
            let data_of = quote!(#root::client::data_of);
            let found = match data {
                ErrorData::None if is_exact => quote! {
                    if fault.data().is_none() { return #some(#path {}); }
                },
                ErrorData::None => quote!(return #some(#path {});),
                ErrorData::Held(ty) => quote! {
                    if let #some(data) = #data_of::<#ty>(fault) { return #some(#path(data)); }
                },
                ErrorData::Named(name, fields) => {
                    let types = fields.iter().filter(|field| !is_read_by_hand(field));
                    let types = types.map(|field| &field.ty);
                    let (name, read) = (read_name(name), quote!(::<#(#types),*>));
                    let names: Vec<_> = fields.iter().map(|field| &field.ident).collect();
                    quote! {
                        if let #some(#name { #(#names),* }) = #data_of::<#name #read>(fault) {
                            return #some(#path { #(#names),* });
                        }
                    }
                }
            };
            quote!(if fault.code() == (#code) #said { #found })
        }
        ErrorKind::Held { ty, .. } => {
            let method = Ident::new(
                if is_exact {
                    "from_fault"
                } else {
                    "from_fault_by_code"
                },
                Span::call_site(),
            );
            quote! {
                if let #some(held) = <#ty as #root::client::FromFault>::#method(fault) {
                    return #some(#path(held));
                }
            }
        }
        ErrorKind::Wrong => TokenStream::new(),
    }
}
