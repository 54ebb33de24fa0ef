//! Undoing the deletion of a device, or having it erased at once.

use std::{slice, str::FromStr};

use armada_proto::{
    DeviceId, TenantId, Timestamp, UserId, Validate,
    v1::{Device, DeviceMemberRole, EraseDeviceInput, ImeiStatus},
};
use armada_runtime::{
    Caller, Code, Error, Result, Scope,
    audit::{self, Act, Actor, Change, Object},
    resource::{self, Row},
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Select,
};

use super::{Devices, deletion, erasing, imei::named_once};
use crate::{
    bindings, driver_assignments,
    entity::{
        device::{Column, Entity, Model},
        imei_assignment, imei_binding,
    },
    limits, members,
};

impl Devices {
    /// Brings a deleted device back with what belongs to it and is still there.
    pub(super) async fn restore(&self, caller: &Caller, id: &str) -> Result<Device> {
        let rows = deleted(caller, id)?;
        let seen = rows.clone().one(&self.db.read(&caller.scope()).await?).await?.ok_or_else(Error::not_found)?;
        let tenant = self.identity.named_tenant(&self.service_key, &seen.tenant_id.to_string()).await?;
        // Whoever else has the IMEI may be of any tenant.
        let tx = self.db.write(&Scope::Platform).await?;
        let mut device = rows.lock_exclusive().one(&tx).await?.ok_or_else(Error::not_found)?;
        limits::room_for_devices(&tx, device.tenant_id, tenant.device_limit, 1).await?;
        named_once(&tx, caller, slice::from_ref(&device)).await?;
        if device.imei_status == ImeiStatus::Bound && is_other_tenants(&tx, &device.imei, device.tenant_id).await? {
            return Err(imei_taken());
        }
        let deleted_at = device.deleted_at.take().unwrap_or_default();
        device.deleted_by = None;
        device.user_id = owner(&tx, &device).await?;
        device.touch(Timestamp::now());
        let back = device.into_active_model().reset_all().update(&tx).await;
        let mut device = back.map_err(|error| match Error::on_unique(error, &[("imei", "imei")]) {
            error if error == Error::taken("imei") => imei_taken(),
            error => error,
        })?;
        deletion::rest(&tx, &[device.id], None).await?;
        driver_assignments::resume(&tx, &device, deleted_at).await?;
        if device.is_bound() {
            bindings::resume(&tx, &mut device, deleted_at).await?;
        }
        bindings::mark(&tx, &device, &device.imei).await?;
        let object = Object::new("device", device.id, &device.name);
        let act = Act { act: "device:restore", tenant: Some(device.tenant_id), object, change: Change::default() };
        audit::record(&tx, caller, act).await?;
        let message = resource::message(self, &tx, device).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        Ok(message)
    }

    /// Erases a deleted device now, for good.
    pub(super) async fn erase(&self, caller: &Caller, mut input: EraseDeviceInput) -> Result<()> {
        input.validate().check()?;
        let tx = self.db.write(&caller.scope()).await?;
        let device = deleted(caller, &input.id)?.lock_exclusive().one(&tx).await?.ok_or_else(Error::not_found)?;
        if input.name != device.name.trim() {
            return Err(Error::field("name", "name_differs"));
        }
        if input.row_version.is_some_and(|version| version != device.row_version) {
            return Err(Error::version_mismatch());
        }
        erasing::erase(&tx, Actor::from(caller), "device:erase", device).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        self.removed.notify_one();
        Ok(())
    }
}

/// A deleted device that the caller can bring back.
fn deleted(caller: &Caller, id: &str) -> Result<Select<Entity>> {
    let id = DeviceId::from_str(id).map_err(|_| Error::not_found())?;
    Ok(Entity::deleted_to(caller, caller.scope()).filter(Column::Id.eq(id)))
}

/// Whether an IMEI is another tenant's by now: one has bound it since, for however long, or it was promised to one.
async fn is_other_tenants(tx: &DatabaseTransaction, imei: &str, tenant: TenantId) -> Result<bool> {
    if Entity::bound().filter(Column::Imei.eq(imei)).count(tx).await? > 0 {
        return Ok(true);
    }
    let promised = imei_assignment::Entity::find_by_id(imei.to_owned()).one(tx).await?;
    let last = imei_binding::Entity::find().filter(imei_binding::Column::Imei.eq(imei));
    let last = last.order_by_desc(imei_binding::Column::BoundUntil).one(tx).await?;
    Ok(promised.is_some_and(|promised| promised.tenant_id != tenant)
        || last.is_some_and(|last| last.tenant_id != tenant))
}

fn imei_taken() -> Error {
    let message = "Somebody else has the IMEI by now: the device does not come back with it.";
    Error::new(Code::Conflict, "imei_bound_again", message)
}

/// The owner whom a device has left.
async fn owner(tx: &DatabaseTransaction, device: &Model) -> Result<Option<UserId>> {
    let Some(owner) = device.user_id else { return Ok(None) };
    let link = members::of(tx, device.id, owner).await?;
    Ok(link.filter(|link| link.role == DeviceMemberRole::Owner).map(|link| link.user_id))
}
