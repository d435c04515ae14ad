//! Items and parameters that lack a derive, and errors that are none of a procedure.

use docent_core::{Cx, Fault, Subscription, Topic};
use futures_util::stream;

#[derive(schemars::JsonSchema)]
struct OnlyDescribed;

#[derive(serde::Serialize)]
struct OnlySerialized;

struct Neither;

#[derive(schemars::JsonSchema)]
struct Watch {
    after: Option<u64>,
}

fn main() {
    let _: Subscription<_> = Subscription::new("a", |_: Cx, (): ()| async { Ok::<_, Fault>(stream::iter([Ok(OnlyDescribed)])) });
    //~^ `OnlyDescribed` cannot be an item of a subscription
    //~^^ derive `Serialize` and `JsonSchema` for it
    let _: Subscription<_> = Subscription::new("b", |_: Cx, (): ()| async { Ok::<_, Fault>(stream::iter([Ok(OnlySerialized)])) });
    //~^ the trait bound `OnlySerialized: JsonSchema` is not satisfied
    let _: Subscription<_> = Subscription::new("c", |_: Cx, (): ()| async { Ok::<_, Fault>(stream::iter([Ok(Neither)])) });
    //~^ `Neither` cannot be an item of a subscription
    let _: Subscription<_, _> = Subscription::new("d", |cx: Cx<Topic<Neither>>, (): ()| async move { Ok::<_, Fault>(cx.state().follow()) });
    //~^ the trait bound `Neither: JsonSchema` is not satisfied
    let _: Subscription<_> = Subscription::new("e", |_: Cx, _: Watch| async { Ok::<_, Fault>(stream::iter([Ok(1)])) });
    //~^ the trait bound `Watch: serde::de::DeserializeOwned` is not satisfied
    //~^^ // derive `Deserialize` and `JsonSchema`
    let _: Subscription<_> = Subscription::new("f", |_: Cx, (): ()| async { Ok::<_, std::io::Error>(stream::iter([Ok(1)])) });
    //~^ `std::io::Error` is not an error that a procedure can return
}
