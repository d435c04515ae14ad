//! The iterators of an object.
//!
//! They are types of their own and not a `Map` with a function, because their names become part of
//! the name of every function that a caller chains to them, and debug binaries keep those names.

use std::slice;

use super::object::{Member, Object};
use super::{Json, Name};

macro_rules! iterator {
    ($(#[$doc:meta])* $visibility:vis $name:ident, $members:ident, $item:ty, $of:expr) => {
        $(#[$doc])*
        $visibility struct $name<'o>(pub(super) slice::$members<'o, Member>);

        impl<'o> Iterator for $name<'o> {
            type Item = $item;

            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map($of)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl DoubleEndedIterator for $name<'_> {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.0.next_back().map($of)
            }
        }

        impl ExactSizeIterator for $name<'_> {}
    };
}

iterator!(
    /// The names and values of an [`Object`].
    #[derive(Debug, Clone, Default)]
    pub Iter, Iter, (&'o Name, &'o Json), |(name, value)| (name, value)
);
iterator!(
    /// The names and values of an [`Object`], with the values mutable.
    #[derive(Debug)]
    pub IterMut, IterMut, (&'o Name, &'o mut Json), |(name, value)| (&*name, value)
);
iterator!(
    #[derive(Debug, Clone)]
    pub(super) Keys, Iter, &'o Name, |(name, _)| name
);
iterator!(
    #[derive(Debug, Clone)]
    pub(super) Values, Iter, &'o Json, |(_, value)| value
);

impl<'o> IntoIterator for &'o Object {
    type Item = (&'o Name, &'o Json);
    type IntoIter = Iter<'o>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'o> IntoIterator for &'o mut Object {
    type Item = (&'o Name, &'o mut Json);
    type IntoIter = IterMut<'o>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
