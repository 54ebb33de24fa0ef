//! Bytes of bodies that have come in part: each waits in memory for its rest, which may never come.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use armada_runtime::{Error, Result, serve::network};

/// Bytes of each body that count for nothing: what people type is no more, and how many connections there may be bounds
/// it. So nobody is kept from signing in by others' files.
const FREE: usize = 16 << 10;
/// Bytes that bodies may have come to together.
const ALL_MAX: usize = 64 << 20;
/// Of these, bytes of bodies from one address, or one network of IPv6: see [`network`].
const NETWORK_MAX: usize = 24 << 20;
/// Seconds after which to try again: a body has come, or been given up, by then.
const RETRY: u32 = 2;

/// What bodies that are not whole yet may take. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct BodyBudget(Arc<Mutex<Taken>>);

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by_network: HashMap<IpAddr, usize>,
}

impl BodyBudget {
    /// For a body from there that begins.
    pub fn begin(&self, address: Option<IpAddr>) -> UnfinishedBody {
        UnfinishedBody { budget: self.clone(), network: address.map(network), bytes: 0, taken: 0 }
    }

    /// Bytes that are taken at present.
    pub fn taken(&self) -> usize {
        self.counts().all
    }

    fn counts(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A body that has come in part; what it takes is given back when this is dropped.
#[derive(Debug)]
pub struct UnfinishedBody {
    budget: BodyBudget,
    network: Option<IpAddr>,
    bytes: usize,
    taken: usize,
}

impl UnfinishedBody {
    /// Counts what has come of it. An error when that is too much, for its address or in all.
    pub fn add(&mut self, bytes: usize) -> Result<()> {
        self.bytes += bytes;
        let more = self.bytes.saturating_sub(FREE) - self.taken;
        if more == 0 {
            return Ok(());
        }
        let mut counts = self.budget.counts();
        if counts.all + more > ALL_MAX {
            return Err(Error {
                retry_after: Some(RETRY),
                ..Error::unavailable("bodies that have come in part take all there is")
            });
        }
        if let Some(network) = self.network {
            let of_network = counts.by_network.entry(network).or_default();
            if *of_network + more > NETWORK_MAX {
                return Err(Error::too_many_requests(RETRY));
            }
            *of_network += more;
        }
        counts.all += more;
        self.taken += more;
        Ok(())
    }
}

impl Drop for UnfinishedBody {
    fn drop(&mut self) {
        let mut counts = self.budget.counts();
        counts.all -= self.taken;
        let Some(network) = self.network else { return };
        if let Some(of_network) = counts.by_network.get_mut(&network) {
            *of_network -= self.taken;
            if *of_network == 0 {
                counts.by_network.remove(&network);
            }
        }
    }
}
