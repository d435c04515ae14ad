//! A service of a site: its options and its pages.
//!
//! Several versions of a service are as many services here. `versions` finds out which belong together,
//! and `plan` which pages each of them has. `options` creates services when a site is built.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::io;
use std::sync::{Arc, OnceLock};

use docent_describe::code::{self, HasRun, PROTOCOL_ERRORS, ProtocolError, Retry};
use docent_describe::identifiers::typescript_methods;
use docent_describe::render::{
    DescriptionText, OpenApiOptions, OpenApiText, OpenRpcOptions, OpenRpcText,
};
use docent_describe::{Origin, ProcedureDescription, ServiceDescription};

use crate::appearance::Appearance;
use crate::call::CallAddress;
#[cfg(feature = "publish")]
use crate::changes::VersionHistory;
use crate::plan::ServicePlan;
use crate::schema::ServiceSchemas;
use crate::strings::Strings;

/// The options of one service.
#[derive(Debug, Default)]
pub(crate) struct ServiceOptions {
    /// The description from which all pages are made.
    pub(crate) description: Arc<ServiceDescription>,
    /// The address for calls, if it is not that of the description.
    pub(crate) address: Option<String>,
    /// The address at which agents find the tools.
    pub(crate) mcp_address: Option<String>,
    /// The functions that write downloads. Others are written from the description.
    pub(crate) downloads: BTreeMap<Download, WriteDownload>,
    /// The limits of the service, each with its text.
    pub(crate) limits: Vec<(String, String)>,
    /// The day on which this version was published.
    pub(crate) date: Option<String>,
}

/// A description of a service that readers can download.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Download {
    /// `description.json`, by default the output of [`render::describe`](docent_describe::render::describe).
    Description,
    /// `openrpc.json`, by default the output of [`render::openrpc`](docent_describe::render::openrpc).
    OpenRpc,
    /// `openapi.json`, by default the output of [`render::openapi`](docent_describe::render::openapi). Only services
    /// that Docent serves have this file.
    OpenApi,
}

/// All downloads with the names of their files.
pub(crate) const DOWNLOAD_FILES: [(&str, Download); 3] = [
    ("description.json", Download::Description),
    ("openrpc.json", Download::OpenRpc),
    ("openapi.json", Download::OpenApi),
];

/// A function that writes a file to download.
type Write = dyn Fn(&mut dyn io::Write) -> io::Result<()> + Send + Sync;

/// A function that writes a file each time it is requested.
pub(crate) struct WriteDownload(pub(crate) Box<Write>);

impl fmt::Debug for WriteDownload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteDownload").finish_non_exhaustive()
    }
}

impl ServiceOptions {
    /// Leaves out the procedures that have one of these tags.
    pub(crate) fn hide(&mut self, tags: &BTreeSet<String>) {
        let Some(without) = without(&self.description, tags) else {
            return;
        };
        self.description = Arc::new(without);
        // These contain the hidden procedures.
        self.downloads.clear();
    }

    /// Writes a file to download.
    pub(crate) fn write(&self, file: Download, out: &mut dyn io::Write) -> io::Result<()> {
        if let Some(WriteDownload(write)) = self.downloads.get(&file) {
            return write(out);
        }
        let service = &*self.description;
        // The output is one line, because indentation grows with the square of a hostile nesting.
        match file {
            Download::Description => {
                serde_json::to_writer(&mut *out, &DescriptionText(service))?;
                writeln!(out)
            }
            Download::OpenRpc => {
                let options = OpenRpcOptions::default();
                writeln!(out, "{}", OpenRpcText { service, options })
            }
            Download::OpenApi => {
                let mut options = OpenApiOptions::default();
                options.address = self.address.as_deref();
                writeln!(out, "{}", OpenApiText { service, options })
            }
        }
    }

    /// Returns whether the service is not served by Docent, so that only its description is known.
    pub(crate) fn is_foreign(&self) -> bool {
        self.description.origin != Origin::Docent
    }

    /// Returns the protocol's own errors: for a service that Docent serves, all that it returns; for others, those of
    /// the specification.
    pub(crate) fn protocol_errors(&self) -> impl Iterator<Item = &'static ProtocolError> {
        let is_foreign = self.is_foreign();
        PROTOCOL_ERRORS
            .iter()
            .filter(move |error| !is_foreign || code::SPECIFIED.contains(&error.code))
    }

    /// Returns the sentence on when a service returns a code: with what Docent knows of its own services, or with the
    /// text of the specification.
    pub(crate) fn when_returned<'s>(&self, code: i64, strings: &'s Strings) -> &'s str {
        let suffix = if self.is_foreign() {
            "specified"
        } else {
            "when"
        };
        let key = format!("protocol.{code}.{suffix}");
        strings.find(&key).unwrap_or_default()
    }

    /// Returns the text on whether repeating a call can help that has failed with one of the protocol's errors. Only
    /// Docent's own services have it.
    pub(crate) fn retry<'s>(&self, code: i64, strings: &'s Strings) -> Option<&'s str> {
        let error = code::find(code).filter(|_| !self.is_foreign())?;
        strings.find(&format!("protocol.retry.{}", error.retry.name()))
    }

    /// Returns the sentences on what a call has done so far that has failed with one of the protocol's errors, and on
    /// what to do besides repeating it. Only Docent's own services have them.
    pub(crate) fn advice<'s>(&self, code: i64, strings: &'s Strings) -> Vec<&'s str> {
        let Some(error) = code::find(code).filter(|_| !self.is_foreign()) else {
            return Vec::new();
        };
        let mut sentences = Vec::new();
        // A call without effect may be repeated anyway, and one that cannot succeed is not repeated.
        if error.ran == HasRun::No || error.retry != Retry::Never {
            sentences.extend(strings.find(&format!("protocol.ran.{}", error.ran.name())));
        }
        sentences.extend(strings.find(&format!("protocol.{code}.advice")));
        sentences
    }

    /// Creates the options of a service that are all defaults.
    pub(crate) fn new(description: Arc<ServiceDescription>) -> Self {
        Self {
            description,
            ..Self::default()
        }
    }
}

/// Returns the description without the procedures that have one of these tags, if it has any.
pub(crate) fn without(
    description: &ServiceDescription,
    tags: &BTreeSet<String>,
) -> Option<ServiceDescription> {
    let procs = &description.procs;
    let visible: Vec<&ProcedureDescription> = procs
        .iter()
        .filter(|procedure| !procedure.tags.iter().any(|tag| tags.contains(tag)))
        .collect();
    (visible.len() < procs.len()).then(|| description.with_procedures(visible))
}

/// The position of a service among the versions of one, and its difference from the others.
#[derive(Debug, Default)]
pub(crate) struct ServiceVersion {
    /// The services that are versions of this one, itself included, from the oldest on. It is empty if
    /// this is the only one.
    pub(crate) all: Arc<[usize]>,
    /// The name by which a reader chooses this version.
    pub(crate) name: String,
    /// The previous version.
    pub(crate) before: Option<usize>,
    /// The newest version, if that is not this one.
    pub(crate) newest: Option<usize>,
    /// The changes since the previous versions.
    #[cfg(feature = "publish")]
    pub(crate) history: VersionHistory,
}

/// A service with its pages.
#[derive(Debug)]
pub(crate) struct SiteService {
    /// The author's options.
    pub(crate) options: ServiceOptions,
    /// The pages, and their paths.
    pub(crate) plan: ServicePlan,
    /// The address for calls.
    pub(crate) address: Option<CallAddress>,
    /// The address for agents.
    pub(crate) mcp: Option<CallAddress>,
    /// The name, with the version if the site has several services of that name.
    pub(crate) label: String,
    /// The detail that distinguishes it from others of the same name and version.
    pub(crate) detail: Option<String>,
    /// Its position among the versions of one service.
    pub(crate) version: ServiceVersion,
    /// The methods of a generated client in TypeScript, by the names of their procedures.
    methods: OnceLock<HashMap<String, String>>,
}

impl SiteService {
    /// Begins with the schemas of the service.
    pub(crate) fn schemas(&self) -> ServiceSchemas<'_> {
        ServiceSchemas::new(&self.options.description)
    }

    /// Adds the pages to a service.
    pub(crate) fn new(options: ServiceOptions, plan: ServicePlan, appearance: &Appearance) -> Self {
        let address = options
            .address
            .as_deref()
            .or(options.description.address.as_deref());
        Self {
            label: options.description.name.clone(),
            detail: None,
            version: ServiceVersion::default(),
            address: call_address(address, &plan, appearance),
            mcp: call_address(options.mcp_address.as_deref(), &plan, appearance),
            methods: OnceLock::new(),
            options,
            plan,
        }
    }

    /// Returns the name of the method that calls a procedure in a generated client in TypeScript.
    pub(crate) fn client_method(&self, procedure: &str) -> &str {
        let methods = self.methods.get_or_init(|| {
            let description = &self.options.description;
            let names: Vec<&str> = description
                .procs
                .iter()
                .filter(|procedure| description.is_called_over_http(procedure))
                .map(|procedure| &*procedure.name)
                .collect();
            let methods = typescript_methods(names.iter().copied());
            names.into_iter().map(str::to_owned).zip(methods).collect()
        });
        methods.get(procedure).map_or("", String::as_str)
    }
}

/// Reads an address. If the site's own URL is known, it completes the address from the folder of the
/// service's pages.
fn call_address(
    text: Option<&str>,
    plan: &ServicePlan,
    appearance: &Appearance,
) -> Option<CallAddress> {
    let address = CallAddress::new(text?, appearance.is_live)?;
    if let Some(base) = &appearance.base
        && let Ok(folder) = base.0.join(&plan.prefix)
    {
        return Some(address.completed(&folder));
    }
    Some(address)
}
