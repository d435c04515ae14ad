//! Generates the reference site of a JSON-RPC service from its description.
//!
//! ```
//! use docent::describe::{ProcedureDescription, ServiceDescription};
//! use docent::docs_gen::Site;
//!
//! let mut description = ServiceDescription::new("greeter", "urn:example:greeter");
//! description.procs = vec![ProcedureDescription::new("hello")];
//! let site = Site::builder(description)
//!     .title("Greetings")
//!     .address("https://example.com/rpc")
//!     .build()
//!     .map_err(|problems| format!("{problems:?}"))?;
//!
//! let page = site.page("hello.html").unwrap();
//! assert_eq!(page.content_type, "text/html; charset=utf-8");
//! assert!(String::from_utf8(page.bytes)?.contains("<h1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Site`] contains one service, or a catalogue of several. It is planned once and rendered page
//! by page, so a site of ten thousand pages never has to fit in memory, and a live server renders
//! only the page that was requested. A page comes about in these modules:
//!
//! ```text
//! options     check the author's choices, and build the site
//! plan        which pages a service has, their paths and their groups
//! schema      the rows of values: their types, facts and texts
//! view        the data of each page; beside it call, samples, form and search
//! templates   the data becomes HTML or Markdown
//! pages       one file after the other, each when it is requested
//! ```
//!
//! Each page has a Markdown page beside it, for readers that are programs. It is the same view, written
//! by other templates.
//!
//! Every text of a description is untrusted. It can reach a page in four ways only, and each of them
//! makes it harmless: a template's `{{…}}`, which escapes; `Markup`, which can be written without
//! escaping only from text that is known at compile time; Markdown, whose events are filtered before
//! they are rendered; and JSON inside a script's data, where `<` is written as an escape.

mod appearance;
mod assets;
mod call;
#[cfg(feature = "publish")]
mod catalogue;
#[cfg(feature = "publish")]
mod changed_values;
#[cfg(feature = "publish")]
mod changes;
mod colours;
mod credential;
#[cfg(feature = "publish")]
mod discovery;
mod form;
mod guides;
#[cfg(feature = "publish")]
mod history;
mod images;
mod json_text;
mod links;
#[cfg(feature = "publish")]
mod location;
mod markdown;
mod markup;
mod options;
mod page_names;
mod pages;
// Without the feature, no site is a part of a catalogue.
#[cfg_attr(not(feature = "publish"), expect(dead_code))]
mod part;
mod plan;
mod problem;
mod publish;
mod samples;
mod schema;
mod search;
mod service;
#[cfg(feature = "publish")]
mod single;
mod site;
mod slug;
mod strings;
mod templates;
mod text;
mod versions;
mod view;
#[cfg(feature = "publish")]
mod write;

pub use call::PLACEHOLDER_ORIGIN;
#[cfg(feature = "publish")]
pub use catalogue::{Catalogue, CatalogueUpdate};
#[cfg(feature = "publish")]
pub use changes::{CompareVersions, VersionChange, VersionChanges};
#[doc(no_inline)]
pub use docent_describe::stable as describe;
pub use options::SiteBuilder;
pub use plan::procedure_pages;
pub use problem::Problem;
pub use service::Download;
pub use site::{Page, Site};
pub use templates::templates;
pub use versions::families;
#[cfg(feature = "publish")]
pub use write::{HeavyPage, Report};
