//! The erase ledger: which tenants are deleted or erased, kept where no backup of a database brings back an older state.
//! Identity writes it, and each service that stores something of tenants obeys it, whatever its own tables say.

use std::{collections::VecDeque, time::Duration};

use armada_proto::{
    TenantId, coded,
    erasure::BUCKET,
    v1::{Erasure, ErasureState},
};
use async_nats::jetstream::{kv, stream::StorageType};
use futures::TryStreamExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    auth::IDENTITY,
    bus::{Bucket, BucketUpdate, Bus, Follower},
    error::{Error, Result},
    service::Context,
};

/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);
/// How often a fresh entry is told again: what was under way in a service while the tenant was deleted arrives later.
const REPEAT_INTERVAL: Duration = Duration::from_secs(60);
/// For how long an entry is fresh.
const REPEATED_FOR: Duration = Duration::from_secs(600);

/// The ledger. Cheap to clone.
#[derive(Clone)]
pub struct Erasures {
    bucket: Bucket,
}

impl Erasures {
    /// Makes the bucket. Its entries stay for ever.
    pub async fn migrate(bus: &Bus) -> Result<()> {
        let bucket = BUCKET.to_owned();
        bus.ensure_bucket(kv::Config { bucket, history: 1, storage: StorageType::File, ..kv::Config::default() }).await
    }

    /// Opens the bucket to obey it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self { bucket: context.bucket(BUCKET, IDENTITY).await? })
    }

    /// Opens the bucket to write it, as identity.
    pub async fn open_own(context: &Context) -> Result<Self> {
        Ok(Self { bucket: context.own_bucket(BUCKET).await? })
    }

    /// Every entry that identity wrote.
    pub async fn all(&self) -> Result<Vec<(TenantId, Erasure)>> {
        let keys: Vec<String> = self.bucket.keys().await?.try_collect().await?;
        let mut all = Vec::with_capacity(keys.len());
        for key in keys {
            if let Some(value) = self.bucket.get(&key).await? {
                all.extend(tenant_of(&key).zip(read(&key, &value)));
            }
        }
        Ok(all)
    }

    /// What stands of a tenant, with the revision that [`Self::write`] wants; 0 for nothing. What identity did not write
    /// says nothing.
    pub async fn of(&self, tenant: TenantId) -> Result<(Option<Erasure>, u64)> {
        let key = tenant.to_string();
        let entry = self.bucket.entry(&key).await?;
        let revision = entry.as_ref().map_or(0, |entry| entry.revision);
        Ok((entry.and_then(|entry| read(&key, &entry.value)), revision))
    }

    /// Writes an entry unless somebody else has meanwhile: for identity alone.
    pub async fn write(&self, tenant: TenantId, erasure: &Erasure, revision: u64) -> Result<()> {
        let written = self.bucket.update(&tenant.to_string(), coded::encode(erasure).into(), revision).await;
        written.map_err(|error| if Bucket::is_wrong_sequence(&error) { Error::version_mismatch() } else { error })
    }

    /// Has `apply` bring a service to what the ledger says of each tenant, until shutdown, which waits for the one that is
    /// under way: first of all tenants, then of each one that changes, and of those of the last minutes a few times more.
    /// What fails is reported and comes again two seconds later; the others come meanwhile.
    pub async fn obey<F: Future<Output = Result<()>>>(
        &self,
        shutdown: CancellationToken,
        apply: impl Fn(TenantId, ErasureState) -> F,
    ) {
        let mut changes = self.changes();
        while let Some((tenant, erasure)) = shutdown.run_until_cancelled(changes.next()).await {
            if let Err(error) = apply(tenant, erasure.state()).await {
                changes.failed(tenant, &erasure, &error);
            }
        }
    }

    /// What there is to obey, from the beginning, for whoever mends the ledger as well.
    pub fn changes(&self) -> Changes {
        Changes { follower: self.bucket.follow(read), waiting: VecDeque::new(), fresh: Vec::new() }
    }
}

/// What a follower of the ledger receives.
#[derive(Debug)]
pub enum LedgerUpdate {
    /// An entry to obey.
    Entry(TenantId, Erasure),
    /// At this tenant stands what identity did not write, or what this version cannot read. What was said before holds.
    Refused(TenantId),
}

/// All entries, then each one that changes, and those of the last minutes a few times more.
pub struct Changes {
    follower: Follower<Erasure>,
    waiting: VecDeque<LedgerUpdate>,
    fresh: Vec<RepeatedEntry>,
}

/// An entry that is repeated.
struct RepeatedEntry {
    tenant: TenantId,
    erasure: Erasure,
    until: Instant,
    next: Instant,
}

impl Changes {
    async fn next(&mut self) -> (TenantId, Erasure) {
        loop {
            if let LedgerUpdate::Entry(tenant, erasure) = self.next_update().await {
                return (tenant, erasure);
            }
        }
    }

    /// The next entry to obey, or to mend. Waits for a ledger that is away.
    pub async fn next_update(&mut self) -> LedgerUpdate {
        loop {
            if let Some(update) = self.waiting.pop_front() {
                if let LedgerUpdate::Entry(tenant, erasure) = &update {
                    self.schedule_repeat(*tenant, erasure, REPEAT_INTERVAL);
                }
                return update;
            }
            let due = self.fresh.iter().map(|fresh| fresh.next).min();
            tokio::select! {
                update = self.follower.next() => self.take(update),
                () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    if let Some((tenant, erasure)) = self.due() {
                        return LedgerUpdate::Entry(tenant, erasure);
                    }
                }
            }
        }
    }

    fn take(&mut self, update: BucketUpdate<Erasure>) {
        match update {
            BucketUpdate::All(all) => {
                let entries = all.entries.into_iter().filter_map(|(key, erasure)| Some((tenant_of(&key)?, erasure)));
                self.waiting.extend(entries.map(|(tenant, erasure)| LedgerUpdate::Entry(tenant, erasure)));
                self.waiting.extend(all.refused.iter().filter_map(|key| tenant_of(key)).map(LedgerUpdate::Refused));
            }
            BucketUpdate::Changed(key, Some(erasure)) => {
                self.waiting.extend(tenant_of(&key).map(|tenant| LedgerUpdate::Entry(tenant, erasure)));
            }
            BucketUpdate::Changed(_, None) => {}
            BucketUpdate::Refused(key) => self.waiting.extend(tenant_of(&key).map(LedgerUpdate::Refused)),
        }
    }

    /// The entry could not be obeyed: it is repeated soon.
    pub fn failed(&mut self, tenant: TenantId, erasure: &Erasure, error: &Error) {
        tracing::warn!(%tenant, %error, "cannot obey the erase ledger; will try again");
        self.schedule_repeat(tenant, erasure, RETRY);
    }

    fn schedule_repeat(&mut self, tenant: TenantId, erasure: &Erasure, after: Duration) {
        let now = Instant::now();
        self.fresh.retain(|fresh| fresh.tenant != tenant);
        self.fresh.push(RepeatedEntry {
            tenant,
            erasure: erasure.clone(),
            until: now + REPEATED_FOR,
            next: now + after,
        });
    }

    fn due(&mut self) -> Option<(TenantId, Erasure)> {
        let now = Instant::now();
        self.fresh.retain(|fresh| fresh.until > now);
        let fresh = self.fresh.iter_mut().find(|fresh| fresh.next <= now)?;
        fresh.next = now + REPEAT_INTERVAL;
        Some((fresh.tenant, fresh.erasure.clone()))
    }
}

fn tenant_of(key: &str) -> Option<TenantId> {
    key.parse().ok()
}

/// What an entry says. One that cannot be read says nothing: nobody is erased by accident.
fn read(key: &str, value: &[u8]) -> Option<Erasure> {
    tenant_of(key).and_then(|_| coded::decode(value))
}
