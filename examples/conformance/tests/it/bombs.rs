//! Compressed bodies that decompress to far more than the limit.

use std::io::Write;

use flate2::{Compress, Compression, FlushCompress};

use crate::client::Response;
use crate::compressed::coded;

/// A gzip stream without an end that decompresses to spaces, about a mebibyte for each kibibyte.
pub(crate) struct Bomb {
    pub(crate) head: Vec<u8>,
    /// The compressed form of one mebibyte. It can be repeated.
    pub(crate) mebibyte: Vec<u8>,
}

impl Bomb {
    pub(crate) fn new() -> Self {
        let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
        let mut stream = Compress::new(Compression::best(), false);
        let mut mebibyte = Vec::with_capacity(1 << 20);
        let plain = vec![b' '; 1 << 20];
        // Flushed output does not refer to anything before it.
        stream
            .compress_vec(&plain, &mut mebibyte, FlushCompress::Full)
            .expect("memory");
        Self {
            head: head.to_vec(),
            mebibyte,
        }
    }

    /// Returns a stream that decompresses to this many mebibytes.
    pub(crate) fn of(&self, mebibytes: usize) -> Vec<u8> {
        [&*self.head, &self.mebibyte.repeat(mebibytes)].concat()
    }
}

#[cfg(target_os = "linux")]
fn explode(mut connection: crate::carrier::Connection, bomb: &[u8], chunked: bool) {
    let request = coded("gzip", bomb);
    let bytes = if chunked {
        request.chunked(50_000)
    } else {
        request.bytes()
    };
    connection.write_all(&bytes).expect("the request is sent");
    let response = Response::read(&mut connection, false);
    response.assert_request_error(413, "a bomb");
    assert!(connection.is_closed());
}

#[cfg(target_os = "linux")]
#[test]
fn a_bomb_of_gigabytes_is_413_and_costs_little_memory() {
    let bomb = Bomb::new();
    // `whole` decompresses to almost 8 GiB. On the wire it is as large as the server drains: of a larger
    // one, it would close the connection before the client had sent everything. `fitting` is below the
    // limit on a compressed body.
    let (whole, fitting) = (bomb.of(8_000), bomb.of(1 << 10));
    assert!(
        (8_000_000..8 << 20).contains(&whole.len()) && fitting.len() < 2 << 20,
        "{} {}",
        whole.len(),
        fitting.len()
    );
    for &carrier in crate::carrier::Carrier::ALL {
        let program = crate::process::Program::over(carrier, &["--decompress"]);
        program.assert_serves();
        let before = program.memory("VmHWM");
        for chunked in [false, true] {
            explode(program.connect(), &whole, chunked);
            for _ in 0..3 {
                explode(program.connect(), &fitting, chunked);
            }
        }
        program.assert_serves();
        let grown = program.memory("VmHWM") - before;
        assert!(grown < 24 << 10, "{grown} KiB");
    }
}
