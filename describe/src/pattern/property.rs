//! The properties of `\p{…}`, by their exact names in ECMA-262.
//!
//! `regex-syntax` has the characters of all of them, but takes names in any spelling, and names that ECMA-262 lacks. So
//! a name is looked up in the lists of this file before it gets there.

use regex_syntax::hir::{Class, ClassUnicode, HirKind};

/// The values of `General_Category`, each short name with its long ones.
const CATEGORY_NAMES: &str = "C Other Cc Control cntrl Cf Format Cn Unassigned Co Private_Use Cs \
    Surrogate L Letter LC Cased_Letter Ll Lowercase_Letter Lm Modifier_Letter Lo Other_Letter Lt \
    Titlecase_Letter Lu Uppercase_Letter M Mark Combining_Mark Mc Spacing_Mark Me Enclosing_Mark \
    Mn Nonspacing_Mark N Number Nd Decimal_Number digit Nl Letter_Number No Other_Number P \
    Punctuation punct Pc Connector_Punctuation Pd Dash_Punctuation Pe Close_Punctuation Pf \
    Final_Punctuation Pi Initial_Punctuation Po Other_Punctuation Ps Open_Punctuation S Symbol Sc \
    Currency_Symbol Sk Modifier_Symbol Sm Math_Symbol So Other_Symbol Z Separator Zl \
    Line_Separator Zp Paragraph_Separator Zs Space_Separator";

/// The binary properties, which a character either has or lacks.
const BINARY_PROPERTIES: &str = "ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C \
    Bidi_Mirrored Bidi_M Case_Ignorable CI Cased Changes_When_Casefolded CWCF \
    Changes_When_Casemapped CWCM Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF \
    Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI \
    Deprecated Dep Diacritic Dia Emoji Emoji_Component EComp Emoji_Modifier EMod \
    Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext \
    Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex IDS_Binary_Operator IDSB \
    IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control Join_C \
    Logical_Order_Exception LOE Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax \
    Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI \
    Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo \
    Uppercase Upper Variation_Selector VS White_Space space XID_Continue XIDC XID_Start XIDS";

/// The long names of scripts.
const SCRIPT_NAMES: &str = "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak \
    Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian \
    Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot \
    Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs \
    Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati \
    Gunjala_Gondi Gurmukhi Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew \
    Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese \
    Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi \
    Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar \
    Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui \
    Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean \
    Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki \
    Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian \
    Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene \
    Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada \
    Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar \
    Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut \
    Telugu Thaana Thai Tibetan Tifinagh Tirhuta Todhri Toto Tulu_Tigalari Ugaritic Vai Vithkuqi \
    Wancho Warang_Citi Yezidi Yi Zanabazar_Square";

/// Returns the characters with a property. `name` is the text between the braces.
///
/// # Errors
/// A reason, if ECMA-262 does not define the name.
pub(super) fn find(name: &str) -> Result<ClassUnicode, String> {
    let rust_name = match name.split_once('=') {
        Some(("General_Category" | "gc", value)) if lists(CATEGORY_NAMES, value) => {
            format!("gc={value}")
        }
        Some(("Script" | "sc", value)) if is_script(value) => format!("sc={value}"),
        Some(("Script_Extensions" | "scx", value)) if is_script(value) => format!("scx={value}"),
        None if lists(CATEGORY_NAMES, name) || lists(BINARY_PROPERTIES, name) => name.to_owned(),
        _ => return Err(unknown(name)),
    };
    // This category contains only halves of surrogate pairs, and no text has any.
    if matches!(rust_name.trim_start_matches("gc="), "Cs" | "Surrogate") {
        return Ok(ClassUnicode::empty());
    }
    let parsed = regex_syntax::parse(&format!("\\p{{{rust_name}}}")).map_err(|_| unknown(name))?;
    match parsed.into_kind() {
        HirKind::Class(Class::Unicode(set)) => Ok(set),
        // A set of one character.
        HirKind::Literal(literal) => {
            let codes: Vec<_> = std::str::from_utf8(&literal.0)
                .unwrap_or_default()
                .chars()
                .map(|only| (only.into(), only.into()))
                .collect();
            Ok(super::sets::set(&codes))
        }
        _ => Err(unknown(name)),
    }
}

/// Returns the message for an unknown property.
fn unknown(name: &str) -> String {
    let instead = if is_script(name) {
        format!("; write `\\p{{Script={name}}}`")
    } else {
        String::new()
    };
    format!("there is no property `{name}`{instead}")
}

/// Returns whether a name is one of those in a list with spaces between them.
fn lists(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

/// Returns whether this is the name of a script: a long one, or a short one of a capital and three
/// small letters, which is looked up in the tables of `regex-syntax`.
fn is_script(name: &str) -> bool {
    let bytes = name.as_bytes();
    let short = bytes.len() == 4
        && bytes[0].is_ascii_uppercase()
        && bytes[1..].iter().all(u8::is_ascii_lowercase)
        // The tables ignore these two letters.
        && !name.starts_with("Is");
    lists(SCRIPT_NAMES, name) || short && regex_syntax::parse(&format!("\\p{{sc={name}}}")).is_ok()
}
