//! Compares what authors say about values, and what JSON Schema leaves to its readers.

use indexmap::IndexMap;

use super::super::phrase::phrase;
use super::found::{Effect, shown_or_none};
use super::{ValuePair, Walk};
use docent_describe::json::Json;
use docent_describe::schema::{Annotations, Node};

/// What some nodes say about a value, without asking anything of it.
struct Said<'t> {
    is_deprecated: bool,
    default: Option<&'t Json>,
    words: Words<'t>,
    /// The keywords that mean something to their readers and are not checked, with their values.
    meanings: IndexMap<&'t str, Vec<Json>>,
    /// The schemas of what is inside strings.
    contents: Vec<&'t Node<'t>>,
}

/// What has no effect on callers.
#[derive(PartialEq)]
struct Words<'t> {
    title: Option<&'t str>,
    description: Option<&'t str>,
    examples: Option<&'t [Json]>,
    is_read_only: bool,
    is_write_only: bool,
}

impl<'t> Said<'t> {
    fn of(nodes: &[&'t Node<'t>]) -> Self {
        let all = || nodes.iter().map(|node| &node.annotations);
        let has = |is_marked: fn(&Annotations<'t>) -> bool| all().any(is_marked);
        let examples = all().map(|said| said.examples);
        let mut said = Self {
            is_deprecated: has(|said| said.deprecated),
            default: all().find_map(|said| said.default),
            words: Words {
                title: all().find_map(|said| said.title),
                description: all().find_map(|said| said.description),
                examples: { examples }.find(|examples| !examples.is_empty()),
                is_read_only: has(|said| said.read_only),
                is_write_only: has(|said| said.write_only),
            },
            meanings: IndexMap::new(),
            contents: Vec::new(),
        };
        for node in nodes {
            said.add_meanings(node);
        }
        said
    }

    fn add_meanings(&mut self, node: &'t Node<'t>) {
        for (keyword, value) in &node.extensions {
            self.mean(keyword, (*value).clone());
        }
        if node
            .unions
            .iter()
            .any(|union| union.discriminator.is_some())
        {
            let keyword = "discriminator";
            let value = node.source.get(keyword);
            self.mean(keyword, value.cloned().unwrap_or_default());
        }
        if let Some(strings) = node.strings.as_deref() {
            if let Some(encoding) = strings.encoding {
                self.mean("contentEncoding", encoding.into());
            }
            if let Some(media_type) = strings.media_type {
                self.mean("contentMediaType", media_type.into());
            }
            self.contents.extend(&strings.content);
        }
    }

    /// Adds a value of a keyword, unless it is known.
    fn mean(&mut self, keyword: &'t str, value: Json) {
        let values = self.meanings.entry(keyword).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    }
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between the keywords that do not constrain values.
    pub(super) fn annotations(
        &mut self,
        pair: &ValuePair<'t>,
        old: &[&'t Node<'t>],
        new: &[&'t Node<'t>],
    ) {
        let (was, is) = (Said::of(old), Said::of(new));
        match (was.is_deprecated, is.is_deprecated) {
            (false, true) => self.add(pair, Effect::Deprecated, "change.value.deprecated"),
            (true, false) => self.add(pair, Effect::Undeprecated, "change.value.undeprecated"),
            _ => {}
        }
        self.meanings(pair, &was, &is);
        let has_other_default = was.default != is.default;
        // The default of a whole parameter is compared with the parameter.
        let is_whole = pair.way.is_empty() && pair.shared.is_none();
        if has_other_default && self.is_input && !is_whole {
            let detail = phrase("change.value.default", &[]);
            let detail = detail
                .and(shown_or_none(is.default))
                .and(shown_or_none(was.default));
            self.found.push(pair.difference(Effect::Default, detail));
        }
        if was.words != is.words || has_other_default && !self.is_input {
            self.add(pair, Effect::Words, "change.value.words");
        }
    }

    /// Finds keywords whose meaning is for their readers to know.
    fn meanings(&mut self, pair: &ValuePair<'t>, was: &Said<'t>, is: &Said<'t>) {
        let gone = was
            .meanings
            .keys()
            .filter(|keyword| !is.meanings.contains_key(*keyword));
        for keyword in is.meanings.keys().chain(gone) {
            let [before, after] = [was, is].map(|said| said.meanings.get(keyword));
            if before != after {
                let [before, after] =
                    [before, after].map(|values| values.and_then(|all| all.first()));
                let detail = phrase("change.value.constraint", &[keyword]);
                let detail = detail.and(shown_or_none(after)).and(shown_or_none(before));
                self.found.push(pair.difference(Effect::Keyword, detail));
            }
        }
        let mut contents = was.contents.iter().zip(&is.contents);
        let is_same = was.contents.len() == is.contents.len()
            && contents.all(|(old, new)| self.values.is_unchanged((old.source, new.source)));
        if !is_same {
            let detail = phrase("change.value.keyword", &[&"contentSchema"]);
            self.found.push(pair.difference(Effect::Keyword, detail));
        }
    }
}
