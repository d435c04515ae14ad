//! The entries of the pages that a service has once, and of the parts of its overview.
//!
//! Beside the sections of the overview, these are the marks of procedures and the languages of samples. Samples are on
//! the page of each procedure, and a reader who looks for a language wants to see one, so each language has one entry
//! in a service, which leads to the procedure of the sample on the overview.

use serde::Serialize;

use super::entries::{EntryFinder, SearchEntry, SearchKind};
use super::texts::PROSE;
use crate::links::Medium;
use crate::plan::PageTarget;
use crate::view::{OverviewPage, PageScope, first_samples};

impl<'a> EntryFinder<'a, '_> {
    /// Adds the pages that the service has once, and the sections of the overview.
    pub(super) fn add_single_pages(&mut self) {
        let schemas = self.service.schemas();
        let scope = self.scope(&schemas, PageTarget::Overview);
        let overview = OverviewPage::new(&scope);
        for page in self.service.plan.single_pages() {
            let mut entry = self.section_entry(page.target, page.name_key);
            if page.target == PageTarget::Overview {
                entry.summary = self.summary();
                let texts = &mut entry.texts;
                self.texts.add_data(texts, &overview.name);
                self.texts.add_data(texts, &overview.description);
                self.texts.add_data(texts, &overview.about);
            }
            self.found.push(entry);
        }
        self.add_overview_sections(&overview);
        // Older versions have the same.
        if self.service.version.newest.is_some() {
            return;
        }
        for row in &overview.legend {
            let name = row.name.clone();
            let mut entry = SearchEntry::new(SearchKind::Section, PageTarget::Overview, name);
            entry.anchor = Some(row.id.clone());
            entry.summary = row.meaning.clone().into();
            self.texts.add(&mut entry.texts, PROSE, &row.meaning);
            self.found.push(entry);
        }
        // A Markdown page has samples in one language only.
        let target = PageTarget::Overview;
        let scope = PageScope::new(self.site, self.service, Medium::Folder, target, &schemas);
        let Some(first) = first_samples(&scope) else {
            return;
        };
        let name = &self.description.procs[first.procedure].name;
        let summary = self.strings.with("search.language", name);
        for sample in first.samples {
            self.found.push(SearchEntry {
                anchor: Some(format!("language-{}", sample.key)),
                summary: summary.clone().into(),
                ..SearchEntry::new(
                    SearchKind::Section,
                    PageTarget::Procedure(first.procedure),
                    sample.name,
                )
            });
        }
    }

    /// Returns the entry of a section of the overview, or of a page.
    fn section_entry(&self, target: PageTarget, key: &'a str) -> SearchEntry<'a> {
        SearchEntry::new(SearchKind::Section, target, self.strings.get(key))
    }

    /// Adds the sections of the overview with their texts, and the errors of the protocol, which are on a page of their
    /// own.
    fn add_overview_sections(&mut self, overview: &OverviewPage<'_>) {
        self.add_section("procedures", &());
        self.add_section("calling", &overview.calling);
        self.add_section("conventions", &overview.conventions);
        if !overview.limits.is_empty() {
            self.add_section("limits", &overview.limits);
        }
        if !overview.schemes.is_empty() {
            self.add_section("access", &overview.schemes);
        }
        if !overview.tools.is_empty() {
            self.add_section("tools", &(self.strings.get("tools.text"), &overview.tools));
        }
        self.add_section("downloads", &self.downloads(overview.openapi));
        for error in self.service.options.protocol_errors() {
            let name = format!("{} {}", error.code, error.message);
            let when = self.service.options.when_returned(error.code, self.strings);
            self.found.push(SearchEntry {
                anchor: Some(format!("code{}", error.code)),
                summary: when.into(),
                ..SearchEntry::new(SearchKind::Code, PageTarget::Errors, name)
            });
        }
    }

    /// Adds a section of the overview, whose heading has this key.
    fn add_section(&mut self, key: &'static str, data: &impl Serialize) {
        let mut entry = self.section_entry(PageTarget::Overview, key);
        entry.anchor = key.split('.').next().map(str::to_owned);
        self.texts.add_data(&mut entry.texts, data);
        self.found.push(entry);
    }

    /// Returns the texts of the section of downloads. The single file has no files beside it.
    fn downloads(&self, has_openapi: bool) -> Vec<String> {
        if self.medium == Some(Medium::Single) {
            return vec![self.strings.get("downloads.single").to_owned()];
        }
        let mut files = vec![
            ("description.json", "downloads.description"),
            ("openrpc.json", "downloads.openrpc"),
            ("llms.txt", "downloads.llms"),
            ("llms-full.txt", "downloads.full"),
        ];
        if has_openapi {
            files.push(("openapi.json", "downloads.openapi"));
        }
        files
            .into_iter()
            .map(|(file, key)| format!("{file}: {}", self.strings.get(key)))
            .collect()
    }
}
