//! `#[procedure]` on a function.

use proc_macro2::{Group, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Visibility};

use crate::argument::State;
use crate::client::method_of_function;
use crate::handler::{HandlerFunction, plain};
use crate::options::Options;
use crate::problems::MacroProblems;
use crate::registration::{Receiver, caller_of, context_of, procedure};
use crate::root::Root;

/// A function whose body is kept as tokens: the macro does not need it, and an unfinished body does
/// not keep the rest from being read.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) body: Group,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        for token in ["struct", "enum", "impl", "mod", "trait"] {
            if input
                .cursor()
                .ident()
                .is_some_and(|(name, _)| name == token)
            {
                return Err(input.error("`#[procedure]` belongs on a function"));
            }
        }
        Ok(Self {
            attributes,
            visibility,
            signature: input.parse()?,
            body: input.parse()?,
        })
    }
}

impl quote::ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            attributes,
            visibility,
            signature,
            body,
        } = self;
        tokens.extend(quote!(#(#attributes)* #visibility #signature #body));
    }
}

/// Adds a type with the function's name next to it, which has the procedure.
pub(crate) fn expand(root: Root, options: TokenStream, item: TokenStream) -> TokenStream {
    let mut function: Function = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error(),
    };
    let mut problems = MacroProblems::default();
    let options = Options::read(root, options, &mut problems);
    if let Some(receiver) = function.signature.receiver() {
        let attribute = root.path("procedures");
        let text = format!("the `impl` of a method with `#[procedure]` needs `#[{attribute}]`");
        problems.add(receiver, text);
        let report = problems.report();
        return quote!(#function #report);
    }
    let Function {
        attributes,
        signature,
        ..
    } = &mut function;
    let handler = HandlerFunction::read(attributes, signature, options, &mut problems);
    if let (Some(State::Written(state)), Some(_)) = (context_of(&handler), caller_of(&handler)) {
        let text = "a context with a state has the caller, too: write `cx: Cx<State, User>` and call \
                    `cx.caller()`";
        problems.add(state, text);
    }
    // The type is written even after a problem, so that code that uses it causes no further errors.
    let report = problems.report();
    let registered = registration(root, &function, &handler, report.is_none());
    quote!(#function #registered #report)
}

fn registration(
    root: Root,
    function: &Function,
    handler: &HandlerFunction,
    is_right: bool,
) -> TokenStream {
    let (visibility, name) = (&function.visibility, &handler.function);
    let (generics, state) = if let Some(State::Written(state)) = context_of(handler) {
        (TokenStream::new(), quote!(#state))
    } else {
        (
            quote!(<ServiceState: ::core::marker::Send + ::core::marker::Sync + 'static>),
            quote!(ServiceState),
        )
    };
    let called = match &handler.options.name {
        Some(name) => name.value(),
        None => plain(name),
    };
    let registered = if is_right {
        procedure(root, handler, &called, Receiver::Nothing, &state)
    } else {
        quote!({ ::core::unreachable!() })
    };
    let cfgs = &handler.cfgs;
    let docs = format!("The procedure `{called}`.");
    let name = proc_macro2::Ident::new(
        &name.to_string(),
        name.span().resolved_at(Span::call_site()),
    );
    let client = (is_right && root.has_clients())
        .then(|| method_of_function(root, handler, &called, visibility));
    let client = client.flatten();
    // The braces keep the type out of the namespace of functions.
    quote! {
        #(#cfgs)*
        #[doc = #docs]
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #visibility struct #name {}

        #(#cfgs)*
        impl #name {
            /// Returns the procedure, to be added to a service.
            #[allow(unreachable_pub)]
            #visibility fn procedure #generics () -> #root::Procedure<#state> #registered
        }

        #client
    }
}
