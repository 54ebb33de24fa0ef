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
