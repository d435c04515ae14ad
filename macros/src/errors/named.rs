//! The named fields of an error, and the struct that they are sent as.
//!
//! `data` is an object with these fields, so a struct with the same attributes does the work of
//! serde and schemars.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{DeriveInput, Field, FieldsNamed, Generics, Type, parse_quote};

use crate::generics::{MarkerField, field_bounds, generics_of_fields};
use crate::root::Root;
use crate::types::{attributes, free_name, has_serde_option, mentions_generics};

/// The named fields of an error, which are sent as a struct.
pub(super) struct NamedData {
    /// The name of the struct.
    name: Ident,
    fields: FieldsNamed,
    /// The generics of the struct.
    generics: Generics,
}

impl NamedData {
    pub(super) fn new(item: &DeriveInput, variant: &Ident, fields: FieldsNamed) -> Self {
        let name = free_name(&format!("{}{variant}Data", item.ident), types(&fields));
        Self {
            name: format_ident!("{name}"),
            generics: generics_of_fields(&item.generics, types(&fields)),
            fields,
        }
    }

    /// Returns the type of the struct.
    pub(super) fn ty(&self) -> Type {
        let (_, arguments, _) = self.generics.split_for_impl();
        let name = &self.name;
        parse_quote!(#name #arguments)
    }

    /// Returns the definition of the struct. Only clients read it, so each bound of its `Deserialize` has
    /// a lifetime of its own.
    pub(super) fn definition(&self, root: Root) -> TokenStream {
        let Self { name, generics, .. } = self;
        let serde = root.private("serde");
        let schemars = root.private("schemars");
        let mut fields = Vec::new();
        for field in &self.fields.named {
            let name = &field.ident;
            let ty = &field.ty;
            let attributes = attributes(&field.attrs, &["doc", "serde", "schemars"]);
            fields.push(quote!(#(#attributes)* #name: #ty));
        }
        if let Some(marker) = MarkerField::new(generics) {
            fields.push(marker.definition);
        }
        let types = types(&self.fields);
        let bounds = field_bounds(root, generics, types, "serialize", "serde::Serialize");
        let (names, deserialize) = root.has_clients().then(|| self.deserialize(root)).unzip();
        let (own, _, clause) = generics.split_for_impl();
        quote! {
            #names
            #[derive(#root::__private::serde::Serialize, #root::__private::schemars::JsonSchema)]
            #deserialize
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars, inline)]
            #bounds
            struct #name #own #clause { #(#fields),* }
        }
    }

    /// Returns names for the types of fields, and the attributes with which a client reads the struct.
    /// serde takes bounds as a text, in which a type may have no `$crate`: it gets a name.
    fn deserialize(&self, root: Root) -> (TokenStream, TokenStream) {
        // These attributes name a function that returns exactly the written type.
        let by_hand = ["with", "deserialize_with", "from", "try_from"];
        let fields = self
            .fields
            .named
            .iter()
            .filter(|field| !has_serde_option(&field.attrs, &by_hand));
        let serde = root.private("serde");
        let mut names = TokenStream::new();
        let mut bounds = Vec::new();
        for (at, Field { ty, .. }) in fields.enumerate() {
            let name = if mentions_generics(ty, &self.generics) {
                ty.to_token_stream()
            } else {
                let name = format_ident!("{}{at}", self.name);
                names.extend(quote!(type #name = #ty;));
                name.into_token_stream()
            };
            bounds.push(format!("for<'any> {name}: {serde}::Deserialize<'any>"));
        }
        let joined = bounds.join(", ");
        let attributes = quote! {
            #[derive(#root::__private::serde::Deserialize)]
            #[serde(bound(deserialize = #joined))]
        };
        (names, attributes)
    }

    /// Returns the names of the fields in braces, which match and build the variant.
    pub(super) fn names(&self) -> TokenStream {
        let names = self.fields.named.iter().map(|field| &field.ident);
        quote!({ #(#names),* })
    }

    /// Returns the struct, built from variables with the names of the fields.
    pub(super) fn value(&self) -> TokenStream {
        self.with_last(MarkerField::new(&self.generics).map(|marker| marker.value))
    }

    /// Returns a pattern that takes the struct apart into variables with the names of the fields.
    #[cfg(feature = "client")]
    pub(super) fn pattern(&self) -> TokenStream {
        self.with_last(MarkerField::new(&self.generics).map(|_| quote!(..)))
    }

    /// Returns the struct with its fields and one more element.
    fn with_last(&self, last: Option<TokenStream>) -> TokenStream {
        let (_, arguments, _) = self.generics.split_for_impl();
        let name = &self.name;
        let turbofish = arguments.as_turbofish();
        let fields = self
            .fields
            .named
            .iter()
            .map(|field| field.ident.to_token_stream())
            .chain(last);
        quote!(#name #turbofish { #(#fields),* })
    }
}

fn types(fields: &FieldsNamed) -> impl Iterator<Item = &Type> {
    fields.named.iter().map(|field| &field.ty)
}
