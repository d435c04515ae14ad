//! Options of the attribute that concern the client.

use docent::{Fault, procedures};

struct First;
struct Second;
struct Third;
struct Fourth;

#[procedures(client = true)]
//~^ `client` needs the name of the client's type, `client = "BookClient"`, or `false` for no client
impl First {
    #[procedure]
    fn find(&self) -> Result<(), Fault> {
        Ok(())
    }
}

#[procedures(client = "no name")]
//~^ `client` needs the name of the client's type, `client = "BookClient"`, or `false` for no client
impl Second {
    #[procedure]
    fn get(&self) -> Result<(), Fault> {
        Ok(())
    }
}

#[procedures(client)]
//~^ `client` needs a value: write `client = …`
impl Third {
    #[procedure]
    fn add(&self) -> Result<(), Fault> {
        Ok(())
    }
}

#[procedures(client = false)]
impl Fourth {
    #[procedure]
    fn count(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {
    let _ = Fourth::client("http://localhost/rpc");
    //~^ no function or associated item named `client` found for struct `Fourth`
}
