//! Clients that are written from a description.

use docent_tools::client::rust;
use docent_tools::read::read;

#[test]
fn a_tuple_of_one_stays_one_inside_another() {
    let document = br#"{"openrpc": "1.3.2", "info": {"title": "Pairs", "version": "1.0"}, "methods": [
        {"name": "first", "params": [], "result": {"name": "pair", "schema": {
            "type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [
                {"type": "array", "minItems": 1, "maxItems": 1, "prefixItems": [{"type": "string"}]},
                {"type": "boolean"}]}}}]}"#;
    let description = read(document).unwrap().description;
    let files = rust(&description, None);
    let has = |text: &str| files.iter().any(|(_, file)| file.contains(text));
    assert!(has("((String,), bool)"), "{files:#?}");
}
