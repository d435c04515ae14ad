/// A type, in the terms of JSON-RPC 1.1 (section 10.2.1).
///
/// ```
/// use docent_describe::TypeCode;
///
/// assert_eq!(TypeCode::Bit.as_str(), "bit");
/// assert_eq!(TypeCode::from_word("number"), TypeCode::Any);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum TypeCode {
    /// `bit`: a Boolean.
    Bit,
    /// `num`: a Number.
    Num,
    /// `str`: a String.
    Str,
    /// `arr`: an Array.
    Arr,
    /// `obj`: an Object.
    Obj,
    /// `any`: anything.
    #[default]
    Any,
    /// `nil`: nothing; for returns only.
    Nil,
}

impl TypeCode {
    const WORDS: [(Self, &'static str); 7] = [
        (Self::Bit, "bit"),
        (Self::Num, "num"),
        (Self::Str, "str"),
        (Self::Arr, "arr"),
        (Self::Obj, "obj"),
        (Self::Any, "any"),
        (Self::Nil, "nil"),
    ];

    /// Returns the word for the type in a description.
    pub fn as_str(self) -> &'static str {
        // In the order of declaration.
        Self::WORDS[self as usize].1
    }

    /// Returns the type for a word. Unknown words mean `any`.
    pub fn from_word(word: &str) -> Self {
        Self::WORDS
            .into_iter()
            .find(|(_, known)| *known == word)
            .map_or(Self::Any, |(code, _)| code)
    }

    /// Returns the type that a parameter has: `nil` is for returns only.
    #[must_use]
    pub fn of_param(self) -> Self {
        match self {
            Self::Nil => Self::Any,
            code => code,
        }
    }
}

display!(TypeCode, |it| it.as_str());
