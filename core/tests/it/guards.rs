//! Guards as `build()` sees them.

use docent_core::{Attempt, Guard, Refused};

use crate::{assert_fine, assert_one, builder, plain};

/// Lets everybody in, and says what is wrong with it.
struct Made(&'static [&'static str]);

impl Guard for Made {
    fn check(&self, _: &Attempt<'_>) -> Result<(), Refused> {
        Ok(())
    }

    fn problems(&self) -> Vec<String> {
        self.0.iter().map(|&problem| problem.to_owned()).collect()
    }
}

#[test]
fn what_a_guard_finds_wrong_with_itself_is_a_mistake_of_the_service() {
    let service = || builder().procedure(plain("read"));
    assert_one(
        service().guard(Made(&["the token is empty"])),
        None,
        &["a guard", "the token is empty"],
    );
    let two = mistakes_of(&[&["one", "two"], &[], &["three"]]);
    assert_eq!(two, 3);
    assert_fine(service().guard(Made(&[])));
}

fn mistakes_of(guards: &[&'static [&'static str]]) -> usize {
    let service = guards
        .iter()
        .fold(builder(), |service, problems| service.guard(Made(problems)));
    crate::mistakes(service).len()
}
