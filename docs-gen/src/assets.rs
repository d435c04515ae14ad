//! The files beside the pages: style and scripts.

use std::collections::BTreeMap;

use crate::colours;
use crate::problem::Problem;
use crate::samples;
use crate::strings::Strings;
use crate::text;

pub(crate) const STYLE: &str = include_str!("../assets/style.css");
pub(crate) const THEME: &str = include_str!("../assets/theme.js");
pub(crate) const DOCENT: &str = include_str!("../assets/docent.js");
pub(crate) const SEARCH: &str = include_str!("../assets/search.js");
/// The script of the form, in parts that share one scope.
const FORM: &[&str] = &[
    include_str!("../assets/form-json.js"),
    include_str!("../assets/form-samples.js"),
    include_str!("../assets/form-check.js"),
    include_str!("../assets/form-fields.js"),
    include_str!("../assets/form-controls.js"),
    include_str!("../assets/form-send.js"),
    include_str!("../assets/form-panel.js"),
];
const ICON: &str = include_str!("../assets/icon.svg");

/// A file that is the same for every page.
#[derive(Debug)]
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) content_type: &'static str,
}

/// All of them, colours and texts filled in.
pub(crate) fn all(
    colours: &BTreeMap<String, String>,
    strings: &Strings,
    problems: &mut Vec<Problem>,
) -> Vec<Asset> {
    let script = |name, text: String| Asset {
        name,
        text,
        content_type: "text/javascript; charset=utf-8",
    };
    vec![
        Asset {
            name: "style.css",
            text: style(colours, problems),
            content_type: "text/css; charset=utf-8",
        },
        Asset {
            name: "icon.svg",
            text: ICON.to_owned(),
            content_type: "image/svg+xml",
        },
        script("theme.js", THEME.to_owned()),
        script("docent.js", with_strings(strings)),
        script("search.js", SEARCH.to_owned()),
        script("try.js", form(strings)),
    ]
}

/// The scripts' texts come with the first of them: there is no inline script to hold them.
fn with_strings(strings: &Strings) -> String {
    format!("self.docentStrings = {};\n{DOCENT}", texts(strings, "js."))
}

/// The texts of a script, by key, as a literal.
fn texts(strings: &Strings, prefix: &str) -> String {
    // A map of texts always serialises.
    let json = serde_json::to_string(&strings.of_script(prefix)).unwrap_or_default();
    text::script_data(&json)
}

/// The script of the form, which a page loads when it is first used, with its own texts.
fn form(strings: &Strings) -> String {
    let words = texts(strings, "form.");
    let facts = texts(strings, "fact.");
    let languages = text::script_data(&samples::script_data());
    let parts = FORM.concat();
    format!(
        "(function () {{\n\"use strict\";\nconst words = {words};\nconst facts = {facts};\nconst languages = {languages};\n{parts}}})();\n"
    )
}

fn style(colours: &BTreeMap<String, String>, problems: &mut Vec<Problem>) -> String {
    let mut style = STYLE.to_owned();
    let rules = colours::rules(STYLE, colours, problems);
    if !rules.is_empty() {
        style.push_str(":root {\n");
        style.push_str(&rules);
        style.push_str("}\n");
    }
    style
}
