//! What the compiler says about mistakes: each at its place, with its cure.
//!
//! `TRYBUILD=overwrite cargo test -p docent-macros` writes the expected messages anew. They are those
//! of the compiler that CI uses; others word the errors of types differently.

#[test]
fn mistakes_are_reported_where_they_are_with_their_cure() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
