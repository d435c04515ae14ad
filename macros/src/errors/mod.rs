//! `#[derive(RpcError)]`: the errors of a procedure, and how each is sent.
//!
//! ```text
//! #[rpc(code = 1404, message = "No such book")]     declare(): the code, the message, the schema of the data
//! Missing { isbn: String },                         into_fault(): {"code": 1404, …, "data": {"isbn": "…"}}
//! #[rpc(transparent)]                               from_fault(): the same error again, in a client
//! Storage(StorageError),
//! ```
//!
//! Everything about an error is in its attributes and fields. One variant is read by [`variant`], fields with names get a
//! struct for their data ([`named`]), and what several variants must not have in common is checked by [`codes`].
//!
//! The derive sees no types and no values. A code may be a constant of another crate, so what it is, and whether two
//! are the same, is left to constants without a name that the compiler evaluates, with spans that point at the variant.

mod codes;
#[cfg(feature = "client")]
mod from_fault;
mod named;
mod variant;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error};

use crate::problems::MacroProblems;
use crate::root::Root;
use crate::types::attributes;
use variant::ErrorVariant;

/// Writes the implementation of `RpcError`, and a conversion from each error that a variant holds.
pub(crate) fn expand(root: Root, item: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut problems = MacroProblems::default();
    let variants: Vec<_> = read_variants(&item, &mut problems)
        .into_iter()
        .filter_map(|variant| problems.take(variant))
        .collect();
    let checked_codes = codes::check(root, &variants, &item.generics, &mut problems);
    // The implementation is written even after a problem, so that code that uses the type causes no
    // further errors.
    let report = problems.report();
    let wrong = report
        .as_ref()
        .map(|_| quote!(_ => ::core::unreachable!(),));
    let name = &item.ident;
    let (generics, arguments, clause) = item.generics.split_for_impl();
    let data = variants.iter().map(|variant| variant.data_struct(root));
    let declared = variants.iter().map(|variant| variant.declaration(root));
    let faults = variants.iter().map(|variant| variant.fault(root));
    #[cfg(feature = "client")]
    let from_fault = from_fault::implementation(root, &item, &variants);
    #[cfg(not(feature = "client"))]
    let from_fault = TokenStream::new();
    let conversions = variants
        .iter()
        .map(|variant| variant.conversion(root, &item.generics, name));
    quote! {
        const _: () = {
            #checked_codes

            #(#data)*

            #[automatically_derived]
            impl #generics #root::RpcError for #name #arguments #clause {
                fn declare(errors: &mut #root::ErrorList) {
                    let _ = &errors;
                    #(#declared)*
                }

                fn into_fault(self) -> #root::Fault {
                    match self { #(#faults)* #wrong }
                }
            }

            #(#conversions)*

            #from_fault
        };
        #report
    }
}

/// Returns the errors of a type: the variants of an enum, or a struct.
fn read_variants(
    item: &DeriveInput,
    problems: &mut MacroProblems,
) -> Vec<syn::Result<ErrorVariant>> {
    match &item.data {
        Data::Enum(data) => {
            if let Some(attribute) = attributes(&item.attrs, &["rpc"]).next() {
                let text = "`#[rpc(…)]` belongs on each variant, not on the enum";
                problems.add(attribute, text);
            }
            data.variants
                .iter()
                .map(|variant| {
                    let name = &variant.ident;
                    let path = quote!(Self::#name);
                    ErrorVariant::read(item, path, name, &variant.attrs, &variant.fields)
                })
                .collect()
        }
        Data::Struct(data) => {
            let path = quote!(Self);
            let error = ErrorVariant::read(item, path, &item.ident, &item.attrs, &data.fields);
            vec![error]
        }
        Data::Union(data) => {
            let text = "`RpcError` can be derived for enums and structs only";
            vec![Err(Error::new_spanned(data.union_token, text))]
        }
    }
}
