//! Text and comments in TypeScript's source code.

use std::fmt::Write as _;

use crate::client::text;

/// Writes a documentation comment.
pub(super) fn docs(out: &mut String, indent: &str, docs: &str) {
    if docs.is_empty() {
        return;
    }
    let lines = text::lines(docs);
    let lines = lines.iter().map(|line| {
        let line = line.replace("*/", "*\\/");
        // A tag would add a meaning that the description does not have.
        match line.trim_start().strip_prefix('@') {
            Some(_) => line.replacen('@', "\\@", 1),
            None => line,
        }
    });
    let lines: Vec<String> = lines.collect();
    write_docs(out, indent, &lines);
}

pub(super) fn write_docs(out: &mut String, indent: &str, lines: &[String]) {
    match lines {
        [] => {}
        [line] => {
            let _ = writeln!(out, "{indent}/** {line} */");
        }
        lines => {
            let _ = writeln!(out, "{indent}/**");
            for line in lines {
                let _ = writeln!(out, "{}", format!("{indent} * {line}").trim_end());
            }
            let _ = writeln!(out, "{indent} */");
        }
    }
}

pub(super) fn quoted(text: &str) -> String {
    text::quoted(text, |character| {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units).iter();
        let escapes: Vec<String> = units.map(|unit| format!("\\u{unit:04x}")).collect();
        escapes.concat()
    })
}
