//! How passwords are kept and compared. Hashing is meant to be expensive, so only so many are hashed at a time, and
//! only so many callers wait for their turn.

use std::{
    collections::HashSet,
    sync::{Arc, LazyLock},
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use armada_runtime::{Code, Error, Fields, Result};
use tokio::sync::Semaphore;

use crate::random;

/// KiB, passes and lanes: the least that is recommended for Argon2id.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Characters of a password: no fewer,
pub const MIN_CHARS: usize = 8;
/// and no more.
pub const MAX_CHARS: usize = 128;
/// No password has more bytes.
const MAX_BYTES: usize = MAX_CHARS * 4;

/// How many callers may wait for their turn, for each one that is served.
const WAITING: usize = 32;

/// The 3,000 most common ones that are long enough, in lower case: from the list of zxcvbn (MIT licence, © 2012–2016 Dan
/// Wheeler and Dropbox, Inc.), with some that are common in Indonesia.
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// Hashes and compares. Cheap to clone.
#[derive(Clone)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    admitted: Arc<Semaphore>,
    /// Compared with when there is no such account, so that both answers take the same work.
    nobody: Arc<str>,
}

impl Passwords {
    /// At most `at_once` hashes at a time.
    pub async fn new(at_once: usize) -> Result<Self> {
        let turns = Arc::new(Semaphore::new(at_once));
        let admitted = Arc::new(Semaphore::new(at_once * (1 + WAITING)));
        let mut new = Self { turns, admitted, nobody: "".into() };
        new.nobody = new.hash(format!("{:x}", u128::from_ne_bytes(random()?))).await?.into();
        Ok(new)
    }

    /// A hash in PHC form.
    pub async fn hash(&self, password: String) -> Result<String> {
        self.in_turn(move || Ok(hasher()?.hash_password(password.as_bytes()).map_err(Error::internal)?.to_string()))
            .await
    }

    /// Whether the password is that of the hash; without a hash it is wrong after the same work.
    pub async fn matches(&self, password: String, hash: Option<&str>) -> Result<bool> {
        let known = hash.is_some() && password.len() <= MAX_BYTES;
        let hash = if known { hash.unwrap_or_default().into() } else { self.nobody.clone() };
        self.in_turn(move || {
            let hash = PasswordHash::new(&hash).map_err(Error::internal)?;
            let password = &password.as_bytes()[..password.len().min(MAX_BYTES)];
            Ok(hasher()?.verify_password(password, &hash).is_ok() && known)
        })
        .await
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let busy = |_| Error::new(Code::TooManyRequests, "too_many_requests", "too many sign-ins at a time");
        let _admitted = self.admitted.try_acquire().map_err(busy)?;
        let turn = self.turns.clone().acquire_owned().await.map_err(Error::internal)?;
        let work = move || {
            // The work cannot be taken back: it keeps its turn also when the caller has gone.
            let _turn = turn;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
    }
}

/// Whether a hash was made with less effort than one would be made with now.
pub fn is_outdated(hash: &str) -> bool {
    let Ok(hash) = PasswordHash::new(hash) else { return true };
    let Ok(params) = Params::try_from(&hash) else { return true };
    params.m_cost() < MEMORY_KIB || params.t_cost() < PASSES || hash.algorithm.as_str() != "argon2id"
}

/// Checks a password that somebody chose.
pub fn check(fields: &mut Fields, password: &str) {
    check_as(fields, "password", password);
}

/// The same for one in a field of another name.
pub fn check_as(fields: &mut Fields, name: &str, password: &str) {
    match password.chars().count() {
        0 => fields.wrong(name, "required"),
        1..MIN_CHARS => fields.wrong(name, "too_short"),
        MIN_CHARS..=MAX_CHARS if is_common(password) => fields.wrong(name, "too_common"),
        MIN_CHARS..=MAX_CHARS => {}
        _ => fields.wrong(name, "too_long"),
    }
}

/// Whether a password is among those that are tried first.
fn is_common(password: &str) -> bool {
    COMMON.contains(password.to_lowercase().as_str())
}

fn hasher() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(Error::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn compares() {
        let passwords = Passwords::new(1).await.unwrap();
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(passwords.matches("correct horse".to_owned(), Some(&hash)).await.unwrap());
        for (password, hash) in
            [("wrong horse", Some(&*hash)), ("correct horse", None), (&"x".repeat(600), Some(&hash))]
        {
            assert!(!passwords.matches(password.to_owned(), hash).await.unwrap());
        }
    }

    #[tokio::test]
    async fn refuses_a_crowd() {
        let passwords = Passwords::new(1).await.unwrap();
        let _all = passwords.admitted.acquire_many(1 + WAITING as u32).await.unwrap();
        assert_eq!(passwords.hash("password".to_owned()).await.unwrap_err().class, Code::TooManyRequests);
    }

    #[test]
    fn notices_hashes_of_less_effort() {
        let weak = "$argon2id$v=19$m=4096,t=2,p=1$c29tZXNhbHQ$7v8v6ZRzyEAnOA2NfDtZTgVjCKP5EavGmyQMRpzpmks";
        assert!(is_outdated(weak));
        assert!(!is_outdated(&weak.replace("m=4096", "m=19456")));
        assert!(is_outdated("md5"));
    }

    #[test]
    fn refuses_what_is_tried_first() {
        assert_eq!(COMMON.len(), 3_000);
        for (password, ok) in [("Password", false), ("QWERTY123", false), ("bismillah", false), ("correct horse", true)]
        {
            let mut fields = Fields::default();
            check(&mut fields, password);
            assert_eq!(fields.check().is_ok(), ok, "{password}");
        }
    }

    #[test]
    fn counts_characters() {
        for (password, ok) in [("", false), ("1234567", false), ("пароль12", true), (&*"x".repeat(129), false)] {
            let mut fields = Fields::default();
            check(&mut fields, password);
            assert_eq!(fields.check().is_ok(), ok, "{password}");
        }
    }
}
