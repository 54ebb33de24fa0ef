//! How a device comes by the IMEI that it names.

use std::{
    collections::{HashMap, HashSet},
    iter,
};

use armada_proto::{
    TenantId,
    v1::{Device, ImeiStatus},
};
use armada_runtime::{Caller, Error, Result, Scope};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, Func},
};

use crate::{
    bindings, claims,
    entity::device::{Column, Entity, Model},
};

/// What becomes of an IMEI that a device names.
#[derive(Clone, Copy, Debug)]
pub struct NamedImei {
    /// Whether its fixes come to the device.
    pub status: ImeiStatus,
    /// It is bound for what comes through the gateways of the tenant alone.
    pub own_gateways: bool,
}

impl From<ImeiStatus> for NamedImei {
    fn from(status: ImeiStatus) -> Self {
        Self { status, own_gateways: false }
    }
}

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

/// Warns of identifiers that differ by case alone from that of another device of the tenant which the caller sees: one of the two
/// may be mistyped.
pub async fn warn_of_others(tx: &DatabaseTransaction, caller: &Caller, devices: &mut [Device]) -> Result<()> {
    // Nearly all are digits.
    let has_letters = |device: &&Device| device.imei.bytes().any(|byte| byte.is_ascii_alphabetic());
    let folded: HashSet<_> =
        devices.iter().filter(has_letters).map(|device| device.imei.to_ascii_lowercase()).collect();
    if folded.is_empty() {
        return Ok(());
    }
    let imei = || Expr::col((Entity, Column::Imei));
    // As the index says it.
    let alike = Expr::expr(Func::lower(imei())).is_in(folded);
    let lettered = Expr::expr(Func::lower(imei())).ne(Func::upper(imei()));
    let seen = Entity::visible_to(caller, caller.scope()).filter(alike).filter(lettered);
    let seen = seen.select_only().column(Column::TenantId).column(Column::Imei);
    let mut others = HashMap::<_, Vec<String>>::new();
    for (tenant, imei) in seen.into_tuple::<(TenantId, String)>().all(tx).await? {
        others.entry((tenant.to_string(), imei.to_ascii_lowercase())).or_default().push(imei);
    }
    for device in devices {
        let alike = others.get(&(device.tenant_id.clone(), device.imei.to_ascii_lowercase()));
        if alike.is_some_and(|alike| alike.iter().any(|other| *other != device.imei)) {
            device.warnings.push("imei_case".to_owned());
        }
    }
    Ok(())
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
