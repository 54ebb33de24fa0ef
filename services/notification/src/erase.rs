//! Erasing the events and alarms of tenants and of devices that are removed. Each is noted first, so that what comes late of it is
//! not stored, and for ever: ids do not come back.

use std::collections::HashSet;

use armada_proto::{DeviceId, TenantId, Timestamp};
use armada_runtime::{
    Database, Result, Scope,
    audit::{self, Act, Actor, Change, Object},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect,
    sea_query::OnConflict,
};
use serde_json::json;

use crate::{
    config::NAME,
    entity::{
        alarm, erased_device, erased_tenant,
        event::{Column, Model},
    },
    removal::{remove, remove_alarms},
};

/// Erases what there is of a tenant. One of which nothing is left costs two look-ups.
pub async fn erase_tenant(db: &Database, tenant: TenantId) -> Result<()> {
    let tx = db.read(&Scope::Platform).await?;
    let known = erased_tenant::Entity::find_by_id(tenant).one(&tx).await?.is_some();
    tx.commit().await?;
    if !known {
        note_tenant(db, tenant).await?;
    }
    remove_alarms(db, &Condition::all().add(alarm::Column::TenantId.eq(tenant))).await?;
    match remove(db, &Condition::all().add(Column::TenantId.eq(tenant))).await? {
        0 => Ok(()),
        events => record(db, tenant, events).await,
    }
}

async fn note_tenant(db: &Database, tenant: TenantId) -> Result<()> {
    let entry = erased_tenant::ActiveModel { tenant_id: Set(tenant), erased_at: Set(Timestamp::now().millis()) };
    let once = OnConflict::column(erased_tenant::Column::TenantId).do_nothing().to_owned();
    let tx = db.write(&Scope::Platform).await?;
    erased_tenant::Entity::insert(entry).on_conflict(once).exec_without_returning(&tx).await?;
    Ok(tx.commit().await?)
}

/// Enters in the audit what went.
async fn record(db: &Database, tenant: TenantId, events: u64) -> Result<()> {
    let change = Change { before: None, after: Some(json!({ "events": events })) };
    let act = Act { act: "tenant:erase", tenant: None, object: Object::new("tenant", tenant, ""), change };
    let actor = Actor { name: NAME.to_owned(), ..Actor::default() };
    let tx = db.write(&Scope::Platform).await?;
    audit::record(&tx, actor, act).await?;
    Ok(tx.commit().await?)
}

/// Erases what there is of these devices, whosever they were meanwhile. Those of which nothing is left cost two look-ups
/// together.
pub async fn erase_devices(db: &Database, devices: &[(DeviceId, TenantId)]) -> Result<()> {
    let ids = || devices.iter().map(|(device, _)| *device);
    let tx = db.read(&Scope::Platform).await?;
    let known = known_devices(&tx, ids()).await?;
    tx.commit().await?;
    let new: Vec<_> = devices.iter().filter(|(device, _)| !known.contains(device)).collect();
    if !new.is_empty() {
        note_devices(db, &new).await?;
    }
    remove_alarms(db, &Condition::all().add(alarm::Column::DeviceId.is_in(ids()))).await?;
    remove(db, &Condition::all().add(Column::DeviceId.is_in(ids()))).await?;
    Ok(())
}

async fn note_devices(db: &Database, devices: &[&(DeviceId, TenantId)]) -> Result<()> {
    let erased_at = Timestamp::now().millis();
    let entries = devices.iter().map(|(device, tenant)| erased_device::ActiveModel {
        device_id: Set(*device),
        tenant_id: Set(*tenant),
        erased_at: Set(erased_at),
    });
    let once = OnConflict::column(erased_device::Column::DeviceId).do_nothing().to_owned();
    let tx = db.write(&Scope::Platform).await?;
    erased_device::Entity::insert_many(entries).on_conflict(once).exec_without_returning(&tx).await?;
    Ok(tx.commit().await?)
}

async fn known_devices(tx: &DatabaseTransaction, devices: impl Iterator<Item = DeviceId>) -> Result<HashSet<DeviceId>> {
    use erased_device::{Column, Entity};
    let rows = Entity::find().select_only().column(Column::DeviceId).filter(Column::DeviceId.is_in(devices));
    let known: Vec<DeviceId> = rows.into_tuple().all(tx).await?;
    Ok(known.into_iter().collect())
}

/// Which tenants and devices of some events are erased.
#[derive(Default)]
pub struct Erased {
    tenants: HashSet<TenantId>,
    devices: HashSet<DeviceId>,
}

impl Erased {
    /// Looks them up.
    pub async fn of(tx: &DatabaseTransaction, events: &[Model]) -> Result<Self> {
        let tenants: HashSet<_> = events.iter().map(|event| event.tenant_id).collect();
        let devices: HashSet<_> = events.iter().filter_map(|event| event.device_id).collect();
        let rows = erased_tenant::Entity::find().select_only().column(erased_tenant::Column::TenantId);
        let rows = rows.filter(erased_tenant::Column::TenantId.is_in(tenants));
        let tenants: Vec<TenantId> = rows.into_tuple().all(tx).await?;
        let devices = known_devices(tx, devices.into_iter()).await?;
        Ok(Self { tenants: tenants.into_iter().collect(), devices })
    }

    /// Whether an event is of one of them.
    pub fn has(&self, event: &Model) -> bool {
        self.tenants.contains(&event.tenant_id) || event.device_id.is_some_and(|device| self.devices.contains(&device))
    }

    /// Removes what there is of them.
    pub async fn remove(self, db: &Database) -> Result<()> {
        if self.tenants.is_empty() && self.devices.is_empty() {
            return Ok(());
        }
        let Self { tenants, devices } = self;
        let alarms = Condition::any().add(alarm::Column::TenantId.is_in(tenants.iter().copied()));
        remove_alarms(db, &alarms.add(alarm::Column::DeviceId.is_in(devices.iter().copied()))).await?;
        let of_tenant = Column::TenantId.is_in(tenants);
        remove(db, &Condition::any().add(of_tenant).add(Column::DeviceId.is_in(devices))).await?;
        Ok(())
    }
}
