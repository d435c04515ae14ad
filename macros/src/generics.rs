//! Structs in generated code whose fields have types that the item around them is generic over.
//!
//! A struct knows none of the names around it, so it gets them again, with their bounds.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Generics, Type, TypeParamBound, WherePredicate};

use crate::problems::MacroProblems;
use crate::root::Root;
use crate::types::{ends_with, mentions, mentions_generics};

/// Traits that say nothing about how values are read.
const OTHER_TRAITS: [&str; 16] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Eq",
    "Hash",
    "JsonSchema",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Serialize",
    "Sized",
    "Sync",
    "Unpin",
];

/// Returns what a struct with fields of these types is generic over: nothing, or everything that the
/// enclosing `impl` is.
pub(crate) fn generics_of_fields<'a>(
    of_impl: &Generics,
    mut types: impl Iterator<Item = &'a Type>,
) -> Generics {
    if !types.any(|ty| mentions_generics(ty, of_impl)) {
        return Generics::default();
    }
    let mut generics = of_impl.clone();
    if let Some(clause) = &mut generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates);
        // In the struct, `Self` is another type.
        clause.predicates = predicates
            .into_iter()
            .filter(|predicate| !mentions(predicate, "Self"))
            .collect();
    }
    generics
}

/// A field that uses everything that a struct is generic over, as the compiler demands. It is not part
/// of the data.
pub(crate) struct MarkerField {
    /// The field in the definition of the struct.
    pub(crate) definition: TokenStream,
    /// The field in an expression that builds the struct.
    pub(crate) value: TokenStream,
}

impl MarkerField {
    pub(crate) fn new(generics: &Generics) -> Option<Self> {
        let types: Vec<_> = generics
            .type_params()
            .map(|parameter| &parameter.ident)
            .collect();
        if types.is_empty() {
            return None;
        }
        let name = Ident::new("marker", Span::mixed_site());
        let marker = quote!(::core::marker::PhantomData);
        Some(Self {
            definition: quote!(#[serde(skip)] #name: #marker<fn() -> (#(#types,)*)>),
            value: quote!(#name: #marker),
        })
    }
}

/// Returns the bounds of fields that are generic, if a struct is, as serde and schemars read them: serde
/// demands `serde_trait` under the name `serde_option`. Without these, they would require the trait of each
/// type that the struct is generic over.
pub(crate) fn field_bounds<'a>(
    root: Root,
    generics: &Generics,
    types: impl Iterator<Item = &'a Type>,
    serde_option: &str,
    serde_trait: &str,
) -> Option<TokenStream> {
    if generics.params.is_empty() {
        return None;
    }
    let types: Vec<_> = types.filter(|ty| mentions_generics(ty, generics)).collect();
    let option = format_ident!("{serde_option}");
    let of_serde = bounds(&types, &root.private(serde_trait));
    let of_schemars = bounds(&types, &root.private("schemars::JsonSchema"));
    Some(quote! {
        #[serde(bound(#option = #of_serde))]
        #[schemars(bound = #of_schemars)]
    })
}

/// Returns the bounds that demand a trait of each of these types, as text.
fn bounds(types: &[&Type], demanded: &str) -> String {
    types
        .iter()
        .map(|ty| format!("{}: {demanded}", ty.to_token_stream()))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Refuses a parameter with a type that the `impl` is generic over, and whose bounds do not say that it
/// can be read. The compiler would advise bounds that cannot be written.
pub(crate) fn check_bounds(ty: &Type, of_impl: &Generics, problems: &mut MacroProblems) {
    for parameter in of_impl.type_params() {
        let name = &parameter.ident;
        if has_values_of(ty.to_token_stream(), name) && !may_be_read(name, of_impl) {
            let text = format!(
                "callers send values of `{name}`, so it needs bounds: write \
                 `{name}: serde::de::DeserializeOwned + schemars::JsonSchema`"
            );
            problems.add(ty, text);
        }
    }
}

/// Returns whether a type contains another as such, and not only one that belongs to it, such as
/// `T::Item`.
fn has_values_of(ty: TokenStream, name: &Ident) -> bool {
    let mut tokens = ty.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match (token, tokens.peek()) {
            (TokenTree::Group(group), _) => has_values_of(group.stream(), name),
            (TokenTree::Ident(ident), Some(TokenTree::Punct(next))) => {
                ident == *name && next.as_char() != ':'
            }
            (TokenTree::Ident(ident), Some(TokenTree::Ident(next))) => {
                ident == *name && next != "as"
            }
            (TokenTree::Ident(ident), _) => ident == *name,
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// Returns whether the bounds of a type may say that its values can be read: one of them is no trait that
/// is known to say something else.
fn may_be_read(name: &Ident, of_impl: &Generics) -> bool {
    for parameter in of_impl.type_params() {
        if parameter.ident == *name && parameter.bounds.iter().any(may_say_read) {
            return true;
        }
    }
    let Some(clause) = &of_impl.where_clause else {
        return false;
    };
    for predicate in &clause.predicates {
        if let WherePredicate::Type(predicate) = predicate
            && mentions(&predicate.bounded_ty, &name.to_string())
            && predicate.bounds.iter().any(may_say_read)
        {
            return true;
        }
    }
    false
}

fn may_say_read(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Trait(bound) => {
            !OTHER_TRAITS.iter().any(|name| ends_with(&bound.path, name))
        }
        TypeParamBound::Lifetime(_) => false,
        _ => true,
    }
}
