//! A strict parser of OpenMetrics text. It accepts only the format's grammar, and every sample must
//! belong to a family that was announced.

use std::collections::{BTreeMap, BTreeSet};

/// A sample's name and its labels, sorted by name.
type Series = (String, BTreeMap<String, String>);

/// A parsed exposition.
pub(crate) struct Exposition {
    samples: BTreeMap<Series, f64>,
}

impl Exposition {
    pub(crate) fn read(text: &str) -> Self {
        let body = text.strip_suffix("# EOF\n").expect("an end");
        let mut types = BTreeMap::new();
        let mut samples = BTreeMap::new();
        let mut family = String::new();
        for line in body.lines() {
            if let Some(comment) = line.strip_prefix("# ") {
                let [keyword, name, rest] = *comment.splitn(3, ' ').collect::<Vec<_>>() else {
                    panic!("{line:?}");
                };
                match keyword {
                    "TYPE" => assert_eq!(types.insert(name.to_owned(), rest.to_owned()), None),
                    "HELP" => assert!(rest.ends_with('.'), "{line:?}"),
                    "UNIT" => assert!(name.ends_with(rest), "{line:?}"),
                    _ => panic!("{line:?}"),
                }
                name.clone_into(&mut family);
                continue;
            }
            let (series, value) = sample(line);
            let kind = &types[&family];
            let suffix = series.0.strip_prefix(&family).expect("one of its family");
            let suffixes: &[&str] = match &**kind {
                "counter" => &["_total"],
                "gauge" => &[""],
                "histogram" => &["_bucket", "_sum", "_count"],
                other => panic!("{other:?}"),
            };
            assert!(suffixes.contains(&suffix), "{line:?}");
            assert_eq!(samples.insert(series, value), None, "{line:?}");
        }
        let read = Self { samples };
        read.check_buckets();
        read
    }

    /// Checks that buckets count upwards and that the last one counts everything.
    fn check_buckets(&self) {
        for ((name, labels), count) in &self.samples {
            let Some(family) = name.strip_suffix("_count") else {
                continue;
            };
            let mut buckets = Vec::new();
            for ((other, others), value) in &self.samples {
                let mut others = others.clone();
                let bound = others.remove("le");
                if *other == format!("{family}_bucket") && others == *labels {
                    let bound = bound.expect("a bound").replace("+Inf", "inf");
                    buckets.push((bound.parse::<f64>().expect("a number"), *value));
                }
            }
            buckets.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
            assert!(buckets.is_sorted_by(|a, b| a.1 <= b.1), "{buckets:?}");
            assert_eq!(buckets.last(), Some(&(f64::INFINITY, *count)));
        }
    }

    /// Returns a sample's value, or `None` if there is no such sample.
    pub(crate) fn get(&self, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let labels = labels
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        self.samples.get(&(name.to_owned(), labels)).copied()
    }

    /// Returns all values of a label.
    pub(crate) fn values(&self, label: &str) -> BTreeSet<&str> {
        self.samples
            .keys()
            .filter_map(|(_, labels)| labels.get(label))
            .map(String::as_str)
            .collect()
    }

    /// Returns the number of samples.
    pub(crate) fn len(&self) -> usize {
        self.samples.len()
    }
}

/// `name{label="value",…} number`
fn sample(line: &str) -> (Series, f64) {
    let (series, value) = line.rsplit_once(' ').expect("a value");
    let value = value.parse().expect("a number");
    let Some((name, labels)) = series.split_once('{') else {
        return ((word(series), BTreeMap::new()), value);
    };
    let mut rest = labels.strip_suffix('}').expect("the end of the labels");
    let mut labels = BTreeMap::new();
    while !rest.is_empty() {
        let (label, quoted) = rest.split_once("=\"").expect("a label");
        let (text, after) = text(quoted);
        assert_eq!(labels.insert(word(label), text), None, "{line:?}");
        rest = after.strip_prefix(',').unwrap_or(after);
    }
    ((word(name), labels), value)
}

fn word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    assert!(!text.is_empty() && text.bytes().all(is_plain), "{text:?}");
    text.to_owned()
}

/// Returns the text up to its closing quote, and the rest.
fn text(quoted: &str) -> (String, &str) {
    let mut text = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (text, &quoted[at + 1..]),
            '\\' => match characters.next().map(|(_, escaped)| escaped) {
                Some('n') => text.push('\n'),
                Some(escaped @ ('\\' | '"')) => text.push(escaped),
                other => panic!("{other:?} is not an escape"),
            },
            character => text.push(character),
        }
    }
    panic!("no closing quote: {quoted:?}");
}
