//! Members such as `code = 1404, message = "No such book"`, in the order that the author likes.
//!
//! A value is any tokens, because JSON is not an expression. Unknown and repeated names are
//! reported with those that exist.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Expr, LitStr, Token};

use crate::problems::MacroProblems;

/// Parses members in parentheses, and returns them in the order of `names`.
pub(crate) fn members<const N: usize>(
    input: ParseStream<'_>,
    span: Span,
    names: [&str; N],
) -> syn::Result<[Option<TokenStream>; N]> {
    if !input.peek(syn::token::Paren) {
        return Err(not_members(span, &names));
    }
    let content;
    syn::parenthesized!(content in input);
    members_in(&content, names)
}

/// Parses members up to the end of the input, and returns them or everything that is wrong with them.
pub(crate) fn members_in<const N: usize>(
    content: ParseStream<'_>,
    names: [&str; N],
) -> syn::Result<[Option<TokenStream>; N]> {
    let mut problems = MacroProblems::default();
    let values = right_members_in(content, names, &mut problems)?;
    problems.into_result(values)
}

/// Parses members up to the end of the input, and returns those that are right. A value is any tokens,
/// because JSON is not an expression.
pub(crate) fn right_members_in<const N: usize>(
    content: ParseStream<'_>,
    names: [&str; N],
    problems: &mut MacroProblems,
) -> syn::Result<[Option<TokenStream>; N]> {
    let mut values = [const { None }; N];
    while !content.is_empty() {
        let start = content.span();
        let Ok(name) = content.call(Ident::parse_any) else {
            problems.push(not_members(start, &names));
            content.parse::<TokenStream>()?;
            break;
        };
        if let Some((at, value)) = problems.take(member(content, &name, &names))
            && values[at].replace(value).is_some()
        {
            problems.push(given_twice(&name));
        }
        skip_to_comma(content)?;
        content.parse::<Option<Token![,]>>()?;
    }
    Ok(values)
}

/// Parses the value of a member, and returns it with the place of its name.
fn member(
    content: ParseStream<'_>,
    name: &Ident,
    names: &[&str],
) -> syn::Result<(usize, TokenStream)> {
    let Some(at) = names.iter().position(|known| name == known) else {
        return Err(unknown(name, names));
    };
    skip_equals(content, name)?;
    let value = skip_to_comma(content)?;
    if value.is_empty() {
        return Err(needs_value(name));
    }
    Ok((at, value))
}

/// Parses the value of an option.
pub(crate) fn value(option: &Ident, input: ParseStream<'_>) -> syn::Result<Expr> {
    skip_equals(input, option)?;
    input.parse()
}

/// Skips the equals sign between a name and its value.
fn skip_equals(input: ParseStream<'_>, name: &Ident) -> syn::Result<()> {
    match input.parse::<Option<Token![=]>>()? {
        Some(_) => Ok(()),
        None => Err(needs_value(name)),
    }
}

/// Returns the tokens up to the next comma outside of brackets, or up to the end.
pub(crate) fn skip_to_comma(content: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut skipped = TokenStream::new();
    while !content.is_empty() && !content.peek(Token![,]) {
        skipped.extend([content.parse::<TokenTree>()?]);
    }
    Ok(skipped)
}

/// Returns the error for a name that is given again.
pub(crate) fn given_twice(name: &Ident) -> Error {
    Error::new(name.span(), format!("`{name}` is given twice"))
}

/// Returns the error for a name that is none of those that there are.
pub(crate) fn unknown(name: &Ident, names: &[&str]) -> Error {
    let text = format!("unknown `{name}`; expected one of `{}`", names.join("`, `"));
    Error::new(name.span(), text)
}

/// Returns the error for a value without a name, with the names that there are.
fn not_members(span: Span, names: &[&str]) -> Error {
    let members: Vec<_> = names.iter().map(|name| format!("{name} = …")).collect();
    let text = format!("every value needs a name: write ({})", members.join(", "));
    Error::new(span, text)
}

/// Returns the error for an option without its value.
fn needs_value(name: &Ident) -> Error {
    let text = format!("`{name}` needs a value: write `{name} = …`");
    Error::new(name.span(), text)
}

/// Reads a text that has to be a literal, because a macro joins names.
pub(crate) fn literal(name: &str, value: TokenStream) -> syn::Result<LitStr> {
    let span = syn::spanned::Spanned::span(&value);
    let text = format!("`{name}` needs a text in quotation marks: write `{name} = \"…\"`");
    syn::parse2(value).map_err(|_| Error::new(span, text))
}

/// Refuses a message with a placeholder, such as `format!` would fill in: nothing fills it in here.
pub(crate) fn check_message(message: &TokenStream) -> syn::Result<()> {
    let Ok(literal) = syn::parse2::<LitStr>(message.clone()) else {
        return Ok(());
    };
    let message = literal.value();
    let Some(inner) = placeholder(&message) else {
        return Ok(());
    };
    let text = format!(
        "a message is sent as it is written, and nothing replaces `{{{inner}}}`: remove it, and \
         send values in the data of the error"
    );
    Err(Error::new(literal.span(), text))
}

/// Returns the inside of the first braces, if `format!` would fill it in.
fn placeholder(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once('{')?;
    let (inner, _) = rest.split_once('}')?;
    inner
        .chars()
        .all(|letter| letter.is_alphanumeric() || "_:?#.".contains(letter))
        .then_some(inner)
}
