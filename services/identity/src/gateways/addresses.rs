//! Where a gateway may connect from.

use std::net::IpAddr;

use ipnet::IpNet;

/// This machine.
pub const LOOPBACK: &str = "127.0.0.0/8\n::1/128";
/// Entries of one gateway.
const ENTRIES_MAX: usize = 50;

/// Addresses and networks as they are kept, a line each; the code of what is wrong with them.
pub fn normalized(text: &str) -> Result<String, &'static str> {
    let entries = text.split([',', ';']).flat_map(str::split_whitespace);
    let entries: Option<Vec<String>> = entries.map(|entry| Some(network(entry)?.to_string())).collect();
    match entries {
        None => Err("invalid_address"),
        Some(entries) if entries.len() > ENTRIES_MAX => Err("too_many"),
        Some(entries) => Ok(entries.join("\n")),
    }
}

/// Whether somebody who comes from `address` is let in.
pub fn allow(allowed: &str, address: &str) -> bool {
    if allowed.is_empty() {
        return true;
    }
    let Ok(address) = address.parse::<IpAddr>().map(|address| address.to_canonical()) else { return false };
    allowed.lines().filter_map(network).any(|network| network.contains(&address))
}

fn network(entry: &str) -> Option<IpNet> {
    let network = entry.parse::<IpNet>().ok().or_else(|| entry.parse::<IpAddr>().ok().map(IpNet::from))?;
    Some(network.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_networks_are_understood() {
        let kept = normalized("203.0.113.7, 10.1.2.3/8;\n2001:db8::/32").expect("they are right");
        assert_eq!(kept, "203.0.113.7/32\n10.0.0.0/8\n2001:db8::/32");
        for (address, allowed) in [
            ("203.0.113.7", true),
            ("203.0.113.8", false),
            ("10.255.0.1", true),
            ("::ffff:10.0.0.1", true),
            ("2001:db8:1::1", true),
            ("2001:db9::1", false),
            ("depot", false),
        ] {
            assert_eq!(allow(&kept, address), allowed, "{address}");
        }
        assert!(allow("", "anywhere") && normalized(" ").is_ok_and(|kept| kept.is_empty()));
        assert_eq!(normalized("10.0.0.0/33"), Err("invalid_address"));
        assert_eq!(normalized(&"10.0.0.1 ".repeat(51)), Err("too_many"));
        assert!(allow(LOOPBACK, "127.0.0.1") && allow(LOOPBACK, "::1") && !allow(LOOPBACK, "192.168.0.1"));
    }
}
