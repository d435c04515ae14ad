//! The types of JSON-RPC 1.1.
//!
//! Version 1.1 has no schemas, only these names. A description has one beside the schema of each value,
//! because a document of 1.1 may have nothing else.

named_variants! {
    /// A type, in the terms of JSON-RPC 1.1 (section 10.2.1). There will be no others.
    ///
    /// ```
    /// use docent::describe::TypeCode;
    ///
    /// assert_eq!(TypeCode::Bit.as_str(), "bit");
    /// assert_eq!(TypeCode::from_name("number"), None);
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum TypeCode {
        /// `bit`: a Boolean.
        Bit = "bit",
        /// `num`: a Number.
        Num = "num",
        /// `str`: a String.
        Str = "str",
        /// `arr`: an Array.
        Arr = "arr",
        /// `obj`: an Object.
        Obj = "obj",
        /// `any`: anything.
        #[default]
        Any = "any",
        /// `nil`: nothing; for returns only.
        Nil = "nil",
    }
}

impl TypeCode {
    /// Returns the type that a parameter has: `nil` is for returns only.
    #[must_use]
    pub fn of_param(self) -> Self {
        match self {
            Self::Nil => Self::Any,
            code => code,
        }
    }
}

display!(TypeCode, |code| code.as_str());
