//! `docent describe`: prints a description in another format.

use docent_describe::render::{OpenRpcOptions, describe, openrpc, system_describe};

use crate::args::{DescribeArgs, Rendering};
use crate::failure::Failure;
use crate::input::Described;
use crate::terminal::Terminal;

pub(crate) fn run(args: &DescribeArgs, terminal: Terminal) -> Result<(), Failure> {
    let described = Described::new(&args.input, args.input.fetch(None)?)?;
    terminal.progress(described.summary());
    for warning in described.warnings() {
        terminal.warn(warning);
    }
    let service = &described.reading.description;
    let rendered = match args.format {
        Rendering::Docent => describe(service),
        Rendering::Openrpc => openrpc(service, OpenRpcOptions::default()),
        Rendering::V1_1 => system_describe(service),
    };
    terminal.write(format!("{rendered:#}\n").as_bytes())
}
