//! The size of a call's future, which every future that awaits it contains.

use docent_core::{Cx, Fault, Procedure, Service};

#[test]
fn the_future_of_a_call_takes_less_than_a_kilobyte() {
    let add = |_: Cx, numbers: Vec<f64>| async move { Ok::<_, Fault>(numbers.iter().sum::<f64>()) };
    let service = Service::builder("future", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c77")
        .procedure(Procedure::new("add", add))
        .build()
        .expect("a service");
    let call = service.handle(r#"{"jsonrpc":"2.0","method":"add","params":[1,2],"id":1}"#);
    let size = size_of_val(&call);
    assert!(size <= 1024, "{size} bytes");
}
