//! The options of a procedure, in the parentheses of `#[procedure(…)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, Expr, LitStr, Meta, Token};

use crate::deprecation::deprecated;
use crate::duration::duration;
use crate::example::{error, example, tool};
use crate::members::{literal, members_in, needs_value};
use crate::problems::MacroProblems;
use crate::root::Root;

/// Options that may be given more than once.
const REPEATED: [&str; 4] = ["tag", "scope", "error", "example"];

/// The options of a procedure, as an attribute specifies them.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<LitStr>,
    pub(crate) blocking: Option<Span>,
    /// The attribute `#[deprecated]` for the users of a client.
    pub(crate) deprecated: Option<TokenStream>,
    /// Calls of the setters of `Procedure`, in the order of the options.
    pub(crate) setters: TokenStream,
    names: Vec<Ident>,
}

impl Options {
    /// Reads the options of an attribute on a method.
    pub(crate) fn of_attribute(
        root: Root,
        attribute: &Attribute,
        problems: &mut MacroProblems,
    ) -> Self {
        match &attribute.meta {
            Meta::Path(_) => Self::default(),
            Meta::List(list) => Self::read(root, list.tokens.clone(), problems),
            Meta::NameValue(_) => {
                let text = "write the options in parentheses: `#[procedure(idempotent)]`";
                problems.add(attribute, text);
                Self::default()
            }
        }
    }

    /// Reads options. Those before a mistake are kept.
    pub(crate) fn read(root: Root, tokens: TokenStream, problems: &mut MacroProblems) -> Self {
        let mut options = Self::default();
        let read = |input: ParseStream<'_>| options.read_all(root, input);
        problems.take(read.parse2(tokens));
        options
    }

    fn read_all(&mut self, root: Root, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            let option = input.call(Ident::parse_any).map_err(|error| {
                let text = "every option has a name, as in `name = \"find\"`";
                Error::new(error.span(), text)
            })?;
            if self.names.contains(&option) && !REPEATED.iter().any(|name| option == name) {
                let text = format!("`{option}` is given twice");
                return Err(Error::new(option.span(), text));
            }
            let setter = self.read_one(root, &option, input)?;
            self.setters.extend(setter);
            self.names.push(option);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    /// Reads an option and returns the call of its setter. An option without a rule of its own is the
    /// setter of this name, so the compiler reports an unknown one and a value of the wrong type.
    fn read_one(
        &mut self,
        root: Root,
        option: &Ident,
        input: ParseStream<'_>,
    ) -> syn::Result<TokenStream> {
        let span = option.span();
        let has_value = input.peek(Token![=]);
        let has_members = input.peek(syn::token::Paren);
        Ok(match &*option.to_string() {
            "name" => {
                let name = value(option, input)?;
                self.name = Some(literal("name", name.into_token_stream())?);
                TokenStream::new()
            }
            "blocking" => {
                self.blocking = Some(span);
                TokenStream::new()
            }
            "deprecated" => {
                let (setter, note) = deprecated(root, option, input)?;
                self.deprecated = Some(note);
                setter
            }
            "error" => error(span, input)?,
            "example" => example(root, span, input)?,
            "rate" => rate(option, input)?,
            "tool" if has_members => tool(root, span, input)?,
            "tool" if has_value => {
                let name = value(option, input)?;
                quote_spanned!(span=> .tool_named(#name))
            }
            name @ ("timeout" | "cache_for" | "repeatable") => {
                let duration = duration(name, &value(option, input)?)?;
                quote_spanned!(span=> .#option(#duration))
            }
            _ if has_value => {
                let value = value(option, input)?;
                quote_spanned!(span=> .#option(#value))
            }
            _ => quote_spanned!(span=> .#option()),
        })
    }

    pub(crate) fn is_idempotent(&self) -> bool {
        let mut names = self.names.iter();
        names.any(|option| option == "idempotent" || option == "idempotent_because")
    }
}

/// Parses the value of an option.
fn value(option: &Ident, input: ParseStream<'_>) -> syn::Result<Expr> {
    if !input.peek(Token![=]) {
        return Err(needs_value(option));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Parses `rate(100, per = "60s")`.
fn rate(option: &Ident, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let read = || {
        let content;
        syn::parenthesized!(content in input);
        let calls: Expr = content.parse()?;
        content.parse::<Token![,]>()?;
        let [per] = members_in(&content, ["per"])?;
        Ok((calls, per))
    };
    let Ok((calls, Some(per))) = read() else {
        let form = "write how many calls are accepted in which time: `rate(100, per = \"60s\")`";
        return Err(Error::new(option.span(), form));
    };
    let per = duration("per", &syn::parse2(per)?)?;
    Ok(quote_spanned!(option.span()=> .#option(#calls, #per)))
}
