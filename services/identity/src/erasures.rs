//! Obeying the erase ledger, which identity alone writes: a tenant that it names as deleted is hidden with its people, as
//! restored comes back, as erased is gone, whatever a restored backup says.

use std::{collections::HashMap, time::Duration};

use armada_proto::{
    TenantId, Timestamp,
    v1::{Erasure, ErasureState},
};
use armada_runtime::{
    Database, Erasures, Error, LedgerUpdate, Result, Scope,
    audit::{self, Act, Actor, Change, Object},
    auth::IDENTITY,
    jobs,
    outbox::OutboxHandle,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, ModelTrait, PaginatorTrait,
    QueryFilter, QuerySelect, sea_query::OnConflict,
};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    audit::erase::erase,
    ended::{self, EndedSessions},
    entity::{erasure, mail, mail_request, role, session, tenant, user},
    erased_tenants::ErasedTenants,
    gateways, policy, tenant_entries,
};

/// How often to look for tenants whose time has come.
const ROUND: Duration = Duration::from_secs(60);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);

/// The ledger, and what it is obeyed with. Cheap to clone.
#[derive(Clone)]
pub struct LedgerFollower {
    pub(crate) db: Database,
    pub(crate) ledger: Erasures,
    pub(crate) ended: EndedSessions,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    pub(crate) erased: ErasedTenants,
}

impl LedgerFollower {
    /// Obeys all that the ledger says, before anybody is served, and writes what it has lost.
    pub async fn catch_up(&self) -> Result<()> {
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = erasure::Entity::find().all(&tx).await?;
        drop(tx);
        let mut known: HashMap<TenantId, Erasure> = rows.into_iter().map(|row| (row.tenant_id, row.into())).collect();
        for (tenant, erasure) in self.ledger.all().await? {
            match known.remove(&tenant) {
                Some(later) if place(&erasure) < place(&later) => self.restore_entry(tenant).await?,
                _ => self.apply(tenant, &erasure, actor_of(&erasure)).await?,
            }
        }
        for tenant in known.into_keys() {
            self.restore_entry(tenant).await?;
        }
        Ok(())
    }

    /// Writes again what the ledger said last of a tenant, when it says something else now. Nobody is taken off the
    /// ledger: what cannot be mended stays to be looked at.
    async fn restore_entry(&self, tenant: TenantId) -> Result<()> {
        // Before the table is read: what is written meanwhile stays.
        let (says, revision) = self.ledger.of(tenant).await?;
        let tx = self.db.read(&Scope::Platform).await?;
        let row = erasure::Entity::find_by_id(tenant).one(&tx).await?;
        drop(tx);
        let Some(row) = row else {
            tracing::error!(%tenant, "the erase ledger names a tenant, and identity did not write it");
            return Ok(());
        };
        let row = Erasure::from(row);
        // Of what came later the table is about to learn.
        if says.is_some_and(|says| place(&row) < place(&says)) {
            return Ok(());
        }
        tracing::warn!(%tenant, "the erase ledger did not say what it said before of a tenant; it is entered again");
        match self.ledger.write(tenant, &row, revision).await {
            // Another process was first, or there is other news.
            Err(error) if error == Error::version_mismatch() => Ok(()),
            written => written,
        }
    }

    /// Follows the ledger until shutdown, and has tenants erased when their time has come.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let obeys = async {
            let mut changes = self.ledger.changes();
            loop {
                match changes.next_update().await {
                    LedgerUpdate::Entry(tenant, erasure) => {
                        if let Err(error) = self.apply(tenant, &erasure, actor_of(&erasure)).await {
                            changes.failed(tenant, &erasure, &error);
                        }
                    }
                    LedgerUpdate::Refused(tenant) => {
                        while let Err(error) = self.restore_entry(tenant).await {
                            tracing::warn!(%error, "cannot mend the erase ledger; will try again");
                            tokio::time::sleep(RETRY).await;
                        }
                    }
                }
            }
        };
        let expires = async {
            loop {
                if let Err(error) = self.expire().await {
                    tracing::warn!(%error, "cannot look for tenants that are to be erased; will try again");
                }
                tokio::time::sleep(ROUND).await;
            }
        };
        shutdown.run_until_cancelled(async { tokio::join!(obeys, expires) }).await;
        Ok(())
    }

    /// Has those erased whose time has come. Of several processes the first one writes it.
    async fn expire(&self) -> Result<()> {
        let now = Timestamp::now().millis();
        let tx = self.db.read(&Scope::Platform).await?;
        let due = tenant::Entity::find().filter(tenant::Column::EraseAfter.lte(now));
        let due: Vec<TenantId> = due.select_only().column(tenant::Column::Id).into_tuple().all(&tx).await?;
        drop(tx);
        for tenant in due {
            let (erasure, revision) = self.ledger.of(tenant).await?;
            let due = erasure.filter(|it| it.state() == ErasureState::Deleted && it.erase_after <= now);
            let Some(erasure) = due else { continue };
            let erasure = Erasure { state: ErasureState::Erased.into(), actor_id: None, ..erasure };
            self.ledger.write(tenant, &erasure, revision).await?;
        }
        Ok(())
    }

    /// Brings the tables to what the ledger says of a tenant. What is so already stays as it is.
    pub async fn apply(&self, id: TenantId, erasure: &Erasure, actor: Actor) -> Result<()> {
        if erasure.state() == ErasureState::Erased {
            self.erased.add(id);
        }
        let tx = self.db.write(&Scope::Platform).await?;
        let row = tenant::Entity::find_by_id(id).lock_exclusive().one(&tx).await?;
        // Whoever follows the ledger may be late: what was deleted and is restored by now is not deleted once more.
        if !remember(&tx, id, erasure).await? {
            return Ok(tx.commit().await?);
        }
        let Some(row) = row else { return Ok(tx.commit().await?) };
        let ended = match erasure.state() {
            ErasureState::Deleted if row.deleted_at != Some(erasure.deleted_at) => {
                mark(&tx, row, Some(erasure), actor).await?
            }
            ErasureState::Restored if row.deleted_at.is_some() => mark(&tx, row, None, actor).await?,
            ErasureState::Erased => remove(&tx, row, actor).await?,
            _ => return Ok(tx.commit().await?),
        };
        tx.commit().await?;
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        if erasure.state() == ErasureState::Erased {
            self.db.forget_log().await;
        }
        Ok(())
    }
}

/// Where an entry stands among those of its tenant: each deletion begins, and ends in one of two ways.
fn place(erasure: &Erasure) -> (i64, i32) {
    (erasure.deleted_at, erasure.state)
}

/// Keeps what the ledger says of a tenant; false when a later entry is kept. Entries are told again and again: what is kept
/// already is not written.
async fn remember(tx: &DatabaseTransaction, id: TenantId, erasure: &Erasure) -> Result<bool> {
    use erasure::Column;
    let replaced = OnConflict::column(Column::TenantId)
        .update_columns([Column::State, Column::DeletedAt, Column::EraseAfter, Column::ActorId])
        .to_owned();
    let row = erasure::Model::new(id, erasure);
    let kept = erasure::Entity::find_by_id(id).one(tx).await?;
    if kept.as_ref() == Some(&row) {
        return Ok(true);
    }
    // How the same deletion ended.
    if kept.is_some_and(|kept| kept.deleted_at == row.deleted_at && kept.state > row.state) {
        return Ok(false);
    }
    erasure::Entity::insert(row.into_active_model()).on_conflict(replaced).exec_without_returning(tx).await?;
    Ok(true)
}

/// Who wanted what an entry says: a user, or identity when its time had come.
fn actor_of(erasure: &Erasure) -> Actor {
    let id = erasure.actor_id.as_deref().and_then(|id| id.parse().ok());
    let name = if id.is_some() { String::new() } else { IDENTITY.to_owned() };
    Actor { id, name, address: None }
}

/// Hides a tenant and ends the sessions of its people, or has them back; returns the sessions.
async fn mark(
    tx: &DatabaseTransaction,
    mut row: tenant::Model,
    deleted: Option<&Erasure>,
    actor: Actor,
) -> Result<Vec<Uuid>> {
    row.deleted_at = deleted.map(|erasure| erasure.deleted_at);
    row.erase_after = deleted.map(|erasure| erasure.erase_after);
    row.row_version += 1;
    row.updated_at = Timestamp::now().millis();
    let row = row.into_active_model().reset_all().update(tx).await?;
    let ended = ended::end(tx, session::Column::TenantId.eq(row.id)).await?;
    policy::changed(tx, user::Column::TenantId.eq(row.id)).await?;
    gateways::tenant_goes(tx, row.id).await?;
    let (act, after) = match row.erase_after {
        Some(at) => ("tenant:delete", Some(json!({ "erase_after": Timestamp::from_millis(at).to_rfc3339() }))),
        None => ("tenant:restore", None),
    };
    let object = Object::new("tenant", row.id, &row.name);
    audit::record(tx, actor, Act { act, tenant: None, object, change: Change { before: None, after } }).await?;
    Ok(ended)
}

/// Erases a tenant with everything of it that identity has; returns the sessions that have ended.
async fn remove(tx: &DatabaseTransaction, row: tenant::Model, actor: Actor) -> Result<Vec<Uuid>> {
    let (id, name) = (row.id, row.name.clone());
    let ended = ended::end(tx, session::Column::TenantId.eq(id)).await?;
    policy::changed(tx, user::Column::TenantId.eq(id)).await?;
    let users = user::Entity::find().filter(user::Column::TenantId.eq(id)).count(tx).await?;
    let roles = role::Entity::find().filter(role::Column::TenantId.eq(id)).count(tx).await?;
    // With a user go their sessions, links, factors, preferences and roles; with a role goes what it says; with the tenant
    // go saved views.
    let gateways = gateways::remove_all(tx, id).await?;
    user::Entity::delete_many().filter(user::Column::TenantId.eq(id)).exec(tx).await?;
    role::Entity::delete_many().filter(role::Column::TenantId.eq(id)).exec(tx).await?;
    row.delete(tx).await?;
    tenant_entries::mark(tx, id).await?;
    jobs::erase(tx, id).await?;
    mail::Entity::delete_many().filter(mail::Column::ShareOf.eq(id)).exec(tx).await?;
    let asked = mail_request::Entity::delete_many().filter(mail_request::Column::ShareOf.eq(id));
    asked.exec(tx).await?;
    let audit_entries = erase(tx, id).await?;
    let after = Some(json!({ "users": users, "roles": roles, "gateways": gateways, "audit_entries": audit_entries }));
    let act = Act {
        act: "tenant:erase",
        tenant: None,
        object: Object::new("tenant", id, name),
        change: Change { before: None, after },
    };
    audit::record(tx, actor, act).await?;
    Ok(ended)
}

/// An error for who wants to write what somebody else has written meanwhile, or what cannot be undone any more.
pub fn must_be_deleted(erasure: Option<Erasure>) -> Result<Erasure> {
    erasure.filter(|erasure| erasure.state() == ErasureState::Deleted).ok_or_else(Error::not_found)
}
