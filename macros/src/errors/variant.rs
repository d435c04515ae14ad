//! One error: a variant of an enum, or a struct.
//!
//! It knows how one error is declared, sent and displayed. What several of them must not share is
//! checked in [`codes`](super::codes).

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, Error, Fields, Generics, Token, Type, parse_quote};

use super::named::NamedData;
use crate::docs::DocComment;
use crate::members::{check_message, members_in};
use crate::problems::both;
use crate::root::Root;
use crate::types::{attributes, is_named, plain};

/// One error: a variant of an enum, or a struct.
pub(super) struct ErrorVariant {
    /// The path that builds and matches it: `Self::Name`, or `Self`.
    pub(super) path: TokenStream,
    pub(super) name: Ident,
    /// The doc comment, which becomes the description of the error.
    docs: DocComment,
    pub(super) kind: ErrorKind,
}

/// The kind of an error.
pub(super) enum ErrorKind {
    /// An error with a code.
    Declared(ErrorCode, VariantData),
    /// Another error. If it is taken `from_any` error, it is a `Fault`.
    Held { ty: Type, from_any: bool },
}

/// The members of `#[rpc(…)]`.
pub(super) struct ErrorCode {
    pub(super) code: TokenStream,
    pub(super) message: TokenStream,
    pub(super) status: Option<TokenStream>,
    retry: Option<TokenStream>,
}

/// The data of an error.
pub(super) enum VariantData {
    /// No data.
    None,
    /// The value of the only field, which has no name.
    Held(Box<Type>),
    /// An object with the named fields as members.
    Named(Box<NamedData>),
}

impl ErrorVariant {
    /// Reads a variant, or the struct itself, with its attributes and fields.
    pub(super) fn read(
        item: &DeriveInput,
        path: TokenStream,
        name: &Ident,
        all: &[Attribute],
        fields: &Fields,
    ) -> syn::Result<Self> {
        let own: Vec<_> = attributes(all, &["rpc"]).collect();
        let kind = match (&*own, only_field(fields)) {
            ([], Some(ty)) if is_named(ty, "Fault") => held_error(name, fields, false),
            ([], _) => Err(no_code(name)),
            ([attribute], _) => attribute.parse_args_with(|input: ParseStream<'_>| {
                if input.peek(Ident::peek_any) && !input.peek2(Token![=]) {
                    return flag(input, name, fields);
                }
                let code = ErrorCode::read(input, name);
                let (code, data) = both(code, VariantData::read(item, name, fields))?;
                Ok(ErrorKind::Declared(code, data))
            }),
            ([_, second, ..], _) => Err(Error::new_spanned(
                second,
                "a variant can have one `#[rpc(…)]`: move these \
                                                options into the first",
            )),
        };
        Ok(Self {
            path,
            name: name.clone(),
            docs: DocComment::from_attributes(all),
            kind: kind?,
        })
    }

    /// Returns the struct that named fields are sent as.
    pub(super) fn data_struct(&self, root: Root) -> Option<TokenStream> {
        match &self.kind {
            ErrorKind::Declared(_, VariantData::Named(data)) => Some(data.definition(root)),
            _ => None,
        }
    }

    /// Returns the statement that declares it.
    pub(super) fn declaration(&self, root: Root) -> TokenStream {
        match &self.kind {
            ErrorKind::Declared(declared, data) => {
                let code = &declared.code;
                let message = &declared.message;
                let docs = self.docs.text().map(|text| quote!(.description(#text)));
                let data = data
                    .ty()
                    .map(|ty| quote_spanned!(ty.span()=> .data::<#ty>()));
                let status = declared
                    .status
                    .as_ref()
                    .map(|status| quote!(.status(#status)));
                let retry = declared.retry.as_ref().map(|retry| quote!(.retry(#retry)));
                quote!(let _ = errors.add(#code, #message) #docs #data #status #retry;)
            }
            ErrorKind::Held { ty, .. } => {
                let root = root.path_at(ty.span());
                quote_spanned!(ty.span()=> #root::ErrorList::include::<#ty>(errors);)
            }
        }
    }

    /// Returns the match arm that creates its fault.
    pub(super) fn fault(&self, root: Root) -> TokenStream {
        let path = &self.path;
        match &self.kind {
            ErrorKind::Declared(ErrorCode { code, message, .. }, data) => {
                let fault = quote!(#root::Fault::new(#code, #message));
                match data {
                    VariantData::None => quote!(#path { .. } => #fault,),
                    VariantData::Held(_) => quote!(#path(data) => #fault.with_data(&data),),
                    VariantData::Named(data) => {
                        let names = data.names();
                        let value = data.value();
                        quote!(#path #names => #fault.with_data(&#value),)
                    }
                }
            }
            ErrorKind::Held { .. } => quote!(#path(held) => #root::RpcError::into_fault(held),),
        }
    }

    /// Returns the conversion with which `?` puts an error into the variant that holds it.
    pub(super) fn conversion(
        &self,
        root: Root,
        generics: &Generics,
        name: &Ident,
    ) -> Option<TokenStream> {
        let ErrorKind::Held { ty, from_any } = &self.kind else {
            return None;
        };
        let path = &self.path;
        let span = ty.span();
        let (_, arguments, clause) = generics.split_for_impl();
        let mut generics = generics.clone();
        let (ty, held) = if *from_any {
            let any = Ident::new("AnyError", span);
            generics
                .params
                .push(parse_quote!(#any: ::core::error::Error + 'static));
            (quote!(#any), quote!(#root::Fault::from_error(held)))
        } else {
            (quote!(#ty), quote!(held))
        };
        let (own, ..) = generics.split_for_impl();
        Some(quote_spanned! {span=>
            #[automatically_derived]
            impl #own ::core::convert::From<#ty> for #name #arguments #clause {
                fn from(held: #ty) -> Self {
                    #path(#held)
                }
            }
        })
    }
}

impl ErrorCode {
    /// Reads the attribute that declares the error.
    fn read(input: ParseStream<'_>, name: &Ident) -> syn::Result<Self> {
        let names = ["code", "message", "status", "retry"];
        let [code, message, status, retry] = members_in(input, names)?;
        let checked = message.as_ref().map_or(Ok(()), check_message);
        let (code, ()) = both(code.ok_or_else(|| no_code(name)), checked)?;
        let sentence = sentence(&plain(name));
        Ok(Self {
            code,
            message: message.unwrap_or_else(|| quote!(#sentence)),
            status,
            retry,
        })
    }
}

impl VariantData {
    /// Finds out from the fields what `data` is.
    fn read(item: &DeriveInput, name: &Ident, fields: &Fields) -> syn::Result<Self> {
        match (fields, only_field(fields)) {
            (Fields::Unit, _) => Ok(Self::None),
            (Fields::Named(fields), _) => Ok(Self::Named(Box::new(NamedData::new(
                item,
                name,
                fields.clone(),
            )))),
            (_, Some(ty)) => Ok(Self::Held(Box::new(ty.clone()))),
            (_, None) => Err(Error::new_spanned(
                fields,
                "the data of an error is one value: give the fields names, or make a struct of them",
            )),
        }
    }

    /// Returns the type that is sent.
    pub(super) fn ty(&self) -> Option<Type> {
        match self {
            Self::None => None,
            Self::Held(ty) => Some((**ty).clone()),
            Self::Named(data) => Some(data.ty()),
        }
    }
}

/// Returns the problem of an error that neither has a code nor holds another error.
fn no_code(name: &Ident) -> Error {
    let text = format!(
        "`{name}` has no code: write `#[rpc(code = 1404, message = \"…\")]` above it, or \
         `#[rpc(transparent)]` if it holds another error"
    );
    Error::new(name.span(), text)
}

/// Reads `transparent` or `from_any_error`.
fn flag(input: ParseStream<'_>, name: &Ident, fields: &Fields) -> syn::Result<ErrorKind> {
    let flag = input.call(Ident::parse_any)?;
    match &*flag.to_string() {
        "transparent" => held_error(name, fields, false),
        "from_any_error" => held_error(name, fields, true),
        _ => Err(no_code(name)),
    }
}

/// Reads a variant that holds another error.
fn held_error(name: &Ident, fields: &Fields, from_any: bool) -> syn::Result<ErrorKind> {
    let Some(ty) = only_field(fields) else {
        let text = format!("`{name}` has to hold the other error: write `{name}(OtherError)`");
        return Err(Error::new(name.span(), text));
    };
    if from_any && !is_named(ty, "Fault") {
        let text = "an internal error is held as a `Fault`: write `Fault` here";
        return Err(Error::new_spanned(ty, text));
    }
    let ty = ty.clone();
    Ok(ErrorKind::Held { ty, from_any })
}

/// Returns the type of the only field in parentheses.
fn only_field(fields: &Fields) -> Option<&Type> {
    match fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Some(&fields.unnamed[0].ty),
        _ => None,
    }
}

/// Returns the name of a variant as a sentence: `NoSuchBook` is "No such book".
fn sentence(name: &str) -> String {
    let mut sentence = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !sentence.is_empty() {
            sentence.push(' ');
            sentence.extend(letter.to_lowercase());
        } else {
            sentence.push(letter);
        }
    }
    sentence
}
