//! The inverse conversion, for clients: from a received fault to the error.
//!
//! It is best effort: a client may be older than its service, so a fault whose code or data does
//! not match stays a fault.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, parse_quote};

use super::variant::{ErrorCode, ErrorKind, ErrorVariant, VariantData};
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
    for bound in variants.iter().filter_map(|variant| bound(root, variant)) {
        clause.predicates.push(parse_quote!(#bound));
    }
    let (own, _, clause) = generics.split_for_impl();
    let functions = ["from_fault", "from_fault_by_code"].map(|function| {
        let function = format_ident!("{function}");
        let attempts = variants
            .iter()
            .map(|variant| attempt(root, variant, &function));
        let unless_shared = (function == "from_fault_by_code")
            .then(|| quote!(#root::client::unless_shared::<Self>(fault.code())?;));
        quote! {
            fn #function(fault: &'fault #root::Fault) -> ::core::option::Option<Self> {
                let _ = fault;
                #unless_shared
                #(#attempts)*
                ::core::option::Option::None
            }
        }
    });
    Some(quote!(#root::__if_client! {
        #[automatically_derived]
        impl #own #root::client::FromFault<'fault> for #name #arguments #clause { #(#functions)* }
    }))
}

/// Returns the bound on the type that a variant holds.
fn bound(root: Root, variant: &ErrorVariant) -> Option<TokenStream> {
    match &variant.kind {
        ErrorKind::Declared(_, data) => data.ty().map(|ty| {
            quote_spanned!(ty.span()=> for<'de> #ty: #root::__private::serde::Deserialize<'de>)
        }),
        ErrorKind::Held { ty, .. } => Some(quote_spanned! {ty.span()=>
            for<'any> #ty: #root::client::FromFault<'any>
        }),
    }
}

/// Returns the statement that returns this error if the fault matches it. The message counts unless
/// the function goes by the code.
fn attempt(root: Root, variant: &ErrorVariant, function: &Ident) -> TokenStream {
    let path = &variant.path;
    let some = quote!(::core::option::Option::Some);
    let data_of = quote!(#root::client::data_of);
    match &variant.kind {
        ErrorKind::Declared(ErrorCode { code, message, .. }, data) => {
            let same_message =
                (function == "from_fault").then(|| quote!(&& fault.message() == #message));
            let found = match data {
                VariantData::None => quote!(return #some(#path {});),
                VariantData::Held(ty) => quote! {
                    if let #some(data) = #data_of::<#ty>(fault) { return #some(#path(data)); }
                },
                VariantData::Named(data) => {
                    let pattern = data.pattern();
                    let names = data.names();
                    quote!(if let #some(#pattern) = #data_of(fault) { return #some(#path #names); })
                }
            };
            quote!(if fault.code() == (#code) #same_message { #found })
        }
        ErrorKind::Held { ty, .. } => quote! {
            if let #some(held) = <#ty as #root::client::FromFault>::#function(fault) {
                return #some(#path(held));
            }
        },
    }
}
