//! The errors that procedures declare, as classes.
//!
//! A client throws the class of the code that a service answers with. An error that the procedure does not declare is
//! an `RpcError` (`rpc.ts`).

use super::source::{docs, quoted};
use super::types::write_type;
use crate::client::model::Model;
use crate::client::shapes::Shapes;
use std::fmt::Write as _;

/// Returns the file with a class for each error. It imports what its types need, because unused imports are errors to
/// some users.
pub(super) fn errors(model: &Model, shapes: &Shapes<'_>) -> String {
    let mut classes = String::new();
    let mut uses_types = false;
    let mut uses_shapes = false;
    for error in &model.errors {
        let data = match &error.data {
            Some(of) => write_type(model, of, "types."),
            None => "unknown".to_owned(),
        };
        uses_types |= data.contains("types.");
        classes.push('\n');
        docs(&mut classes, "", &error.docs);
        let name = &error.name;
        let code = error.code;
        let title = quoted(&error.message);
        let mut shape = String::new();
        if let Some(of) = error.data.as_ref().and_then(|of| shapes.write_used(of)) {
            uses_shapes = true;
            shape = format!("  static readonly shape: shapes.Shape = {of};\n");
        }
        let retry = match error.retry {
            Some(retry) => format!(", {retry}"),
            None => String::new(),
        };
        let _ = write!(
            classes,
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
    if classes.is_empty() {
        return "export {};\n".to_owned();
    }
    let mut imports = String::from("import { RpcError } from \"./rpc.ts\";\n");
    if uses_shapes {
        imports += "import * as shapes from \"./shapes.ts\";\n";
    }
    if uses_types {
        imports += "import type * as types from \"./types.ts\";\n";
    }
    imports + &classes
}
