//! The errors that procedures declare, as classes.

use std::fmt::Write as _;

use super::shapes::Shapes;
use super::source::{docs, quoted};
use super::types::write_type;
use crate::client::model::Model;
use crate::client::text;

pub(super) fn errors(model: &Model, shapes: &Shapes) -> String {
    if model.errors.is_empty() {
        return "export {};\n".to_owned();
    }
    let mut classes = String::new();
    for error in &model.errors {
        classes.push('\n');
        docs(&mut classes, "", &error.docs);
        let name = &error.name;
        let data = match &error.data {
            Some(of) => write_type(model, of, "types."),
            None => "unknown".to_owned(),
        };
        let _ = writeln!(classes, "export class {name} extends RpcError<{data}> {{");
        let _ = writeln!(classes, "  static readonly code = {};", error.code);
        let _ = writeln!(
            classes,
            "  static readonly title = {};",
            quoted(&error.message)
        );
        if let Some(shape) = shapes.of(model, error.data.as_ref()) {
            let _ = writeln!(classes, "  static readonly shape: Shape = {shape};");
        }
        let retry = error.retry.map(|it| format!(", {it}")).unwrap_or_default();
        let _ = writeln!(classes, "\n  constructor(message: string, data: {data}) {{");
        let _ = writeln!(
            classes,
            "    super({}, message, data{retry});\n  }}\n}}",
            error.code
        );
    }
    let code = text::without_comments(&classes, &['*', '/']);
    let mut out = String::new();
    for (what, line) in [
        (": Shape =", "import type { Shape } from \"./json.js\";\n"),
        ("", "import { RpcError } from \"./rpc.js\";\n"),
        ("shapes.", "import * as shapes from \"./shapes.js\";\n"),
        ("types.", "import type * as types from \"./types.js\";\n"),
    ] {
        if code.contains(what) {
            out.push_str(line);
        }
    }
    out + &classes
}
