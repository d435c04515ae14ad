//! Functions where types are wanted.

use docent_core::Service;

fn main() {
    let _ = Service::builder("library", "urn:example:library").guard(|_| true);
    //~^ a rule for callers that an authenticator knows is a function for `ServiceBuilder::authorize`
    let _ = Service::builder("library", "urn:example:library").authenticate(|_: String| None::<u8>);
    //~^ for tokens, there is `Bearer`
    let _ = Service::builder("library", "urn:example:library").observer(|_: u8| ());
    //~^ implement `Observer` for a type of yours
}
