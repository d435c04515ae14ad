//! Writes a site as one file that needs no other.
//!
//! Pages become its sections, and links lead to their anchors (`Medium::Single`). `pages` writes a site as many files.
//!
//! The order of the file is: the shell up to the main part, all pages, the rest of the shell, the search index, and the
//! script, which reads the index when it starts. The shell is rendered once, with a placeholder in the main part that
//! is replaced by the pages one after the other, so that no template gets a site as one value.

use base64::Engine;
use base64::prelude::BASE64_STANDARD as STANDARD;
use hmac_sha256::Hash;

use crate::links::Medium;
use crate::markup::{Markup, PageFormat};
use crate::plan::PageTarget;
use crate::schema::RUN_LENGTH;
use crate::search;
use crate::site::Site;
use crate::view::{self, InlineParts, PageContent, PageScope, PageView};

/// The placeholder for the pages. No text in a description can contain it, because every NUL there is
/// escaped.
const PAGES_PLACEHOLDER: &str = "\0pages\0";

impl Site {
    /// Returns the site as one HTML file. Its content security policy allows only its own script and style, by their
    /// hashes, and calls to the addresses of the services.
    pub fn single_file(&self) -> Vec<u8> {
        let page = self.single_page();
        let (before, after) = page
            .split_once(PAGES_PLACEHOLDER)
            .unwrap_or((page.as_str(), ""));
        let mut file = before.to_owned();
        for (at, service) in self.services.iter().enumerate() {
            let mut targets = service.plan.targets();
            if at == self.lead_index() {
                targets.extend((0..self.guides.len()).map(PageTarget::Guide));
            }
            for run in targets.chunks(RUN_LENGTH) {
                let schemas = service.schemas();
                for &target in run {
                    let scope = PageScope::new(self, service, Medium::Single, target, &schemas)
                        .with_marked_changes();
                    let content = PageView::new(service, &schemas, target).content(&scope);
                    file.extend([content.main.as_str(), "\n"]);
                }
            }
        }
        let (body, end) = after.rsplit_once("</body>").unwrap_or((after, ""));
        file.extend([
            body,
            "<script type=\"application/json\" id=\"index\">",
            &search::literal(&search::index(self, Medium::Single)),
            "</script>\n<script>",
            &self.inline_script(),
            "</script>\n</body>",
            end,
        ]);
        file.into_bytes()
    }

    /// Renders the file without the pages, with a placeholder for them.
    fn single_page(&self) -> String {
        // The first service provides the header and footer. The name of each service is in the head of
        // its section.
        let service = &self.services[0];
        let schemas = service.schemas();
        let scope = PageScope::new(
            self,
            service,
            Medium::Single,
            PageTarget::Overview,
            &schemas,
        );
        let content = PageContent {
            title: self.title.clone(),
            summary: None,
            main: Markup::trusted(PageFormat::Html, PAGES_PLACEHOLDER.to_owned()),
        };
        let style = format!("<style>{}</style>", self.asset_text("style.css"));
        let mut shell = view::shell(&scope, content);
        shell.inline = Some(InlineParts {
            policy: self.policy(),
            style: Markup::trusted(PageFormat::Html, style),
        });
        self.shell(&shell)
    }

    /// Returns the content of an asset, which is part of the file.
    fn asset_text(&self, name: &str) -> &str {
        self.asset(name).map_or("", |asset| asset.text.as_str())
    }

    /// Returns all scripts as one, because the policy allows a single one by its hash.
    fn inline_script(&self) -> String {
        [
            "theme.js",
            "docent.js",
            "search.js",
            "events.js",
            "answer.js",
            "try.js",
        ]
        .map(|name| self.asset_text(name))
        .join("\n")
    }

    /// Returns the content security policy. It names the script and the style by their hashes.
    fn policy(&self) -> String {
        let script = hash(&self.inline_script());
        let style = hash(self.asset_text("style.css"));
        // A reader may enter another address next to Send, so calls to any web address are allowed.
        format!(
            "default-src 'none'; script-src {script}; style-src {style}; img-src data:; connect-src http: https:; base-uri 'none'; \
             form-action 'none'; require-trusted-types-for 'script'"
        )
    }
}

/// Returns the hash of a script or style, as a source of a content security policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Hash::hash(text.as_bytes())))
}
