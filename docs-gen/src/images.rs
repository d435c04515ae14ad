//! The logo and the favicon.
//!
//! The format of an image is detected from its bytes. Pages have it only in an `<img>`, which neither
//! runs the scripts of a drawing (SVG) nor loads its links.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::problem::Problem;
use crate::publish::content_type;
use crate::slug;

/// The maximum number of bytes of an image, which every page loads.
const MAX_IMAGE_BYTES: usize = 256 << 10;

/// The first bytes of images, with the extension of each.
const IMAGE_SIGNATURES: [(&[u8], &str); 5] = [
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (&[0, 0, 1, 0], "ico"),
];

/// An image that the author of a site provides.
#[derive(Debug)]
pub(crate) struct Image {
    /// The path, which changes with the content.
    pub(crate) path: String,
    /// The content of the file.
    pub(crate) bytes: Vec<u8>,
}

impl Image {
    /// Creates an image, or reports why it cannot be used. `name` is its name in the folder of assets.
    pub(crate) fn new(name: &str, bytes: Vec<u8>, problems: &mut Vec<Problem>) -> Option<Self> {
        match extension(&bytes) {
            Ok(extension) => Some(Self {
                path: format!("assets/{name}-{:08x}.{extension}", fingerprint(&bytes)),
                bytes,
            }),
            Err(reason) => {
                problems.push(Problem::new(name, reason));
                None
            }
        }
    }

    /// Returns the image as a `data:` URL.
    pub(crate) fn inline(&self) -> String {
        let bytes = BASE64_STANDARD.encode(&self.bytes);
        format!("data:{};base64,{bytes}", content_type(&self.path))
    }
}

/// Returns a hash of the content, for names that change with it.
pub(crate) fn fingerprint(bytes: &[u8]) -> u32 {
    let hash = slug::hash(bytes);
    // The halves are combined because the multiplication moves bits upwards only.
    u32::try_from((hash >> 32) ^ (hash & 0xffff_ffff)).unwrap_or_default()
}

/// Returns the extension of an image, or the reason why it cannot be used.
fn extension(bytes: &[u8]) -> Result<&'static str, String> {
    if bytes.len() > MAX_IMAGE_BYTES {
        return Err(format!(
            "has {} bytes; at most {MAX_IMAGE_BYTES} are accepted, because every page loads them",
            bytes.len()
        ));
    }
    for (signature, extension) in IMAGE_SIGNATURES {
        if bytes.starts_with(signature) {
            return Ok(extension);
        }
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Ok("webp")
    } else if is_drawing(bytes) {
        Ok("svg")
    } else {
        Err("not an image; PNG, JPEG, GIF, WebP, ICO and SVG are accepted".to_owned())
    }
}

/// Returns whether an image is SVG. It may begin with a declaration or a comment, so it has no fixed
/// first bytes.
fn is_drawing(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.contains("<svg"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_known_by_their_bytes() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n..."[..], "png"),
            (b"\xff\xd8\xff\xe0", "jpg"),
            (b"RIFF....WEBPVP8 ", "webp"),
            (b"\0\0\x01\0\x01\0", "ico"),
            (b"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>", "svg"),
            (b"<svg><linearGradient id=\"a\"/><rect fill=\"url(#a)\"/><use href='#b'/></svg>", "svg"),
        ] {
            assert_eq!(extension(bytes), Ok(expected));
        }
    }

    #[test]
    fn what_is_no_image_is_refused() {
        for hostile in [
            &b"root:x:0:0:root:/root:/bin/sh"[..],
            b"<html></html>",
            b"<svg\xff>",
            b"",
        ] {
            assert!(extension(hostile).is_err(), "{hostile:?}");
        }
        assert!(extension(&vec![0xff; MAX_IMAGE_BYTES + 1]).is_err());
    }
}
