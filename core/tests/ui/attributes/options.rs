//! Options that are not there, or have no such value.

#![allow(unused)]

use docent_core::{Fault, procedure, procedures};

#[procedure(idempotnt)]
//~^ unknown `idempotnt`; expected one of `blocking`, `by_name_only`
fn misspelled() -> Result<(), Fault> {
    Ok(())
}

#[procedure(colour = "red")]
//~^ unknown `colour`; expected one of `blocking`, `by_name_only`
fn unknown() -> Result<(), Fault> {
    Ok(())
}

#[procedure(idempotent, idempotent)]
//~^ `idempotent` is given twice
fn twice() -> Result<(), Fault> {
    Ok(())
}

#[procedure(idempotent = true)]
//~^ this method takes 0 arguments but 1 argument was supplied
fn flag_with_a_value() -> Result<(), Fault> {
    Ok(())
}

#[procedure(idempotent, etag_by = |_: docent_core::Cx, (): ()| 1)]
//~^ name a function that takes the same arguments, `etag_by = version`, or none, `etag_by = version()`
fn version_of_one_parameter(row: u8) -> Result<(), Fault> {
    Ok(())
}

#[procedure(timeout)]
//~^ `timeout` needs a value: write `timeout = …`
fn without_a_value() -> Result<(), Fault> {
    Ok(())
}

#[procedure(timeout = 60)]
//~^ a duration needs a unit: write `timeout = "60s"`
fn without_a_unit() -> Result<(), Fault> {
    Ok(())
}

#[procedure(timeout = "60 parsecs")]
//~^ "60 parsecs" is not a duration: write a whole number and a unit (ms, s, min, h or d), such as `timeout = "60s"`
fn unknown_unit() -> Result<(), Fault> {
    Ok(())
}

#[procedure(rate = 100)]
//~^ `rate` needs a number of calls and a period: write `rate(100, per = "60s")`
//~^^ `rate` needs the feature `rate-limits` of docent-core
fn rate_without_a_time() -> Result<(), Fault> {
    Ok(())
}

#[procedure(rate(100, "60s"))]
//~^ `rate` needs a number of calls and a period: write `rate(100, per = "60s")`
//~^^ `rate` needs the feature `rate-limits` of docent-core
fn rate_without_a_name() -> Result<(), Fault> {
    Ok(())
}

#[procedure(max_concurrent)]
//~^ this method takes 1 argument but 0 arguments were supplied
fn limit_without_a_number() -> Result<(), Fault> {
    Ok(())
}

#[procedure(name = NAME)]
//~^ `name` needs a text in quotation marks: write `name = "…"`
fn computed_name() -> Result<(), Fault> {
    Ok(())
}

#[procedure(example(params = [1], result = 2, data = {"id": 1}))]
//~^ an example has either a result or an error, and an error may have data: write `example(params = [1], result = 2)` or `example(params = [1], error = 1404, data = {"id": 1})`
fn example_with_two_outcomes() -> Result<(), Fault> {
    Ok(())
}

#[procedure(error(1404, "No such book"))]
//~^ every value needs a name: write (code = …, message = …, data = …)
fn error_without_names() -> Result<(), Fault> {
    Ok(())
}

#[procedure(error(code = 1404))]
//~^ an error needs a code and a message: write `error(code = 1404, message = "No such book")`
fn error_without_a_message() -> Result<(), Fault> {
    Ok(())
}

#[procedure(error(code = 7, message = "No {size} paper"))]
//~^ a message is sent as it is written, and nothing replaces `{size}`: remove it, and send values in the data of the error
fn message_with_a_place() -> Result<(), Fault> {
    Ok(())
}

#[procedure(colour = "red", timeout = 60, name = NAME, cache_for = "1 parsec", idempotnt, idempotent = true)]
//~^ unknown `colour`
//~^^ a duration needs a unit: write `timeout = "60s"`
//~^^^ `name` needs a text in quotation marks: write `name = "…"`
//~^^^^ "1 parsec" is not a duration
//~^^^^^ unknown `idempotnt`
//~^^^^^^ this method takes 0 arguments but 1 argument was supplied
fn all_at_once() -> Result<(), Fault> {
    Ok(())
}

struct Shop;

#[procedures(prefix = 1, fn_name = "no name", client = true, colour)]
//~^ unknown `colour`; expected one of `prefix`, `fn_name`, `client`, `blocking`
//~^^ `prefix` needs a text in quotation marks: write `prefix = "…"`
//~^^^ `fn_name` needs the name of a function, such as `fn_name = "book_procedures"`
//~^^^^ `client` needs the name of the client's type
impl Shop {
    #[procedure(example(summary = "none", parms = [1], reslt = 2))]
    //~^ unknown `parms`
    //~^^ unknown `reslt`
    fn order(&self) -> Result<(), Fault> {
        Ok(())
    }
}

struct Library;

#[procedures(prefx = "book")]
//~^ unknown `prefx`; expected one of `prefix`, `fn_name`, `client`, `blocking`
impl Library {
    #[procedure = "find"]
    //~^ write the options in parentheses: `#[procedure(idempotent)]`
    fn find(&self) -> Result<(), Fault> {
        Ok(())
    }
}

struct Office;

#[procedures(name = "post", timeout = 60)]
//~^ `name` belongs on each `#[procedure]`
//~^^ a duration needs a unit: write `timeout = "60s"`
impl Office {
    #[procedure(notification)]
    #[procedure(tag = "mail")]
    //~^ a function can have one `#[procedure(…)]`: move these options into the first
    fn open(&self) -> Result<(), Fault> {
        Ok(())
    }
}

#[procedure]
#[procedure(tag = "mail")]
//~^ a function can have one `#[procedure(…)]`: move these options into the first
fn close() -> Result<(), Fault> {
    Ok(())
}

fn main() {
    let _ = misspelled::procedure::<()>();
}
