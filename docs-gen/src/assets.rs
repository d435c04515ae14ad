//! The files beside the pages: style and scripts.

use std::collections::BTreeMap;

use crate::colours;
use crate::problem::Problem;
use crate::strings::Strings;
use crate::text;

pub(crate) const STYLE: &str = include_str!("../assets/style.css");
pub(crate) const THEME: &str = include_str!("../assets/theme.js");
pub(crate) const DOCENT: &str = include_str!("../assets/docent.js");
pub(crate) const SEARCH: &str = include_str!("../assets/search.js");
pub(crate) const TRY: &str = include_str!("../assets/try.js");
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
        script("try.js", TRY.to_owned()),
    ]
}

/// The scripts' texts come with the first of them: there is no inline script to hold them.
fn with_strings(strings: &Strings) -> String {
    // A map of texts always serialises.
    let json = serde_json::to_string(&strings.of_scripts()).unwrap_or_default();
    format!(
        "self.docentStrings = {};\n{DOCENT}",
        text::script_data(&json)
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
