//! `#[derive(RpcError)]`: the errors of a procedure, and how each is sent.

mod declared;
mod from_fault;
mod variant;

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Fields, Generics};

use crate::problems::MacroProblems;
use crate::root::Root;

pub(crate) use declared::check_message;
use variant::{ErrorKind, ErrorVariant};

/// Writes the implementation of `RpcError`, and a conversion from each error that a variant holds.
pub(crate) fn expand(root: Root, item: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut problems = MacroProblems::default();
    let variants = variants(&item, &mut problems);
    check_held(&variants, &mut problems);
    let implementation = implementation(root, &item, &variants);
    // The implementation is written even after a problem, so that code that uses the type causes no
    // further errors.
    let report = problems.report();
    quote!(#implementation #report)
}

/// Returns the errors of a type: the variants of an enum, or a struct.
fn variants(item: &DeriveInput, problems: &mut MacroProblems) -> Vec<ErrorVariant> {
    let read = |path, name: &Ident, attributes: &_, fields: &Fields, problems: &mut _| {
        let owner = &item.ident;
        let variant = ErrorVariant::read(owner, path, name, attributes, fields, problems);
        check_generics(&item.generics, &variant, fields, problems);
        variant
    };
    match &item.data {
        Data::Enum(data) => {
            for attribute in item.attrs.iter().filter(|it| it.path().is_ident("rpc")) {
                problems.add(
                    attribute,
                    "each variant has its own `#[rpc(…)]`; the enum has none",
                );
            }
            let variants = data.variants.iter();
            variants
                .map(|it| {
                    let name = &it.ident;
                    read(quote!(Self::#name), name, &it.attrs, &it.fields, problems)
                })
                .collect()
        }
        Data::Struct(data) => {
            let (name, attributes) = (&item.ident, &item.attrs);
            vec![read(quote!(Self), name, attributes, &data.fields, problems)]
        }
        Data::Union(data) => {
            problems.add(&data.union_token, "an error is an enum or a struct");
            Vec::new()
        }
    }
}

/// Refuses named fields that use the type parameters of the error. Their struct is outside of the
/// type, where these are not known.
fn check_generics(
    generics: &Generics,
    variant: &ErrorVariant,
    fields: &Fields,
    problems: &mut MacroProblems,
) {
    if !variant.has_named_data() {
        return;
    }
    for field in fields {
        for generic in generics.type_params() {
            let ty = &field.ty;
            if crate::registration::mentions(quote!(#ty), &generic.ident.to_string()) {
                problems.add(
                    ty,
                    format!(
                        "named fields cannot use the type parameter `{}`: make a struct of them, \
                         and let the variant hold that",
                        generic.ident
                    ),
                );
            }
        }
    }
}

/// Refuses two variants that hold the same error: `?` has to know which of them takes it.
fn check_held(variants: &[ErrorVariant], problems: &mut MacroProblems) {
    let mut taken: HashMap<String, &Ident> = HashMap::new();
    for variant in variants {
        let ErrorKind::Held { ty, from_any } = &variant.kind else {
            continue;
        };
        let what = if *from_any {
            "every other error".to_owned()
        } else {
            format!("`{}`", quote!(#ty).to_string().replace(' ', ""))
        };
        if let Some(other) = taken.insert(what.clone(), &variant.name) {
            let text = format!("`{other}` takes {what} already: `?` would have two choices");
            problems.add(&variant.name, text);
        }
    }
}

fn implementation(root: Root, item: &DeriveInput, variants: &[ErrorVariant]) -> TokenStream {
    let name = &item.ident;
    let (generics, arguments, clause) = item.generics.split_for_impl();
    let data = variants.iter().map(|variant| variant.data_struct(root));
    let declared = variants.iter().map(|variant| variant.declaration(root));
    let faults = variants.iter().map(|variant| variant.fault(root));
    let internal = internal_hint(root, item, variants);
    let foreign = foreign_hint(root, item, variants);
    let from_fault = from_fault::implementation(root, item, variants);
    let conversions = variants
        .iter()
        .map(|variant| variant.conversion(root, &item.generics, name));
    quote! {
        const _: () = {
            #(#data)*

            #[automatically_derived]
            impl #generics #root::RpcError for #name #arguments #clause {
                fn declare(errors: &mut #root::ErrorList) {
                    let _ = &errors;
                    #(#declared)*
                }

                fn into_fault(self) -> #root::Fault {
                    match self { #(#faults)* }
                }
            }

            #(#conversions)*
            #internal
            #foreign

            #from_fault
        };
    }
}

/// Returns an implementation whose bound explains the mistake if `?` would convert to an internal
/// error in an enum that cannot hold one. It is only written if no variant holds another error, so it
/// cannot conflict with a conversion.
fn internal_hint(root: Root, item: &DeriveInput, variants: &[ErrorVariant]) -> Option<TokenStream> {
    let declared = |variant: &ErrorVariant| matches!(variant.kind, ErrorKind::Declared(..));
    if !item.generics.params.is_empty() || !variants.iter().all(declared) {
        return None;
    }
    let name = &item.ident;
    Some(quote! {
        #[automatically_derived]
        impl ::core::convert::From<#root::Fault> for #name
        where
            for<'a> #name: #root::__private::WithInternal<'a>,
        {
            fn from(_: #root::Fault) -> Self {
                ::core::unreachable!("it has no variant for a fault")
            }
        }
    })
}

/// Returns a conversion that appears in the compiler's list if `?` meets an error that the enum does
/// not hold. An enum that takes any error needs none.
fn foreign_hint(root: Root, item: &DeriveInput, variants: &[ErrorVariant]) -> Option<TokenStream> {
    let takes_any =
        |variant: &ErrorVariant| matches!(variant.kind, ErrorKind::Held { from_any: true, .. });
    if !item.generics.params.is_empty() || variants.iter().any(takes_any) {
        return None;
    }
    let name = &item.ident;
    let hint = quote!(#root::__private::UseDotInternalOnOtherErrors);
    Some(quote! {
        #[automatically_derived]
        #[doc(hidden)]
        impl ::core::convert::From<#hint> for #name {
            fn from(none: #hint) -> Self {
                match none {}
            }
        }
    })
}
