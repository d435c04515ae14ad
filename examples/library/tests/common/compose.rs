//! The services of the compose file.

use std::ffi::OsString;

use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

const FILE: &str = include_str!("../../container/compose.yaml");

/// The instances of the library, in the order of the file.
pub(crate) const INSTANCES: [&str; 3] = ["one", "two", "three"];

pub(crate) struct Compose(Value);

impl Compose {
    pub(crate) fn read() -> Self {
        let documents = YamlLoader::load_from_str(FILE).unwrap();
        let [document] = &*documents else {
            panic!("{} documents", documents.len());
        };
        Self(json(document))
    }

    pub(crate) fn services(&self) -> &Map<String, Value> {
        self.0["services"].as_object().unwrap()
    }

    pub(crate) fn service(&self, name: &str) -> &Value {
        &self.services()[name]
    }

    /// Returns the words of a list.
    pub(crate) fn words<'c>(&'c self, service: &str, path: &str) -> Vec<&'c str> {
        let list = self.service(service).pointer(path);
        let list = list.and_then(Value::as_array);
        let list = list.unwrap_or_else(|| panic!("{service}{path}"));
        list.iter().map(|word| word.as_str().unwrap()).collect()
    }

    /// Returns the names of the services in an order in which they can start: each after those that it
    /// waits for.
    pub(crate) fn order(&self) -> Vec<&str> {
        let mut order: Vec<&str> = Vec::new();
        while order.len() < self.services().len() {
            let next = self.services().iter().find(|(name, service)| {
                let can_start = service["depends_on"]
                    .as_object()
                    .into_iter()
                    .flat_map(Map::keys)
                    .all(|name| order.contains(&&**name));
                can_start && !order.contains(&name.as_str())
            });
            order.push(next.expect("no service that waits for itself").0);
        }
        order
    }

    /// Returns the arguments of an instance.
    pub(crate) fn arguments(&self, instance: &str) -> Vec<OsString> {
        self.words(instance, "/command")
            .into_iter()
            .map(OsString::from)
            .collect()
    }
}

/// Returns a YAML value as JSON, which tests can compare.
fn json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Null => Value::Null,
        Yaml::Boolean(value) => (*value).into(),
        Yaml::Integer(number) => (*number).into(),
        Yaml::String(text) => text.as_str().into(),
        Yaml::Array(items) => items.iter().map(json).collect(),
        Yaml::Hash(members) => members
            .iter()
            .map(|(name, value)| (name.as_str().unwrap().to_owned(), json(value)))
            .collect(),
        other => panic!("{other:?}"),
    }
}
