//! `#[procedure]` or `#[subscription]` on a function: a type of the same name, which has the procedure.
//!
//! The function itself stays as it is, so that other code can call it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, Generics, ItemFn, Visibility};

#[cfg(feature = "client")]
use crate::client::method_of_function;
use crate::handler::HandlerFunction;
use crate::kind::HandlerKind;
use crate::options::Options;
use crate::problems::MacroProblems;
use crate::registration::procedure;
use crate::root::Root;

/// Returns the function with an attribute.
///
/// # Errors
/// The attribute is on something else.
pub(crate) fn function_with(attribute: &str, item: TokenStream) -> Result<ItemFn, Error> {
    syn::parse2(item).map_err(|error| {
        let text = format!("`{attribute}` belongs on a function: {error}");
        Error::new(error.span(), text)
    })
}

/// Adds a type with the function's name next to it, which has the procedure.
pub(crate) fn expand(
    root: Root,
    kind: HandlerKind,
    options: TokenStream,
    item: TokenStream,
) -> TokenStream {
    let attribute = format!("#[{}]", kind.name());
    let mut function = match function_with(&attribute, item) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error(),
    };
    let mut problems = MacroProblems::default();
    // The valid options are written even so, and then the compiler reports what is wrong
    // with that.
    let mut option_problems = MacroProblems::default();
    let options = Options::read(root, kind, options, &[], &mut option_problems);
    let wrong_options = option_problems.report();
    if let Some(receiver) = function.sig.receiver() {
        let text = format!("a method with `{attribute}` needs `#[procedures]` on its `impl`");
        problems.add(receiver, text);
        let report = problems.report();
        return quote!(#function #report #wrong_options);
    }
    let ItemFn { attrs, sig, .. } = &mut function;
    let handler = HandlerFunction::read(attrs, sig, options, &mut problems);
    // The type is written even after a problem, so that code that uses it causes no further errors.
    let report = problems.report();
    let registered = registration(root, &function.vis, &handler, report.is_none());
    quote!(#function #registered #report #wrong_options)
}

/// Returns the type with the name of the function, which has the procedure.
fn registration(
    root: Root,
    visibility: &Visibility,
    handler: &HandlerFunction,
    is_right: bool,
) -> TokenStream {
    let (generics, state) = match handler.state() {
        Some(state) => (TokenStream::new(), state.to_token_stream()),
        None => (
            quote!(<ServiceState: ::core::marker::Send + ::core::marker::Sync + 'static>),
            quote!(ServiceState),
        ),
    };
    let registered = if is_right {
        procedure(root, handler, &state, &Generics::default())
    } else {
        quote!({ ::core::unreachable!() })
    };
    #[cfg(feature = "client")]
    let client = is_right
        .then(|| method_of_function(root, handler, visibility))
        .flatten();
    #[cfg(not(feature = "client"))]
    let client = TokenStream::new();
    let cfgs = &handler.cfgs;
    let name = &handler.function;
    let kind = handler.options.kind.name();
    let docs = format!("The {kind} `{}`.", handler.procedure);
    let function_docs = format!("Returns the {kind}, to be added to a service.");
    // The braces keep the type out of the namespace of functions.
    quote! {
        #(#cfgs)*
        #[doc = #docs]
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #visibility struct #name {}

        #(#cfgs)*
        impl #name {
            #[doc = #function_docs]
            #[allow(unreachable_pub)]
            #visibility fn procedure #generics () -> #root::Procedure<#state> #registered
        }

        #client
    }
}
