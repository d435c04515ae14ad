//! The constraints of a schema, in words.

use docent_describe::json::shorten;
use docent_describe::schema::facts::count;

use crate::json_text;
use crate::markup::{Markup, PageForm};
use crate::schema::Constraint;
use crate::strings::Strings;

/// The longest pattern that is shown. A longer one is cut; the description has all of it.
const LONGEST_PATTERN: usize = 300;

/// Returns constraints as short phrases, each once.
pub(super) fn facts<'j>(
    form: PageForm,
    strings: &Strings,
    constraints: impl Iterator<Item = Constraint<'j>>,
) -> Vec<Markup> {
    let constraints: Vec<_> = constraints.filter(|it| !it.is_of_type()).collect();
    let mut facts = Vec::new();
    let mut rest = constraints.as_slice();
    while let [first, others @ ..] = rest {
        rest = others;
        let mut fact = Markup::new(form);
        match (first, others) {
            (Constraint::Number("min", least), [Constraint::Number("max", most), after @ ..])
                if !matches!(after, [Constraint::Number("below", _), ..]) =>
            {
                rest = after;
                let bounds = [least, most].map(|bound| shorten(bound, 60));
                fact.text(&strings.with_all("fact.between", &[&bounds[0], &bounds[1]]));
            }
            (Constraint::Number(key, number), _) => {
                let key = match *key {
                    "min" => "minimum",
                    "max" => "maximum",
                    "by" => "multiple",
                    key => key,
                };
                fact.text(&strings.with(&format!("fact.{key}"), &shorten(number, 60)));
            }
            (Constraint::Count { unit, least, most }, _) => {
                let [least, most] = [least, most].map(|text| text.map(|text| shorten(text, 60)));
                if let Some((key, values)) = count(unit, least.as_deref(), most.as_deref()) {
                    fact.text(&strings.with_all(&key, &values));
                }
            }
            (Constraint::Flag(flag), _) => {
                fact.text(strings.get(&format!("fact.{flag}")));
            }
            (Constraint::Pattern(pattern), _) => {
                let text = strings.get("fact.pattern");
                let (before, after) = text.split_once("{}").unwrap_or_default();
                let pattern = shorten(pattern, LONGEST_PATTERN);
                fact.text(before).code(&pattern).text(after);
            }
            (Constraint::Keyword(name, value), _) => {
                let (name, value) = (shorten(name, 60), json_text::brief(value, 120));
                fact.code(&format!("{name}: {value}"));
            }
        }
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}
