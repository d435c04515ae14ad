//! The errors that procedures declare, as classes.
//!
//! A client throws the class of the code that a service answers with. An error that the procedure does not declare is
//! an `RpcError` (`rpc.ts`).

use super::source::{docs, quoted};
use super::types::write_type;
use crate::client::model::Model;
use crate::client::shapes::Shapes;
use std::fmt::Write as _;

/// Writes a class for each error.
pub(super) fn errors(out: &mut String, model: &Model, shapes: &Shapes<'_>) {
    for error in &model.errors {
        let data = match &error.data {
            Some(ty) => write_type(model, ty),
            None => "unknown".to_owned(),
        };
        out.push('\n');
        docs(out, "", &error.docs);
        let name = &error.name;
        let code = error.code;
        let title = quoted(&error.message);
        let mut shape = String::new();
        if let Some(ty) = error.data.as_ref().and_then(|ty| shapes.write_used(ty)) {
            shape = format!("  static readonly shape: JsonShape = {ty};\n");
        }
        let retry = match error.retry {
            Some(retry) => format!(", {retry}"),
            None => String::new(),
        };
        let _ = write!(
            out,
            "export class {name} extends RpcError<{data}> {{
  static readonly code = {code};
  static readonly title = {title};
{shape}
  constructor(message: string, data: {data}) {{
    super({code}, message, data{retry});
  }}
}}
"
        );
    }
}
