//! The reference site of a JSON-RPC service: from a description to pages.
//!
//! A [`Site`] holds one described service, or a catalogue of several. It is planned once (which
//! page stands at which address) and rendered page by page, so a folder of ten thousand pages is
//! written without ever being in memory, and a live server renders the page that was asked for.
//!
//! Every text of a description is untrusted. It can reach a page on four ways only, and each of
//! them makes it harmless: a template's `{{…}}`, which escapes; `Markup`, whose
//! only way to write markup takes text that was known at compile time; Markdown, which is
//! sanitised after rendering; and JSON inside a script's data, where `<` is written as an escape.

mod access;
mod assets;
mod call;
mod json_text;
mod links;
mod markdown;
mod markup;
mod options;
mod plan;
mod problem;
mod samples;
mod schema;
mod search;
mod single;
mod site;
mod slug;
mod strings;
mod templates;
mod text;
mod twin;
mod view;
mod write;

pub use options::SiteBuilder;
pub use problem::Problem;
pub use site::{Page, Site};
pub use write::{Heavy, Report};
