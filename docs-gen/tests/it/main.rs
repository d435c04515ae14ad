//! One binary for all integration tests, because each further one would link the whole crate again.

#![expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "the paths are those that the generator writes, in lower case"
)]

mod access;
mod attacks;
mod catalogue;
mod changed;
mod errors;
mod foreign;
mod groups;
mod guides;
mod hostile;
mod html;
mod library;
#[path = "../../../describe/tests/it/member_samples.rs"]
mod member_samples;
mod members;
mod missing;
mod overview;
mod pages;
mod procedures;
mod prose;
mod publish;
mod releases;
mod samples;
mod search;
mod sent;
mod site;
mod templates;
mod told;
mod tools;
mod truth;
mod versions;
