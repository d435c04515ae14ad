//! Hostile traffic. None of its writes may take effect, and each creates something whose name would
//! give it away.

mod attack;
mod bodies;
mod creep;
mod flood;
mod get;
mod tokens;
mod transport;

use std::thread;
use std::time::Duration;

use fastrand::Rng;
use serde_json::json;

use super::call::ExpectedCall;
use super::caller::Caller;
use super::contract::Version;
use super::ledger::Kind;
use super::world::World;
use attack::{Attack, AttackEnd, Expected, carry_out};

pub(crate) use creep::creep;
pub(crate) use flood::flood;

/// The pause between two attacks, which keeps the load constant.
const ATTACK_PAUSE: Duration = Duration::from_millis(12);

/// The id of every hostile write.
const ATTACK_ID: &str = "7";

/// Creates an attack of one kind.
type MakeAttack = fn(&World, &mut Rng) -> Attack;

/// Attacks the service until the soak stops.
pub(crate) fn work(world: &World, number: u64) {
    let mut rng = Rng::with_seed(world.seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03));
    let kinds = [
        bodies::ATTACKS,
        get::ATTACKS,
        tokens::ATTACKS,
        transport::ATTACKS,
    ]
    .concat();
    let mut caller = Caller::new(world, "hostile");
    while world.current().is_some() {
        if let Some(make) = rng.choice(&kinds) {
            let attack = make(world, &mut rng);
            carry_out(&mut caller, &attack);
        }
        thread::sleep(ATTACK_PAUSE);
    }
}

/// Returns a write with the id [`ATTACK_ID`] that must not take effect.
fn forbidden(world: &World) -> String {
    write(&format!("Soak never {}", world.serial()))
}

/// Returns a write with the id [`ATTACK_ID`] that may take effect.
fn open(world: &World) -> String {
    let name = format!("Soak perhaps {}", world.serial());
    world.ledger().send(Kind::Member, &name);
    write(&name)
}

fn write(name: &str) -> String {
    let mut call = ExpectedCall::new("member.add", json!({"name": name}));
    call.id = Some(ATTACK_ID.to_owned());
    call.text(Version::V2_0)
}
