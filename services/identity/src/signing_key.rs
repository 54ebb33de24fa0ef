//! The keys that sign access tokens. There are two of them most of the time: a new one is published a while before it
//! signs, so that everybody knows it by then, and the one before it is believed until the last token that it signed has
//! ended.

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use armada_proto::Timestamp;
use armada_runtime::{
    Database, Error, KeyRing, Result, Scope, Seal,
    auth::{KeySets, Signer},
    bus::BucketUpdate,
    db::is_unique_violation,
    random::random,
};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    config::{ACCESS_TOKEN_MAX, Config},
    entity::signing_key::{ActiveModel, Column, Entity, Model},
};

/// The longest that a key is known before it signs.
const LEAD_MAX: Duration = Duration::from_secs(3600);
/// The longest between two looks at the keys.
const CHECK_INTERVAL_MAX: Duration = Duration::from_secs(3600);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(10);
/// Bytes of the secret of an Ed25519 key.
pub const SEED: usize = 32;

/// When keys come and go.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// From one key to the next.
    period: i64,
    /// From its publication until a key signs.
    lead: i64,
    /// From the time at which the next one signs until a key is believed no more: the life of a token, and what processes
    /// may be late.
    after: i64,
}

impl Schedule {
    /// As it is configured.
    pub fn new(config: &Config) -> Self {
        let period = Duration::from_secs(config.signing_key_seconds);
        let lead = (period / 4).min(LEAD_MAX);
        let after = Duration::from_secs(config.access_token_seconds).min(ACCESS_TOKEN_MAX) + lead;
        let [period, lead, after] = [period, lead, after].map(|time| time.as_millis() as i64);
        Self { period, lead, after }
    }

    /// How often to look: a process that is late by one look still signs with a key that is believed.
    fn check_interval(self) -> Duration {
        Duration::from_millis(self.lead.unsigned_abs() / 4).min(CHECK_INTERVAL_MAX)
    }

    /// Which of the keys, oldest first, signs at `now`: the newest that everybody knows; the first of all at once.
    pub fn signing(self, keys: &[Model], now: i64) -> usize {
        keys.iter().rposition(|key| key.created_at + self.lead <= now).unwrap_or(0)
    }

    /// Whether it is time for another key.
    pub fn is_due(self, keys: &[Model], now: i64) -> bool {
        keys.last().is_none_or(|key| key.created_at + self.period - self.lead <= now)
    }

    /// How many of the keys, oldest first, have signed nothing any more that could still be good.
    pub fn retired(self, keys: &[Model], now: i64) -> usize {
        keys.windows(2).take_while(|pair| pair[1].created_at + self.lead + self.after <= now).count()
    }
}

/// The keys of this installation, as one process uses them. Cheap to clone.
#[derive(Clone)]
pub struct SigningKeys {
    db: Database,
    key_ring: KeyRing,
    sets: KeySets,
    seal: Seal,
    schedule: Schedule,
    signer: Arc<ArcSwap<Signer>>,
}

impl SigningKeys {
    /// Opens the keys and publishes them; makes the first one when there is none.
    pub async fn open(db: Database, key_ring: KeyRing, sets: KeySets, seal: Seal, config: &Config) -> Result<Self> {
        let schedule = Schedule::new(config);
        let keys = keys(&db, &seal, schedule).await?;
        let now = Timestamp::now().millis();
        let signer = signer(&seal, &keys[schedule.signing(&keys, now)])?;
        let new = Self { db, key_ring, sets, seal, schedule, signer: Arc::new(ArcSwap::from_pointee(signer)) };
        new.apply(&keys, now).await?;
        Ok(new)
    }

    /// The key that signs now.
    pub fn signer(&self) -> Arc<Signer> {
        self.signer.load_full()
    }

    /// Makes new keys and retires old ones until shutdown.
    pub async fn rotate(self, shutdown: CancellationToken) -> Result<()> {
        let mut pause = self.pause();
        while shutdown.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
            pause = match self.check_keys().await {
                Ok(()) => self.pause(),
                Err(error) => {
                    tracing::warn!(%error, "cannot look after the keys that sign tokens; will try again");
                    RETRY.min(self.pause())
                }
            };
        }
        Ok(())
    }

    /// The keys of services are vouched for anew more often than these change.
    fn pause(&self) -> Duration {
        self.schedule.check_interval().min(self.sets.renewal())
    }

    /// Follows what services are told of keys until shutdown, and restores what others have put there.
    pub async fn guard(self, shutdown: CancellationToken) -> Result<()> {
        let mut follower = self.sets.bucket().follow(|_, _| Some(()));
        let for_ever = async {
            loop {
                match follower.next().await {
                    BucketUpdate::All(all) if all.refused.is_empty() => continue,
                    BucketUpdate::Changed(_, Some(())) => continue,
                    BucketUpdate::All(_) | BucketUpdate::Changed(..) | BucketUpdate::Refused(_) => {}
                }
                while let Err(error) = self.check_keys().await {
                    tracing::warn!(%error, "cannot restore which keys are believed; will try again");
                    tokio::time::sleep(RETRY).await;
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn check_keys(&self) -> Result<()> {
        let keys = keys(&self.db, &self.seal, self.schedule).await?;
        self.apply(&keys, Timestamp::now().millis()).await
    }

    /// Publishes what is believed, signs with what is known, and withdraws what is neither.
    async fn apply(&self, keys: &[Model], now: i64) -> Result<()> {
        let (retired, live) = keys.split_at(self.schedule.retired(keys, now));
        let signers = live.iter().map(|key| signer(&self.seal, key)).collect::<Result<Vec<_>>>()?;
        signers.iter().for_each(|signer| self.key_ring.hold(signer));
        self.sets.publish(&signers, Timestamp::now()).await?;
        let signs = &live[self.schedule.signing(live, now)];
        if self.signer.load().kid != signs.kid {
            tracing::info!(kid = signs.kid, "another key signs access tokens");
            self.signer.store(Arc::new(signer(&self.seal, signs)?));
        }
        for key in retired {
            self.key_ring.remove_held(&key.kid);
            let tx = self.db.write(&Scope::Platform).await?;
            Entity::delete_many().filter(Column::Kid.eq(&key.kid)).exec(&tx).await?;
            tx.commit().await?;
        }
        Ok(())
    }
}

/// All keys, oldest first, with a new one if it is time for that. Processes that find so at the same time end up with the
/// same one.
async fn keys(db: &Database, seal: &Seal, schedule: Schedule) -> Result<Vec<Model>> {
    let keys = all(db).await?;
    if !schedule.is_due(&keys, Timestamp::now().millis()) {
        return Ok(keys);
    }
    make(db, seal, keys.last().map_or(1, |key| key.generation + 1)).await?;
    let keys = all(db).await?;
    if keys.is_empty() { Err(Error::internal("the signing key is gone")) } else { Ok(keys) }
}

async fn all(db: &Database) -> Result<Vec<Model>> {
    let tx = db.read(&Scope::Platform).await?;
    Ok(Entity::find().order_by_asc(Column::Generation).all(&tx).await?)
}

async fn make(db: &Database, seal: &Seal, generation: i32) -> Result<()> {
    let kid = format!("identity-{}", Uuid::now_v7());
    let seed: [u8; SEED] = random()?;
    let seed = if seal.is_there() { seal.seal(&sealed_for(&kid), &seed)? } else { seed.to_vec() };
    let key = ActiveModel {
        kid: Set(kid),
        generation: Set(generation),
        seed: Set(seed),
        created_at: Set(Timestamp::now().millis()),
    };
    let tx = db.write(&Scope::Platform).await?;
    match key.insert(&tx).await {
        Ok(_) => Ok(tx.commit().await?),
        Err(error) if is_unique_violation(&error) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Seeds are sealed where there is a secret key to do it with, and were not always.
fn signer(seal: &Seal, key: &Model) -> Result<Signer> {
    let opened = match key.seed.len() {
        SEED => Some(key.seed.clone()),
        _ => seal.open(&sealed_for(&key.kid), &key.seed)?,
    };
    let seed = opened.and_then(|seed| <[u8; SEED]>::try_from(seed).ok()).ok_or_else(|| {
        let message =
            "was sealed under another ARMADA_SECRET_KEY: set that one again, or remove the key from signing_key";
        Error::unavailable(format!("{} {message}", key.kid))
    })?;
    Signer::from_seed(key.kid.clone(), &seed)
}

/// What a key is sealed for.
pub fn sealed_for(kid: &str) -> String {
    format!("signing key {kid}")
}
