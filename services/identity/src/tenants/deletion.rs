//! Deleting tenants: first hidden, which can be undone, then erased. The erase ledger is written first; the tables follow
//! it, in this process before the answer.

use std::time::Duration;

use armada_proto::{
    TenantId, Timestamp,
    v1::{DeleteTenantInput, Erasure, ErasureState, Tenant},
};
use armada_runtime::{Caller, Error, Result, Scope, Validate, audit::Actor, resource};
use sea_orm::EntityTrait;

use super::Tenants;
use crate::{
    entity::tenant::{Entity, Model},
    erasures::must_be_deleted,
};

/// For how long a deletion can be undone.
const UNDO_PERIOD: Duration = Duration::from_secs(30 * 24 * 3600);

impl Tenants {
    pub(super) async fn delete(&self, caller: &Caller, mut input: DeleteTenantInput) -> Result<Tenant> {
        let row = self.any(&input.id).await?;
        if row.deleted_at.is_some() {
            return Err(Error::not_found());
        }
        must_be_named(&mut input, &row)?;
        let now = Timestamp::now();
        let (state, deleted_at) = (ErasureState::Deleted.into(), now.millis());
        let erase_after = (now + UNDO_PERIOD).millis();
        let erasure = Erasure { state, deleted_at, erase_after, ..Erasure::default() };
        let (_, revision) = self.follower.ledger.of(row.id).await?;
        self.enter(caller, row.id, erasure, revision).await?;
        self.present_one(row.id).await
    }

    pub(super) async fn restore(&self, caller: &Caller, id: &str) -> Result<Tenant> {
        let row = self.any(id).await?;
        let (erasure, revision) = self.follower.ledger.of(row.id).await?;
        let erasure = Erasure { state: ErasureState::Restored.into(), ..must_be_deleted(erasure)? };
        self.enter(caller, row.id, erasure, revision).await?;
        self.present_one(row.id).await
    }

    pub(super) async fn erase(&self, caller: &Caller, mut input: DeleteTenantInput) -> Result<()> {
        let row = self.any(&input.id).await?;
        let (erasure, revision) = self.follower.ledger.of(row.id).await?;
        let erasure = Erasure { state: ErasureState::Erased.into(), ..must_be_deleted(erasure)? };
        must_be_named(&mut input, &row)?;
        self.enter(caller, row.id, erasure, revision).await
    }

    async fn enter(&self, caller: &Caller, id: TenantId, erasure: Erasure, revision: u64) -> Result<()> {
        let actor = Actor::from(caller);
        let erasure = Erasure { actor_id: actor.id.map(|id| id.to_string()), ..erasure };
        self.follower.ledger.write(id, &erasure, revision).await?;
        // Whoever else hears of the entry may be faster, and names the same actor.
        self.follower.apply(id, &erasure, actor).await
    }

    /// A tenant, deleted or not.
    async fn any(&self, id: &str) -> Result<Model> {
        let id: TenantId = id.parse()?;
        let tx = self.db.read(&Scope::Platform).await?;
        Entity::find_by_id(id).one(&tx).await?.ok_or_else(Error::not_found)
    }

    async fn present_one(&self, id: TenantId) -> Result<Tenant> {
        let tx = self.db.read(&Scope::Platform).await?;
        let row = Entity::find_by_id(id).one(&tx).await?.ok_or_else(Error::not_found)?;
        resource::message(self, &tx, row).await
    }
}

/// An error unless somebody has typed the tenant's name, and knows it as it is.
fn must_be_named(input: &mut DeleteTenantInput, row: &Model) -> Result<()> {
    input.validate().check()?;
    if input.name != row.name.trim() {
        return Err(Error::field("name", "name_differs"));
    }
    if input.row_version.is_some_and(|version| version != row.row_version) {
        return Err(Error::version_mismatch());
    }
    Ok(())
}
