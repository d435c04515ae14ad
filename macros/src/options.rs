//! The options of a procedure, in the parentheses of `#[procedure(…)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, Expr, ExprLit, Lit, LitStr, Meta, Token};

use crate::deprecation::deprecated;
use crate::duration::duration;
use crate::example::{error, example};
use crate::problems::MacroProblems;
use crate::root::Root;
use crate::tool::tool;

/// Options without a value. Each is a setter of `Procedure`.
const FLAGS: [&str; 6] = [
    "idempotent",
    "keys_without_caller",
    "notification",
    "shared_cache",
    "errors_open",
    "by_name_only",
];

/// Options with a text. Each is a setter of `Procedure`.
const TEXTS: [&str; 7] = [
    "summary",
    "description",
    "returns",
    "tag",
    "scope",
    "list_name",
    "unchecked",
];

/// Options with a number. Each is a setter of `Procedure`.
const NUMBERS: [&str; 1] = ["max_concurrent"];

/// Options with a duration. Each is a setter of `Procedure`.
const DURATIONS: [&str; 3] = ["timeout", "cache_for", "repeatable"];

/// The other options.
const OTHERS: [&str; 7] = [
    "name",
    "blocking",
    "deprecated",
    "error",
    "example",
    "rate",
    "tool",
];

/// Options that may be given more than once.
const REPEATABLE: [&str; 4] = ["tag", "scope", "error", "example"];

/// The options of a procedure, as an attribute specifies them.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<LitStr>,
    pub(crate) blocking: Option<Span>,
    /// The attribute `#[deprecated]` for the users of a client.
    pub(crate) deprecated: Option<TokenStream>,
    /// Calls of the setters of `Procedure`, in the order of the options.
    pub(crate) setters: TokenStream,
    given: Vec<Ident>,
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
                problems.add(
                    attribute,
                    "write the options in parentheses: `#[procedure(idempotent)]`",
                );
                Self::default()
            }
        }
    }

    /// Reads options. Those before a mistake are kept.
    pub(crate) fn read(root: Root, tokens: TokenStream, problems: &mut MacroProblems) -> Self {
        let mut options = Self::default();
        let read = Parser::parse2(
            |input: ParseStream<'_>| options.read_all(root, input),
            tokens,
        );
        problems.take(read);
        options
    }

    fn read_all(&mut self, root: Root, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            let option = option_name(input, "name = \"find\"")?;
            let name = option.to_string();
            if !REPEATABLE.contains(&&*name) && self.given.contains(&option) {
                return Err(Error::new(
                    option.span(),
                    format!("`{name}` is given twice"),
                ));
            }
            self.read_one(root, &option, &name, input)?;
            self.given.push(option);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn read_one(
        &mut self,
        root: Root,
        option: &Ident,
        name: &str,
        input: ParseStream<'_>,
    ) -> syn::Result<()> {
        let span = option.span();
        let setter = if FLAGS.contains(&name) {
            flag(option, input)?;
            quote_spanned!(span=> .#option())
        } else if TEXTS.contains(&name) || NUMBERS.contains(&name) {
            let value = value(option, input)?;
            quote_spanned!(span=> .#option(#value))
        } else if DURATIONS.contains(&name) {
            let duration = duration(name, &value(option, input)?)?;
            quote_spanned!(span=> .#option(#duration))
        } else {
            match name {
                "name" => {
                    self.name = Some(text(option, value(option, input)?)?);
                    return Ok(());
                }
                "blocking" => {
                    flag(option, input)?;
                    self.blocking = Some(span);
                    return Ok(());
                }
                "deprecated" => {
                    let (setter, note) = deprecated(root, option, input)?;
                    self.deprecated = Some(note);
                    setter
                }
                "error" => error(span, input)?,
                "example" => example(root, span, input)?,
                "rate" => rate(option, input)?,
                "tool" if input.peek(Token![=]) => {
                    let name = value(option, input)?;
                    quote_spanned!(span=> .tool_named(#name))
                }
                "tool" if input.peek(syn::token::Paren) => tool(root, span, input)?,
                "tool" => {
                    flag(option, input)?;
                    quote_spanned!(span=> .tool())
                }
                _ => return Err(unknown(option)),
            }
        };
        self.setters.extend(setter);
        Ok(())
    }

    pub(crate) fn is_idempotent(&self) -> bool {
        self.given.iter().any(|option| option == "idempotent")
    }
}

/// Parses the name of an option.
pub(crate) fn option_name(input: ParseStream<'_>, such_as: &str) -> syn::Result<Ident> {
    input.call(Ident::parse_any).map_err(|error| {
        Error::new(
            error.span(),
            format!("every option has a name, as in `{such_as}`"),
        )
    })
}

/// Returns a value that has to be a literal text, because a macro has to join names.
pub(crate) fn text(option: &Ident, value: Expr) -> syn::Result<LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Ok(text),
        other => Err(Error::new(
            syn::spanned::Spanned::span(&other),
            format!("`{option}` is a text in quotation marks: `{option} = \"…\"`"),
        )),
    }
}

/// Parses the value of an option.
pub(crate) fn value(option: &Ident, input: ParseStream<'_>) -> syn::Result<Expr> {
    if !input.peek(Token![=]) {
        let such_as = match &*option.to_string() {
            "timeout" | "cache_for" | "per" => "\"60s\"",
            "repeatable" => "\"24h\"",
            "max_concurrent" => "8",
            "client" => "false",
            _ => "\"…\"",
        };
        let text = format!("`{option}` needs a value: `{option} = {such_as}`");
        return Err(Error::new(option.span(), text));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}

fn flag(option: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    let text = format!("`{option}` takes no value: write `{option}` alone, or leave it out");
    Err(Error::new(option.span(), text))
}

/// Parses `rate(100, per = "60s")`.
fn rate(option: &Ident, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let span = option.span();
    let form = "write how many calls are accepted in which time: `rate(100, per = \"60s\")`";
    if !input.peek(syn::token::Paren) {
        return Err(Error::new(span, form));
    }
    let content;
    syn::parenthesized!(content in input);
    let calls: Expr = content.parse()?;
    content
        .parse::<Token![,]>()
        .map_err(|_| Error::new(span, form))?;
    let per: Ident = content.parse().map_err(|_| Error::new(span, form))?;
    if per != "per" {
        return Err(Error::new(per.span(), form));
    }
    let per = duration("per", &value(&per, &content)?)?;
    if !content.is_empty() {
        return Err(content.error(form));
    }
    Ok(quote_spanned!(span=> .#option(#calls, #per)))
}

fn unknown(option: &Ident) -> Error {
    let known = FLAGS.iter().chain(&TEXTS).chain(&NUMBERS);
    let known = known.chain(&DURATIONS).chain(&OTHERS);
    let mut known: Vec<&str> = known.copied().collect();
    known.sort_unstable();
    Error::new(
        option.span(),
        unknown_text("option", &option.to_string(), &known),
    )
}

/// Returns the message about an unknown name, with the one that may be meant, or with all that are
/// known.
pub(crate) fn unknown_text(what: &str, name: &str, known: &[&str]) -> String {
    let distance = |other: &str| strsim::damerau_levenshtein(name, other);
    let closest = known.iter().min_by_key(|other| distance(other));
    match closest.filter(|other| distance(other) <= name.len() / 3) {
        Some(closest) => format!("unknown {what} `{name}`; did you mean `{closest}`?"),
        None => format!(
            "unknown {what} `{name}`; there are `{}`",
            known.join("`, `")
        ),
    }
}
