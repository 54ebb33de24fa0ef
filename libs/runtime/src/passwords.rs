//! How passwords and other short secrets that people choose are kept and compared. Hashing is meant to be expensive, so
//! only so many are hashed at a time, and only so many callers wait for their turn.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::{
    error::{Error, Result},
    serve::network,
};

/// KiB, passes and lanes: the least that is recommended for Argon2id.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// No password has more bytes.
const MAX_BYTES: usize = 512;

/// How many callers may wait for their turn, for each one that is served: as many as have theirs within some seconds.
const WAITING: usize = 256;
/// How many of them may come from one network.
const WAITING_FROM_ONE: usize = 32;

/// Who wants a password to be compared.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// Whoever is signed in, or has been in this browser. Strangers do not take their turn.
    Known,
    /// Somebody at this address, if it is known.
    Address(Option<IpAddr>),
}

/// Those who wait together, and how many of them are served at a time.
struct Queue {
    turns: Arc<Semaphore>,
    admitted: Semaphore,
}

impl Queue {
    fn new(at_once: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(at_once)), admitted: Semaphore::new(at_once * (1 + WAITING)) }
    }
}

/// How many wait from each network. Cheap to clone.
#[derive(Clone, Default)]
struct WaitingPerNetwork(Arc<Mutex<HashMap<IpAddr, usize>>>);

impl WaitingPerNetwork {
    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place among those from a network, if there is one.
    fn join(&self, network: IpAddr) -> Option<Waiting> {
        let mut counts = self.counts();
        let count = counts.entry(network).or_default();
        if *count >= WAITING_FROM_ONE {
            return None;
        }
        *count += 1;
        Some(Waiting { crowd: self.clone(), network })
    }
}

struct Waiting {
    crowd: WaitingPerNetwork,
    network: IpAddr,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut counts = self.crowd.counts();
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
    }
}

/// Hashes and compares. Cheap to clone.
#[derive(Clone)]
pub struct Passwords {
    everybody: Arc<Queue>,
    known: Arc<Queue>,
    crowd: WaitingPerNetwork,
}

impl Passwords {
    /// At most `at_once` hashes at a time, and half as many more for browsers that are known.
    pub fn new(at_once: usize) -> Self {
        let (everybody, known) = (Arc::new(Queue::new(at_once)), Arc::new(Queue::new(at_once.div_ceil(2))));
        Self { everybody, known, crowd: WaitingPerNetwork::default() }
    }

    /// A hash in PHC form.
    pub async fn hash(&self, password: String) -> Result<String> {
        run_queued(&self.everybody, move || hashed(password.as_bytes())).await
    }

    /// Whether the password is that of the hash; without a hash it is wrong after the same work.
    pub async fn matches(&self, password: String, hash: Option<&str>, from: Source) -> Result<bool> {
        let (queue, _waiting) = match from {
            Source::Known => (&self.known, None),
            Source::Address(None) => (&self.everybody, None),
            Source::Address(Some(address)) => {
                (&self.everybody, Some(self.crowd.join(network(address)).ok_or_else(busy)?))
            }
        };
        let hash = hash.filter(|_| password.len() <= MAX_BYTES).map(ToOwned::to_owned);
        let compare = move || {
            let password = &password.as_bytes()[..password.len().min(MAX_BYTES)];
            let Some(hash) = hash else { return hashed(password).map(|_| false) };
            let hash = PasswordHash::new(&hash).map_err(Error::internal)?;
            Ok(hasher()?.verify_password(password, &hash).is_ok())
        };
        run_queued(queue, compare).await
    }
}

/// Too many want the same at a time; their turns are over within a second or two.
fn busy() -> Error {
    Error::too_many_requests(2)
}

async fn run_queued<T: Send + 'static>(queue: &Queue, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let _admitted = queue.admitted.try_acquire().map_err(|_| busy())?;
    let turn = queue.turns.clone().acquire_owned().await.map_err(Error::internal)?;
    let work = move || {
        // The work cannot be taken back: it keeps its turn also when the caller has gone.
        let _turn = turn;
        work()
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

fn hashed(password: &[u8]) -> Result<String> {
    Ok(hasher()?.hash_password(password).map_err(Error::internal)?.to_string())
}

/// Whether a hash was made with less effort than one would be made with now.
pub fn is_outdated(hash: &str) -> bool {
    let Ok(hash) = PasswordHash::new(hash) else { return true };
    let Ok(params) = Params::try_from(&hash) else { return true };
    params.m_cost() < MEMORY_KIB || params.t_cost() < PASSES || hash.algorithm.as_str() != "argon2id"
}

fn hasher() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(Error::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[tokio::test]
    async fn compares() {
        let passwords = Passwords::new(1);
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(passwords.matches("correct horse".to_owned(), Some(&hash), Source::Known).await.unwrap());
        for (password, hash) in
            [("wrong horse", Some(&*hash)), ("correct horse", None), (&"x".repeat(600), Some(&hash))]
        {
            assert!(!passwords.matches(password.to_owned(), hash, Source::Address(None)).await.unwrap());
        }
    }

    #[tokio::test]
    async fn limits_concurrent_hashing() {
        let passwords = Passwords::new(1);
        let _all = passwords.everybody.admitted.acquire_many(1 + WAITING as u32).await.unwrap();
        let refused = passwords.hash("password".to_owned()).await.unwrap_err();
        assert_eq!((refused.class, refused.retry_after), (Code::TooManyRequests, Some(2)));
        // It keeps nobody out who has been in before.
        assert!(!passwords.matches("password".to_owned(), None, Source::Known).await.unwrap());
    }

    #[tokio::test]
    async fn one_network_does_not_fill_the_queue() {
        let passwords = Passwords::new(1);
        let address = |text: &str| Source::Address(Some(text.parse().unwrap()));
        let places: Vec<_> =
            (0..WAITING_FROM_ONE).map(|_| passwords.crowd.join(network("2001:db8::1".parse().unwrap()))).collect();
        let refused = passwords.matches("password".to_owned(), None, address("2001:db8::2")).await.unwrap_err();
        assert_eq!(refused.class, Code::TooManyRequests);
        assert!(!passwords.matches("password".to_owned(), None, address("2001:db8:1::2")).await.unwrap());
        drop(places);
        assert!(!passwords.matches("password".to_owned(), None, address("2001:db8::2")).await.unwrap());
        assert!(passwords.crowd.counts().is_empty());
    }

    #[test]
    fn detects_outdated_hash_parameters() {
        let weak = "$argon2id$v=19$m=4096,t=2,p=1$c29tZXNhbHQ$7v8v6ZRzyEAnOA2NfDtZTgVjCKP5EavGmyQMRpzpmks";
        assert!(is_outdated(weak));
        assert!(!is_outdated(&weak.replace("m=4096", "m=19456")));
        assert!(is_outdated("md5"));
    }
}
