//! `#[procedures]` on an `impl`.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, GenericParam, Generics, ImplItem, Lit, LitBool, LitStr, Token,
    Type,
};

use crate::argument::{Argument, State, ends_with};
use crate::client::{ClientName, ClientSource, client};
use crate::free::Function;
use crate::handler::{HandlerFunction, check_receiver, plain};
use crate::options::{Options, option_name, text, unknown_text, value};
use crate::problems::MacroProblems;
use crate::registration::{Receiver, procedure};
use crate::root::Root;

/// An `impl` without a trait.
struct Impl {
    attributes: Vec<Attribute>,
    start: Token![impl],
    generics: Generics,
    ty: Type,
    items: Vec<Item>,
}

/// An item of the `impl`.
enum Item {
    Function(Box<Function>),
    Other(Box<ImplItem>),
}

impl Parse for Impl {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        if !input.peek(Token![impl]) && !input.peek(Token![unsafe]) {
            let text = "`#[procedures]` belongs on an `impl`; a function has `#[procedure]`";
            return Err(Error::new(input.span(), text));
        }
        let start = input.parse()?;
        let mut generics: Generics = if input.peek(Token![<]) {
            input.parse()?
        } else {
            Generics::default()
        };
        let ty = input.parse()?;
        if input.peek(Token![for]) {
            return Err(Error::new_spanned(
                &ty,
                "a trait decides what its methods are: write the procedures in an `impl` of the \
                 type itself, without a trait",
            ));
        }
        generics.where_clause = input.parse()?;
        let content;
        syn::braced!(content in input);
        let mut items = Vec::new();
        while !content.is_empty() {
            items.push(content.parse()?);
        }
        Ok(Self {
            attributes,
            start,
            generics,
            ty,
            items,
        })
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        match ahead.parse() {
            Ok(function) => {
                input.advance_to(&ahead);
                Ok(Self::Function(Box::new(function)))
            }
            Err(_) => input.parse().map(Box::new).map(Self::Other),
        }
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Function(function) => function.to_tokens(tokens),
            Self::Other(item) => item.to_tokens(tokens),
        }
    }
}

/// The options of the attribute, which apply to all procedures of the `impl`.
struct Shared {
    prefix: Option<LitStr>,
    setters: TokenStream,
    /// The name of the function that returns the procedures.
    function: Ident,
    /// True if the author chose that name.
    named: bool,
    client: ClientName,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            prefix: None,
            setters: TokenStream::new(),
            function: Ident::new("procedures", Span::call_site()),
            named: false,
            client: ClientName::Own,
        }
    }
}

/// Refuses prefixes that would make names with two dots in a row.
fn prefix(prefix: LitStr) -> syn::Result<LitStr> {
    let value = prefix.value();
    let bare = value.trim_matches('.');
    if bare == value && !bare.is_empty() {
        return Ok(prefix);
    }
    let text = if bare.is_empty() {
        "a prefix has a text: leave it out for names without one".to_owned()
    } else {
        format!("a dot is put between the prefix and the names: write `prefix = {bare:?}`")
    };
    Err(Error::new(prefix.span(), text))
}

impl Shared {
    fn read(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut shared = Self::default();
        while !input.is_empty() {
            let option = option_name(input, "prefix = \"book\"")?;
            let span = option.span();
            match &*option.to_string() {
                "prefix" => shared.prefix = Some(prefix(text(&option, value(&option, input)?)?)?),
                "tag" => {
                    let tag = value(&option, input)?;
                    shared.setters.extend(quote_spanned!(span=> .tag(#tag)));
                }
                "fn_name" => {
                    let name = text(&option, value(&option, input)?)?;
                    shared.function = name.parse()?;
                    shared.named = true;
                }
                "client" => shared.client = client_name(&option, input)?,
                other => {
                    let known = ["prefix", "tag", "fn_name", "client"];
                    let text = unknown_text("option", other, &known);
                    return Err(Error::new(span, text));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(shared)
    }

    /// Returns the name of a procedure.
    fn name(&self, handler: &HandlerFunction) -> String {
        let own = match &handler.options.name {
            Some(name) => name.value(),
            None => plain(&handler.function),
        };
        match &self.prefix {
            Some(prefix) => format!("{}.{own}", prefix.value()),
            None => own,
        }
    }
}

/// Parses `client = "LibraryClient"`, or `client = false`.
fn client_name(option: &Ident, input: ParseStream<'_>) -> syn::Result<ClientName> {
    match value(option, input)? {
        Expr::Lit(ExprLit {
            lit: Lit::Bool(LitBool { value: false, .. }),
            ..
        }) => Ok(ClientName::None),
        name => {
            let form = "`client` is the name of the client's type, `client = \"BookClient\"`, or `false` \
                        for no client";
            let wrong = |_| Error::new(Spanned::span(&name), form);
            let name = text(option, name.clone()).map_err(wrong)?;
            name.parse().map(ClientName::Given).map_err(wrong)
        }
    }
}

/// Adds another `impl` next to this one, with the functions that return its procedures.
pub(crate) fn expand(root: Root, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut block: Impl = match syn::parse2(item) {
        Ok(block) => block,
        Err(error) => return error.into_compile_error(),
    };
    let mut problems = MacroProblems::default();
    let shared = problems.take(Shared::read.parse2(arguments));
    let handlers = handlers(root, &mut block, &mut problems);
    check_generics(&block.generics, &handlers, &mut problems);
    if handlers.is_empty() {
        problems.add(
            &block.ty,
            "no method of this `impl` is a procedure: give it `#[procedure]`",
        );
    }
    let shared = shared.unwrap_or_default();
    check_names(&shared, &handlers, &mut problems);
    let registered = match problems.report() {
        None => registration(root, &block, &shared, &handlers),
        // The functions are written even after a problem, so that code that calls them causes no
        // further errors.
        Some(report) => {
            let none = registration(root, &block, &shared, &[]);
            quote!(#none #report)
        }
    };
    let Impl {
        attributes,
        start,
        generics,
        ty,
        items,
    } = &block;
    let clause = &generics.where_clause;
    quote! {
        #(#attributes)*
        #start #generics #ty #clause { #(#items)* }
        #registered
    }
}

/// Returns the methods with `#[procedure]`, and removes that attribute.
fn handlers(root: Root, block: &mut Impl, problems: &mut MacroProblems) -> Vec<HandlerFunction> {
    let mut handlers = Vec::new();
    for item in &mut block.items {
        let Item::Function(function) = item else {
            continue;
        };
        let attributes = &mut function.attributes;
        let Some(at) = attributes
            .iter()
            .position(|it| ends_with(it.path(), "procedure"))
        else {
            continue;
        };
        let options = Options::of_attribute(root, &attributes.remove(at), problems);
        check_receiver(root, &function.signature, problems);
        let signature = &mut function.signature;
        let handler = HandlerFunction::read(attributes, signature, options, problems);
        check_context(&handler, problems);
        handlers.push(handler);
    }
    handlers
}

/// Refuses contexts with a state: in an `impl`, the state is `self`.
fn check_context(handler: &HandlerFunction, problems: &mut MacroProblems) {
    for argument in &handler.arguments {
        if let Argument::Context {
            state: State::Written(state),
            ..
        } = argument
            && state.to_token_stream().to_string() != "()"
        {
            problems.add(state, "the state is `&self` already: write `cx: Cx`");
        }
    }
}

/// Refuses parameters that use the generics of the `impl`: their struct is outside of it.
fn check_generics(generics: &Generics, handlers: &[HandlerFunction], problems: &mut MacroProblems) {
    let names: Vec<_> = generics
        .params
        .iter()
        .filter_map(|generic| match generic {
            GenericParam::Type(it) => Some(&it.ident),
            GenericParam::Const(it) => Some(&it.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    for parameter in handlers.iter().flat_map(HandlerFunction::parameters) {
        for name in &names {
            if crate::registration::mentions(parameter.ty.to_token_stream(), &name.to_string()) {
                let text = format!(
                    "a parameter has one type, which decides how it is decoded and described: it \
                     cannot use `{name}`, which the `impl` is generic over"
                );
                problems.add(&parameter.ty, text);
            }
        }
    }
    for lifetime in generics.lifetimes() {
        let text = "the state lives as long as its service, so it cannot borrow: own the value, or \
                    share it with an `Arc`";
        problems.add(lifetime, text);
    }
}

/// Refuses two procedures of an `impl` with the same name.
fn check_names(shared: &Shared, handlers: &[HandlerFunction], problems: &mut MacroProblems) {
    let mut taken = HashMap::new();
    // It is not known here whether a procedure with `#[cfg(…)]` exists; `build()` knows.
    for handler in handlers.iter().filter(|handler| handler.cfgs.is_empty()) {
        let name = shared.name(handler);
        if let Some(other) = taken.insert(name.clone(), &handler.function) {
            let place = handler
                .options
                .name
                .as_ref()
                .map_or_else(|| handler.function.span(), LitStr::span);
            let text = format!("the procedure {name:?} is there already: the function `{other}`");
            problems.add_at(place, text);
        }
    }
}

fn registration(
    root: Root,
    block: &Impl,
    shared: &Shared,
    handlers: &[HandlerFunction],
) -> TokenStream {
    let (generics, _, clause) = block.generics.split_for_impl();
    let ty = &block.ty;
    let function = &shared.function;
    let of_shared = format_ident!("shared_{}", function);
    let procedures = handlers.iter().map(|handler| {
        let cfgs = &handler.cfgs;
        let common = &shared.setters;
        let state = quote_spanned!(handler.output.resolved_at(Span::mixed_site())=> Self);
        let name = shared.name(handler);
        let procedure = procedure(root, handler, &name, Receiver::State, &state);
        quote! {
            #(#cfgs)*
            procedures.push(#procedure #common .with_state(::std::sync::Arc::clone(self)));
        }
    });
    let bound = quote_spanned! {Spanned::span(ty)=>
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    };
    let service = quote! {
        ServiceState: ::core::marker::Send + ::core::marker::Sync + 'static
    };
    // The compiler's error about two functions of the same name does not say what to do; this one
    // does.
    let only = (!shared.named).then(|| {
        quote_spanned! {Spanned::span(ty)=>
            #[automatically_derived]
            impl #generics #root::__private::OnlyImplWithoutFnName for #ty #clause {}
        }
    });
    let client = if root.has_clients() {
        client_of(root, block, shared, handlers)
    } else {
        None
    };
    quote! {
        #client
        #only

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

/// Returns the client, unless the author wants none.
fn client_of(
    root: Root,
    block: &Impl,
    shared: &Shared,
    handlers: &[HandlerFunction],
) -> Option<TokenStream> {
    let functions = block.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(&function.signature.ident),
        Item::Other(_) => None,
    });
    let source = ClientSource {
        generics: &block.generics,
        ty: &block.ty,
        function: &shared.function,
        taken: functions.collect(),
    };
    let handlers = handlers.iter().map(|it| (it, shared.name(it)));
    let handlers: Vec<_> = handlers.collect();
    client(root, &source, &shared.client, &handlers)
}
