//! Whose documents are, and what becomes of them when those change or go.

use armada_proto::{
    DeviceId, DocumentId, DriverId, Violations,
    access::permission::{DOCUMENT_DELETE, DRIVER_LIST},
    v1::{Document, DocumentInput},
};
use armada_runtime::{
    Caller, Error, Result, Scope,
    audit::{self, Act, Actor, Object},
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter,
    QuerySelect, Select,
};

use crate::{
    entity::{
        device,
        document::{Column, Entity, Model},
        driver,
    },
    files::attached::{self, Owner},
    members, reminders,
};

/// A document is a vehicle's or a driver's, and stays that.
pub fn check(before: Option<&Model>, input: &mut DocumentInput, violations: &mut Violations) {
    for id in [&mut input.device_id, &mut input.driver_id] {
        *id = id.take().filter(|id| !id.is_empty());
    }
    let Some(before) = before else {
        match (&input.device_id, &input.driver_id) {
            (None, None) => violations.add("device_id", "required"),
            (Some(_), Some(_)) => violations.add("driver_id", "one_subject"),
            _ => {}
        }
        return;
    };
    let own = [before.device_id.map(|id| id.to_string()), before.driver_id.map(|id| id.to_string())];
    for (name, asked, own) in [("device_id", &input.device_id, &own[0]), ("driver_id", &input.driver_id, &own[1])] {
        if asked.is_some() && asked != own {
            violations.add(name, "not_changeable");
        }
    }
}

/// Makes a new document that of the vehicle or driver that a request names, if the caller sees them.
pub async fn assign(tx: &DatabaseTransaction, caller: &Caller, row: &mut Model, input: &DocumentInput) -> Result<()> {
    let scope = Scope::Tenant(row.tenant_id);
    if let Some(id) = &input.device_id {
        let unknown = || Error::field("device_id", "unknown");
        let id: DeviceId = id.parse().map_err(|_| unknown())?;
        let devices = device::Entity::visible_to(caller, scope).filter(device::Column::Id.eq(id));
        // Or it could be removed before the document is written.
        let device = devices.lock_shared().one(tx).await?.ok_or_else(unknown)?;
        row.device_id = Some(device.id);
        (row.subject_name, row.subject_code) = (device.name, device.vehicle_code);
    } else if let Some(id) = &input.driver_id {
        let unknown = || Error::field("driver_id", "unknown");
        let id: DriverId = id.parse().map_err(|_| unknown())?;
        if !caller.can(DRIVER_LIST) {
            return Err(unknown());
        }
        let drivers = driver::Entity::within(scope).filter(driver::Column::Id.eq(id));
        let driver = drivers.lock_shared().one(tx).await?.ok_or_else(unknown)?;
        row.driver_id = Some(driver.id);
        (row.subject_name, row.subject_code) = (driver.name, driver.license_number);
    }
    Ok(())
}

/// An error unless the caller may change documents of whose this is: of a vehicle its owner and its technicians may.
pub async fn may_change(tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<()> {
    match row.device_id {
        Some(device) => members::must_be(tx, caller, device, members::MAINTAINERS).await,
        None => Ok(()),
    }
}

/// What follows for its documents when a vehicle is written.
pub async fn device_written(tx: &DatabaseTransaction, before: &device::Model, device: &device::Model) -> Result<()> {
    if (&before.name, &before.vehicle_code) == (&device.name, &device.vehicle_code) {
        return Ok(());
    }
    renamed(tx, of_device(device.id), &device.name, &device.vehicle_code).await
}

/// What follows for their documents when a driver is written.
pub async fn driver_written(tx: &DatabaseTransaction, before: &driver::Model, driver: &driver::Model) -> Result<()> {
    if (&before.name, &before.license_number) == (&driver.name, &driver.license_number) {
        return Ok(());
    }
    renamed(tx, of_driver(driver.id), &driver.name, &driver.license_number).await
}

/// Removes the documents of a vehicle that goes away, with their files.
pub async fn remove_of_device(tx: &DatabaseTransaction, actor: impl Into<Actor>, device: DeviceId) -> Result<()> {
    remove(tx, actor.into(), of_device(device)).await
}

/// Removes the documents of a driver who goes away, with their files.
pub async fn remove_of_driver(tx: &DatabaseTransaction, actor: impl Into<Actor>, driver: DriverId) -> Result<()> {
    remove(tx, actor.into(), of_driver(driver)).await
}

fn of_device(id: DeviceId) -> Select<Entity> {
    Entity::find().filter(Column::DeviceId.eq(id))
}

fn of_driver(id: DriverId) -> Select<Entity> {
    Entity::find().filter(Column::DriverId.eq(id))
}

/// No change of the documents themselves: whoever edits one need not look again.
async fn renamed(tx: &DatabaseTransaction, documents: Select<Entity>, name: &str, code: &str) -> Result<()> {
    for mut row in documents.lock_exclusive().all(tx).await? {
        (row.subject_name, row.subject_code) = (name.to_owned(), code.to_owned());
        row.into_active_model().reset_all().update(tx).await?;
    }
    Ok(())
}

async fn remove(tx: &DatabaseTransaction, actor: Actor, documents: Select<Entity>) -> Result<()> {
    for row in documents.lock_exclusive().all(tx).await? {
        let id: DocumentId = row.id;
        attached::remove_all(tx, Owner::Document(id)).await?;
        reminders::forget(tx, id).await?;
        let act = Act {
            act: DOCUMENT_DELETE,
            tenant: Some(row.tenant_id),
            object: Object::new("document", id, &row.name),
            change: audit::changes(Some(&Document::from(row.clone())), None),
        };
        audit::record(tx, actor.clone(), act).await?;
        row.delete(tx).await?;
    }
    Ok(())
}
