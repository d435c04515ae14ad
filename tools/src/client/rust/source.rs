//! Names, text and comments in Rust's source code, which rustdoc reads as Markdown.

use crate::client::model::Model;
use crate::client::names::{IdentifierScope, pascal, snake};
use crate::client::text;

/// Keywords of the language, and the functions that a client or a type has.
pub(super) const RESERVED_NAMES: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "new", "clone",
];

/// Returns text as the lines of a documentation comment, in which rustdoc neither runs code nor shows
/// HTML, nor links that readers cannot follow.
pub(super) fn doc_lines(docs: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text::lines(docs) {
        let mut harmless = line
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("```", "'''");
        for mark in ["<", "[", "]", "~"] {
            harmless = harmless.replace(mark, &format!("\\{mark}"));
        }
        lines.push(harmless);
    }
    lines
}

/// Writes a documentation comment.
pub(super) fn docs(out: &mut String, indent: &str, docs: &str) {
    text::write_lines(out, &format!("{indent}/// "), &doc_lines(docs));
}

/// Writes a literal.
pub(super) fn quoted(text: &str) -> String {
    text::quoted(text, |character| {
        format!("\\u{{{:x}}}", u32::from(character))
    })
}

/// The names of a procedure's method and of its errors' type, if it declares any.
pub(super) struct RustNames {
    pub(super) method: String,
    pub(super) error: Option<String>,
}

/// Names the methods of all procedures, and the types of their errors.
pub(super) fn names(model: &Model) -> Vec<RustNames> {
    let mut methods = IdentifierScope::new("procedure", RESERVED_NAMES);
    let mut errors = IdentifierScope::new("Procedure", &["Self"]);
    let mut names = Vec::new();
    for procedure in &model.procedures {
        let mut error = None;
        if !procedure.errors.is_empty() {
            error = Some(errors.take(&format!("{}Error", pascal(&procedure.words))));
        }
        names.push(RustNames {
            method: methods.take(&snake(&procedure.words)),
            error,
        });
    }
    names
}
