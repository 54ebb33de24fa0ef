//! How a device comes by the IMEI that it names.

use armada_runtime::{Caller, Error, Result, Scope};
use sea_orm::{ColumnTrait, Condition, DatabaseTransaction, QueryFilter};

use crate::{
    bindings, claims,
    entity::device::{Column, Entity, Model},
};

/// An error when another device of the tenant names the IMEI. Whoever sees that one is told which it is.
pub async fn named_once(tx: &DatabaseTransaction, caller: &Caller, device: &Model) -> Result<()> {
    let scope = Scope::Tenant(device.tenant_id);
    let other = Condition::all().add(Column::Imei.eq(&device.imei)).add(Column::Id.ne(device.id));
    let Some(other) = Entity::within(scope).filter(other).one(tx).await? else { return Ok(()) };
    let seen = Entity::visible_to(caller, scope).filter(Column::Id.eq(other.id)).one(tx).await?;
    let taken = Error::taken("imei");
    Err(match seen {
        Some(own) => taken.with_field("imei", "taken_by_own").with_conflicting(own.id, &own.name),
        None => taken.with_field("imei", "taken_by_unseen"),
    })
}

/// Gives a device the IMEI that it names, or claims it.
pub async fn bind_or_claim(tx: &DatabaseTransaction, caller: &Caller, device: &mut Model) -> Result<()> {
    if device.is_bound() { bindings::begin(tx, device).await } else { claims::open(tx, caller, device).await }
}

/// Takes from a device the IMEI that it names. Whoever else waits for it goes on waiting.
pub async fn release(tx: &DatabaseTransaction, device: &Model) -> Result<()> {
    if device.is_bound() { bindings::end(tx, device).await } else { claims::withdraw(tx, device).await }
}
