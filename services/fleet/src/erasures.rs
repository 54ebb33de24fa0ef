//! Obeying the erase ledger: the devices of a deleted tenant are hidden and leave their IMEIs, so that ingest knows them
//! no more; those of a restored one come back, but for those whose IMEI somebody else has now; those of an erased one go.

use std::{iter, sync::Arc};

use armada_proto::{TenantId, Timestamp, access::permission::DEVICE_DELETE, v1::ErasureState};
use armada_runtime::{
    Database, Erasures, Result, Scope,
    audit::{self, Act, Actor, Change, Object},
    jobs,
    outbox::OutboxHandle,
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
    prelude::Uuid,
    sea_query::{Expr, ExprTrait, OnConflict, Value},
};
use serde_json::json;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    bindings,
    devices::erasing,
    entity::{
        command, device, device_group_member, device_member, document, document_reminder, driver, driver_assignment,
        file, hidden_tenant, imei_assignment, imei_binding, imei_claim, maintenance, maintenance_log, maintenance_mail,
        master_data, saved_command, share_link, thresholds,
    },
};

/// Devices of one transaction.
const CHUNK: u64 = 500;

/// Obeys the ledger.
pub struct LedgerFollower {
    pub(crate) db: Database,
    pub(crate) ledger: Erasures,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    /// Wakes the sweep of files.
    pub(crate) removed: Arc<Notify>,
}

/// What became of a tenant's devices.
#[derive(Default)]
struct Count {
    devices: u64,
    members: u64,
    bindings: u64,
    /// Devices that did not come back.
    bound_elsewhere: u64,
}

impl LedgerFollower {
    /// Obeys all that the ledger says, before anybody is served.
    pub async fn catch_up(&self) -> Result<()> {
        for (tenant, erasure) in self.ledger.all().await? {
            self.apply(tenant, erasure.state()).await?;
        }
        Ok(())
    }

    /// Follows the ledger until shutdown.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        self.ledger.obey(shutdown, |tenant, state| self.apply(tenant, state)).await;
        Ok(())
    }

    /// Brings the tables to what the ledger says of a tenant, chunk by chunk. What is so already stays as it is.
    async fn apply(&self, tenant: TenantId, state: ErasureState) -> Result<()> {
        let mut count = Count::default();
        loop {
            let tx = self.db.write(&Scope::Platform).await?;
            let more = match state {
                ErasureState::Deleted => hide(&tx, tenant, &mut count).await?,
                ErasureState::Restored => show(&tx, tenant, &mut count).await?,
                ErasureState::Erased => erase(&tx, tenant, &mut count).await?,
                ErasureState::Unspecified => false,
            };
            // What goes last is hidden until then.
            if !more || state == ErasureState::Deleted {
                note(&tx, tenant, state).await?;
            }
            if !more {
                record(&tx, tenant, state, &count).await?;
            }
            tx.commit().await?;
            self.outbox.flush().await;
            if !more {
                self.removed.notify_one();
                if state == ErasureState::Erased && count.devices > 0 {
                    self.db.forget_log().await;
                }
                return Ok(());
            }
        }
    }
}

/// Notes that a tenant is deleted, or is not any more.
async fn note(tx: &DatabaseTransaction, tenant: TenantId, state: ErasureState) -> Result<()> {
    use hidden_tenant::{ActiveModel, Column, Entity};
    match state {
        ErasureState::Deleted => {
            let once = OnConflict::column(Column::TenantId).do_nothing().to_owned();
            let row = ActiveModel { tenant_id: Set(tenant) };
            Entity::insert(row).on_conflict(once).exec_without_returning(tx).await?;
        }
        ErasureState::Restored | ErasureState::Erased => {
            Entity::delete_by_id(tenant).exec(tx).await?;
        }
        ErasureState::Unspecified => {}
    }
    Ok(())
}

/// The next devices of a tenant that are hidden, or are not.
async fn next(tx: &DatabaseTransaction, tenant: TenantId, hidden: bool) -> Result<Vec<device::Model>> {
    let is_hidden = device::Column::HiddenAt;
    let rows = device::Entity::find().filter(device::Column::TenantId.eq(tenant)).filter(if hidden {
        is_hidden.is_not_null()
    } else {
        is_hidden.is_null()
    });
    Ok(rows.order_by_asc(device::Column::Id).limit(CHUNK).lock_exclusive().all(tx).await?)
}

async fn hide(tx: &DatabaseTransaction, tenant: TenantId, count: &mut Count) -> Result<bool> {
    let devices = next(tx, tenant, false).await?;
    let now = Timestamp::now().millis();
    for device in devices.iter().filter(|device| has_imei(device)) {
        bindings::end(tx, iter::once(device)).await?;
        bindings::mark(tx, device, &device.imei).await?;
    }
    drivers_hidden(tx, tenant, Some(now)).await?;
    documents_hidden(tx, tenant, Some(now)).await?;
    share_links_hidden(tx, tenant, Some(now)).await?;
    maintenance_hidden(tx, tenant, Some(now)).await?;
    device::Entity::update_many()
        .col_expr(device::Column::HiddenAt, Expr::val(now))
        .filter(device::Column::Id.is_in(devices.iter().map(|device| device.id)))
        .exec(tx)
        .await?;
    count.devices += devices.iter().filter(|device| device.deleted_at.is_none()).count() as u64;
    Ok(!devices.is_empty())
}

/// Whether fixes come to a device, which is one of a tenant that is there.
fn has_imei(device: &device::Model) -> bool {
    device.is_bound() && device.deleted_at.is_none()
}

async fn show(tx: &DatabaseTransaction, tenant: TenantId, count: &mut Count) -> Result<bool> {
    drivers_hidden(tx, tenant, None).await?;
    documents_hidden(tx, tenant, None).await?;
    share_links_hidden(tx, tenant, None).await?;
    maintenance_hidden(tx, tenant, None).await?;
    let devices = next(tx, tenant, true).await?;
    let more = !devices.is_empty();
    for device in devices {
        let others = device::Entity::bound().filter(device::Column::Imei.eq(&device.imei));
        if has_imei(&device) && others.count(tx).await? > 0 {
            erase_permanently(tx, device).await?;
            count.bound_elsewhere += 1;
            continue;
        }
        let hidden_at = device.hidden_at.unwrap_or_default();
        let mut row = device.into_active_model();
        row.hidden_at = Set(None);
        let mut device = row.update(tx).await?;
        // What was deleted before its tenant was stays so.
        count.devices += u64::from(device.deleted_at.is_none());
        if !has_imei(&device) {
            continue;
        }
        bindings::resume(tx, &mut device, hidden_at).await?;
        bindings::mark(tx, &device, &device.imei).await?;
    }
    Ok(more)
}

/// Hides the drivers of a tenant, or shows them again; those that are so already stay as they are.
async fn drivers_hidden(tx: &DatabaseTransaction, tenant: TenantId, hidden_at: Option<i64>) -> Result<()> {
    let is_otherwise = match hidden_at {
        Some(_) => driver::Column::HiddenAt.is_null(),
        None => driver::Column::HiddenAt.is_not_null(),
    };
    let drivers = driver::Entity::update_many().col_expr(driver::Column::HiddenAt, Expr::val(hidden_at));
    drivers.filter(driver::Column::TenantId.eq(tenant)).filter(is_otherwise).exec(tx).await?;
    Ok(())
}

/// The same of its documents.
async fn documents_hidden(tx: &DatabaseTransaction, tenant: TenantId, hidden_at: Option<i64>) -> Result<()> {
    let is_otherwise = match hidden_at {
        Some(_) => document::Column::HiddenAt.is_null(),
        None => document::Column::HiddenAt.is_not_null(),
    };
    let documents = document::Entity::update_many().col_expr(document::Column::HiddenAt, Expr::val(hidden_at));
    let documents = documents.filter(document::Column::TenantId.eq(tenant)).filter(is_otherwise);
    documents.filter(is_not_hidden(document::Column::DeviceId)).exec(tx).await?;
    Ok(())
}

/// What belongs to a device that was deleted before its tenant stays hidden with it.
fn is_not_hidden(device: impl ColumnTrait) -> Condition {
    Condition::any().add(device.is_null()).add(device.not_in_subquery(device::Entity::deleted()))
}

/// The same of its share links.
async fn share_links_hidden(tx: &DatabaseTransaction, tenant: TenantId, hidden_at: Option<i64>) -> Result<()> {
    let is_otherwise = match hidden_at {
        Some(_) => share_link::Column::HiddenAt.is_null(),
        None => share_link::Column::HiddenAt.is_not_null(),
    };
    let links = share_link::Entity::update_many().col_expr(share_link::Column::HiddenAt, Expr::val(hidden_at));
    let links = links.filter(share_link::Column::TenantId.eq(tenant)).filter(is_otherwise);
    links.filter(is_not_hidden(share_link::Column::DeviceId)).exec(tx).await?;
    Ok(())
}

/// The same of its maintenance, and of what was completed.
async fn maintenance_hidden(tx: &DatabaseTransaction, tenant: TenantId, hidden_at: Option<i64>) -> Result<()> {
    use maintenance::Column;
    let is_otherwise = if hidden_at.is_some() { Column::HiddenAt.is_null() } else { Column::HiddenAt.is_not_null() };
    let rows = maintenance::Entity::update_many().col_expr(Column::HiddenAt, Expr::val(hidden_at));
    let rows = rows.filter(Column::TenantId.eq(tenant)).filter(is_otherwise);
    rows.filter(is_not_hidden(Column::DeviceId)).exec(tx).await?;
    use maintenance_log::Column as OfLog;
    let is_otherwise = if hidden_at.is_some() { OfLog::HiddenAt.is_null() } else { OfLog::HiddenAt.is_not_null() };
    let logs = maintenance_log::Entity::update_many().col_expr(OfLog::HiddenAt, Expr::val(hidden_at));
    let logs = logs.filter(OfLog::TenantId.eq(tenant)).filter(is_otherwise);
    logs.filter(is_not_hidden(OfLog::DeviceId)).exec(tx).await?;
    Ok(())
}

/// Removes the maintenance of a tenant, what was completed, and emails about it.
async fn erase_maintenance(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    maintenance_mail::Entity::delete_many().filter(maintenance_mail::Column::TenantId.eq(tenant)).exec(tx).await?;
    maintenance_log::Entity::delete_many().filter(maintenance_log::Column::TenantId.eq(tenant)).exec(tx).await?;
    maintenance::Entity::delete_many().filter(maintenance::Column::TenantId.eq(tenant)).exec(tx).await?;
    Ok(())
}

/// Removes the documents of a tenant. Of its files what says something goes at once; their rows stay until the sweep has
/// removed their objects.
async fn erase_documents(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    use file::Column;
    document_reminder::Entity::delete_many().filter(document_reminder::Column::TenantId.eq(tenant)).exec(tx).await?;
    document::Entity::delete_many().filter(document::Column::TenantId.eq(tenant)).exec(tx).await?;
    let files = file::Entity::update_many()
        .col_expr(Column::RemovedAt, Expr::val(Timestamp::now().millis()))
        .col_expr(Column::Name, Expr::val(""))
        .col_expr(Column::DocumentId, Expr::val(Value::Uuid(None)))
        .col_expr(Column::MaintenanceLogId, Expr::val(Value::Uuid(None)))
        .col_expr(Column::UploadedBy, Expr::val(Value::Uuid(None)));
    files.filter(Column::TenantId.eq(tenant)).exec(tx).await?;
    Ok(())
}

/// Removes a device that cannot come back. Its tenant finds in the audit which one it was.
async fn erase_permanently(tx: &DatabaseTransaction, device: device::Model) -> Result<()> {
    erasing::erase(tx, by_ledger(), DEVICE_DELETE, device).await
}

async fn erase(tx: &DatabaseTransaction, tenant: TenantId, count: &mut Count) -> Result<bool> {
    let rows = device::Entity::find().filter(device::Column::TenantId.eq(tenant)).limit(CHUNK).lock_exclusive();
    let devices = rows.all(tx).await?;
    if devices.is_empty() {
        imei_claim::Entity::delete_many().filter(imei_claim::Column::TenantId.eq(tenant)).exec(tx).await?;
        imei_assignment::Entity::delete_many().filter(imei_assignment::Column::TenantId.eq(tenant)).exec(tx).await?;
        driver_assignment::Entity::delete_many()
            .filter(driver_assignment::Column::TenantId.eq(tenant))
            .exec(tx)
            .await?;
        driver::Entity::delete_many().filter(driver::Column::TenantId.eq(tenant)).exec(tx).await?;
        erase_documents(tx, tenant).await?;
        share_link::Entity::delete_many().filter(share_link::Column::TenantId.eq(tenant)).exec(tx).await?;
        command::Entity::delete_many().filter(command::Column::TenantId.eq(tenant)).exec(tx).await?;
        saved_command::Entity::delete_many().filter(saved_command::Column::TenantId.eq(tenant)).exec(tx).await?;
        erase_maintenance(tx, tenant).await?;
        thresholds::Entity::delete_by_id(tenant).exec(tx).await?;
        device_group_member::Entity::delete_many()
            .filter(device_group_member::Column::TenantId.eq(tenant))
            .exec(tx)
            .await?;
        master_data::Entity::delete_many().filter(master_data::Column::TenantId.eq(tenant)).exec(tx).await?;
        count.bindings += forget_bindings(tx, tenant).await?;
        jobs::erase(tx, tenant).await?;
        return Ok(false);
    }
    for device in devices.iter().filter(|device| device.hidden_at.is_none() && has_imei(device)) {
        bindings::end(tx, iter::once(device)).await?;
        bindings::mark(tx, device, &device.imei).await?;
    }
    let ids = || devices.iter().map(|device| device.id);
    let members = device_member::Entity::delete_many().filter(device_member::Column::DeviceId.is_in(ids()));
    count.members += members.exec(tx).await?.rows_affected;
    let gone = device::Entity::delete_many().filter(device::Column::Id.is_in(ids())).exec(tx).await?;
    count.devices += gone.rows_affected;
    Ok(true)
}

/// When nobody had an IMEI any more must still be known, so that late fixes do not come to whoever has it next. Whose it
/// was need not.
async fn forget_bindings(tx: &DatabaseTransaction, tenant: TenantId) -> Result<u64> {
    use imei_binding::Column;
    let forgotten = imei_binding::Entity::update_many()
        .col_expr(Column::BoundFrom, Expr::col(Column::BoundUntil))
        .col_expr(Column::DeviceId, Expr::val(Uuid::nil()))
        .col_expr(Column::TenantId, Expr::val(Uuid::nil()))
        .filter(Expr::col(Column::TenantId).eq(tenant))
        .exec(tx)
        .await?;
    Ok(forgotten.rows_affected)
}

/// Enters what became of a tenant in the chain of the platform, unless nothing did.
async fn record(tx: &DatabaseTransaction, tenant: TenantId, state: ErasureState, count: &Count) -> Result<()> {
    let Count { devices, members, bindings, bound_elsewhere } = count;
    if devices + bindings + bound_elsewhere == 0 {
        return Ok(());
    }
    let (act, after) = match state {
        ErasureState::Deleted => ("tenant:delete", json!({ "devices": devices })),
        ErasureState::Restored => ("tenant:restore", json!({ "devices": devices, "bound_elsewhere": bound_elsewhere })),
        _ => ("tenant:erase", json!({ "devices": devices, "members": members, "bindings": bindings })),
    };
    let change = Change { before: None, after: Some(after) };
    let object = Object::new("tenant", tenant, "");
    audit::record(tx, by_ledger(), Act { act, tenant: None, object, change }).await
}

/// Who acts when nobody asks for it now.
fn by_ledger() -> Actor {
    Actor { name: crate::config::NAME.to_owned(), ..Actor::default() }
}
