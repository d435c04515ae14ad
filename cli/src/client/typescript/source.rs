//! Text and comments in TypeScript's source code.

use crate::client::text;

/// Writes a documentation comment.
pub(super) fn docs(out: &mut String, indent: &str, docs: &str) {
    docs_with_tags(out, indent, docs, &[]);
}

/// Writes a documentation comment with tags, such as `@returns`.
pub(super) fn docs_with_tags(out: &mut String, indent: &str, docs: &str, tags: &[(&str, String)]) {
    // A tag would add a meaning that the description does not have.
    let escape = |line: &str| line.replace("*/", "*\\/").replace('@', "\\@");
    let mut lines: Vec<String> = text::lines(docs).iter().map(|it| escape(it)).collect();
    if docs.is_empty() {
        lines.clear();
    }
    lines.extend(
        tags.iter()
            .map(|(tag, text)| format!("@{tag} {}", escape(text))),
    );
    match &lines[..] {
        [] => {}
        [line] => *out += &format!("{indent}/** {line} */\n"),
        lines => {
            *out += &format!("{indent}/**\n");
            for line in lines {
                out.push_str(format!("{indent} * {line}").trim_end());
                out.push('\n');
            }
            *out += &format!("{indent} */\n");
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
