//! Erasing the history of tenants and of devices that are removed.
//!
//! Blocks and states of devices go at once. Hot frames mix tenants and are never changed: what they hold of what is erased
//! becomes blocks when they are sealed, and goes with the sweep that follows every sealing, until each partition
//! has sealed everything that was on its way. Until then nobody sees it, since its devices are gone. The ids of tenants
//! and devices do not come back, so an entry of the ledger holds for ever.

use armada_proto::{DeviceId, TenantId, Timestamp};
use armada_runtime::{
    Database, Result, Scope,
    audit::{self, Act, Actor, Change, Object},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, PaginatorTrait,
    QueryFilter, QuerySelect, Statement, Value, sea_query::OnConflict,
};
use serde_json::json;

use crate::{
    entity::{device_erasure_pending, erased_device, erased_tenant, erasure_pending, partition, set_aside},
    storage::write_gate::WriteGate,
    streams::{refused_of_tenant, refused_subject},
};

/// For how long after the erasure fixes of its devices may still be taken in: by an owner that has not heard that they
/// are gone, or out of a commit batch that waits for the database.
const ON_ITS_WAY_MS: i64 = 3600 * 1000;
/// Blocks removed in one transaction, so that commit batches come in between.
const BLOCKS_AT_ONCE: u32 = 200;
/// Smaller rows.
const STATES_AT_ONCE: u32 = 5_000;

/// Enters a tenant into the ledger and erases what is there. One that is in the ledger and has nothing left costs one
/// look-up; one whose erasure was interrupted is erased to the end.
pub async fn erase_tenant(db: &Database, tenant: TenantId) -> Result<()> {
    erase_tenant_in_turn(db, &WriteGate::new(db), tenant).await
}

/// The same in a process that writes commit batches, in turns with these.
pub async fn erase_tenant_in_turn(db: &Database, gate: &WriteGate, tenant: TenantId) -> Result<()> {
    let tx = db.read(&Scope::Platform).await?;
    let known = erased_tenant::Entity::find_by_id(tenant).one(&tx).await?.is_some();
    let of_tenant = erasure_pending::Entity::find().filter(erasure_pending::Column::TenantId.eq(tenant));
    let pending = known && of_tenant.count(&tx).await? > 0;
    tx.commit().await?;
    if !known {
        enter(db, gate, tenant).await?;
    }
    if !known || pending {
        let (blocks, states) = remove(db, gate, Of::Tenant(tenant)).await?;
        record(db, gate, tenant, blocks, states).await?;
        db.forget_log().await;
    }
    Ok(())
}

/// Enters in the audit what went.
async fn record(db: &Database, gate: &WriteGate, tenant: TenantId, blocks: u64, states: u64) -> Result<()> {
    let after = json!({ "track_blocks": blocks, "device_states": states });
    let act = Act {
        act: "tenant:erase",
        tenant: None,
        object: Object::new("tenant", tenant, ""),
        change: Change { before: None, after: Some(after) },
    };
    let actor = Actor { name: crate::config::NAME.to_owned(), ..Actor::default() };
    let _turn = gate.enter().await;
    let tx = db.write(&Scope::Platform).await?;
    audit::record(&tx, actor, act).await?;
    Ok(tx.commit().await?)
}

/// From here on every sealing removes what comes of the tenant, so nothing is forgotten if this process dies.
async fn enter(db: &Database, gate: &WriteGate, tenant: TenantId) -> Result<()> {
    let erased_at = Timestamp::now().millis();
    let _turn = gate.enter().await;
    let tx = db.write(&Scope::Platform).await?;
    let entry = erased_tenant::ActiveModel { tenant_id: Set(tenant), erased_at: Set(erased_at) };
    let known = OnConflict::column(erased_tenant::Column::TenantId).do_nothing().to_owned();
    erased_tenant::Entity::insert(entry).on_conflict(known).exec_without_returning(&tx).await?;
    let pending = partitions(&tx).await?.into_iter().map(|partition| erasure_pending::ActiveModel {
        partition: Set(partition),
        tenant_id: Set(tenant),
        erased_at: Set(erased_at),
    });
    let key = [erasure_pending::Column::Partition, erasure_pending::Column::TenantId];
    let known = OnConflict::columns(key).do_nothing().to_owned();
    erasure_pending::Entity::insert_many(pending).on_conflict(known).exec_without_returning(&tx).await?;
    let theirs = set_aside::Column::Subject.starts_with(refused_of_tenant(tenant).trim_end_matches('*'));
    set_aside::Entity::delete_many().filter(theirs).exec(&tx).await?;
    Ok(tx.commit().await?)
}

async fn partitions(tx: &DatabaseTransaction) -> Result<Vec<i32>> {
    let numbers = partition::Entity::find().select_only().column(partition::Column::Partition);
    Ok(numbers.into_tuple().all(tx).await?)
}

/// Enters a device into the ledger and erases what is there. What an interrupted erasure leaves goes with the next sealing.
pub async fn erase_device(db: &Database, gate: &WriteGate, tenant: TenantId, device: DeviceId) -> Result<()> {
    let erased_at = Timestamp::now().millis();
    let turn = gate.enter().await;
    let tx = db.write(&Scope::Platform).await?;
    let entry =
        erased_device::ActiveModel { device_id: Set(device), tenant_id: Set(tenant), erased_at: Set(erased_at) };
    let known = OnConflict::column(erased_device::Column::DeviceId).do_nothing().to_owned();
    erased_device::Entity::insert(entry).on_conflict(known).exec_without_returning(&tx).await?;
    let pending = partitions(&tx).await?.into_iter().map(|partition| device_erasure_pending::ActiveModel {
        partition: Set(partition),
        device_id: Set(device),
        tenant_id: Set(tenant),
        erased_at: Set(erased_at),
    });
    let key = [device_erasure_pending::Column::Partition, device_erasure_pending::Column::DeviceId];
    let known = OnConflict::columns(key).do_nothing().to_owned();
    device_erasure_pending::Entity::insert_many(pending).on_conflict(known).exec_without_returning(&tx).await?;
    let theirs = set_aside::Column::Subject.eq(refused_subject(tenant, device));
    set_aside::Entity::delete_many().filter(theirs).exec(&tx).await?;
    tx.commit().await?;
    drop(turn);
    remove(db, gate, Of::Device(tenant, device)).await?;
    db.forget_log().await;
    Ok(())
}

/// Erases what has come to blocks and states of erased devices since; see [`sweep`].
async fn sweep_devices(db: &Database, gate: &WriteGate, partition: u32, sealed_as_of: i64) -> Result<()> {
    use device_erasure_pending::{Column, Entity};
    let of_partition = || Entity::find().filter(Column::Partition.eq(partition as i32));
    let tx = db.read(&Scope::Platform).await?;
    let pending = of_partition().count(&tx).await?;
    tx.commit().await?;
    if pending == 0 {
        return Ok(());
    }
    remove(db, gate, Of::PendingDevices(partition as i32)).await?;
    let _turn = gate.enter().await;
    let tx = db.write(&Scope::Platform).await?;
    let done = Entity::delete_many().filter(Column::Partition.eq(partition as i32));
    done.filter(Column::ErasedAt.lt(sealed_as_of - ON_ITS_WAY_MS)).exec(&tx).await?;
    Ok(tx.commit().await?)
}

/// Erases what has come to blocks and states of erased tenants and devices since. `sealed_as_of` is when a checkpoint was made up to
/// which this partition has sealed everything, milliseconds since 1970: tenants that were erased well before have nothing
/// left in it.
pub async fn sweep(db: &Database, gate: &WriteGate, partition: u32, sealed_as_of: i64) -> Result<()> {
    use erasure_pending::Column;
    sweep_devices(db, gate, partition, sealed_as_of).await?;
    let of_partition = erasure_pending::Entity::find().filter(Column::Partition.eq(partition as i32));
    let tx = db.read(&Scope::Platform).await?;
    let pending = of_partition.all(&tx).await?;
    tx.commit().await?;
    for entry in &pending {
        remove(db, gate, Of::Tenant(entry.tenant_id)).await?;
    }
    let done = |entry: &&erasure_pending::Model| entry.erased_at + ON_ITS_WAY_MS < sealed_as_of;
    let done: Vec<TenantId> = pending.iter().filter(done).map(|entry| entry.tenant_id).collect();
    if done.is_empty() {
        return Ok(());
    }
    let _turn = gate.enter().await;
    let tx = db.write(&Scope::Platform).await?;
    let done = erasure_pending::Entity::delete_many()
        .filter(Column::Partition.eq(partition as i32))
        .filter(Column::TenantId.is_in(done));
    done.exec(&tx).await?;
    Ok(tx.commit().await?)
}

/// Of what blocks and states are removed.
#[derive(Clone, Copy)]
enum Of {
    Tenant(TenantId),
    Device(TenantId, DeviceId),
    /// The devices that were erased and of which a partition may still bring something.
    PendingDevices(i32),
    /// What a partition has of a tenant's day, since 1970.
    Day(TenantId, i32, i32),
}

impl Of {
    /// The condition that rows meet, and its values.
    fn condition(self) -> (&'static str, Vec<Value>) {
        match self {
            Self::Tenant(tenant) => ("tenant_id = $1", vec![tenant.0.into()]),
            Self::Device(tenant, device) => {
                ("tenant_id = $1 AND device_id = $2", vec![tenant.0.into(), device.0.into()])
            }
            Self::PendingDevices(partition) => (
                "(tenant_id, device_id) IN \
                 (SELECT tenant_id, device_id FROM device_erasure_pending WHERE partition = $1)",
                vec![partition.into()],
            ),
            Self::Day(tenant, partition, day) => {
                ("partition = $1 AND day = $2 AND tenant_id = $3", vec![partition.into(), day.into(), tenant.0.into()])
            }
        }
    }
}

/// Removes blocks and states, some at a time; how many of each there were.
async fn remove(db: &Database, gate: &WriteGate, of: Of) -> Result<(u64, u64)> {
    let blocks = remove_from(db, gate, of, ("track_block", BLOCKS_AT_ONCE), u64::MAX).await?;
    let states = remove_from(db, gate, of, ("device_state", STATES_AT_ONCE), u64::MAX).await?;
    for table in ["device_day", "late_fix"] {
        remove_from(db, gate, of, (table, STATES_AT_ONCE), u64::MAX).await?;
    }
    Ok((blocks, states))
}

/// Removes the blocks that a partition has of a tenant's day, since 1970: no more once `most` of them are gone. How many
/// there were.
pub async fn remove_day(
    db: &Database,
    gate: &WriteGate,
    (tenant, partition, day): (TenantId, u32, i32),
    most: u64,
) -> Result<u64> {
    let of = Of::Day(tenant, partition as i32, day);
    remove_from(db, gate, of, ("track_block", BLOCKS_AT_ONCE), most).await
}

async fn remove_from(db: &Database, gate: &WriteGate, of: Of, (table, at_once): (&str, u32), most: u64) -> Result<u64> {
    let mut removed = 0;
    while removed < most && is_left(db, table, of).await? {
        let _turn = gate.enter().await;
        let tx = db.write(&Scope::Platform).await?;
        removed += remove_some(&tx, table, of, at_once).await?;
        tx.commit().await?;
    }
    Ok(removed)
}

/// A look at the index, and no lock to write for what is not there.
async fn is_left(db: &Database, table: &str, of: Of) -> Result<bool> {
    let (condition, values) = of.condition();
    let sql = format!("SELECT 1 FROM {table} WHERE {condition} LIMIT 1");
    let tx = db.read(&Scope::Platform).await?;
    let found = tx.query_one_raw(Statement::from_sql_and_values(db.backend(), sql, values)).await?;
    tx.commit().await?;
    Ok(found.is_some())
}

async fn remove_some(tx: &DatabaseTransaction, table: &str, of: Of, limit: u32) -> Result<u64> {
    let backend = tx.get_database_backend();
    let row = if backend == DbBackend::Postgres { "ctid" } else { "rowid" };
    let (condition, values) = of.condition();
    let sql = format!("DELETE FROM {table} WHERE {row} IN (SELECT {row} FROM {table} WHERE {condition} LIMIT {limit})");
    let removed = tx.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    Ok(removed.rows_affected())
}
