//! The signature of a procedure: `find(words: string, limit?: integer = 20) → Book[]`.

use docent_describe::json::{Json, shorten};
use docent_describe::schema::SchemaViews;
use docent_describe::{ParamDescription, ProcedureDescription};

use crate::json_text;
use crate::markup::{Markup, PageForm};
use crate::schema::{TypeWords, is_answered};
use crate::text::shown_name;
use crate::view::scope::PageText;

/// The maximum number of parameters of a signature. All are in the rows.
const MAX_SIGNED: usize = 40;

/// The maximum number of characters of a signature on one line.
const MAX_LINE: usize = 64;

/// Writes the signature. One that is too long for a line has a line for each parameter.
pub(super) fn signature<'a>(
    page: &PageText<'_>,
    views: &'a SchemaViews<'a>,
    procedure: &'a ProcedureDescription,
) -> Markup {
    let mut signature = page.markup();
    signature.raw("<b>").text(&shown_name(&procedure.name));
    signature.raw("</b>").text("(");
    let mut params: Vec<Markup> = procedure
        .params
        .iter()
        .take(MAX_SIGNED)
        .map(|param| signed(page, views, param))
        .collect();
    if procedure.params.len() > MAX_SIGNED {
        params.push(page.escaped("…"));
    }
    let width = signature.width() + params.iter().map(|param| param.width() + 2).sum::<usize>();
    if width > MAX_LINE && page.form() == PageForm::Html {
        signature.text("\n  ");
        signature = signature.joined(",\n  ", params);
        signature.text("\n)");
    } else {
        signature = signature.joined(", ", params);
        signature.text(")");
    }
    if let Some(returns) = procedure.output().filter(|_| is_answered(procedure)) {
        signature.text(" → ");
        if procedure.subscription.is_some() {
            signature.text(page.strings.get("items.each"));
        }
        let words = TypeWords::new(views.view_of_schema(&returns.schema));
        signature.markup(&words.notation(page));
    }
    signature
}

/// Writes a parameter of a signature, with its default.
fn signed<'a>(
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
    signed.markup(&TypeWords::new(view).notation(page));
    if let Some(default) = view
        .default_of(param)
        .filter(|default| **default != Json::Null)
    {
        signed.text(" = ").span("n", &json_text::brief(default, 30));
    }
    signed
}
