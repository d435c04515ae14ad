//! Announces the addresses that a server listens on.

use crate::actix::places::MountPath;
use crate::stderr;

/// The services and pages that a server has at each of its addresses.
pub(super) struct Announcement {
    /// The paths of the services.
    services: Vec<String>,
    site: Option<String>,
    /// The paths at which agents find tools.
    agents: Vec<String>,
}

impl Announcement {
    pub(super) fn new<'p>(
        services: impl Iterator<Item = &'p str>,
        site: Option<MountPath>,
        agents: &[MountPath],
    ) -> Self {
        Self {
            services: services
                .map(|path| MountPath::new(path).to_string())
                .collect(),
            site: site.map(|site| site.to_string()),
            agents: agents.iter().map(MountPath::to_string).collect(),
        }
    }

    /// Announces where the server listens: in the log, or on stderr if the log goes nowhere.
    pub(super) fn announce(&self, bases: &[String]) {
        for base in bases {
            let line = self.line(base);
            tracing::info!("{line}");
            if stderr::is_log_unread() {
                stderr::write(&line);
            }
        }
    }

    fn line(&self, base: &str) -> String {
        let services = self.services.iter();
        let services: Vec<_> = services.map(|path| format!("{base}{path}")).collect();
        let services = services.join(" and ");
        let mut line = format!("listening on {services}");
        if let Some(site) = &self.site {
            line = line + ", docs at " + base + site;
        }
        for path in &self.agents {
            line = line + ", tools for agents at " + base + path;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_every_service_and_the_site() {
        let served = Announcement::new(
            ["/rpc", "v2/rpc/"].into_iter(),
            Some(MountPath::new("/docs")),
            &[],
        );
        assert_eq!(
            served.line("http://[::1]:8080"),
            "listening on http://[::1]:8080/rpc and http://[::1]:8080/v2/rpc, \
             docs at http://[::1]:8080/docs"
        );
        let agents = [MountPath::new("/mcp")];
        let served = Announcement::new(["/rpc"].into_iter(), None, &agents);
        assert_eq!(
            served.line("http://127.0.0.1:1"),
            "listening on http://127.0.0.1:1/rpc, tools for agents at http://127.0.0.1:1/mcp"
        );
        let served = Announcement::new([""].into_iter(), None, &[]);
        assert_eq!(
            served.line("http://unix:/run/library.sock:"),
            "listening on http://unix:/run/library.sock:/"
        );
    }
}
