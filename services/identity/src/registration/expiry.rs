//! Registrations that nobody has confirmed go after a while: the address is free again, and nothing is kept of whoever it
//! belongs to.

use armada_proto::Timestamp;
use armada_runtime::{
    Database, Result, Scope,
    audit::{self, Act, Actor, Object},
};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, ModelTrait, PaginatorTrait, QueryFilter, QuerySelect};

use crate::{
    entity::{
        role, tenant,
        user::{Column, Entity, Model},
    },
    policy, tenant_entries,
};

/// Registrations that are removed in one transaction.
const AT_ONCE: u64 = 100;

/// Removes registrations that have run out, with their companies; one that a platform owner uses meanwhile stays.
pub async fn expire(db: &Database) -> Result<()> {
    loop {
        let now = Timestamp::now();
        let tx = db.write(&Scope::Platform).await?;
        let due = Entity::within(Scope::Platform).filter(Column::RegistrationExpiresAt.lte(now.millis()));
        let due = due.filter(Column::IsPending.eq(true)).limit(AT_ONCE).all(&tx).await?;
        if due.is_empty() {
            return Ok(());
        }
        for user in due {
            remove(&tx, user).await?;
        }
        tx.commit().await?;
    }
}

async fn remove(tx: &DatabaseTransaction, user: Model) -> Result<()> {
    policy::mark(tx, &[user.id]).await?;
    let object = Object::new("user", user.id, "");
    let act = Act { act: "tenant:registration_expire", tenant: None, object, ..Act::default() };
    audit::record(tx, Actor { name: "armada".to_owned(), ..Actor::default() }, act).await?;
    let tenant = user.tenant_id;
    user.delete(tx).await?;
    let Some(tenant) = tenant else { return Ok(()) };
    let others = Entity::within(Scope::Tenant(tenant)).count(tx).await?;
    let found = tenant::Entity::within(Scope::Tenant(tenant)).one(tx).await?;
    if let Some(tenant) = found.filter(|tenant| others == 0 && tenant.used_devices == 0) {
        role::Entity::delete_many().filter(role::Column::TenantId.eq(tenant.id)).exec(tx).await?;
        tenant_entries::mark(tx, tenant.id).await?;
        tenant.delete(tx).await?;
    }
    Ok(())
}
