//! The tools of a service and the texts about them: prepared once, and sent as bytes.
//!
//! Each revision has its own bytes, because older ones lack parts of the format. Which procedures
//! are tools is decided by `assembly/tools.rs`.

use std::sync::OnceLock;

use bytes::Bytes;
use docent_describe::json::{Json, Object};
use docent_describe::render::{INSTRUCTIONS, TOOL, ToolResult, tools};
use docent_describe::schema::SchemaViews;
use docent_describe::{ProcedureDescription, ServiceDescription, SimilarNames};

use super::revision::Revision;
use crate::fast_map::FastMap;
use crate::service::reserved;

/// The time for which clients may keep lists, in milliseconds. Lists change only with a new version
/// of the service.
const TTL_MS: i64 = 300_000;

/// Returns the name of the tool that a procedure is.
pub(super) fn name(procedure: &ProcedureDescription) -> Option<&str> {
    procedure.extensions.get_str(TOOL)
}

/// The tools of a service.
#[derive(Debug)]
pub(crate) struct Tools {
    /// The tools by name. Like the table of procedures, it is filled once, with names of the
    /// author.
    by_name: FastMap<Box<str>, Tool>,
    /// Set if anyone may know which tools there are.
    is_open: bool,
    /// The members of results in the newest revision that are the same whatever the content.
    frame: Box<str>,
    /// The lists of the tools without guards, and of all tools: without schemas of results, with them, and
    /// in the newest revision.
    lists: [[OnceLock<Bytes>; 2]; 3],
    discovery: OnceLock<Bytes>,
    /// The names of the tools without guards, to suggest corrections.
    names: SimilarNames,
}

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) procedure: Box<str>,
    pub(super) result: ToolResult,
    pub(super) is_guarded: bool,
}

impl Tools {
    pub(crate) fn new(description: &ServiceDescription, is_guarded: impl Fn(&str) -> bool) -> Self {
        let views = SchemaViews::new(description);
        let mut by_name: FastMap<Box<str>, Tool> = FastMap::default();
        for procedure in &description.procs {
            if let Some(name) = name(procedure) {
                let tool = Tool {
                    procedure: procedure.name.as_str().into(),
                    result: ToolResult::new(procedure, &views),
                    is_guarded: is_guarded(&procedure.name),
                };
                by_name.insert(name.into(), tool);
            }
        }
        let open_names: Vec<&str> = by_name
            .iter()
            .filter(|(_, tool)| !tool.is_guarded)
            .map(|(name, _)| &**name)
            .collect();
        Self {
            names: SimilarNames::new(open_names),
            by_name,
            is_open: !is_guarded(reserved::WHOLE_DESCRIPTION),
            frame: frame(description),
            lists: Default::default(),
            discovery: OnceLock::new(),
        }
    }

    /// Returns the tool of this name, if this caller may know about it: callers that cannot present
    /// credentials see no guarded tools.
    pub(super) fn get(&self, name: &str, can_present_credentials: bool) -> Option<&Tool> {
        let tool = self.by_name.get(name)?;
        (can_present_credentials || !tool.is_guarded).then_some(tool)
    }

    /// Returns the names of tools that are similar to an unknown name.
    pub(super) fn closest(&self, name: &str) -> Vec<&str> {
        const MAX_SUGGESTIONS: usize = 3;
        if !self.is_open {
            return Vec::new();
        }
        self.names.closest(name, MAX_SUGGESTIONS)
    }

    /// Returns the members that results of this revision have besides their content, each after a
    /// comma.
    pub(super) fn frame(&self, revision: Revision) -> &str {
        if revision.is_stateless() {
            &self.frame
        } else {
            ""
        }
    }

    /// Returns the result of `tools/list`.
    pub(super) fn list(
        &self,
        description: &ServiceDescription,
        revision: Revision,
        can_present_credentials: bool,
    ) -> Bytes {
        let has_structure = revision.has_structure();
        let form = usize::from(has_structure) + usize::from(revision.is_stateless());
        let list = self.lists[form][usize::from(can_present_credentials)].get_or_init(|| {
            let tools = tools(
                description,
                |procedure| self.listed_name(procedure, can_present_credentials),
                has_structure,
            );
            format!("{{\"tools\":{tools}{}}}", self.cacheable(revision))
                .into_bytes()
                .into()
        });
        list.clone()
    }

    /// Returns the name of the tool that a procedure is, if this caller may know about it.
    fn listed_name<'p>(
        &self,
        procedure: &'p ProcedureDescription,
        can_present_credentials: bool,
    ) -> Option<&'p str> {
        let name = name(procedure)?;
        self.get(name, can_present_credentials).map(|_| name)
    }

    /// Returns the result of `server/discover`.
    pub(super) fn discovery(&self, description: &ServiceDescription) -> Bytes {
        let discovery = self.discovery.get_or_init(|| {
            let versions: Json = Revision::ALL_SUPPORTED
                .iter()
                .map(|revision| revision.as_str())
                .collect();
            let members = Object::new()
                .with("supportedVersions", versions)
                .with("capabilities", capabilities())
                .maybe("instructions", instructions(description));
            let mut text = Json::from(members).to_string();
            text.truncate(text.len() - 1);
            text.push_str(&self.cacheable(Revision::V2026_07_28));
            text.push('}');
            text.into_bytes().into()
        });
        discovery.clone()
    }

    /// Returns the result of `initialize`, with only the information that anyone may have.
    pub(super) fn introduction(
        &self,
        description: &ServiceDescription,
        revision: Revision,
    ) -> String {
        let instructions = instructions(description).filter(|_| self.is_open);
        let members = Object::new()
            .with("protocolVersion", revision.as_str())
            .with("capabilities", capabilities())
            .with("serverInfo", server(description))
            .maybe("instructions", instructions);
        Json::from(members).to_string()
    }

    /// Returns the further members of results that clients may keep.
    fn cacheable(&self, revision: Revision) -> String {
        if !revision.is_stateless() {
            return String::new();
        }
        let scope = if self.is_open { "public" } else { "private" };
        let frame = self.frame(revision);
        format!(",\"ttlMs\":{TTL_MS},\"cacheScope\":\"{scope}\"{frame}")
    }
}

/// Returns the members of every result in the newest revision.
fn frame(description: &ServiceDescription) -> Box<str> {
    let members = Object::new().with("io.modelcontextprotocol/serverInfo", server(description));
    let meta = Json::from(members);
    format!(",\"resultType\":\"complete\",\"_meta\":{meta}").into()
}

/// Returns the name and version of the service. The protocol requires a version.
fn server(description: &ServiceDescription) -> Json {
    let server = Object::new()
        .with("name", description.name.as_str())
        .with("version", description.version.as_deref().unwrap_or("0"));
    server.into()
}

fn capabilities() -> Json {
    Object::new().with("tools", Object::new()).into()
}

/// Returns the text about the service as a whole that models read. Its documentation is for people, and
/// too long for every conversation.
fn instructions(description: &ServiceDescription) -> Option<&str> {
    description
        .extensions
        .get(INSTRUCTIONS)
        .map_or(description.summary.as_deref(), Json::as_str)
}
