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
        let fact = match (first, others) {
            (Constraint::Number("min", least), [Constraint::Number("max", most), after @ ..])
                if !matches!(after, [Constraint::Number("below", _), ..]) =>
            {
                rest = after;
                let bounds = [least, most].map(|bound| shorten(bound, 60));
                strings.with_all("fact.between", &[&bounds[0], &bounds[1]])
            }
            (Constraint::Number(key, number), _) => {
                let key = match *key {
                    "min" => "minimum",
                    "max" => "maximum",
                    "by" => "multiple",
                    key => key,
                };
                strings.with(&format!("fact.{key}"), &shorten(number, 60))
            }
            (Constraint::Count { unit, least, most }, _) => {
                let [least, most] = [least, most].map(|text| text.map(|text| shorten(text, 60)));
                let counted = count(unit, least.as_deref(), most.as_deref());
                counted.map_or_else(String::new, |(key, values)| strings.with_all(&key, &values))
            }
            (Constraint::Flag(flag), _) => strings.get(&format!("fact.{flag}")).to_owned(),
            (Constraint::Pattern(pattern), _) => {
                let (before, after) = strings
                    .get("fact.pattern")
                    .split_once("{}")
                    .unwrap_or_default();
                let mut fact = Markup::of_text(form, before);
                fact.code(&shorten(pattern, LONGEST_PATTERN)).text(after);
                push_new(&mut facts, fact);
                continue;
            }
            (Constraint::Keyword(name, value), _) => {
                let (name, value) = (shorten(name, 60), json_text::brief(value, 120));
                let mut fact = Markup::new(form);
                fact.code(&format!("{name}: {value}"));
                push_new(&mut facts, fact);
                continue;
            }
        };
        push_new(&mut facts, Markup::of_text(form, &fact));
    }
    facts
}

fn push_new(facts: &mut Vec<Markup>, fact: Markup) {
    if !facts.contains(&fact) {
        facts.push(fact);
    }
}
