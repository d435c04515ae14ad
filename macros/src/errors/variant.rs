//! One error: a variant of an enum, or a struct.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Field, Fields, Generics, Type};

use super::declared::{Declared, Said};
use crate::argument::ends_with;
use crate::docs::DocComment;
use crate::problems::MacroProblems;
use crate::root::Root;

/// One error: a variant of an enum, or a struct.
pub(crate) struct ErrorVariant {
    pub(crate) name: Ident,
    /// The path that builds and matches it: `Self::Name`, or `Self`.
    pub(crate) path: TokenStream,
    docs: DocComment,
    pub(crate) kind: ErrorKind,
}

/// The kind of an error.
pub(crate) enum ErrorKind {
    /// An error with a code.
    Declared(Box<Declared>, ErrorData),
    /// Another error.
    Held { ty: Box<Type>, from_any: bool },
    /// A variant with a mistake that has been reported.
    Wrong,
}

/// The data of an error.
pub(crate) enum ErrorData {
    None,
    Held(Box<Type>),
    /// Named fields, and the struct that they are sent as.
    Named(Ident, Vec<Field>),
}

impl ErrorVariant {
    pub(crate) fn read(
        owner: &Ident,
        path: TokenStream,
        name: &Ident,
        attributes: &[Attribute],
        fields: &Fields,
        problems: &mut MacroProblems,
    ) -> Self {
        let kind = match Said::of(attributes, name, problems) {
            Said::Code(declared) => data(owner, name, fields, problems)
                .map_or(ErrorKind::Wrong, |data| ErrorKind::Declared(declared, data)),
            Said::Transparent => held(name, fields, false, problems),
            Said::FromAnyError => held(name, fields, true, problems),
            Said::Nothing if only_field(fields).is_some_and(is_fault) => {
                held(name, fields, false, problems)
            }
            Said::Nothing => {
                problems.add(
                    name,
                    format!(
                        "`{name}` has no code: write `#[rpc(code = 1404, message = \"…\")]` above \
                         it, or `#[rpc(transparent)]` if it holds another error"
                    ),
                );
                ErrorKind::Wrong
            }
            Said::Wrong => ErrorKind::Wrong,
        };
        Self {
            name: name.clone(),
            path,
            docs: DocComment::of(attributes),
            kind,
        }
    }

    /// Returns whether its fields are sent as an object.
    pub(crate) fn has_named_data(&self) -> bool {
        matches!(self.kind, ErrorKind::Declared(_, ErrorData::Named(..)))
    }

    /// Returns the struct that named fields are sent as.
    pub(crate) fn data_struct(&self, root: Root) -> Option<TokenStream> {
        let ErrorKind::Declared(_, ErrorData::Named(name, fields)) = &self.kind else {
            return None;
        };
        let (serde, schemars) = (root.private("serde"), root.private("schemars"));
        let fields = fields.iter().map(|field| {
            let (name, ty) = (&field.ident, &field.ty);
            let attributes = field.attrs.iter().filter(|attribute| {
                ["doc", "serde", "schemars"]
                    .iter()
                    .any(|kept| attribute.path().is_ident(kept))
            });
            quote!(#(#attributes)* #name: #ty)
        });
        Some(quote! {
            #[derive(#root::__private::serde::Serialize, #root::__private::schemars::JsonSchema)]
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars, inline)]
            struct #name { #(#fields),* }
        })
    }

    /// Returns the statement that declares it.
    pub(crate) fn declaration(&self, root: Root) -> TokenStream {
        match &self.kind {
            ErrorKind::Declared(declared, data) => {
                let Declared {
                    code,
                    message,
                    status,
                    retry,
                } = &**declared;
                let docs = self.docs.text().map(|text| quote!(.description(#text)));
                let data = match data {
                    ErrorData::None => None,
                    ErrorData::Held(ty) => Some(quote_spanned!(ty.span()=> .data::<#ty>())),
                    ErrorData::Named(name, _) => Some(quote!(.data::<#name>())),
                };
                let status = status.as_ref().map(|status| quote!(.status(#status)));
                let retry = retry.as_ref().map(|retry| quote!(.retry(#retry)));
                quote!(let _ = errors.add(#code, #message) #docs #data #status #retry;)
            }
            ErrorKind::Held { ty, .. } => {
                let root = root.at(ty.span());
                quote_spanned!(ty.span()=> <#ty as #root::RpcError>::declare(errors);)
            }
            ErrorKind::Wrong => TokenStream::new(),
        }
    }

    /// Returns the match arm that creates its fault.
    pub(crate) fn fault(&self, root: Root) -> TokenStream {
        let path = &self.path;
        match &self.kind {
            ErrorKind::Declared(declared, data) => {
                let Declared { code, message, .. } = &**declared;
                let fault = quote!(#root::Fault::new(#code, #message));
                match data {
                    ErrorData::None => quote!(#path { .. } => #fault,),
                    ErrorData::Held(_) => quote!(#path(data) => #fault.with_data(&data),),
                    ErrorData::Named(name, fields) => {
                        let names: Vec<_> = fields.iter().map(|field| &field.ident).collect();
                        quote!(#path { #(#names),* } => #fault.with_data(&#name { #(#names),* }),)
                    }
                }
            }
            ErrorKind::Held { .. } => quote!(#path(held) => #root::RpcError::into_fault(held),),
            ErrorKind::Wrong => quote!(#path { .. } => ::core::unreachable!(),),
        }
    }

    /// Returns the conversion with which `?` puts an error into the variant that holds it.
    pub(crate) fn conversion(
        &self,
        root: Root,
        generics: &Generics,
        name: &Ident,
    ) -> Option<TokenStream> {
        let ErrorKind::Held { ty, from_any } = &self.kind else {
            return None;
        };
        let path = &self.path;
        let (own, arguments, clause) = generics.split_for_impl();
        if !from_any {
            return Some(quote_spanned! {ty.span()=>
                #[automatically_derived]
                impl #own ::core::convert::From<#ty> for #name #arguments #clause {
                    fn from(held: #ty) -> Self {
                        #path(held)
                    }
                }
            });
        }
        let mut generics = generics.clone();
        generics
            .params
            .push(syn::parse_quote!(AnyError: ::core::error::Error + 'static));
        let (all, _, _) = generics.split_for_impl();
        Some(quote! {
            #[automatically_derived]
            impl #all ::core::convert::From<AnyError> for #name #arguments #clause {
                fn from(error: AnyError) -> Self {
                    #path(#root::Fault::from_error(error))
                }
            }
        })
    }
}

/// Reads a variant that holds another error.
fn held(name: &Ident, fields: &Fields, from_any: bool, problems: &mut MacroProblems) -> ErrorKind {
    match only_field(fields) {
        Some(ty) if from_any && !is_fault(ty) => {
            problems.add(
                ty,
                "internal errors are kept as a `Fault`: write `Fault` here",
            );
            ErrorKind::Wrong
        }
        Some(ty) => ErrorKind::Held {
            ty: Box::new(ty.clone()),
            from_any,
        },
        None => {
            problems.add(
                name,
                format!("`{name}` has to hold the other error: write `{name}(OtherError)`"),
            );
            ErrorKind::Wrong
        }
    }
}

/// Returns the data of an error with a code.
fn data(
    owner: &Ident,
    name: &Ident,
    fields: &Fields,
    problems: &mut MacroProblems,
) -> Option<ErrorData> {
    match fields {
        Fields::Unit => Some(ErrorData::None),
        Fields::Named(fields) => {
            let mut data = format_ident!("{}{}Data", owner, name, span = Span::call_site());
            let fields: Vec<_> = fields.named.iter().cloned().collect();
            while fields.iter().any(|field| {
                crate::registration::mentions(field.ty.to_token_stream(), &data.to_string())
            }) {
                data = format_ident!("{}_", data);
            }
            Some(ErrorData::Named(data, fields))
        }
        Fields::Unnamed(_) => {
            let data = only_field(fields).map(|ty| ErrorData::Held(Box::new(ty.clone())));
            if data.is_none() {
                problems.add(
                    fields,
                    "the data of an error is one value: give the fields names, or make a struct of \
                     them",
                );
            }
            data
        }
    }
}

/// Returns the type of the only field in parentheses.
fn only_field(fields: &Fields) -> Option<&Type> {
    match fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            fields.unnamed.first().map(|field| &field.ty)
        }
        _ => None,
    }
}

/// Returns whether the name of a type is `Fault`.
fn is_fault(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if ends_with(&path.path, "Fault"))
}
