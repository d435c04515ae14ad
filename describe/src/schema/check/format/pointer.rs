//! JSON Pointers (RFC 6901, section 3) and relative ones (draft-handrews-relative-json-pointer-01).

pub(super) fn is_pointer(text: &str) -> bool {
    let escapes_fit = text
        .split('~')
        .skip(1)
        .all(|behind| behind.starts_with(['0', '1']));
    escapes_fit && (text.is_empty() || text.starts_with('/'))
}

pub(super) fn is_relative(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (up, rest) = text.split_at(digits);
    let is_number = up == "0" || !up.is_empty() && !up.starts_with('0');
    is_number && (rest == "#" || is_pointer(rest))
}
