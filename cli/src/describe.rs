//! `docent describe`: prints a description in another format.

use docent_describe::json::Layout;
use docent_describe::render::{
    OpenRpcOptions, write_describe, write_openrpc, write_system_describe,
};

use crate::args::{DescribeArgs, Rendering};
use crate::failure::Failure;
use crate::http::Client;
use crate::input::Described;
use crate::terminal::Terminal;

pub(crate) fn run(args: &DescribeArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let described = Described::new(&args.input, args.input.fetch(client, None)?)?;
    terminal.progress(described.summary());
    for warning in described.warnings() {
        terminal.warn(warning);
    }
    let service = &described.reading.description;
    terminal.write_json(|mut out| {
        let layout = Layout::Indented;
        match args.format {
            Rendering::Docent => write_describe(service, &mut out, layout)?,
            Rendering::Openrpc => {
                write_openrpc(service, OpenRpcOptions::default(), &mut out, layout)?;
            }
            Rendering::V1_1 => write_system_describe(service, &mut out, layout)?,
        }
        out.write_all(b"\n")
    })
}
