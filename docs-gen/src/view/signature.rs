//! The signature of a procedure.

use docent_describe::json::{Json, shorten};
use docent_describe::{ParamDescription, ProcedureDescription};

use super::scope::PageScope;
use crate::json_text;
use crate::markup::{Markup, PageForm};
use crate::text::shown_name;

/// The most parameters of a signature with types. A signature with more is on one line, and their
/// types are in the rows.
const TYPED: usize = 4;

/// The most characters of names in a signature line. Names beyond them are left out.
const SIGNED: usize = 72;

impl PageScope<'_> {
    /// Renders the signature: `find(words: string, limit?: integer = 20) → array of Book`.
    pub(super) fn signature(&self, procedure: &ProcedureDescription) -> Markup {
        let mut line = self.markup();
        line.raw("<b>").text(&shown_name(&procedure.name));
        line.raw("</b>").text("(");
        let params = &procedure.params;
        if params.len() > TYPED {
            Self::signed_names(&mut line, params);
        } else {
            let broken = self.form() == PageForm::Html && params.len() > 2;
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
        if !procedure.notification
            && let Some(returns) = &procedure.returns
        {
            line.text(" → ").markup(&self.words(&[&returns.schema]));
        }
        line
    }

    /// Adds as many names as fit on one line.
    fn signed_names(line: &mut Markup, params: &[ParamDescription]) {
        let mut room = SIGNED;
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

    fn signed(&self, line: &mut Markup, param: &ParamDescription) {
        let name = shorten(&param.name, 60);
        let name = match (param.variadic, param.required) {
            (true, _) => format!("…{name}"),
            (false, true) => name.into_owned(),
            (false, false) => format!("{name}?"),
        };
        line.span("k", &name).text(": ");
        line.markup(&self.words(&[&param.schema]));
        let default = param.default.as_ref();
        if let Some(default) = default.filter(|default| !matches!(default, Json::Null)) {
            line.text(" = ").span("n", &json_text::brief(default, 30));
        }
    }
}
