//! Functions where types are wanted.

use docent_core::Service;

fn main() {
    let _ = Service::builder("library", "urn:example:library").guard(|_| true);
    //~^ pass a function to `ServiceBuilder::authorize` for a rule about callers that an authenticator knows
    let _ = Service::builder("library", "urn:example:library").authenticate(|_: String| None::<u8>);
    //~^ use `Bearer` for tokens
    let _ = Service::builder("library", "urn:example:library").observer(|_: u8| ());
    //~^ implement `Observer` for your own type
}
