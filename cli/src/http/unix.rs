//! Connections to a Unix domain socket.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, RustlsConnector, Transport,
};
use ureq::{Agent, Error};

use crate::failure::Failure;

/// Returns an agent that connects to a socket, whichever host a URL names.
pub(super) fn agent(config: Config, path: &Path) -> Result<Agent, Failure> {
    let shown = path.display();
    if let Err(error) = path.metadata() {
        return Err(Failure::system(format_args!("{shown}: {error}")));
    }
    let socket = Socket(path.to_owned());
    let connector = ().chain(socket).chain(RustlsConnector::default());
    Ok(Agent::with_parts(config, connector, NoNames))
}

/// A resolver that looks nothing up, since everything goes to one socket.
#[derive(Debug)]
struct NoNames;

impl Resolver for NoNames {
    fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        Ok(self.empty())
    }
}

#[derive(Debug)]
struct Socket(PathBuf);

impl Connector for Socket {
    type Out = Stream;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        _: Option<()>,
    ) -> Result<Option<Stream>, Error> {
        let config = details.config;
        Ok(Some(Stream {
            stream: UnixStream::connect(&self.0)?,
            buffers: LazyBuffers::new(config.input_buffer_size(), config.output_buffer_size()),
        }))
    }
}

#[derive(Debug)]
struct Stream {
    stream: UnixStream,
    buffers: LazyBuffers,
}

impl Transport for Stream {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.stream.set_write_timeout(time(timeout))?;
        let output = &self.buffers.output()[..amount];
        let written = self.stream.write_all(output);
        written.map_err(|error| failed(error, timeout))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.stream.set_read_timeout(time(timeout))?;
        let input = self.buffers.input_append_buf();
        let read = self.stream.read(input);
        let read = read.map_err(|error| failed(error, timeout))?;
        self.buffers.input_appended(read);
        Ok(read > 0)
    }

    fn is_open(&mut self) -> bool {
        // Use a connection for each request: on one machine, there is nothing to save.
        false
    }
}

fn time(timeout: NextTimeout) -> Option<Duration> {
    timeout.not_zero().map(|time| *time)
}

fn failed(error: io::Error, timeout: NextTimeout) -> Error {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Error::Timeout(timeout.reason),
        _ => Error::Io(error),
    }
}
