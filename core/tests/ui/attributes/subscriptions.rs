//! `#[subscription]`: its options, and what it can be on.

#![allow(unused)]

use docent_core::{Fault, Following, procedure, procedures, subscription};
use futures_util::{Stream, stream};

#[subscription(cache_for = "60s", blocking, colour)]
//~^ `cache_for` is for results, and a subscription has none: remove it
//~^^ `blocking` is for results, and a subscription has none: remove it
//~^^^ unknown `colour`; expected one of `by_name_only`, `deprecated`
fn of_results() -> Result<Following<u8, Fault>, Fault> {
    todo!()
}

#[subscription(resume_by = "after")]
//~^ `resume_by` needs a parameter and the cursor of an item: write `resume_by("after", |item| item.number)`
fn cursor_without_a_function(after: Option<u8>) -> Result<Following<u8, Fault>, Fault> {
    todo!()
}

#[subscription(example(params = [1], result = 2))]
//~^ unknown `result`; expected one of `summary`, `params`, `items`, `error`, `data`
fn example_with_a_result() -> Result<Following<u8, Fault>, Fault> {
    todo!()
}

#[subscription(example(params = [1], items = 2))]
//~^ `items` needs a list: write `items = [{"number": 1}]`
fn example_with_one_item() -> Result<Following<u8, Fault>, Fault> {
    todo!()
}

#[subscription(example(params = [1]))]
//~^ an example has either items or an error
fn example_without_items() -> Result<Following<u8, Fault>, Fault> {
    todo!()
}

#[subscription]
fn nothing() {}
//~^ a subscription returns a `Result` with a stream: write `-> Result<impl Stream<Item = Result<…, Fault>> + use<>, Fault>` after `nothing(…)`

#[subscription]
fn generic<T>(value: T) -> Result<Following<u8, Fault>, Fault> {
//~^ a subscription cannot be generic, because each parameter has one type
    todo!()
}

#[subscription]
fn borrowing() -> Result<Box<dyn Stream<Item = &u8>>, Fault> {
//~^ a stream cannot borrow, because it lives longer than the call: write a type without references
    todo!()
}

#[procedure]
#[subscription]
//~^ a function gives one result or a stream of items: remove `#[procedure]` or `#[subscription]`
fn both() -> Result<u8, Fault> {
    Ok(1)
}

#[subscription]
struct Place;
//~^ `#[subscription]` belongs on a function

struct Shop;

impl Shop {
    #[subscription]
    fn orders(&self) -> Result<Following<u8, Fault>, Fault> {
    //~^ a method with `#[subscription]` needs `#[procedures]` on its `impl`
        todo!()
    }
}

struct Library;

#[procedures]
impl Library {
    #[subscription]
    fn borrowed(&self) -> Result<impl Stream<Item = Result<u8, Fault>>, Fault> {
    //~^ a stream cannot borrow, because it lives longer than the call, and this one borrows `self`: write `Result<impl Stream<Item = Result<…, Fault>> + use<>, Fault>`, and clone what the stream needs
        Ok(stream::iter([Ok(1)]))
    }

    #[subscription = "watch"]
    //~^ write the options in parentheses: `#[subscription(idempotent)]`
    fn watch(&self) -> Result<Following<u8, Fault>, Fault> {
        todo!()
    }
}

struct Office;

#[procedures(resume_by("after", |item| item))]
//~^ unknown `resume_by`; expected one of `prefix`, `fn_name`, `client`, `blocking`
impl Office {
    #[subscription]
    fn letters(&self) -> Result<Following<u8, Fault>, Fault> {
        todo!()
    }
}

fn main() {
    let _ = nothing::procedure::<()>();
    let _ = Library.procedures::<()>();
}
