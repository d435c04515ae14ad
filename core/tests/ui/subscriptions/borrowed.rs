//! Streams that borrow what ends with the call.

use docent_core::{Cx, Fault, Subscription};
use futures_util::{StreamExt, stream};

fn main() {
    let _: Subscription<_> = Subscription::new("borrowed", |_: Cx, p: Vec<u64>| async move {
        Ok(stream::iter(&p).map(|number| Ok::<_, Fault>(*number)))
        //~^ cannot return value referencing
    });
}
