//! The files beside the pages: style sheet, icon and scripts.
//!
//! Each is the same for every page, and its path contains a hash of its content, so that caches can keep it forever.
//! The parts that depend on the site are filled in here: colours, texts, and the paths of scripts that are loaded
//! later. The author's own images are in `images`.
//!
//! | asset | loaded | sources in `assets/` |
//! |---|---|---|
//! | `style.css`, `icon.svg`, `theme.js`, `docent.js` | with each page | those of the same names |
//! | `search.js`, and the index | with the first search | `search.js` |
//! | `try.js` | with the first use of a form | `form-*.js`, in the order of `FORM_SCRIPTS` |
//! | `answer.js` | with the first call | `RESPONSE_SCRIPTS` |
//! | `events.js` | with the first subscription | `form-events.js` |
//!
//! Scripts of one asset share one scope, and what they use of another asset is passed to them by name.

use std::collections::BTreeMap;

use docent_describe::code::{self, PROTOCOL_ERRORS};
use docent_describe::schema::Format;
use serde_json::{Map, Value, json};

use crate::colours;
use crate::images::fingerprint;
use crate::problem::Problem;
use crate::samples;
use crate::strings::Strings;
use crate::text;

/// The style sheet, with the colours that a site can replace at its top.
pub(crate) const STYLE_SHEET: &str = include_str!("../assets/style.css");
const THEME_SCRIPT: &str = include_str!("../assets/theme.js");
const FIRST_SCRIPT: &str = include_str!("../assets/docent.js");
const SEARCH_SCRIPT: &str = include_str!("../assets/search.js");
/// The script of the form, in parts that share one scope.
const FORM_SCRIPTS: &[&str] = &[
    include_str!("../assets/form-json.js"),
    include_str!("../assets/form-highlight.js"),
    include_str!("../assets/form-samples.js"),
    include_str!("../assets/form-check.js"),
    include_str!("../assets/form-fields.js"),
    include_str!("../assets/form-controls.js"),
    include_str!("../assets/form-send.js"),
    include_str!("../assets/form-request.js"),
    include_str!("../assets/form-credentials.js"),
    include_str!("../assets/form-settings.js"),
    include_str!("../assets/form-kept.js"),
    include_str!("../assets/form-batch.js"),
    include_str!("../assets/form-panel.js"),
];
/// The part of the form that displays responses, which is loaded when the first call is sent.
const RESPONSE_SCRIPTS: &[&str] = &[
    include_str!("../assets/form-errors.js"),
    include_str!("../assets/form-folds.js"),
    include_str!("../assets/form-answer.js"),
];
/// The functions and constants of the form that this part uses. `form-panel.js` passes them to it.
const RESPONSE_TOOLS: &str = "CREDENTIALS, MOST_AT_ONCE, MOST_COLOURED, MOST_SHOWN, button, coloured, element, filled, isJson, isText, \
     languages, layOut, parse, pretty, print, quote, showJson, step, tokensOf";
/// The part of the form that only subscriptions need.
const EVENTS_SCRIPT: &str = include_str!("../assets/form-events.js");
/// The functions of the part for responses that this one uses.
const EVENTS_TOOLS: &str =
    "button, element, filled, inLine, inWords, isJson, isText, parse, print, quote, showJson";
/// The constraints whose texts `form-check.js` displays.
const CHECKED_FACTS: [&str; 10] = [
    "above", "below", "between", "items", "length", "maximum", "minimum", "multiple", "pattern",
    "unique",
];
const DEFAULT_ICON: &str = include_str!("../assets/icon.svg");

/// The path of the search index. It is large and rarely needed, so its name does not depend on its
/// content: otherwise the first page would have to wait for the index.
pub(crate) const INDEX_PATH: &str = "assets/index.js";

/// A file that is the same for every page.
#[derive(Debug)]
pub(crate) struct Asset {
    /// The name by which the program refers to the file.
    pub(crate) name: &'static str,
    /// The path, which changes with the content, so that caches can keep the file forever.
    pub(crate) path: String,
    /// The content.
    pub(crate) text: String,
}

/// Returns all assets, with colours and texts filled in.
pub(crate) fn build_all(
    colours: &BTreeMap<String, String>,
    strings: &Strings,
    problems: &mut Vec<Problem>,
) -> Vec<Asset> {
    let mut assets = vec![
        asset("style.css", style(colours, problems)),
        asset("icon.svg", DEFAULT_ICON.to_owned()),
        asset("theme.js", THEME_SCRIPT.to_owned()),
        asset("search.js", SEARCH_SCRIPT.to_owned()),
        asset("events.js", events_script(strings)),
        asset("answer.js", response_script(strings)),
        asset("try.js", form_script(strings)),
    ];
    assets.push(asset("docent.js", first_script(&assets, strings)));
    assets
}

/// Creates an asset. `name` is the one by which the program refers to it.
fn asset(name: &'static str, text: String) -> Asset {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let print = fingerprint(text.as_bytes());
    Asset {
        name,
        path: format!("assets/{stem}-{print:08x}.{extension}"),
        text,
    }
}

/// Returns the first script. It includes the scripts' texts, and the paths of the scripts that are
/// loaded later, because there is no inline script to hold them.
fn first_script(assets: &[Asset], strings: &Strings) -> String {
    let mut files: BTreeMap<&str, &str> = assets
        .iter()
        .filter(|asset| asset.name.contains(".js"))
        .map(|asset| (asset.name, asset.path.as_str()))
        .collect();
    files.insert("index.js", INDEX_PATH);
    // A map of texts always serialises.
    let files = serde_json::to_string(&files).unwrap_or_default();
    format!(
        "self.docentStrings = {};\nself.docentFiles = {};\n{FIRST_SCRIPT}",
        texts(strings, "js."),
        text::script_data(&files),
    )
}

/// Returns the texts of a script, by key, as a literal.
fn texts(strings: &Strings, prefix: &str) -> String {
    literal(&strings.of_script(prefix))
}

/// Returns the texts of the constraints that the form checks, as a literal.
fn checked_facts(strings: &Strings) -> String {
    let mut facts = strings.of_script("fact.");
    facts.retain(|key, _| {
        let (constraint, _) = key.split_once('.').unwrap_or((key, ""));
        CHECKED_FACTS.contains(&constraint)
    });
    literal(&facts)
}

fn literal(texts: &BTreeMap<&str, &str>) -> String {
    // A map of texts always serialises.
    text::script_data(&serde_json::to_string(texts).unwrap_or_default())
}

/// Returns the script of the form, which a page loads when the form is first used, with its own texts.
fn form_script(strings: &Strings) -> String {
    let form_texts = texts(strings, "form.");
    let facts = checked_facts(strings);
    let formats = text::script_data(&formats());
    let languages = text::script_data(&samples::script_data());
    let parts: String = FORM_SCRIPTS.iter().map(|script| trimmed(script)).collect();
    format!(
        "(function () {{\n\"use strict\";\nconst words = {form_texts};\nconst facts = {facts};\nconst formats = {formats};\nconst languages = {languages};\n{parts}}})();\n"
    )
}

/// Returns the script that displays responses, with its own texts.
fn response_script(strings: &Strings) -> String {
    let response_texts = texts(strings, "answer.");
    let codes = protocol_codes();
    let parts: String = RESPONSE_SCRIPTS
        .iter()
        .map(|script| trimmed(script))
        .collect();
    format!(
        "(function () {{\n\"use strict\";\nconst words = {response_texts};\nconst protocolCodes = {codes};\n\
         self.docentAnswer = ({{ {RESPONSE_TOOLS} }}) => {{\n{parts}\
         const Events = self.docentEvents?.({{ {EVENTS_TOOLS} }});\n\
         return {{ Answer, Events, askFor, reasonsIn }};\n}};\n}})();\n"
    )
}

/// Returns the script that displays the events of a subscription, with its own texts.
fn events_script(strings: &Strings) -> String {
    let events_texts = texts(strings, "events.");
    let script = trimmed(EVENTS_SCRIPT);
    format!(
        "(function () {{\n\"use strict\";\nconst words = {events_texts};\n\
         self.docentEvents = ({{ {EVENTS_TOOLS} }}) => {{\n{script}return Events;\n}};\n}})();\n"
    )
}

/// Returns a script without its comments and its indentation, which are for those who change it. No string in it goes
/// on over several lines.
fn trimmed(script: &str) -> String {
    script
        .split_inclusive('\n')
        .map(str::trim_start)
        .filter(|line| !line.starts_with("//"))
        .collect()
}

/// Returns the codes that pages explain: of a service that Docent serves, and of any other.
fn protocol_codes() -> Value {
    let docent: Vec<i64> = PROTOCOL_ERRORS.iter().map(|error| error.code).collect();
    let mut foreign = docent.clone();
    foreign.retain(|code| code::SPECIFIED.contains(code));
    json!({ "docent": docent, "foreign": foreign })
}

/// Returns a pattern, an example and the type of an input for each format and content encoding.
fn formats() -> String {
    let mut formats = Map::new();
    for format in Format::all().chain(Format::encodings()) {
        let input = json!({
            "pattern": format.loose_pattern(),
            "example": format.examples.first(),
            "input": format.input,
        });
        formats.insert(format.name.to_owned(), input);
    }
    Value::Object(formats).to_string()
}

/// Returns the style sheet. Colours of the author follow its own, so that they win.
fn style(colours: &BTreeMap<String, String>, problems: &mut Vec<Problem>) -> String {
    match colours::rules(STYLE_SHEET, colours, problems) {
        rules if rules.is_empty() => STYLE_SHEET.to_owned(),
        rules => format!("{STYLE_SHEET}:root {{\n{rules}}}\n"),
    }
}
