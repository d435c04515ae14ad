//! Unauthorised writes.

use fastrand::Rng;

use super::{ATTACK_ID, Attack, Expected, MakeAttack, forbidden};
use crate::contract::code;
use crate::http::request;
use crate::world::World;

pub(super) const ATTACKS: &[MakeAttack] = &[single, single, batch, notification, of_1_1];

/// Returns a POST request with an invalid credential or none.
fn post(world: &World, rng: &mut Rng, body: &str) -> Vec<u8> {
    let right = &world.token;
    let credential = match rng.u8(..9) {
        0 => None,
        1 => Some(String::new()),
        2 => Some("Bearer".to_owned()),
        3 => Some(right.clone()),
        4 => Some(format!("Basic {right}")),
        5 => Some(format!("Bearer {}", &right[1..])),
        6 => Some(format!("Bearer {right}x")),
        7 => Some(format!("Bearer {}", right.to_uppercase())),
        _ => Some(format!("Bearer {right} {right}")),
    };
    let mut headers = vec![("Content-Type", "application/json")];
    if let Some(credential) = &credential {
        headers.push(("Authorization", credential));
    }
    request("POST", "/rpc", &headers, Some(body.as_bytes()))
}

fn single(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let bytes = post(world, rng, &body);
    let expected = Expected::Error(401, code::REFUSED, ATTACK_ID.to_owned());
    Attack::new("write without the token", bytes, expected)
}

/// Makes a batch of unauthorised writes, each of which is rejected separately, with status 200.
fn batch(world: &World, rng: &mut Rng) -> Attack {
    let length = rng.usize(1..10);
    let writes: Vec<_> = (0..length).map(|_| forbidden(world)).collect();
    let bytes = post(world, rng, &format!("[{}]", writes.join(",")));
    Attack::new("batch without the token", bytes, Expected::Rejected(length))
}

fn notification(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world).replace(r#","id":7"#, "");
    let bytes = post(world, rng, &body);
    Attack::new("notification without the token", bytes, Expected::NoContent)
}

fn of_1_1(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world).replace(r#""jsonrpc":"2.0""#, r#""version":"1.1""#);
    let bytes = post(world, rng, &body);
    Attack::new(
        "write of 1.1 without the token",
        bytes,
        Expected::Rejected(1),
    )
}
