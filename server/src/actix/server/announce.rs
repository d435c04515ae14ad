//! Says where a server listens.

use crate::actix::places::Place;
use crate::stderr;

/// What a server has at each of its addresses.
pub(super) struct Served {
    /// The paths of the services.
    services: Vec<String>,
    site: Option<String>,
}

impl Served {
    pub(super) fn new<'p>(services: impl Iterator<Item = &'p str>, site: Option<Place>) -> Self {
        Self {
            services: services.map(|path| Place::new(path).to_string()).collect(),
            site: site.map(|site| site.to_string()),
        }
    }

    /// Says where the server listens: in the log, or on stderr if the log goes nowhere.
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
        match &self.site {
            Some(site) => format!("listening on {services}, docs at {base}{site}"),
            None => format!("listening on {services}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_every_service_and_the_site() {
        let served = Served::new(["/rpc", "v2/rpc/"].into_iter(), Some(Place::new("/docs")));
        assert_eq!(
            served.line("http://[::1]:8080"),
            "listening on http://[::1]:8080/rpc and http://[::1]:8080/v2/rpc, \
             docs at http://[::1]:8080/docs"
        );
        let served = Served::new([""].into_iter(), None);
        assert_eq!(
            served.line("http://unix:/run/library.sock:"),
            "listening on http://unix:/run/library.sock:/"
        );
    }
}
