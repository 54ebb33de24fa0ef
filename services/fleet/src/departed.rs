//! Users who are no more: what linked them to devices goes as well, so that no device names an owner whom nobody knows.
//! The bucket `policies` tells who cannot be signed in any more, and identity whether they were barred or removed.

use std::{collections::HashSet, time::Duration};

use armada_proto::{DeviceId, Timestamp, UserId};
use armada_runtime::{Bus, Caller, Database, Error, Result, Scope, auth::ServiceKey, outbox::Bell};
use async_nats::jetstream::kv::{self, Operation};
use futures::{StreamExt, TryStreamExt};
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect};
use tokio_util::sync::CancellationToken;

use crate::{
    acts, bindings,
    entity::{
        device,
        device_member::{Column, Entity, Model},
    },
    people::People,
};

/// Links that one transaction removes.
const CHUNK: u64 = 500;
/// When to follow again after the connection was lost, or to try again what failed.
const RETRY: Duration = Duration::from_secs(2);

/// Removes the links of removed users.
pub struct Departed {
    pub(crate) db: Database,
    pub(crate) bus: Bus,
    /// The bucket `policies`.
    pub(crate) policies: kv::Store,
    pub(crate) people: People,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) bell: Bell,
}

impl Departed {
    /// Follows who goes until shutdown.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                if let Err(error) = self.follow_connection().await {
                    tracing::warn!(%error, "cannot follow which users are removed; will try again");
                }
                tokio::time::sleep(RETRY).await;
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    /// Until the connection changes: a server that was restarted no longer knows its readers. Who went while nobody
    /// followed is found first.
    async fn follow_connection(&self) -> Result<()> {
        let mut connections = self.bus.connections();
        let mut entries = self.policies.watch_all().await.map_err(Error::unavailable)?;
        for user in self.linked_without_policy().await? {
            self.unlink_if_removed(user).await?;
        }
        loop {
            tokio::select! {
                _ = connections.changed() => return Ok(()),
                entry = entries.next() => {
                    let Some(entry) = entry else { return Ok(()) };
                    let entry = entry.map_err(Error::unavailable)?;
                    if entry.operation != Operation::Put && let Ok(user) = entry.key.parse() {
                        self.unlink_if_removed(user).await?;
                    }
                }
            }
        }
    }

    async fn linked_without_policy(&self) -> Result<Vec<UserId>> {
        let keys = self.policies.keys().await.map_err(Error::unavailable)?;
        let admitted: HashSet<String> = keys.try_collect().await.map_err(Error::unavailable)?;
        let tx = self.db.read(&Scope::Platform).await?;
        let linked = Entity::find().select_only().column(Column::UserId).distinct();
        let mut linked: Vec<UserId> = linked.into_tuple().all(&tx).await?;
        linked.retain(|user| !admitted.contains(&user.to_string()));
        Ok(linked)
    }

    async fn unlink_if_removed(&self, user: UserId) -> Result<()> {
        let asking = self.service_key.caller(Scope::Platform, None)?;
        if self.links(user).await?.is_empty() || self.people.user(&asking, user).await?.is_some() {
            return Ok(());
        }
        loop {
            let links = self.links(user).await?;
            if links.is_empty() {
                return Ok(());
            }
            self.unlink(&asking, user, links).await?;
        }
    }

    /// The next of a user's links.
    async fn links(&self, user: UserId) -> Result<Vec<Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        Ok(Entity::find().filter(Column::UserId.eq(user)).limit(CHUNK).all(&tx).await?)
    }

    /// Devices stay in their tenant, without an owner.
    async fn unlink(&self, asking: &Caller, user: UserId, links: Vec<Model>) -> Result<()> {
        let ids: Vec<DeviceId> = links.into_iter().map(|link| link.device_id).collect();
        let tx = self.db.write(&Scope::Platform).await?;
        let owned = device::Entity::within(Scope::Platform)
            .filter(device::Column::Id.is_in(ids.iter().copied()))
            .filter(device::Column::UserId.eq(user))
            .lock_exclusive();
        for before in owned.all(&tx).await? {
            let mut device = before.clone();
            device.user_id = None;
            device.row_version += 1;
            device.updated_at = Timestamp::now().millis();
            let device = device.into_active_model().reset_all().update(&tx).await?;
            bindings::mark(&tx, &device, &device.imei).await?;
            acts::changed(&tx, asking, Some(&before), Some(&device)).await?;
        }
        let links = Entity::delete_many().filter(Column::UserId.eq(user)).filter(Column::DeviceId.is_in(ids));
        links.exec(&tx).await?;
        tx.commit().await?;
        self.bell.ring().await;
        Ok(())
    }
}
