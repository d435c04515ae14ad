//! The files beside the pages: style sheet, icon and scripts.
//!
//! Each is the same for every page, and its name contains a hash of its content, so that caches can
//! keep it forever. What depends on the site is filled in here: colours, texts, and the paths of
//! scripts that are loaded later. The author's own images are in `images`.

use std::collections::BTreeMap;

use docent_describe::code::{self, PROTOCOL_ERRORS};
use docent_describe::schema::Format;
use serde_json::{Value, json};

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
/// The part of the form that shows responses, which is loaded when the first call is sent.
const ANSWER_SCRIPTS: &[&str] = &[
    include_str!("../assets/form-errors.js"),
    include_str!("../assets/form-folds.js"),
    include_str!("../assets/form-answer.js"),
];
/// The functions and constants of the form that this part uses. `form-panel.js` passes them to it.
const ANSWER_TOOLS: &str = "CREDENTIALS, MOST_AT_ONCE, MOST_COLOURED, MOST_SHOWN, button, coloured, element, filled, isJson, isText, \
     languages, layOut, parse, pretty, print, quote, showJson, step, tokensOf";
/// The part of the form that only subscriptions need.
const EVENTS_SCRIPT: &str = include_str!("../assets/form-events.js");
/// The functions of the part that shows responses that this one uses.
const EVENTS_TOOLS: &str =
    "button, element, filled, inLine, inWords, isJson, isText, parse, print, quote, showJson";
/// The constraints whose texts `form-check.js` shows.
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
    let style = asset("style.css", style(colours, problems));
    let mut assets = vec![
        style,
        asset("icon.svg", DEFAULT_ICON.to_owned()),
        asset("theme.js", THEME_SCRIPT.to_owned()),
        asset("search.js", SEARCH_SCRIPT.to_owned()),
        asset("events.js", events(strings)),
        asset("answer.js", answer(strings)),
        asset("try.js", form(strings)),
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
fn form(strings: &Strings) -> String {
    let words = texts(strings, "form.");
    let facts = checked_facts(strings);
    let formats = text::script_data(&formats());
    let languages = text::script_data(&samples::script_data());
    let parts: String = FORM_SCRIPTS.iter().map(|script| trimmed(script)).collect();
    format!(
        "(function () {{\n\"use strict\";\nconst words = {words};\nconst facts = {facts};\nconst formats = {formats};\nconst languages = {languages};\n{parts}}})();\n"
    )
}

/// Returns the script that shows responses, with its own texts.
fn answer(strings: &Strings) -> String {
    let words = texts(strings, "answer.");
    let codes = protocol_codes();
    let parts: String = ANSWER_SCRIPTS
        .iter()
        .map(|script| trimmed(script))
        .collect();
    format!(
        "(function () {{\n\"use strict\";\nconst words = {words};\nconst protocolCodes = {codes};\n\
         self.docentAnswer = ({{ {ANSWER_TOOLS} }}) => {{\n{parts}\
         const Events = self.docentEvents?.({{ {EVENTS_TOOLS} }});\n\
         return {{ Answer, Events, askFor, reasonsIn }};\n}};\n}})();\n"
    )
}

/// Returns the script that shows the events of a subscription, with its own texts.
fn events(strings: &Strings) -> String {
    let words = texts(strings, "events.");
    let script = trimmed(EVENTS_SCRIPT);
    format!(
        "(function () {{\n\"use strict\";\nconst words = {words};\n\
         self.docentEvents = ({{ {EVENTS_TOOLS} }}) => {{\n{script}return Events;\n}};\n}})();\n"
    )
}

/// Returns a script without its comments and its indentation, which are for those who change it. No text of it has
/// several lines.
fn trimmed(script: &str) -> String {
    script
        .split_inclusive('\n')
        .map(str::trim_start)
        .filter(|line| !line.starts_with("//"))
        .collect()
}

/// Returns the codes that are explained: of a service that Docent serves, and of any other.
fn protocol_codes() -> Value {
    let mut own: Vec<i64> = PROTOCOL_ERRORS.iter().map(|error| error.code).collect();
    let docent = own.clone();
    own.retain(|code| code::SPECIFIED.contains(code));
    json!({ "docent": docent, "foreign": own })
}

/// Returns what the form knows of each format and content encoding: a pattern, an example, and the type of an input for
/// it.
fn formats() -> String {
    let each = Format::all().chain(Format::encodings()).map(|format| {
        let input = json!({
            "pattern": format.loose_pattern(),
            "example": format.examples.first(),
            "input": format.input,
        });
        (format.name.to_owned(), input)
    });
    Value::Object(each.collect()).to_string()
}

/// Returns the style sheet. Colours of the author follow its own, so that they win.
fn style(colours: &BTreeMap<String, String>, problems: &mut Vec<Problem>) -> String {
    match colours::rules(STYLE_SHEET, colours, problems) {
        rules if rules.is_empty() => STYLE_SHEET.to_owned(),
        rules => format!("{STYLE_SHEET}:root {{\n{rules}}}\n"),
    }
}
