//! Free ports for servers that cannot be told 'any' and then be asked which.

use std::{
    mem,
    net::TcpListener,
    ops::Range,
    sync::{Mutex, PoisonError},
};

/// Below the range from which the kernel takes ports for outgoing connections, so that none of those takes a port
/// between this look and the server's start.
const PORTS: Range<u16> = 12_000..32_000;
/// Ports of a block, the first of which its process holds.
const BLOCK: u16 = 50;

/// The rest of this process's block.
static LEFT: Mutex<Range<u16>> = Mutex::new(0..0);

/// A port of the loopback address that nobody listens on, different at each call, in whichever process.
pub fn free_port() -> u16 {
    let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match left.next() {
            Some(port) if TcpListener::bind(("127.0.0.1", port)).is_ok() => return port,
            Some(_) => {}
            None => *left = block(),
        }
    }
}

/// The rest of the first block that no process has. It is this one's as long as it lives.
fn block() -> Range<u16> {
    for first in PORTS.step_by(usize::from(BLOCK)) {
        if let Ok(held) = TcpListener::bind(("127.0.0.1", first)) {
            mem::forget(held);
            return first + 1..first + BLOCK;
        }
    }
    panic!("no ports are left");
}
