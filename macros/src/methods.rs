//! `#[procedures]` on an `impl`: the functions that return its procedures.
//!
//! The methods stay what they are. Next to them stand one function for each procedure, and one
//! for all of them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Error, ImplItem, ItemImpl, Token};

#[cfg(feature = "client")]
use crate::client::client;
use crate::client_name::ClientName;
use crate::generics::check_bounds;
use crate::handler::{HandlerFunction, check_receiver};
use crate::kind::HandlerKind;
use crate::members::{literal, right_members_in, skip_to_comma};
use crate::options::Options;
use crate::problems::MacroProblems;
use crate::registration::procedure;
use crate::root::Root;

/// The options that only an `impl` has.
const IMPL_OPTIONS: [&str; 3] = ["prefix", "fn_name", "client"];

/// The options of the attribute.
#[derive(Default)]
struct ImplOptions {
    /// The text before the names of all procedures.
    prefix: Option<String>,
    /// The name of the function that returns the procedures, if the author chose it.
    function: Option<Ident>,
    #[cfg_attr(
        not(feature = "client"),
        expect(dead_code, reason = "only clients need it")
    )]
    client: ClientName,
    /// The options that all procedures share.
    shared: Options,
}

impl ImplOptions {
    /// Reads options. Those that are right are kept.
    fn read(root: Root, arguments: TokenStream, problems: &mut MacroProblems) -> Self {
        let parsed = Parser::parse2(OptionTokens::read, arguments);
        let tokens = problems.take(parsed).unwrap_or_default();
        let members = Parser::parse2(
            |input: ParseStream<'_>| right_members_in(input, IMPL_OPTIONS, problems),
            tokens.own,
        );
        let [prefix, function, client] = problems.take(members).unwrap_or_default();
        let kind = HandlerKind::Procedure;
        let shared = Options::read(root, kind, tokens.shared, &IMPL_OPTIONS, problems);
        if let Some(name) = &shared.name {
            problems.add(
                name,
                "`name` belongs on each `#[procedure]`: write `prefix` here for a prefix of all \
                 names",
            );
        }
        Self {
            prefix: prefix.and_then(|value| problems.take(self::prefix(value))),
            function: function.and_then(|value| problems.take(function_name(value))),
            client: client
                .and_then(|value| problems.take(ClientName::read(value)))
                .unwrap_or_default(),
            shared,
        }
    }
}

/// The options of the attribute as they are written.
#[derive(Default)]
struct OptionTokens {
    /// The options that only an `impl` has.
    own: TokenStream,
    /// The options of its procedures.
    shared: TokenStream,
}

impl OptionTokens {
    /// Tells the options apart by their names.
    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut tokens = Self::default();
        while !input.is_empty() {
            let name = input.fork().call(Ident::parse_any).ok();
            let option = skip_to_comma(input)?;
            let comma = input.parse::<Option<Token![,]>>()?;
            match name {
                Some(name) if IMPL_OPTIONS.iter().any(|own| name == own) => {
                    tokens.own.extend(quote!(#option #comma));
                }
                _ => tokens.shared.extend(quote!(#option #comma)),
            }
        }
        Ok(tokens)
    }
}

/// Parses the name of the function that returns all procedures.
fn function_name(value: TokenStream) -> syn::Result<Ident> {
    let name = literal("fn_name", value)?;
    name.parse().map_err(|_| {
        let text =
            "`fn_name` needs the name of a function, such as `fn_name = \"book_procedures\"`";
        Error::new(name.span(), text)
    })
}

/// Refuses prefixes that would make names with two dots in a row.
fn prefix(value: TokenStream) -> syn::Result<String> {
    let prefix = literal("prefix", value)?;
    let value = prefix.value();
    if !value.is_empty() && value.trim_matches('.') == value {
        return Ok(value);
    }
    let text = "a prefix is not empty, and neither begins nor ends with a dot: write \
                `prefix = \"book\"`, or leave it out for names without a prefix";
    Err(Error::new(prefix.span(), text))
}

/// Adds another `impl` next to this one, with the functions that return its procedures.
pub(crate) fn expand(root: Root, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut block: ItemImpl = match syn::parse2(item) {
        Ok(block) => block,
        Err(error) => {
            let text = format!(
                "`#[procedures]` belongs on an `impl`; a function has `#[procedure]`: {error}"
            );
            return Error::new(error.span(), text).into_compile_error();
        }
    };
    let mut problems = MacroProblems::default();
    if block.trait_.is_some() {
        let text = "the `impl` of a trait cannot have procedures: write them in an `impl` of the \
                    type itself";
        problems.add(&block.self_ty, text);
        return problems.report().unwrap_or_default();
    }
    // The valid options are written even so, and then the compiler reports what is wrong
    // with that.
    let mut option_problems = MacroProblems::default();
    let options = ImplOptions::read(root, arguments, &mut option_problems);
    let handlers = handlers(
        root,
        &options,
        &mut block,
        &mut problems,
        &mut option_problems,
    );
    if handlers.is_empty() {
        let text = "no method of this `impl` is a procedure: write `#[procedure]` above at least \
                    one";
        problems.add(&block.self_ty, text);
    }
    for lifetime in block.generics.lifetimes() {
        let text = "the state lives as long as its service, so it cannot borrow: own the value, or \
                    share it with an `Arc`";
        problems.add(lifetime, text);
    }
    // The functions are written even after a problem, so that code that calls them causes no further
    // errors.
    let report = problems.report();
    // With a problem, no handler is registered: its errors would repeat the report.
    let right_handlers = if report.is_some() { &[] } else { &*handlers };
    let registered = registration(root, &block, &options, right_handlers);
    let wrong_options = option_problems.report();
    quote!(#block #registered #report #wrong_options)
}

/// Returns the methods with `#[procedure]` or `#[subscription]`, and removes that attribute.
fn handlers(
    root: Root,
    options: &ImplOptions,
    block: &mut ItemImpl,
    problems: &mut MacroProblems,
    option_problems: &mut MacroProblems,
) -> Vec<HandlerFunction> {
    let mut handlers = Vec::new();
    for item in &mut block.items {
        let ImplItem::Fn(function) = item else {
            continue;
        };
        let kinds = function.attrs.iter().map(HandlerKind::of_attribute);
        let Some((at, kind)) = (0..).zip(kinds).find_map(|(at, kind)| Some((at, kind?))) else {
            continue;
        };
        let attribute = function.attrs.remove(at);
        let mut own = Options::of_attribute(root, kind, &attribute, option_problems);
        own.add_shared(&options.shared);
        check_receiver(&function.sig, problems);
        let mut handler =
            HandlerFunction::read(&mut function.attrs, &mut function.sig, own, problems);
        for parameter in handler.parameters() {
            check_bounds(&parameter.ty, &block.generics, problems);
        }
        if let Some(prefix) = &options.prefix {
            handler.procedure = format!("{prefix}.{}", handler.procedure);
        }
        handlers.push(handler);
    }
    handlers
}

/// Returns the `impl` with the functions for the procedures of these handlers.
fn registration(
    root: Root,
    block: &ItemImpl,
    options: &ImplOptions,
    handlers: &[HandlerFunction],
) -> TokenStream {
    let (generics, _, clause) = block.generics.split_for_impl();
    let ty = &block.self_ty;
    let function = match &options.function {
        Some(name) => name.clone(),
        None => format_ident!("procedures"),
    };
    let of_shared = format_ident!("shared_{}", function);
    let procedures = handlers.iter().map(|handler| {
        let cfgs = &handler.cfgs;
        let state = quote_spanned!(handler.output.resolved_at(Span::mixed_site())=> Self);
        let procedure = procedure(root, handler, &state, &block.generics);
        quote! {
            #(#cfgs)*
            procedures.push(#procedure .with_state(::std::sync::Arc::clone(self)));
        }
    });
    let bound = quote_spanned! {ty.span()=>
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    };
    let service = quote! {
        ServiceState: ::core::marker::Send + ::core::marker::Sync + 'static
    };
    // The compiler's error about two functions of the same name does not say what to do; this one
    // does.
    let only = options.function.is_none().then(|| {
        quote_spanned! {ty.span()=>
            #[automatically_derived]
            impl #generics #root::__private::OnlyImplWithoutFnName for #ty #clause {}
        }
    });
    #[cfg(feature = "client")]
    let client = client(root, block, &function, &options.client, handlers);
    #[cfg(not(feature = "client"))]
    let client = TokenStream::new();
    quote! {
        #client
        #only
        #[allow(unused_imports)]
        use #root::__private::ProceduresOfArc as _;

        impl #generics #ty #clause {
            /// Returns the procedures of this type, with `self` as their state.
            #[allow(unreachable_pub)]
            pub fn #function<ServiceState>(self) -> #root::Procedures<ServiceState>
            where
                #bound
                #service
            {
                ::std::sync::Arc::new(self).#of_shared()
            }

            /// Returns the procedures of this type, with `self` as their state. The state may also
            /// be used elsewhere.
            #[allow(unreachable_pub)]
            pub fn #of_shared<ServiceState>(
                self: &::std::sync::Arc<Self>,
            ) -> #root::Procedures<ServiceState>
            where
                #bound
                #service
            {
                let mut procedures = #root::Procedures::new();
                #(#procedures)*
                procedures
            }
        }
    }
}
