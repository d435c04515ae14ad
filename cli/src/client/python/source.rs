//! Names, text and comments in Python's source code.

use std::fmt::Write as _;

use crate::client::text;

/// Keywords of the language, and names that generated code uses.
pub(super) const RESERVED: &[&str] = &[
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
    "close",
    "omitted",
    "given",
    "not_omitted",
    "positions",
    "client",
    "async_client",
    "print",
    "property",
    "super",
];

pub(super) fn docstring(out: &mut String, indent: &str, docs: &str) {
    if docs.is_empty() {
        return;
    }
    let escape = |line: &str| {
        // At the start of a line, mypy would obey `# mypy:`.
        line.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace("# mypy:", "\\x23 mypy:")
    };
    let lines = text::lines(docs);
    let (first, rest) = lines
        .split_first()
        .map_or(("", &[][..]), |(it, rest)| (it, rest));
    let _ = write!(out, "{indent}\"\"\"{}", escape(first));
    for line in rest {
        out.push('\n');
        if !line.is_empty() {
            let _ = write!(out, "{indent}{}", escape(line));
        }
    }
    let end = if rest.is_empty() {
        String::new()
    } else {
        format!("\n{indent}")
    };
    let _ = writeln!(out, "{end}\"\"\"");
}

pub(super) fn comment(out: &mut String, indent: &str, docs: &str) {
    if !docs.is_empty() {
        for line in text::lines(docs) {
            // Documentation tools read this form, and no tool takes it for an instruction.
            let _ = writeln!(out, "{}", format!("{indent}#: {line}").trim_end());
        }
    }
}

pub(super) fn quoted(text: &str) -> String {
    text::quoted(text, |character| match u32::from(character) {
        number @ 0..=0xffff => format!("\\u{number:04x}"),
        number => format!("\\U{number:08x}"),
    })
}
