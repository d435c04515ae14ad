//! A small service with one of everything, as the tests' and the examples' subject.

use docent_describe::ServiceDescription;
use docent_describe::json::Json;
use docent_tools::read::read;

pub(crate) fn json(text: &str) -> Json {
    text.parse().expect("the fixture is JSON")
}

/// Returns a library that finds and lends books.
pub(crate) fn library() -> ServiceDescription {
    let reading = read(include_bytes!("library.json")).expect("the fixture is a description");
    assert_eq!(reading.warnings, []);
    reading.description
}
