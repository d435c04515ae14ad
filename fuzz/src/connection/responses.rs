//! Reads responses, strictly.
//!
//! This reader is stricter than a lenient client: the server must frame its responses exactly.

/// A response.
#[derive(Debug)]
pub(super) struct Response<'a> {
    pub(super) status: u16,
    pub(super) closes: bool,
    pub(super) body: Vec<u8>,
    /// The bytes after the response.
    pub(super) rest: &'a [u8],
}

impl<'a> Response<'a> {
    /// Reads a response. A response to HEAD has no body, whatever its fields say.
    pub(super) fn read(bytes: &'a [u8], is_to_head: bool) -> Result<Self, String> {
        let (head, rest) = split(bytes, b"\r\n\r\n").ok_or("a response has no end")?;
        let head = std::str::from_utf8(head).map_err(|_| "a head is not UTF-8")?;
        let mut lines = head.split("\r\n");
        let status: u16 = lines
            .next()
            .and_then(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok())
            .ok_or("a response has no status line")?;
        let mut response = Self {
            status,
            closes: false,
            body: Vec::new(),
            rest,
        };
        let mut length = None;
        let mut is_chunked = false;
        for line in lines {
            let (name, value) = line.split_once(": ").ok_or("a line is no field")?;
            match &*name.to_ascii_lowercase() {
                "content-length" => {
                    let given = value
                        .parse::<usize>()
                        .map_err(|_| "a length is no number")?;
                    if length.replace(given).is_some() {
                        return Err("a response has two lengths".to_owned());
                    }
                }
                "transfer-encoding" => is_chunked = value == "chunked",
                "connection" => response.closes |= value == "close",
                _ => {}
            }
        }
        if is_chunked && length.is_some() {
            return Err("a response has a length and chunks".to_owned());
        }
        let is_bodiless = is_to_head || status < 200 || matches!(status, 204 | 304);
        if !is_bodiless {
            if is_chunked {
                (response.body, response.rest) = unchunked(rest).ok_or("chunks are malformed")?;
            } else {
                let length = length.ok_or("a response has no length")?;
                let body = rest.split_at_checked(length).ok_or("a body is cut")?;
                (response.body, response.rest) = (body.0.to_vec(), body.1);
            }
        }
        Ok(response)
    }
}

/// Splits at the first occurrence of a separator.
pub(super) fn split<'b>(bytes: &'b [u8], at: &[u8]) -> Option<(&'b [u8], &'b [u8])> {
    let start = bytes.windows(at.len()).position(|window| window == at)?;
    Some((&bytes[..start], &bytes[start + at.len()..]))
}

/// Reads a body in chunks without extensions and trailers. Returns the body and the bytes after it.
pub(super) fn unchunked(mut bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut body = Vec::new();
    loop {
        let (size, rest) = split(bytes, b"\r\n")?;
        let is_plain = (1..=4).contains(&size.len()) && size.iter().all(u8::is_ascii_hexdigit);
        let size = std::str::from_utf8(size).ok().filter(|_| is_plain)?;
        let size = usize::from_str_radix(size, 16).ok()?;
        let (chunk, rest) = rest.split_at_checked(size)?;
        body.extend_from_slice(chunk);
        bytes = rest.strip_prefix(b"\r\n")?;
        if size == 0 {
            return Some((body, bytes));
        }
    }
}
