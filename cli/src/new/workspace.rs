//! The workspace that a new service becomes a member of, as with `cargo new`.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::failure::Failure;
use crate::files::{failed, if_there, replace};
use crate::glob;

/// The parts of a `Cargo.toml` that matter here.
#[derive(Deserialize)]
struct Manifest {
    workspace: Option<Members>,
}

/// The paths in the table `workspace`.
#[derive(Deserialize)]
struct Members {
    members: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    exclude: Vec<String>,
}

/// A workspace around a new member.
pub(super) struct Workspace {
    pub(super) file: PathBuf,
    text: String,
    members: Members,
    /// The path of the new member from the root.
    member: String,
}

/// Returns the workspace that a folder lies in, unless it leaves the folder out.
pub(super) fn of(folder: &Path) -> Result<Option<Workspace>, Failure> {
    for root in folder.ancestors().skip(1) {
        let file = root.join("Cargo.toml");
        let read = if_there(std::fs::read_to_string(&file));
        let Some(text) = read.map_err(|error| failed(&file, error))? else {
            continue;
        };
        let manifest: Manifest = toml::from_str(&text).map_err(|error| failed(&file, error))?;
        let Some(members) = manifest.workspace else {
            continue;
        };
        let path = folder.strip_prefix(root).unwrap_or(folder);
        if members.exclude.iter().any(|out| path.starts_with(out)) {
            return Ok(None);
        }
        let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
        return Ok(Some(Workspace {
            member: names.join("/"),
            file,
            text,
            members,
        }));
    }
    Ok(None)
}

impl Workspace {
    /// Adds the member to `Cargo.toml`, unless a path or a pattern there has it already. All else stays as it is
    /// written, so the member goes first: what follows it may be comments.
    pub(super) fn add_member(&self) -> Result<(), Failure> {
        let mut text = self.text.clone();
        // A member is a path in quotes, whose escapes are those of JSON too.
        let member = serde_json::Value::from(&*self.member);
        if let Some(members) = &self.members.members {
            if members.get_ref().iter().any(|path| self.is_at(path)) {
                return Ok(());
            }
            let start = members.span().start + 1;
            let rest = &text[start..];
            let space = &rest[..rest.len() - rest.trim_start().len()];
            let added = match space {
                _ if members.get_ref().is_empty() => member.to_string(),
                "" => format!("{member}, "),
                space => format!("{space}{member},"),
            };
            text.insert_str(start, &added);
        } else {
            let table = "[workspace]\n";
            let Some(start) = text.find(table) else {
                return Err(failed(
                    &self.file,
                    format_args!("add the member {member} to the workspace"),
                ));
            };
            text.insert_str(start + table.len(), &format!("members = [{member}]\n"));
        }
        replace(&self.file, text.as_bytes()).map_err(|error| failed(&self.file, error))
    }

    /// Returns whether a path of the list, which may have patterns, leads to the member.
    fn is_at(&self, path: &str) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let patterns: Vec<_> = path.trim_end_matches('/').split('/').collect();
        let names: Vec<_> = self.member.split('/').collect();
        patterns.len() == names.len()
            && patterns
                .iter()
                .zip(&names)
                .all(|(pattern, name)| glob::matches(pattern, name))
    }
}
