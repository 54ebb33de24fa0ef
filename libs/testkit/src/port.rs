//! Free ports for servers that cannot be told 'any' and then be asked which.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU16, Ordering},
};

/// Below the range from which the kernel takes ports for outgoing connections, so that none of those takes a port
/// between this look and the server's start.
const FIRST: u16 = 12_000;
const COUNT: u16 = 20_000;

static NEXT: AtomicU16 = AtomicU16::new(0);

/// A port of the loopback address that nobody listens on, different at each call.
pub fn free_port() -> u16 {
    // Test processes that run at the same time begin at different places.
    let start = (std::process::id().wrapping_mul(7919) % u32::from(COUNT)) as u16;
    loop {
        let port = FIRST + start.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
