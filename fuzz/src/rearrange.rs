//! Makes descriptions from descriptions: JSON in, JSON out.
//!
//! A document with a random byte changed is mostly no longer JSON, and the parser rejects it at
//! once. Here a document loses, gains or swaps a member or an element and stays JSON, so that the
//! code behind the parser runs.

use docent_describe::json::{Json, Object};

/// Members and words that have a meaning in one of the formats.
const MEMBER_NAMES: &str = "
    sdversion openrpc info title version name id summary description help address procs
    methods params return result results schema type required default variadic errors
    subscription item items notification behind resume ends end skip wait untold direction server carriers
    websocket ignoresUnknown x-subscription x-direction x-carriers x-ignores-unknown x-notification-of x-security
    x-notifications x-server-requests
    errorsOpen code message data status examples value error security securitySchemes
    enforcedFormats deprecated since reason use notification idempotent tags components schemas
    contentDescriptors examplePairingObjects links servers url variables enum const
    paramStructure by-position by-name byNameOnly aliases x-aliases limits x-limits concurrent rate calls per by caller peer externalDocs $ref # #/components/schemas/A
    #/components/schemas/Book #/components/contentDescriptors/C #/components/errors/E
    #/methods/0 other.json#/A $defs definitions properties additionalProperties
    patternProperties items additionalItems prefixItems anyOf oneOf allOf not if then else
    pattern format minimum maximum exclusiveMinimum multipleOf minLength maxLength minItems
    maxItems uniqueItems nullable dependencies $id $anchor $schema x-ref x-own x-idempotent
    x-errors $own $tags string integer number boolean null array object bit num str arr obj
    any nil jsonrpc 2.0 1.1 1.0 1.2.6 A https://a.example/ javascript:a <script> ../a ~0~1/
";

/// Values of every kind, among them some that are easy to get wrong.
const OTHER_VALUES: &str = r##"
    null true false 0 -0 1 1.0 -1.5e3 1e400 18446744073709551616 0.1e-400 65536 "" "a" [] {}
    [null] [[]] {"a":{}} "\u0000" "\u202e" {"$ref":"#/components/schemas/A"}
    {"type":"integer"} {"name":"A","params":[]} {"name":"A","schema":true}
"##;

/// Changes one thing in the JSON document in the first `size` bytes of `input` and returns the new
/// size, which is at most `most`. Returns `None` if that is impossible, and sometimes on purpose,
/// because random bytes are useful inputs too.
pub fn rearrange(input: &mut [u8], size: usize, most: usize, seed: u32) -> Option<usize> {
    let mut chance = Chance(u64::from(seed));
    if chance.below(4) == 0 {
        return None;
    }
    let document = std::str::from_utf8(&input[..size]).ok()?.parse().ok()?;
    let changed = rearranged(document, &mut chance)?.to_string();
    if changed.len() > most {
        return None;
    }
    input[..changed.len()].copy_from_slice(changed.as_bytes());
    Some(changed.len())
}

/// Changes one value of a document, with the help of another one: a value of the document, or any.
fn rearranged(mut document: Json, chance: &mut Chance) -> Option<Json> {
    let mut values = Vec::new();
    add_values(&document, &mut values);
    let other = if chance.below(2) == 0 {
        Json::clone(values[chance.below(values.len())])
    } else {
        chance.one_of(OTHER_VALUES).parse().ok()?
    };
    let mut index = chance.below(values.len());
    change(nth_value(&mut document, &mut index)?, other, chance);
    Some(document)
}

/// Adds a value and those inside it, in the order of the text.
fn add_values<'j>(value: &'j Json, values: &mut Vec<&'j Json>) {
    values.push(value);
    match value {
        Json::Array(elements) => {
            for element in elements {
                add_values(element, values);
            }
        }
        Json::Object(members) => {
            for member in members.values() {
                add_values(member, values);
            }
        }
        _ => {}
    }
}

/// Returns the value with this index in the order of `add_values`. `left` counts down to it.
fn nth_value<'j>(value: &'j mut Json, left: &mut usize) -> Option<&'j mut Json> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Json::Array(elements) => elements
            .iter_mut()
            .find_map(|element| nth_value(element, left)),
        Json::Object(members) => members
            .values_mut()
            .find_map(|member| nth_value(member, left)),
        _ => None,
    }
}

/// Removes a member and returns its value.
fn remove_any(members: &mut Object, chance: &mut Chance) -> Option<Json> {
    let index = chance.below(members.len().max(1));
    let name = members.keys().nth(index)?.clone();
    members.shift_remove(name.as_str())
}

/// Changes a value: an object gains, loses or renames a member, an array gains or loses an element, and anything may
/// become the other value.
fn change(value: &mut Json, other: Json, chance: &mut Chance) {
    let name = chance.one_of(MEMBER_NAMES);
    match (value, chance.below(4)) {
        (Json::Object(members), 0) => {
            members.insert(name.to_owned(), other);
        }
        (Json::Object(members), 1) => {
            remove_any(members, chance);
        }
        (Json::Object(members), 2) => {
            if let Some(member) = remove_any(members, chance) {
                members.insert(name.to_owned(), member);
            }
        }
        (Json::Array(elements), 0 | 1) => {
            elements.insert(chance.below(elements.len() + 1), other);
        }
        (Json::Array(elements), 2) if !elements.is_empty() => {
            elements.remove(chance.below(elements.len()));
        }
        (text @ Json::String(_), 0 | 1) => *text = Json::from(name),
        (value, _) => *value = other,
    }
}

/// Pseudo-random numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }

    /// Returns one of the words of a text.
    fn one_of<'t>(&mut self, words: &'t str) -> &'t str {
        let index = self.below(words.split_whitespace().count());
        words.split_whitespace().nth(index).unwrap_or_default()
    }
}
