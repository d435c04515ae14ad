//! The signature of a procedure: `find(words: string, limit?: integer = 20) → Book[]`.
//!
//! A page has it at the top, broken into lines if it is long, and a list has it behind the name of each procedure. The
//! types come from `phrases`, in their notation for signatures.

use docent_describe::json::{Json, shorten};
use docent_describe::schema::SchemaViews;
use docent_describe::{ParamDescription, ProcedureDescription};

use crate::json_text;
use crate::markup::{Markup, PageFormat};
use crate::schema::{TypePhrase, is_answered};
use crate::text::display_name;
use crate::view::scope::PageText;

/// The maximum number of parameters of a signature. All are in the rows.
const MAX_SIGNED: usize = 40;

/// The maximum number of parameters of a signature in a list.
const MAX_LISTED: usize = 6;

/// The maximum number of characters of a signature on one line.
const MAX_LINE: usize = 64;

/// Writes the signature. One that is too long for a line has a line for each parameter.
pub(super) fn signature<'a>(
    page: &PageText<'_>,
    views: &'a SchemaViews<'a>,
    procedure: &'a ProcedureDescription,
) -> Markup {
    let mut signature = page.markup();
    signature.raw("<b>").text(&display_name(&procedure.name));
    signature.raw("</b>").text("(");
    let params = params(page, views, procedure, MAX_SIGNED);
    let width = signature.width() + params.iter().map(|param| param.width() + 2).sum::<usize>();
    if width > MAX_LINE && page.format() == PageFormat::Html {
        signature.text("\n  ");
        signature = signature.joined(",\n  ", params);
        signature.text("\n)");
    } else {
        signature = signature.joined(", ", params);
        signature.text(")");
    }
    add_returns(page, views, procedure, &mut signature);
    signature
}

/// Writes the signature for the row of a list, behind the name: `(words: string) → Book[]`.
pub(in crate::view) fn listed_signature<'a>(
    page: &PageText<'_>,
    views: &'a SchemaViews<'a>,
    procedure: &'a ProcedureDescription,
) -> Markup {
    let params = params(page, views, procedure, MAX_LISTED);
    let mut signature = page.escaped("(").joined(", ", params);
    signature.text(")");
    add_returns(page, views, procedure, &mut signature);
    signature
}

/// Writes the parameters of a signature, at most `most`.
fn params<'a>(
    page: &PageText<'_>,
    views: &'a SchemaViews<'a>,
    procedure: &'a ProcedureDescription,
    most: usize,
) -> Vec<Markup> {
    let mut params: Vec<Markup> = procedure
        .params
        .iter()
        .take(most)
        .map(|param| signed_param(page, views, param))
        .collect();
    if procedure.params.len() > most {
        params.push(page.escaped("…"));
    }
    params
}

/// Adds the type of the result to a signature, or that of each item.
fn add_returns<'a>(
    page: &PageText<'_>,
    views: &'a SchemaViews<'a>,
    procedure: &'a ProcedureDescription,
    signature: &mut Markup,
) {
    if let Some(returns) = procedure.output().filter(|_| is_answered(procedure)) {
        signature.text(" → ");
        if procedure.subscription.is_some() {
            signature.text(page.strings.get("items.each"));
        }
        let result = TypePhrase::new(views.view_of_schema(&returns.schema));
        signature.markup(&result.notation(page));
    }
}

/// Writes a parameter of a signature, with its default.
fn signed_param<'a>(
    page: &PageText<'_>,
    views: &'a SchemaViews<'a>,
    param: &'a ParamDescription,
) -> Markup {
    let view = views.view_of_schema(&param.schema);
    let name = shorten(&param.name, 60);
    let marked = match (param.variadic, param.required) {
        (true, _) => format!("…{name}"),
        (false, true) => name.into_owned(),
        (false, false) => format!("{name}?"),
    };
    let mut signed = page.markup();
    signed.span("k", &marked).text(": ");
    signed.markup(&TypePhrase::new(view).notation(page));
    if let Some(default) = view
        .default_of(param)
        .filter(|default| **default != Json::Null)
    {
        signed.text(" = ").span("n", &json_text::brief(default, 30));
    }
    signed
}
