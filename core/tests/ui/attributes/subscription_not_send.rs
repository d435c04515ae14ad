//! A stream that stays on one thread.

use std::rc::Rc;

use docent_core::{Fault, subscription};
use futures_util::{Stream, StreamExt, stream};

#[subscription]
fn numbers() -> Result<impl Stream<Item = Result<u8, Fault>>, Fault> {
//~^ `Rc<u8>` cannot be sent between threads safely
    let kept = Rc::new(1);
    Ok(stream::iter([1]).map(move |number| Ok(number + *kept)))
}

fn main() {}
