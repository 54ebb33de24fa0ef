//! Users who are no more: what linked them to devices goes as well, so that no device names an owner whom nobody knows,
//! and so do the share links that they have made.
//! The bucket `policies` tells who cannot be signed in any more, and identity whether they were barred or removed.

use std::collections::BTreeSet;

use armada_proto::{DeviceId, UserId};
use armada_runtime::{
    Caller, Database, Result, Scope,
    auth::ServiceKey,
    bus::{All, Bucket, BucketUpdate},
    outbox::OutboxHandle,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use tokio_util::sync::CancellationToken;

use crate::{
    entity::{
        device,
        device_member::{Column, Entity, Model},
        share_link,
    },
    identity::IdentityClient,
    members,
    share_links::removal,
};

/// Links that one transaction removes.
const CHUNK: u64 = 500;

/// Removes the links of removed users.
pub struct RemovedUsers {
    pub(crate) db: Database,
    /// The bucket `policies`.
    pub(crate) policies: Bucket,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

impl RemovedUsers {
    /// Follows who goes until shutdown. Who went while nobody followed is found first.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let follower = self.policies.follow(|_, _| Some(()));
        follower.apply_each(shutdown, "remove the links of removed users", |update| self.apply(update)).await;
        Ok(())
    }

    async fn apply(&self, update: BucketUpdate<()>) -> Result<()> {
        match update {
            BucketUpdate::All(all) => self.unlink_all_but(&all).await,
            BucketUpdate::Changed(user, None) => match user.parse() {
                Ok(user) => self.unlink_if_removed(user).await,
                Err(_) => Ok(()),
            },
            BucketUpdate::Changed(..) | BucketUpdate::Refused(_) => Ok(()),
        }
    }

    async fn unlink_all_but(&self, admitted: &All<()>) -> Result<()> {
        let tx = self.db.read(&Scope::Platform).await?;
        let linked = Entity::find().select_only().column(Column::UserId).distinct();
        let linked: Vec<UserId> = linked.into_tuple().all(&tx).await?;
        let shared = share_link::Entity::find().select_only().column(share_link::Column::UserId).distinct();
        let shared: Vec<UserId> = shared.into_tuple().all(&tx).await?;
        tx.commit().await?;
        let users: BTreeSet<UserId> = linked.into_iter().chain(shared).collect();
        for user in users {
            if !admitted.holds(&user.to_string()) {
                self.unlink_if_removed(user).await?;
            }
        }
        Ok(())
    }

    async fn unlink_if_removed(&self, user: UserId) -> Result<()> {
        let asking = self.service_key.caller(Scope::Platform, None)?;
        if self.identity.user(&asking, user).await?.is_some() {
            return Ok(());
        }
        self.remove_shared(&asking, user).await?;
        loop {
            let links = self.links(user).await?;
            if links.is_empty() {
                return Ok(());
            }
            self.unlink(&asking, user, links).await?;
        }
    }

    /// Removes the share links that a user has made.
    async fn remove_shared(&self, asking: &Caller, user: UserId) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        removal::remove_of_user(&tx, asking, user).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        Ok(())
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
        for device in owned.all(&tx).await? {
            members::change_owner(&tx, asking, device, None).await?;
        }
        let links = Entity::delete_many().filter(Column::UserId.eq(user)).filter(Column::DeviceId.is_in(ids));
        links.exec(&tx).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        Ok(())
    }
}
