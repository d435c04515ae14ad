//! The signature of a procedure.

use docent_describe::json::{Json, shorten};
use docent_describe::{ParamDescription, ProcedureDescription};

use super::scope::PageScope;
use crate::json_text;
use crate::markup::{Markup, PageForm};
use crate::schema::TypeWords;
use crate::text::shown_name;

/// The maximum number of parameters of a signature with types. A signature with more is on one line, and their types are
/// in the rows.
const MAX_TYPED: usize = 4;

/// The maximum number of characters of the names on one line. Names beyond them are left out.
const MAX_NAMES: usize = 72;

impl<'a> PageScope<'a> {
    /// Writes the signature: `find(words: string, limit?: integer = 20) → array of Book`.
    pub(super) fn signature(&self, procedure: &'a ProcedureDescription) -> Markup {
        let mut line = self.text.markup();
        line.raw("<b>").text(&shown_name(&procedure.name));
        line.raw("</b>").text("(");
        let params = &procedure.params;
        if params.len() > MAX_TYPED {
            Self::signed_names(&mut line, params);
        } else {
            let broken = self.text.form() == PageForm::Html && params.len() > 2;
            for (at, param) in params.iter().enumerate() {
                line.text(match (at, broken) {
                    (0, true) => "\n  ",
                    (0, false) => "",
                    (_, true) => ",\n  ",
                    (_, false) => ", ",
                });
                self.signed(&mut line, param);
            }
            line.text(if broken { "\n)" } else { ")" });
        }
        let returns = procedure.returns.as_ref();
        if let Some(returns) = returns.filter(|_| !procedure.notification) {
            let words = TypeWords::of(self.schemas.views.of(&returns.schema));
            line.text(" → ").markup(&words.markup(&self.text));
        }
        line
    }

    /// Adds as many names as fit on one line.
    fn signed_names(line: &mut Markup, params: &[ParamDescription]) {
        let mut room = MAX_NAMES;
        for (at, param) in params.iter().enumerate() {
            if at > 0 {
                line.text(", ");
            }
            let name = shorten(&param.name, 60);
            let Some(left) = room.checked_sub(name.chars().count() + 2) else {
                line.text("…");
                break;
            };
            room = left;
            let mark = if param.required { "" } else { "?" };
            line.span("k", &format!("{name}{mark}"));
        }
        line.text(")");
    }

    fn signed(&self, line: &mut Markup, param: &'a ParamDescription) {
        let view = self.schemas.views.of(&param.schema);
        let name = shorten(&param.name, 60);
        let name = match (param.variadic, param.required) {
            (true, _) => format!("…{name}"),
            (false, true) => name.into_owned(),
            (false, false) => format!("{name}?"),
        };
        line.span("k", &name).text(": ");
        line.markup(&TypeWords::of(view).markup(&self.text));
        if let Some(default) = view
            .default_of(param)
            .filter(|default| **default != Json::Null)
        {
            line.text(" = ").span("n", &json_text::brief(default, 30));
        }
    }
}
