//! How a device comes by the IMEI that it names.

use std::{collections::HashSet, iter};

use armada_runtime::{Caller, Error, Result, Scope};
use sea_orm::{ColumnTrait, Condition, DatabaseTransaction, QueryFilter};

use crate::{
    bindings, claims,
    entity::device::{Column, Entity, Model},
};

/// An error when a device of some, all of one tenant, names an IMEI that another one of the tenant names. Whoever sees that
/// one is told which it is.
pub async fn named_once(tx: &DatabaseTransaction, caller: &Caller, devices: &[Model]) -> Result<()> {
    let Some(scope) = devices.first().map(|device| Scope::Tenant(device.tenant_id)) else { return Ok(()) };
    let mut named = HashSet::with_capacity(devices.len());
    if !devices.iter().all(|device| named.insert(&device.imei)) {
        return Err(Error::taken("imei"));
    }
    let own = devices.iter().map(|device| device.id);
    let others = Condition::all().add(Column::Imei.is_in(named)).add(Column::Id.is_not_in(own));
    let Some(other) = Entity::within(scope).filter(others).one(tx).await? else { return Ok(()) };
    let seen = Entity::visible_to(caller, scope).filter(Column::Id.eq(other.id)).one(tx).await?;
    let taken = Error::taken("imei");
    Err(match seen {
        Some(own) => taken.with_field("imei", "taken_by_own").with_conflicting(own.id, &own.name),
        None => taken.with_field("imei", "taken_by_unseen"),
    })
}

/// Gives devices the IMEIs that they name, or claims them.
pub async fn bind_or_claim(tx: &DatabaseTransaction, caller: &Caller, devices: &mut [Model]) -> Result<()> {
    for device in devices.iter().filter(|device| !device.is_bound()) {
        claims::open(tx, caller, device).await?;
    }
    bindings::begin(tx, devices.iter_mut().filter(|device| device.is_bound()).collect()).await
}

/// Takes from a device the IMEI that it names. Whoever else waits for it goes on waiting.
pub async fn release(tx: &DatabaseTransaction, device: &Model) -> Result<()> {
    if device.is_bound() { bindings::end(tx, iter::once(device)).await } else { claims::withdraw(tx, device).await }
}
