//! To whom the fixes of an IMEI belong, from when on, and how others learn of it: the bucket `devices`, kept in step
//! with the table by the outbox, and a message to the edge whenever what a tenant's users see may have changed. With it
//! goes how many devices the tenant has.

use std::{
    collections::{HashMap, HashSet},
    str::FromStr,
};

use armada_proto::{DeviceId, TenantId, Timestamp, binding, coded, v1::DeviceBinding};
use armada_runtime::{
    Bus, Context, Database, Error, Result, Scope,
    outbox::{self, OutboxHandle, Relay, Rows, States},
};
use async_nats::jetstream::kv;
use bytes::Bytes;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, ModelTrait,
    QueryFilter, QueryOrder, QuerySelect, QueryTrait, prelude::Uuid, sea_query::Expr,
};
use tokio_util::sync::CancellationToken;

use crate::{
    counts::Counts,
    device_erasures::{self, DeviceErasures},
    device_thresholds,
    entity::{
        device,
        imei_binding::{ActiveModel, Column, Entity},
    },
    meters::{self, replaced_trackers},
};

/// A mark that says: tell the edge that something of this tenant has changed. It sorts after `imei.…`, so that of one
/// batch of the relay the bucket is written first.
const TENANT: &str = "tenant.";

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: binding::BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// Begins the bindings of devices to their IMEIs where the ones before them ended, and not before their trackers came. Called
/// after the rows are written: from then on nobody else can take or have released the IMEIs unseen.
pub async fn begin(tx: &DatabaseTransaction, devices: Vec<&mut device::Model>) -> Result<()> {
    let ended = Entity::find()
        .select_only()
        .column(Column::Imei)
        .column_as(Column::BoundUntil.max(), "bound_until")
        .filter(Column::Imei.is_in(devices.iter().map(|device| &device.imei)))
        .group_by(Column::Imei);
    let ended: HashMap<String, i64> = ended.into_tuple().all(tx).await?.into_iter().collect();
    let came = replaced_trackers::came(tx, devices.iter().map(|device| device.id)).await?;
    for device in devices {
        let ended = ended.get(&device.imei).copied().unwrap_or_default();
        // What a tracker said at the factory is not of the vehicle.
        let bound_from = came.get(&(device.id, device.imei.clone())).map_or(ended, |came| ended.max(*came));
        if device.bound_from != bound_from {
            let mut row = device.clone().into_active_model();
            row.bound_from = Set(bound_from);
            *device = row.update(tx).await?;
        }
    }
    Ok(())
}

/// Ends the bindings of devices to their IMEIs.
pub async fn end(tx: &DatabaseTransaction, devices: impl Iterator<Item = &device::Model>) -> Result<()> {
    let now = Timestamp::now().millis();
    let ended = devices.map(|device| ActiveModel {
        imei: Set(device.imei.clone()),
        // No clock makes a binding end before it began.
        bound_until: Set(now.max(device.bound_from + 1)),
        bound_from: Set(device.bound_from),
        device_id: Set(device.id),
        tenant_id: Set(device.tenant_id),
        own_gateways: Set(device.own_gateways),
    });
    let ended: Vec<_> = ended.collect();
    if !ended.is_empty() {
        Entity::insert_many(ended).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Forgets which device had an IMEI. That somebody of its tenant had it until an instant must still be known: late fixes do not
/// come to whoever has it next.
pub async fn forget(tx: &DatabaseTransaction, device: &device::Model) -> Result<()> {
    let rows = Entity::update_many().col_expr(Column::DeviceId, Expr::val(Uuid::nil()));
    // By the index of tenants.
    let rows = rows.filter(Column::TenantId.eq(device.tenant_id)).filter(Column::DeviceId.eq(device.id));
    rows.exec(tx).await?;
    Ok(())
}

/// Goes on with the binding of a device that was hidden at `hidden_at`. If nobody has had the IMEI since, it is as if it
/// had never ended.
pub async fn resume(tx: &DatabaseTransaction, device: &mut device::Model, hidden_at: i64) -> Result<()> {
    let last = Entity::find().filter(Column::Imei.eq(&device.imei)).order_by_desc(Column::BoundUntil).one(tx).await?;
    match last.filter(|last| last.device_id == device.id && last.bound_until >= hidden_at) {
        Some(own) => {
            own.delete(tx).await?;
            Ok(())
        }
        None => begin(tx, vec![device]).await,
    }
}

/// Marks what others know of a device as changed; `imei_before` is the one it had until now.
pub async fn mark(tx: &DatabaseTransaction, device: &device::Model, imei_before: &str) -> Result<()> {
    let mut keys = vec![binding::key(&device.imei), format!("{TENANT}{}", device.tenant_id)];
    if imei_before != device.imei {
        keys.push(binding::key(imei_before));
    }
    outbox::mark(tx, keys).await
}

/// The same for devices that are new, or go away.
pub async fn mark_all(tx: &DatabaseTransaction, devices: &[device::Model]) -> Result<()> {
    let tenants: HashSet<_> = devices.iter().map(|device| device.tenant_id).collect();
    let tenants = tenants.into_iter().map(|tenant| format!("{TENANT}{tenant}"));
    outbox::mark(tx, devices.iter().map(|device| binding::key(&device.imei)).chain(tenants)).await
}

/// Marks that what the users of a tenant see may have changed.
pub async fn mark_tenant(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    outbox::mark(tx, vec![format!("{TENANT}{tenant}")]).await
}

/// Marks what others know of all devices of a tenant as changed.
pub async fn mark_devices(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    let devices = device::Entity::bound().filter(device::Column::TenantId.eq(tenant));
    let keys = devices.select_only().expr(Expr::cust(format!("'{}' || imei", binding::KEYS)));
    outbox::mark_selected(tx, keys.into_query(), vec![format!("{TENANT}{tenant}")]).await
}

/// What the bindings of devices say, each with the IMEI that the device names.
pub async fn of_devices(tx: &DatabaseTransaction, rows: Vec<device::Model>) -> Result<Vec<(String, DeviceBinding)>> {
    let rules = meters::rules_of_all(tx, &rows).await?;
    let of_tenants = device_thresholds::of_tenants(tx, rows.iter().map(|row| row.tenant_id)).await?;
    let mut replaced = replaced_trackers::of_all(tx, rows.iter().map(|row| row.id)).await?;
    let of_row = |row: device::Model| {
        let thresholds = device_thresholds::of_device(&of_tenants, &row).to_binding();
        let replaced_trackers = replaced.remove(&row.id).unwrap_or_default();
        (row.imei.clone(), DeviceBinding { thresholds, replaced_trackers, ..meters::to_binding(row, &rules) })
    };
    Ok(rows.into_iter().map(of_row).collect())
}

/// The table of devices, and what is told together with it.
#[derive(Clone)]
pub struct Bindings {
    bus: Bus,
    /// How many devices tenants have.
    pub(crate) counts: Relay<Counts>,
    /// Which devices are erased.
    pub(crate) erasures: Relay<DeviceErasures>,
}

impl Bindings {
    /// What carries changes into the buckets.
    pub async fn relay(db: Database, context: &Context, handle: OutboxHandle) -> Result<Relay<Self>> {
        let counts = Counts::relay(db.clone(), context).await?;
        let erasures = DeviceErasures::relay(db.clone(), context).await?;
        let states = Self { bus: context.bus.clone(), counts, erasures };
        Ok(Relay { db, bucket: context.own_bucket(binding::BUCKET).await?, handle, states })
    }

    async fn publish_changed(&self, tenant: TenantId) -> Result<()> {
        let subject = binding::changed_subject(tenant);
        self.bus.client.publish(subject, Bytes::new()).await.map_err(Error::unavailable)?;
        self.bus.client.flush().await.map_err(Error::unavailable)
    }
}

impl States for Bindings {
    async fn states(&self, db: &Database, keys: Vec<String>) -> Result<HashMap<String, Bytes>> {
        for tenant in keys.iter().filter_map(|key| key.strip_prefix(TENANT)) {
            self.counts.put(vec![tenant.to_owned()]).await?;
            self.publish_changed(TenantId::from_str(tenant)?).await?;
        }
        let erased: Vec<_> = keys.iter().filter_map(|key| key.strip_prefix(device_erasures::MARK)).collect();
        if !erased.is_empty() {
            self.erasures.put(erased.into_iter().map(ToOwned::to_owned).collect()).await?;
        }
        let tx = db.read(&Scope::Platform).await?;
        let imeis = keys.iter().filter_map(|key| binding::imei_of(key));
        let rows = device::Entity::bound().filter(device::Column::Imei.is_in(imeis)).all(&tx).await?;
        let bindings = of_devices(&tx, rows).await?.into_iter();
        Ok(bindings.map(|(imei, state)| (binding::key(&imei), coded::encode(&state).into())).collect())
    }
}

impl Rows for Bindings {
    type Place = DeviceId;

    async fn keys(&self, db: &Database, after: Option<DeviceId>) -> Result<Option<(Vec<String>, DeviceId)>> {
        let rows = outbox::page(device::Entity::bound(), device::Column::Id, after);
        let tx = db.read(&Scope::Platform).await?;
        let rows = rows.all(&tx).await?;
        Ok(rows.last().map(|last| (rows.iter().map(|row| binding::key(&row.imei)).collect(), last.id)))
    }

    async fn without_row(&self, db: &Database, mut keys: Vec<String>) -> Result<Vec<String>> {
        let tx = db.read(&Scope::Platform).await?;
        let imeis = keys.iter().filter_map(|key| binding::imei_of(key));
        let rows = device::Entity::bound().filter(device::Column::Imei.is_in(imeis));
        let bound: Vec<String> = rows.select_only().column(device::Column::Imei).into_tuple().all(&tx).await?;
        let bound: HashSet<_> = bound.iter().map(|imei| binding::key(imei)).collect();
        keys.retain(|key| !bound.contains(key));
        Ok(keys)
    }
}

/// Brings the buckets in step with the tables once, both ways, whatever happened to any of them; then rests until shutdown.
pub async fn reconcile(bindings: Relay<Bindings>, shutdown: CancellationToken) -> Result<()> {
    let failure = "cannot compare the bucket of devices with the table; will try again";
    outbox::until_done(shutdown, failure, || reconcile_once(&bindings)).await
}

/// Does it once; an error when a bucket or the database is away.
pub async fn reconcile_once(bindings: &Relay<Bindings>) -> Result<()> {
    bindings.reconcile().await?;
    bindings.states.erasures.put_rows().await?;
    bindings.states.counts.reconcile().await
}
