//! Streams that cannot be sent to another thread, or that borrow from the call.

use std::rc::Rc;

use docent_core::{Cx, Fault, Subscription};
use futures_util::{StreamExt, stream};

fn main() {
    let _: Subscription<_> = Subscription::new("not_send", |_: Cx, (): ()| async {
    //~^ `Rc<i32>` cannot be sent between threads safely
        let kept = Rc::new(1);
        Ok(stream::iter([1]).map(move |number| Ok::<_, Fault>(number + *kept)))
    });
}
