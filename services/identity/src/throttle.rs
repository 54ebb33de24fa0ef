//! What is counted of those who sign in, and how it slows down what follows.

use std::{
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

use armada_proto::UserId;
pub use armada_runtime::throttle::Throttle;
use armada_runtime::{
    serve::network,
    throttle::{Limit, Pace},
};

use crate::known_devices::DeviceId;

const GUESSES: Pace = Pace::Doubling { free: 5, longest: Duration::from_secs(15 * 60) };
const PER_ADDRESS: Pace = Pace::Steady { burst: 100, each: Duration::from_secs(10) };
/// Of a /48 of IPv6, which a provider gives one customer or, where it is thrifty, a few hundred.
const PER_NETWORK: Pace = Pace::Steady { burst: 300, each: Duration::from_secs(3) };
/// From wherever they come: who has many addresses guesses no faster than this at one account.
const PER_ACCOUNT: Pace = Pace::Steady { burst: 100, each: Duration::from_secs(60) };
const EMAILS: Pace = Pace::Steady { burst: 3, each: Duration::from_secs(15 * 60) };
const EMAILS_PER_ADDRESS: Pace = Pace::Steady { burst: 20, each: Duration::from_secs(60) };

/// Guesses at the password of an account: from a network, all guesses from there, and all at that account. Whether the
/// account exists makes no difference. A browser that has signed in to the account before is counted by itself, and with
/// those like it: whatever strangers do, they do not slow it down, and it does not slow them down.
pub fn password(email: &str, address: Option<IpAddr>, device: Option<&DeviceId>) -> Vec<Limit> {
    if let Some(device) = device {
        let own = Limit::new("device", &format!("{device:02x?} {email}"), GUESSES);
        return vec![own, Limit::new("devices", email, PER_ACCOUNT)];
    }
    let mut limits = match address {
        None => vec![Limit::new("password", &format!(" {email}"), GUESSES)],
        Some(address) => vec![
            Limit::new("password", &format!("{} {email}", network(address)), GUESSES),
            Limit::new("address", &subnet(address).to_string(), PER_ADDRESS),
            Limit::new("network", &network(address).to_string(), PER_NETWORK),
        ],
    };
    limits.push(Limit::new("account", email, PER_ACCOUNT));
    limits
}

/// Guesses at the second factor of a user who knows the password, from wherever.
pub fn code(user: UserId) -> Vec<Limit> {
    vec![Limit::new("code", &user.to_string(), GUESSES)]
}

/// What makes emails go out to an address that somebody typed in.
pub fn mail_to(email: &str) -> Vec<Limit> {
    vec![Limit::new("email", email, EMAILS)]
}

/// The same, as seen from the one who asks for them.
pub fn mail_from(address: Option<IpAddr>) -> Vec<Limit> {
    let from = |address: IpAddr| Limit::new("emails from", &network(address).to_string(), EMAILS_PER_ADDRESS);
    address.map(from).into_iter().collect()
}

/// Whoever has an address of IPv6 has all 2⁶⁴ of its /64.
fn subnet(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}
