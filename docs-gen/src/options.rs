//! The options of a site, and the way from them to a [`Site`].
//!
//! [`SiteBuilder`] collects options without looking at them. [`SiteBuilder::build`] checks all of them, so that an
//! author learns all problems at once, in this order: the texts, the templates, the styles and the guides, which all
//! parts of a catalogue share ([`SiteFrame`]), then each service with its addresses and its plan, then the links in guides
//! and, by rendering a page of each kind, the replaced templates. The same function builds a site, each service of a
//! catalogue, and the front of one (`SitePart`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::{fs, io, iter, mem};

use docent_describe::ServiceDescription;

use crate::appearance::Appearance;
use crate::assets;
use crate::call::CallAddress;
#[cfg(feature = "publish")]
use crate::changes::CompareVersions;
use crate::guides::Guide;
#[cfg(feature = "publish")]
use crate::history;
use crate::images::Image;
use crate::links::{Links, Medium};
use crate::part::SitePart;
use crate::plan::{self, PageTarget, ServicePlan};
use crate::problem::Problem;
use crate::publish::BaseUrl;
use crate::service::{Download, ServiceOptions, SiteService, WriteDownload};
use crate::site::{Site, SiteFrame};
use crate::strings::Strings;
use crate::templates::Templates;
use crate::versions;

/// Builds a [`Site`].
///
/// Options of a service (its address, downloads and limits) apply to the service that was added last.
///
/// ```
/// # use docent::describe::ServiceDescription;
/// # use docent::docs_gen::Site;
/// let site = Site::builder(ServiceDescription::new("shop", "urn:example:shop"))
///     .title("The shop")
///     .colour("accent", "#0a6b4f")
///     .string("overview", "Start")
///     .limit("Body", "2 MiB")
///     .build()
///     .map_err(|problems| format!("{problems:?}"))?;
/// assert!(site.page("index.html").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
#[must_use]
pub struct SiteBuilder {
    first: ServiceOptions,
    others: Vec<ServiceOptions>,
    appearance: Appearance,
    templates: BTreeMap<String, String>,
    colours: BTreeMap<String, String>,
    strings: BTreeMap<String, String>,
    hidden_tags: BTreeSet<String>,
    clean_addresses: Option<bool>,
    guides: Vec<(String, String)>,
    /// The problems so far. They are reported together by `build`, so that each setter can be chained.
    problems: Vec<Problem>,
    #[cfg(feature = "publish")]
    compare: Option<CompareVersions>,
}

impl Site {
    /// Starts building the site of a service.
    pub fn builder(description: impl Into<Arc<ServiceDescription>>) -> SiteBuilder {
        let mut builder = SiteBuilder::new();
        builder.first = ServiceOptions::new(description.into());
        builder
    }
}

impl SiteBuilder {
    /// Starts without a service, as a catalogue does that is built service by service.
    pub(crate) fn new() -> Self {
        Self::default().language("en", false)
    }

    /// Returns the service that was added last, to which the options of services apply.
    fn last(&mut self) -> &mut ServiceOptions {
        self.others.last_mut().unwrap_or(&mut self.first)
    }

    /// Adds another service. The site becomes a catalogue: each service has its own folder, and the
    /// search covers all of them.
    ///
    /// Services with the same id are versions of one: their pages link to each other.
    pub fn and(mut self, description: impl Into<Arc<ServiceDescription>>) -> Self {
        self.others.push(ServiceOptions::new(description.into()));
        self
    }

    /// Sets the function that compares versions. Each version then has a page with the changes since the one
    /// before.
    #[cfg(feature = "publish")]
    pub fn changes(mut self, compare: CompareVersions) -> Self {
        self.compare = Some(compare);
        self
    }

    /// Sets the title of the site. The default is the name of the service.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.appearance.title = Some(title.into());
        self
    }

    /// Sets the address for calls, in samples and in the form: an absolute `http` or `https` URL or, on a live
    /// site, one relative to the folder of the service's pages. Files that are read away from the site, such as
    /// Markdown, show the absolute address if there is a [`base_url`](Self::base_url). The default is the
    /// `address` of the description.
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.last().address = Some(address.into());
        self
    }

    /// Sets the address of the service's tools for agents (Model Context Protocol), in the same form as
    /// [`address`](Self::address).
    pub fn mcp_address(mut self, address: impl Into<String>) -> Self {
        self.last().mcp_address = Some(address.into());
        self
    }

    /// Sets the function that writes the content of a file to download. It is called when the file is
    /// requested. [`Download`] names the default of each file.
    pub fn download(
        mut self,
        file: Download,
        write: impl Fn(&mut dyn io::Write) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        self.last()
            .downloads
            .insert(file, WriteDownload(Box::new(write)));
        self
    }

    /// Sets the day on which this version was published, such as `2026-11-25`, for its page of changes.
    pub fn date(mut self, day: impl Into<String>) -> Self {
        self.last().date = Some(day.into());
        self
    }

    /// Adds a limit of the service, as text: `limit("Body", "2 MiB")`. Limits are listed in the
    /// order in which they were added.
    pub fn limit(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.last().limits.push((name.into(), text.into()));
        self
    }

    /// Sets whether the service itself serves the site. An address may then be relative; samples show the URL
    /// to which the browser resolves it.
    pub fn live(mut self, live: bool) -> Self {
        self.appearance.is_live = live;
        self
    }

    /// Sets the language of the interface as a BCP 47 tag, and whether it is written from right to left. There
    /// are texts in English (`en`) and German (`de`); set those of other languages with
    /// [`string`](Self::string). The texts of a description are not translated.
    pub fn language(mut self, tag: impl Into<String>, right_to_left: bool) -> Self {
        self.appearance.language = tag.into();
        self.appearance.direction = if right_to_left { "rtl" } else { "ltr" };
        self
    }

    /// Sets a folder with `*.hbs` files that replace the templates with the same names.
    pub fn templates(mut self, folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref();
        if let Err(error) = read_templates(folder, &mut self.templates) {
            let folder = format!("templates {}", folder.display());
            self.problems.push(Problem::new(folder, error.to_string()));
        }
        self
    }

    /// Replaces one template, by its name without `.hbs`. [`templates`](crate::templates()) returns the
    /// built-in ones to start from.
    pub fn template(mut self, name: impl Into<String>, source: impl Into<String>) -> Self {
        self.templates.insert(name.into(), source.into());
        self
    }

    /// Sets a colour: `#rrggbb`, `#rgb`, or `light-dark(#rrggbb, #rrggbb)` for both schemes. A single colour of
    /// text is lightened for the dark scheme. Text that cannot be read on its background is a problem. The top
    /// of `style.css` lists the names.
    pub fn colour(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.colours.insert(name.into(), value.into());
        self
    }

    /// Sets the footer of every page: Markdown, as in a description.
    pub fn footer(mut self, markdown: impl Into<String>) -> Self {
        self.appearance.footer = Some(markdown.into());
        self
    }

    /// Sets the logo, the content of an image file, which is shown before the title. SVG, PNG, JPEG,
    /// GIF and WebP are accepted.
    pub fn logo(mut self, image: impl Into<Vec<u8>>) -> Self {
        self.appearance.logo = Image::new("logo", image.into(), &mut self.problems);
        self
    }

    /// Sets the icon that browsers show for the site: an image as for [`logo`](Self::logo), or ICO.
    pub fn favicon(mut self, image: impl Into<Vec<u8>>) -> Self {
        self.appearance.favicon = Image::new("favicon", image.into(), &mut self.problems);
        self
    }

    /// Adds a guide: a page of Markdown. The sidebar lists guides by their first headings, in the order in which they
    /// were added. An `index.md` comes first, and behind it the guides that it links to, in the order of its links.
    /// Each guide ends with links to those before and after it. A guide can link to other guides by their `file`, and
    /// to procedures and types by their names. A link to a heading that does not exist is a problem. A link to anything
    /// else becomes plain text, with a [warning](Site::warnings).
    ///
    /// ```
    /// # use docent::describe::ServiceDescription;
    /// # use docent::docs_gen::Site;
    /// let site = Site::builder(ServiceDescription::new("shop", "urn:example:shop"))
    ///     .guide("start.md", "# First steps\n\nIf a call fails, see [Errors](errors.md#retries).")
    ///     .guide("errors.md", "# Errors\n\n## Retries\n\nSend the call again after a second.")
    ///     .build()
    ///     .map_err(|problems| format!("{problems:?}"))?;
    /// assert!(site.warnings().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn guide(mut self, file: impl Into<String>, markdown: impl Into<String>) -> Self {
        self.guides.push((file.into(), markdown.into()));
        self
    }

    /// Sets the URL of the site's folder, such as `https://example.com/docs/`. Pages then name their
    /// canonical address, and the site has a sitemap.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.appearance.base = BaseUrl::new(&url.into(), &mut self.problems);
        self
    }

    /// Sets whether links to pages leave out `.html`, for hosts that find the file without it. By default, they
    /// do on a [`live`](Self::live) site.
    pub fn clean_addresses(mut self, clean: bool) -> Self {
        self.clean_addresses = Some(clean);
        self
    }

    /// Leaves out all procedures with this tag, and the shared types that only they use: from the pages, the
    /// search and the downloads.
    pub fn hide_tag(mut self, tag: impl Into<String>) -> Self {
        self.hidden_tags.insert(tag.into());
        self
    }

    /// Replaces a text of the interface, by its key, such as `overview`.
    pub fn string(mut self, key: impl Into<String>, text: impl Into<String>) -> Self {
        self.strings.insert(key.into(), text.into());
        self
    }

    /// Builds the site.
    ///
    /// # Errors
    /// All options that cannot be used. A description alone is never an error.
    pub fn build(mut self) -> Result<Site, Vec<Problem>> {
        let (frame, problems) = self.frame();
        build(frame, self.into_services(), SitePart::Whole, problems)
    }

    /// Returns the services in the order in which they were added.
    pub(crate) fn into_services(self) -> Vec<ServiceOptions> {
        iter::once(self.first).chain(self.others).collect()
    }

    /// Takes out everything but the services, and returns it with the problems so far.
    pub(crate) fn frame(&mut self) -> (SiteFrame, Vec<Problem>) {
        let mut problems = mem::take(&mut self.problems);
        let mut appearance = mem::take(&mut self.appearance);
        let strings = Arc::new(Strings::new(
            &appearance.language,
            mem::take(&mut self.strings),
            &mut problems,
        ));
        let templates = Templates::new(&strings, mem::take(&mut self.templates), &mut problems);
        let assets = assets::build_all(&self.colours, &strings, &mut problems);
        appearance.is_clean = self.clean_addresses.unwrap_or(appearance.is_live);
        let guides = Guide::read_all(mem::take(&mut self.guides), &mut problems);
        let frame = SiteFrame {
            appearance: Arc::new(appearance),
            guides: guides.into(),
            strings,
            templates: Arc::new(templates),
            assets: assets.into(),
            hidden_tags: Arc::new(mem::take(&mut self.hidden_tags)),
            #[cfg(feature = "publish")]
            compare: self.compare,
        };
        (frame, problems)
    }
}

/// Builds a part of a site.
pub(crate) fn build(
    frame: SiteFrame,
    mut all: Vec<ServiceOptions>,
    part: SitePart,
    mut problems: Vec<Problem>,
) -> Result<Site, Vec<Problem>> {
    let appearance = &frame.appearance;
    for options in &mut all {
        options.hide(&frame.hidden_tags);
    }
    let descriptions: Vec<_> = all.iter().map(|options| &*options.description).collect();
    let prefixes = match &part {
        SitePart::Service(folder) => plan::version_folders(folder, &descriptions),
        _ => plan::prefixes(&descriptions),
    };
    let mut services = Vec::new();
    for (options, prefix) in all.into_iter().zip(prefixes) {
        if let Some(address) = &options.address
            && CallAddress::new(address, appearance.is_live).is_none()
        {
            problems.push(Problem::new(
                format!("address {address:?}"),
                "not an absolute http or https address; only a live site can have a relative one",
            ));
        }
        let plan = ServicePlan::new(&options.description, prefix, appearance.is_clean);
        services.push(SiteService::new(options, plan, appearance));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let is_history = matches!(part, SitePart::Service(_));
    versions::relate(&mut services, is_history);
    #[cfg(feature = "publish")]
    if let Some(compare) = frame.compare {
        history::add_changes(&mut services, compare);
    }
    for service in &mut services {
        service.plan.guides = frame
            .guides
            .iter()
            .map(|guide| guide.slug.clone())
            .collect();
    }
    let mut site = Site::new(services, part, frame);
    let mut problems = site.try_templates();
    let mut warnings = Vec::new();
    // The guides of a catalogue are pages of its front.
    if !is_history {
        for at in 0..site.guides.len() {
            let links = Links::new(&site.lead().plan, Medium::Folder, PageTarget::Guide(at));
            Guide::check(&site.guides, at, &links, &mut problems, &mut warnings);
        }
    }
    if problems.is_empty() {
        site.warnings = warnings;
        Ok(site)
    } else {
        Err(problems)
    }
}

/// Reads the templates of a folder, by their names, but for those that are there already.
fn read_templates(folder: &Path, templates: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(file) = path.file_name().and_then(|file| file.to_str())
            && let Some(name) = file.strip_suffix(".hbs")
        {
            let source = fs::read_to_string(&path)?;
            templates.entry(name.to_owned()).or_insert(source);
        }
    }
    Ok(())
}
