//! Documents made from other documents.

use docent_describe::json::Json;
use docent_fuzz::rearrange;
use docent_tools::read::read;

const DOCUMENT: &[u8] = include_bytes!("../../corpus/description/own-one.json");

/// Returns what each of these seeds makes of the document, if it changes anything.
fn changed() -> Vec<Vec<u8>> {
    let changed = (0..2_000).filter_map(|seed| {
        let mut input = DOCUMENT.to_vec();
        input.resize(2 * DOCUMENT.len(), 0);
        let most = input.len();
        let size = rearrange(&mut input, DOCUMENT.len(), most, seed)?;
        input.truncate(size);
        Some(input)
    });
    changed.collect()
}

#[test]
fn what_is_rearranged_stays_json_and_mostly_a_description() {
    let changed = changed();
    assert!(changed.len() > 1_000, "{}", changed.len());
    for document in &changed {
        let text = std::str::from_utf8(document).expect("text");
        assert!(text.parse::<Json>().is_ok(), "{text}");
    }
    let mut readable = 0;
    let mut different = 0;
    for document in &changed {
        readable += usize::from(read(document).is_ok());
        different += usize::from(document != DOCUMENT);
    }
    assert!(readable * 10 > changed.len() * 9, "{readable}");
    assert!(different * 10 > changed.len() * 9, "{different}");
}

#[test]
fn what_is_no_json_or_would_grow_too_large_is_left_alone() {
    for seed in 0..100 {
        let mut input = *b"[1, 2";
        assert_eq!(rearrange(&mut input, 5, 5, seed), None);
        let mut input = DOCUMENT.to_vec();
        let most = input.len();
        let size = rearrange(&mut input, most, most, seed);
        assert!(size.is_none_or(|size| size <= most));
    }
}
