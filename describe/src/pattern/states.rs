//! A pattern as states between which the characters of a text lead.
//!
//! Several states hold at a time. Which of them hold after a character is all that the rest of a
//! text can depend on, so matching takes linear time, whatever the pattern.

use super::ast::{Ast, Edge};
use super::symbols::{Sets, Symbol, Symbols};

/// More states than this are refused. Each may cost a step at each character.
const MOST: usize = 50_000;

/// The number of a state.
pub(super) type Id = u32;

#[derive(Debug)]
enum State {
    /// The next character must be of one of these kinds (one bit each).
    Class(Box<[u64]>, Id),
    /// Both of these hold as well.
    Split(Id, Id),
    /// This one holds as well, where the place is right.
    Look(Look, Id),
    /// There is a match.
    Match,
}

#[derive(Debug, Clone, Copy)]
enum Look {
    Start,
    End,
    Boundary,
    NoBoundary,
}

/// What stands on one side of a place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// Nothing.
    Edge,
    /// A character of a word.
    Word,
    /// Another character.
    Other,
}

impl Side {
    pub(super) fn of(symbols: &Symbols, symbol: Symbol) -> Self {
        if symbols.in_word(symbol) {
            Self::Word
        } else {
            Self::Other
        }
    }
}

impl Look {
    fn holds(self, before: Side, behind: Side) -> bool {
        match self {
            Self::Start => before == Side::Edge,
            Self::End => behind == Side::Edge,
            Self::Boundary => (before == Side::Word) != (behind == Side::Word),
            Self::NoBoundary => (before == Side::Word) == (behind == Side::Word),
        }
    }
}

/// All states of a pattern.
#[derive(Debug)]
pub(super) struct States {
    list: Vec<State>,
    start: Id,
    /// Whether a match can begin at the beginning of the text only.
    is_anchored: bool,
}

impl States {
    /// `None` where there are too many.
    pub(super) fn new(ast: &Ast, symbols: &Symbols, sets: &Sets) -> Option<Self> {
        let mut states = Self {
            list: vec![State::Match],
            start: 0,
            is_anchored: ast.is_anchored(Edge::Start),
        };
        states.start = states.add_all(ast, 0, &|set| {
            let mut bits = vec![0; symbols.count().div_ceil(64)];
            for &symbol in sets.symbols(set) {
                let (word, bit) = place(symbol);
                bits[word] |= bit;
            }
            bits.into()
        })?;
        Some(states)
    }

    /// How many states there are.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// The states that hold before a text.
    pub(super) fn first(&self) -> Vec<Id> {
        vec![self.start]
    }

    fn add(&mut self, state: State) -> Option<Id> {
        let id = Id::try_from(self.list.len()).ok()?;
        self.list.push(state);
        (self.list.len() <= MOST).then_some(id)
    }

    /// Adds the states of a part, behind which `next` holds, and gives the first of them.
    fn add_all(
        &mut self,
        ast: &Ast,
        next: Id,
        bits: &dyn Fn(&regex_syntax::hir::ClassUnicode) -> Box<[u64]>,
    ) -> Option<Id> {
        match ast {
            Ast::Empty => Some(next),
            Ast::Class(set) => self.add(State::Class(bits(set), next)),
            Ast::Start => self.add(State::Look(Look::Start, next)),
            Ast::End => self.add(State::Look(Look::End, next)),
            Ast::Boundary { negated: false } => self.add(State::Look(Look::Boundary, next)),
            Ast::Boundary { negated: true } => self.add(State::Look(Look::NoBoundary, next)),
            Ast::Concat(parts) => parts
                .iter()
                .rev()
                .try_fold(next, |next, part| self.add_all(part, next, bits)),
            Ast::Alternate(parts) => {
                let (last, others) = parts.split_last()?;
                let last = self.add_all(last, next, bits)?;
                others.iter().rev().try_fold(last, |rest, part| {
                    let first = self.add_all(part, next, bits)?;
                    self.add(State::Split(first, rest))
                })
            }
            Ast::Repeat { inner, least, most } => {
                let mut first = match most {
                    None => self.any_number(inner, next, bits)?,
                    Some(most) => {
                        let mut first = next;
                        for _ in *least..*most {
                            let inner = self.add_all(inner, first, bits)?;
                            if inner == first {
                                break;
                            }
                            // To stop here is to go on behind all of them.
                            first = self.add(State::Split(inner, next))?;
                        }
                        first
                    }
                };
                for _ in 0..*least {
                    let inner = self.add_all(inner, first, bits)?;
                    // Nothing, as often as one likes, is nothing.
                    if inner == first {
                        break;
                    }
                    first = inner;
                }
                Some(first)
            }
        }
    }

    fn any_number(
        &mut self,
        inner: &Ast,
        next: Id,
        bits: &dyn Fn(&regex_syntax::hir::ClassUnicode) -> Box<[u64]>,
    ) -> Option<Id> {
        let again = self.add(State::Split(next, next))?;
        let first = self.add_all(inner, again, bits)?;
        self.list[index(again)] = State::Split(first, next);
        Some(again)
    }
}

/// Works on the states of a pattern, with room that is used again and again.
#[derive(Debug)]
pub(super) struct Stepper<'s> {
    states: &'s States,
    /// When each state was seen last.
    seen: Vec<u64>,
    now: u64,
    open: Vec<Id>,
    /// How much has been done.
    pub(super) steps: u64,
}

impl<'s> Stepper<'s> {
    pub(super) fn new(states: &'s States) -> Self {
        Self {
            states,
            seen: vec![0; states.count()],
            now: 0,
            open: Vec::new(),
            steps: 0,
        }
    }

    /// Writes to `waiting` the states that wait for a character, given the states `held` at a
    /// position between two characters. Returns whether there is a match.
    pub(super) fn follow(
        &mut self,
        held: &[Id],
        before: Side,
        behind: Side,
        waiting: &mut Vec<Id>,
    ) -> bool {
        waiting.clear();
        self.now += 1;
        let mut is_match = false;
        self.open.extend(held.iter().rev());
        while let Some(id) = self.open.pop() {
            if std::mem::replace(&mut self.seen[index(id)], self.now) == self.now {
                continue;
            }
            self.steps += 1;
            match &self.states.list[index(id)] {
                State::Class(..) => waiting.push(id),
                State::Split(first, second) => self.open.extend([*second, *first]),
                State::Look(look, next) => {
                    if look.holds(before, behind) {
                        self.open.push(*next);
                    }
                }
                State::Match => is_match = true,
            }
        }
        is_match
    }

    /// Writes to `held` the states that hold behind a character, in order.
    pub(super) fn advance(&mut self, waiting: &[Id], symbol: Symbol, held: &mut Vec<Id>) {
        held.clear();
        let (word, bit) = place(symbol);
        self.steps += waiting.len() as u64;
        for &id in waiting {
            if let State::Class(bits, next) = &self.states.list[index(id)]
                && bits[word] & bit != 0
            {
                held.push(*next);
            }
        }
        // A match may begin anywhere.
        if !self.states.is_anchored {
            held.push(self.states.start);
        }
        held.sort_unstable();
        held.dedup();
    }
}

/// The word and the bit of a symbol.
fn place(symbol: Symbol) -> (usize, u64) {
    (index(symbol / 64), 1 << (symbol % 64))
}

/// A number as an index. Every supported platform has at least this many bits.
fn index(number: u32) -> usize {
    number as usize
}
