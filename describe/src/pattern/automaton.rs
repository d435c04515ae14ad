//! From the states of a pattern to what matches it.

use std::collections::HashMap;

use super::ast::Ast;
use super::states::{Id, Side, States, Stepper};
use super::symbols::{Symbol, Symbols};

/// How many entries a table may have: 1 MiB.
const ENTRIES: usize = 1 << 18;
/// How many steps may be taken to make one.
const STEPS: u64 = 10_000_000;

/// Matches texts.
#[derive(Debug)]
pub(super) struct Automaton {
    symbols: Symbols,
    states: States,
    table: Option<Table>,
}

/// The transitions of every reachable combination of states, so that a character takes one step.
#[derive(Debug)]
struct Table {
    /// A row for each combination, an entry for each symbol.
    rows: Vec<u32>,
    width: usize,
    /// Of each combination, whether a text that ends there matches.
    ends: Vec<bool>,
}

/// No match is possible any more.
const DEAD: u32 = 0;
/// There is a match.
const MATCHED: u32 = 1;
/// Before the text.
const FIRST: u32 = 2;

impl Automaton {
    /// `None` where it would be too large.
    pub(super) fn new(ast: &Ast) -> Option<Self> {
        let (symbols, sets) = Symbols::new(ast);
        let states = States::new(ast, &symbols, &sets)?;
        let table = Table::new(&states, &symbols, ast.has_boundary());
        Some(Self {
            symbols,
            states,
            table,
        })
    }

    /// How many states there are, before any are combined.
    pub(super) fn states(&self) -> usize {
        self.states.count()
    }

    /// Whether a character may cost more than one step.
    pub(super) fn is_slow(&self) -> bool {
        self.table.is_none()
    }

    #[inline]
    pub(super) fn is_match(&self, text: &str) -> bool {
        match &self.table {
            Some(table) => table.is_match(&self.symbols, text),
            None => self.search(text),
        }
    }

    /// Matches state by state.
    fn search(&self, text: &str) -> bool {
        let mut stepper = Stepper::new(&self.states);
        let (mut held, mut waiting) = (self.states.first(), Vec::new());
        let mut before = Side::Edge;
        for character in text.chars() {
            let symbol = self.symbols.of(character);
            let side = Side::of(&self.symbols, symbol);
            if stepper.follow(&held, before, side, &mut waiting) {
                return true;
            }
            stepper.advance(&waiting, symbol, &mut held);
            if held.is_empty() {
                return false;
            }
            before = side;
        }
        stepper.follow(&held, before, Side::Edge, &mut waiting)
    }
}

impl Table {
    #[inline]
    fn is_match(&self, symbols: &Symbols, text: &str) -> bool {
        let mut state = FIRST;
        for character in text.chars() {
            let row = state as usize * self.width;
            state = self.rows[row + symbols.of(character) as usize];
            if state < FIRST {
                return state == MATCHED;
            }
        }
        self.ends[state as usize]
    }

    /// `None` where there are too many combinations.
    fn new(states: &States, symbols: &Symbols, has_boundary: bool) -> Option<Self> {
        let mut maker = Maker {
            symbols,
            stepper: Stepper::new(states),
            known: HashMap::new(),
            // Behind the two that are final.
            combinations: vec![(Vec::new(), Side::Edge); 2],
            has_boundary,
        };
        let width = symbols.count();
        maker.combination(states.first(), Side::Edge);
        let mut table = Self {
            rows: vec![DEAD; 2 * width],
            width,
            ends: vec![false, true],
        };
        let mut at = FIRST as usize;
        while let Some(combination) = maker.combinations.get(at).cloned() {
            maker.row(&combination, &mut table)?;
            at += 1;
        }
        Some(table)
    }
}

struct Maker<'s> {
    symbols: &'s Symbols,
    stepper: Stepper<'s>,
    known: HashMap<(Vec<Id>, Side), u32>,
    /// Which states hold, and what stands before the place where they do.
    combinations: Vec<(Vec<Id>, Side)>,
    has_boundary: bool,
}

impl Maker<'_> {
    /// The number of a combination, new or not.
    fn combination(&mut self, held: Vec<Id>, before: Side) -> u32 {
        if held.is_empty() {
            return DEAD;
        }
        let next = u32::try_from(self.combinations.len()).unwrap_or(u32::MAX);
        let combination = (held, before);
        *self
            .known
            .entry(combination)
            .or_insert_with_key(|combination| {
                self.combinations.push(combination.clone());
                next
            })
    }

    /// Adds the row of a combination.
    fn row(&mut self, (held, before): &(Vec<Id>, Side), table: &mut Table) -> Option<()> {
        let (mut word, mut other, mut next) = (Vec::new(), Vec::new(), Vec::new());
        let word_matches = self.stepper.follow(held, *before, Side::Word, &mut word);
        let other_matches = self.stepper.follow(held, *before, Side::Other, &mut other);
        for symbol in 0..self.symbols.count() {
            let symbol = Symbol::try_from(symbol).ok()?;
            // Without boundaries the sides do not matter, and need not be told apart.
            let side = if self.has_boundary {
                Side::of(self.symbols, symbol)
            } else {
                Side::Other
            };
            let (waiting, matches) = match side {
                Side::Word => (&word, word_matches),
                _ => (&other, other_matches),
            };
            let target = if matches {
                MATCHED
            } else {
                self.stepper.advance(waiting, symbol, &mut next);
                self.combination(next.clone(), side)
            };
            table.rows.push(target);
        }
        let ends = self.stepper.follow(held, *before, Side::Edge, &mut other);
        table.ends.push(ends);
        let known = self.combinations.len() * table.width;
        (known <= ENTRIES && self.stepper.steps <= STEPS).then_some(())
    }
}
