//! How often something may fail. Whoever guesses waits longer and longer, and nobody is locked out for good: neither by
//! their own mistakes nor by somebody else's.
//!
//! An attempt counts as failed before its work is done, and is taken back when it succeeds: of a thousand guesses at
//! once, no more get through than of a thousand one after the other.

use std::{
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

use armada_proto::{Timestamp, UserId};
use armada_runtime::{Database, Error, Result, Scope, serve::network};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use sha2::{Digest, Sha256};

use crate::{
    entity::attempt::{ActiveModel, Column, Entity, Model},
    known_devices::DeviceId,
};

/// After so long without an attempt, everything is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 3600);

/// How failures slow down what follows.
#[derive(Debug, Clone, Copy)]
enum Pace {
    /// So many are free; each one after them doubles the wait, from a second up to this.
    Doubling { free: i32, longest: Duration },
    /// So many at once, and then one in each of these times.
    Steady { burst: i32, each: Duration },
}

/// Something that is counted.
#[derive(Debug, Clone)]
pub struct Limit {
    key: Vec<u8>,
    pace: Pace,
}

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
        let own = limit("device", &format!("{device:02x?} {email}"), GUESSES);
        return vec![own, limit("devices", email, PER_ACCOUNT)];
    }
    let mut limits = match address {
        None => vec![limit("password", &format!(" {email}"), GUESSES)],
        Some(address) => vec![
            limit("password", &format!("{} {email}", network(address)), GUESSES),
            limit("address", &subnet(address).to_string(), PER_ADDRESS),
            limit("network", &network(address).to_string(), PER_NETWORK),
        ],
    };
    limits.push(limit("account", email, PER_ACCOUNT));
    limits
}

/// Guesses at the second factor of a user who knows the password, from wherever.
pub fn code(user: UserId) -> Vec<Limit> {
    vec![limit("code", &user.to_string(), GUESSES)]
}

/// What makes emails go out to an address that somebody typed in.
pub fn mail_to(email: &str) -> Vec<Limit> {
    vec![limit("email", email, EMAILS)]
}

/// The same, as seen from the one who asks for them.
pub fn mail_from(address: Option<IpAddr>) -> Vec<Limit> {
    let from = |address: IpAddr| limit("emails from", &network(address).to_string(), EMAILS_PER_ADDRESS);
    address.map(from).into_iter().collect()
}

fn limit(kind: &str, text: &str, pace: Pace) -> Limit {
    let key = Sha256::new().chain_update(kind).chain_update([0]).chain_update(text).finalize().to_vec();
    Limit { key, pace }
}

/// Whoever has an address of IPv6 has all 2⁶⁴ of its /64.
fn subnet(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

impl Pace {
    /// What still counts of `failures`, the last of them a while ago.
    fn left(self, failures: i32, since: Duration) -> i32 {
        match self {
            _ if since >= FORGOTTEN_AFTER => 0,
            Self::Doubling { .. } => failures,
            Self::Steady { each, .. } => {
                let gone = since.as_millis() / each.as_millis();
                Ord::max(failures.saturating_sub(i32::try_from(gone).unwrap_or(i32::MAX)), 0)
            }
        }
    }

    /// How long to wait after `failures`, the last of them a while ago.
    fn remaining(self, failures: i32, since: Duration) -> Duration {
        let wait = match self {
            Self::Doubling { free, longest } if failures >= free => {
                let doublings = Ord::min(failures - free, 30);
                Duration::from_secs(1 << doublings).min(longest)
            }
            Self::Steady { burst, each } if failures >= burst => {
                each.saturating_mul(u32::try_from(failures - burst + 1).unwrap_or(1))
            }
            _ => Duration::ZERO,
        };
        wait.saturating_sub(since)
    }
}

/// Counts attempts in the database, so that all processes and restarts know of them.
#[derive(Debug, Clone)]
pub struct Throttle {
    pub(crate) db: Database,
}

/// An attempt that was admitted, and counts as failed until it is told otherwise.
#[derive(Debug)]
#[must_use = "an attempt that succeeded must be taken back"]
pub struct Attempt {
    db: Database,
    limits: Vec<Limit>,
}

impl Throttle {
    /// Admits an attempt, or says how long to wait.
    pub async fn admit(&self, limits: Vec<Limit>) -> Result<Attempt> {
        // Most of what is refused is refused without a lock.
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = Entity::find().filter(Column::Key.is_in(limits.iter().map(|limit| limit.key.clone())));
        must_not_wait(&limits, &rows.all(&tx).await?)?;
        tx.commit().await?;
        let tx = self.db.write(&Scope::Platform).await?;
        let mut rows = Vec::new();
        for limit in &limits {
            rows.push(locked(&tx, limit).await?);
        }
        must_not_wait(&limits, &rows)?;
        let now = Timestamp::now();
        for (limit, row) in limits.iter().zip(rows) {
            let counted = limit.pace.left(row.failures, since(&row, now)).saturating_add(1);
            let update = Entity::update_many().col_expr(Column::Failures, Expr::val(counted));
            update.col_expr(Column::LastAt, Expr::val(now.millis())).filter(Column::Key.eq(row.key)).exec(&tx).await?;
        }
        tx.commit().await?;
        Ok(Attempt { db: self.db.clone(), limits })
    }

    /// Forgets what is long ago.
    pub async fn tidy(&self, now: Timestamp) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let before = now.millis() - FORGOTTEN_AFTER.as_millis() as i64;
        Entity::delete_many().filter(Column::LastAt.lt(before)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}

impl Attempt {
    /// It succeeded: what failed before is forgotten, but for what is counted over many.
    pub async fn succeeded(self) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        for limit in &self.limits {
            match limit.pace {
                Pace::Doubling { .. } => {
                    Entity::delete_by_id(limit.key.clone()).exec(&tx).await?;
                }
                Pace::Steady { .. } => take_back(&tx, limit).await?,
            }
        }
        Ok(tx.commit().await?)
    }

    /// It neither failed nor succeeded: it is as if it had not been.
    pub async fn undone(self) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        for limit in &self.limits {
            take_back(&tx, limit).await?;
        }
        Ok(tx.commit().await?)
    }
}

/// The row of a limit, which nobody else changes until the transaction ends.
async fn locked(tx: &DatabaseTransaction, limit: &Limit) -> Result<Model> {
    let row = ActiveModel { key: Set(limit.key.clone()), failures: Set(0), last_at: Set(Timestamp::now().millis()) };
    let unless_there = OnConflict::column(Column::Key).do_nothing().to_owned();
    Entity::insert(row).on_conflict(unless_there).exec_without_returning(tx).await?;
    let row = Entity::find_by_id(limit.key.clone()).lock_exclusive().one(tx).await?;
    row.ok_or_else(|| Error::unavailable("an attempt was forgotten while it was counted"))
}

async fn take_back(tx: &DatabaseTransaction, limit: &Limit) -> Result<()> {
    Entity::update_many()
        .col_expr(Column::Failures, Expr::col(Column::Failures).sub(1))
        .filter(Column::Key.eq(limit.key.clone()))
        .filter(Column::Failures.gt(0))
        .exec(tx)
        .await?;
    Ok(())
}

fn must_not_wait(limits: &[Limit], rows: &[Model]) -> Result<()> {
    let now = Timestamp::now();
    let remaining = limits.iter().filter_map(|limit| {
        let row = rows.iter().find(|row| row.key == limit.key)?;
        Some(limit.pace.remaining(row.failures, since(row, now)))
    });
    match remaining.max().unwrap_or_default() {
        Duration::ZERO => Ok(()),
        wait => Err(Error::too_many_attempts(u32::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(1))),
    }
}

fn since(row: &Model, now: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from(now.millis() - row.last_at).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(pace: Pace, failures: i32, since: u64) -> u64 {
        pace.remaining(failures, Duration::from_secs(since)).as_secs()
    }

    #[test]
    fn waits_double_up_to_a_quarter_of_an_hour() {
        let waits: Vec<_> = (0..=16).map(|failures| seconds(GUESSES, failures, 0)).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
        assert_eq!(seconds(GUESSES, i32::MAX, 899), 1);
        assert_eq!(seconds(GUESSES, i32::MAX, 900), 0);
        assert_eq!(GUESSES.left(40, FORGOTTEN_AFTER), 0);
    }

    #[test]
    fn a_place_recovers_steadily() {
        assert_eq!(seconds(PER_ADDRESS, 99, 0), 0);
        assert_eq!(seconds(PER_ADDRESS, 100, 0), 10);
        assert_eq!(seconds(PER_ADDRESS, 100, 4), 6);
        assert_eq!(PER_ADDRESS.left(100, Duration::from_secs(25)), 98);
        assert_eq!(PER_ADDRESS.left(1, Duration::from_secs(25)), 0);
    }

    #[test]
    fn neighbours_in_ipv6_are_one_place() {
        let keys = |text: &str| {
            let limits = password("a@example.org", Some(text.parse().unwrap()), None);
            limits.into_iter().map(|limit| limit.key).collect::<Vec<_>>()
        };
        let (first, neighbour, stranger) = (keys("2001:db8:1:2::1"), keys("2001:db8:1:3::9"), keys("2001:db8:2:2::1"));
        assert_eq!(first, keys("2001:db8:1:2:ffff::9"));
        // The same account, network and /48; only the /64 is another.
        assert_eq!((&first[0], &first[2], &first[3]), (&neighbour[0], &neighbour[2], &neighbour[3]));
        assert_ne!(first[1], neighbour[1]);
        assert!(first[..3].iter().all(|key| !stranger.contains(key)));
        assert_eq!(keys("::ffff:10.0.0.1"), keys("10.0.0.1"));
    }

    #[test]
    fn a_known_device_is_under_no_limit_of_strangers() {
        let keys = |device| {
            let limits = password("a@example.org", Some([203, 0, 113, 7].into()), device);
            limits.into_iter().map(|limit| limit.key).collect::<Vec<_>>()
        };
        let strangers = keys(None);
        assert!(keys(Some(&[1; 16])).iter().all(|key| !strangers.contains(key)));
        assert_ne!(keys(Some(&[1; 16]))[0], keys(Some(&[2; 16]))[0]);
    }
}
