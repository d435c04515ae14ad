//! `docent mcp`: a server of MCP over standard input and output, whose tool finds procedures in a site.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use docent_core::{Extensions, Fault, Incoming, McpVersion, Procedure, Service};
use docent_describe::json::Json;
use docent_describe::{ProcedureDescription, ServiceDescription};
use percent_encoding::percent_decode_str;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::args::McpArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// The id of the service that has the tool.
const ID: &str = "urn:uuid:0b3d5d2e-54c1-4f0e-9d7e-3f0f4a6a4c11";

/// The words to look for.
#[derive(Debug, Deserialize, JsonSchema)]
struct Search {
    /// Words or parts of words, such as `find book`. A procedure has to have all of them in its name, its
    /// service or its summary.
    #[schemars(length(min = 1, max = 200))]
    words: String,
    /// The most procedures to list.
    #[serde(default = "some")]
    #[schemars(range(min = 1, max = 50))]
    limit: u8,
}

fn some() -> u8 {
    10
}

/// The procedures that have the words.
#[derive(Debug, Serialize, JsonSchema)]
struct FoundList {
    /// The number of procedures that have the words.
    total: usize,
    /// The first of them, best matches first.
    procedures: Vec<Found>,
}

/// A procedure.
#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    name: String,
    service: String,
    summary: String,
    /// The path of the page with all details, in Markdown.
    page: String,
    /// The URL to send JSON-RPC 2.0 calls to, with POST, if it is known.
    address: Option<String>,
    /// The parameters, by name: what each takes, and `?` after the name if it may be left out.
    params: Vec<String>,
}

/// A site, as its search index lists it.
struct IndexedSite {
    folder: PathBuf,
    /// The lines of procedures.
    lines: Vec<String>,
}

pub(crate) fn run(args: &McpArgs, terminal: Terminal) -> Result<(), Failure> {
    let site = IndexedSite::read(&args.folder)?;
    terminal.progress(format_args!("{} procedures", site.lines.len()));
    let find = move |_: docent_core::Cx, search: Search| Ok::<_, Fault>(site.find(&search));
    let procedure = Procedure::sync("find_procedures", find)
        .idempotent()
        .summary("Finds procedures of JSON-RPC services by words, and says how to call them")
        .tool();
    let service = Service::builder("docent", ID)
        .version(env!("CARGO_PKG_VERSION"))
        .procedure(procedure)
        .build()
        .map_err(Failure::system)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(Failure::system)?;
    let mut version = None;
    for line in io::stdin().lines() {
        let line = line.map_err(Failure::system)?;
        version = asked_version(&line).or(version);
        let mut extensions = Extensions::new();
        if let Some(version) = version.clone() {
            extensions.insert(version);
        }
        let message = Incoming::new(line.into_bytes()).extensions(Arc::new(extensions));
        let answer = runtime.block_on(service.mcp(message, None));
        if let Some(body) = answer.reply.into_body() {
            terminal.write([&body[..], b"\n"].concat())?;
        }
    }
    Ok(())
}

/// Returns the version that `initialize` asks for: the messages that follow do not name it.
fn asked_version(message: &str) -> Option<McpVersion> {
    let message: Json = message.parse().ok()?;
    let params = message.get("params")?;
    let is_first = message.get("method")?.as_str() == Some("initialize");
    let version = params.get("protocolVersion")?.as_str()?;
    is_first.then(|| McpVersion(version.to_owned()))
}

impl IndexedSite {
    /// Reads the search index of a site. Its format is documented where it is written, in docs-gen.
    fn read(folder: &Path) -> Result<Self, Failure> {
        let script = fs::read_to_string(folder.join("assets/index.js")).unwrap_or_default();
        let literal = script
            .trim()
            .strip_prefix("docentIndex(")
            .and_then(|it| it.strip_suffix(");"));
        let Some(Ok(Json::String(index))) = literal.map(str::parse) else {
            let shown = folder.display();
            return Err(Failure::no_description(format!(
                "{shown}: not the folder of a site that docent docs has written"
            )));
        };
        let lines = index.lines().filter(|it| it.starts_with("p\t"));
        Ok(Self {
            folder: folder.to_owned(),
            lines: lines.map(str::to_owned).collect(),
        })
    }

    fn find(&self, search: &Search) -> FoundList {
        let words = search.words.to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let has_all = |text: &str| {
            let text = text.to_lowercase();
            words.iter().all(|it| text.contains(it))
        };
        let mut lines: Vec<Vec<&str>> = self
            .lines
            .iter()
            .filter(|it| has_all(it))
            .map(|it| it.split('\t').collect())
            .filter(|it: &Vec<_>| it.len() > 4)
            .collect();
        // Those whose names have all words come first.
        lines.sort_by_cached_key(|it| !has_all(&[it[2], it[4]].join(" ")));
        let first = lines.iter().take(search.limit.into());
        FoundList {
            total: lines.len(),
            procedures: first.map(|line| self.found(line)).collect(),
        }
    }

    /// Returns what a line and the description beside its page say about a procedure.
    fn found(&self, line: &[&str]) -> Found {
        let path = percent_decode_str(line[1]).decode_utf8_lossy();
        let page = path.trim_end_matches(".html");
        let service = self.description(page).unwrap_or_default();
        let params = service.procedure(line[2]).map(params);
        Found {
            name: line[2].to_owned(),
            summary: line[3].to_owned(),
            page: self.folder.join(format!("{page}.md")).display().to_string(),
            params: params.unwrap_or_default(),
            service: service.name,
            address: service.address,
        }
    }

    /// Reads the description of the service that a page belongs to.
    fn description(&self, page: &str) -> Option<ServiceDescription> {
        let text = Path::new(page)
            .ancestors()
            .skip(1)
            .find_map(|folder| fs::read(self.folder.join(folder).join("description.json")).ok());
        let reading = docent_tools::read::read(&text?).ok()?;
        Some(reading.description)
    }
}

fn params(procedure: &ProcedureDescription) -> Vec<String> {
    procedure
        .params
        .iter()
        .map(|param| {
            let mark = if param.required { "" } else { "?" };
            format!("{}{mark}: {}", param.name, param.schema)
        })
        .collect()
}
