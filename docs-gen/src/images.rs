//! The logo and the favicon.
//!
//! The format of an image is detected from its bytes. A drawing (SVG) is a document that can hold
//! scripts: an `<img>` does not run them, but its address can also be opened by itself. So a drawing
//! with any active content is refused.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::problem::Problem;
use crate::slug;

/// The largest image: it is loaded with every page.
const LARGEST: usize = 256 << 10;

/// The first bytes of images, with the extension and the media type of each.
const KINDS: [(&[u8], &str, &str); 5] = [
    (b"\x89PNG\r\n\x1a\n", "png", "image/png"),
    (b"\xff\xd8\xff", "jpg", "image/jpeg"),
    (b"GIF87a", "gif", "image/gif"),
    (b"GIF89a", "gif", "image/gif"),
    (&[0, 0, 1, 0], "ico", "image/x-icon"),
];

/// An image that the author of a site provides.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) path: String,
    pub(crate) content_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl Image {
    /// Creates an image, or reports why it cannot be used. `name` is its name in the folder of assets.
    pub(crate) fn new(name: &str, bytes: Vec<u8>, problems: &mut Vec<Problem>) -> Option<Self> {
        match kind(&bytes) {
            Ok((extension, content_type)) => Some(Self {
                path: format!("assets/{name}-{:08x}.{extension}", fingerprint(&bytes)),
                content_type,
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
        format!("data:{};base64,{bytes}", self.content_type)
    }
}

/// Returns a hash of the content, for names that change with it.
pub(crate) fn fingerprint(bytes: &[u8]) -> u32 {
    let hash = slug::hash(bytes);
    // The halves are combined because the multiplication moves bits upwards only.
    u32::try_from((hash >> 32) ^ (hash & 0xffff_ffff)).unwrap_or_default()
}

/// Returns the extension and the media type.
fn kind(bytes: &[u8]) -> Result<(&'static str, &'static str), String> {
    if bytes.len() > LARGEST {
        return Err(format!(
            "has {} bytes; at most {LARGEST} are accepted, because every page loads them",
            bytes.len()
        ));
    }
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    if is_webp {
        return Ok(("webp", "image/webp"));
    }
    let known = KINDS.iter().find(|(start, ..)| bytes.starts_with(start));
    match known {
        Some((_, extension, content_type)) => Ok((extension, content_type)),
        None => drawing(bytes).map(|()| ("svg", "image/svg+xml")),
    }
}

/// Checks that the bytes are a drawing, and nothing more.
fn drawing(bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).ok();
    let text = text.filter(|text| text.contains("<svg"));
    let text = text.ok_or("not an image; PNG, JPEG, GIF, WebP, ICO and SVG are accepted")?;
    let lower = text.to_ascii_lowercase();
    // Declarations and entities could spell any of these differently.
    let active = [
        "<script",
        "<foreignobject",
        "<iframe",
        "<embed",
        "<object",
        "<handler",
        "<listener",
        "<set",
        "<animate",
        "<!doctype",
        "<!entity",
        "<?xml-stylesheet",
        "javascript:",
        "@import",
    ];
    if let Some(found) = active.iter().find(|found| lower.contains(**found)) {
        return Err(format!("a drawing with `{found}` in it is not accepted"));
    }
    // An attribute's name may be separated from its equals sign.
    let lower = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = lower.replace(" =", "=");
    let words =
        lower.split(|character: char| !character.is_ascii_alphanumeric() && character != '=');
    let mut handlers = words.filter(|word| {
        word.strip_prefix("on")
            .and_then(|rest| rest.split_once('='))
            .is_some_and(|(event, _)| !event.is_empty())
    });
    if let Some(handler) = handlers.next() {
        return Err(format!("a drawing with `{handler}` in it is not accepted"));
    }
    let links = lower.split("href").skip(1);
    let mut links = links.chain(lower.split("url(").skip(1));
    let leaves = |rest: &str| {
        let target = rest.trim_start_matches(|it: char| it.is_whitespace() || "='\"".contains(it));
        !target.starts_with('#')
            && !target.starts_with("data:image/png")
            && !target.starts_with("data:image/jpeg")
    };
    if links.any(leaves) {
        return Err("a drawing that links to other files is not accepted".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_known_by_their_bytes() {
        for (bytes, extension) in [
            (&b"\x89PNG\r\n\x1a\n..."[..], "png"),
            (b"\xff\xd8\xff\xe0", "jpg"),
            (b"RIFF....WEBPVP8 ", "webp"),
            (b"\0\0\x01\0\x01\0", "ico"),
            (b"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>", "svg"),
            (b"<svg><linearGradient id=\"a\"/><rect fill=\"url(#a)\"/><use href='#b'/></svg>", "svg"),
        ] {
            assert_eq!(kind(bytes).map(|(extension, _)| extension), Ok(extension));
        }
    }

    #[test]
    fn what_is_no_image_or_more_than_one_is_refused() {
        for hostile in [
            "root:x:0:0:root:/root:/bin/sh",
            "<svg><script>alert(1)</script></svg>",
            "<svg onload=\"alert(1)\"></svg>",
            "<svg><rect/ONCLICK\n = 'x'/></svg>",
            "<svg><foreignObject></foreignObject></svg>",
            "<svg><a href=\"javascript:alert(1)\"/></svg>",
            "<svg><image href=\"https://evil.example/x.png\"/></svg>",
            "<svg><style>@import 'https://evil.example'</style></svg>",
            "<svg><rect fill=\"url( https://evil.example )\"/></svg>",
            "<!DOCTYPE svg [<!ENTITY x \"&#60;script>\">]><svg>&x;</svg>",
            "<svg><animate attributeName=href values=javascript&#58;x /></svg>",
        ] {
            assert!(kind(hostile.as_bytes()).is_err(), "{hostile}");
        }
        assert!(kind(&vec![0xff; LARGEST + 1]).is_err());
    }
}
