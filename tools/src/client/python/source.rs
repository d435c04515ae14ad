//! Names, text and comments in Python's source code, where a backslash or a quote could end a documentation string.

use std::fmt::Write as _;

use crate::client::shapes::Shapes;
use crate::client::text;

/// Keywords of the language, and names that generated code uses.
pub(super) const RESERVED_NAMES: &[&str] = &[
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "match",
    "case",
    "type",
    "none",
    "true",
    "false",
    "self",
    "cls",
    "any",
    "call",
    "list",
    "dict",
    "str",
    "int",
    "float",
    "bool",
    "object",
    "tuple",
    "models",
    "calls",
    "errors",
    "rpc",
    "send",
    "batch",
    "notify",
    "subscribe",
    "close",
    "omitted",
    "given",
    "in_order",
    "client",
    "print",
    "property",
    "super",
    "typing",
    "bytes",
    "shapes",
    "read",
];

/// Writes a documentation string, in which nothing ends it or is an instruction to a tool.
pub(super) fn docstring(out: &mut String, indent: &str, docs: &str) {
    // At the start of a line, mypy would obey `# mypy:`.
    let mut lines = text::lines(docs);
    for line in &mut lines {
        *line = line
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace("# mypy:", "\\x23 mypy:");
    }
    if lines.is_empty() {
        return;
    }
    let next = format!("\n{indent}");
    let text = lines.join(&next);
    let end = if lines.len() > 1 { &*next } else { "" };
    for line in format!("{indent}\"\"\"{text}{end}\"\"\"").lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Writes a comment before a name.
pub(super) fn comment(out: &mut String, indent: &str, docs: &str) {
    // Documentation tools read this form, and no tool takes it for an instruction.
    text::write_lines(out, &format!("{indent}#: "), &text::lines(docs));
}

/// Writes a literal.
pub(super) fn quoted(text: &str) -> String {
    text::quoted(text, |character| match u32::from(character) {
        number @ 0..=0xffff => format!("\\u{number:04x}"),
        number => format!("\\U{number:08x}"),
    })
}

/// Returns the rest of an import, where shapes are needed.
pub(super) fn import_shapes(shapes: &Shapes<'_>) -> &'static str {
    if shapes.is_needed { ", shapes" } else { "" }
}
