//! Erasing a device: its row and all that belongs to it go. Its files go with their sweep, its history when position-ingest
//! hears of it.

use std::iter;

use armada_proto::v1::Device;
use armada_runtime::{
    Result,
    audit::{self, Act, Actor, Object},
};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, ModelTrait, QueryFilter};

use super::groups;
use crate::{
    bindings, device_erasures,
    documents::subjects,
    driver_assignments,
    entity::{command, device::Model, imei_claim},
    maintenance::vehicles,
    members,
    share_links::removal,
};

/// Erases a device, and enters in the audit by which act.
pub async fn erase(tx: &DatabaseTransaction, actor: Actor, act: &'static str, device: Model) -> Result<()> {
    members::remove_all(tx, device.id).await?;
    groups::remove_all(tx, iter::once(device.id)).await?;
    driver_assignments::forget(tx, device.id).await?;
    subjects::remove_of_device(tx, actor.clone(), device.id).await?;
    removal::remove_of_device(tx, actor.clone(), device.id).await?;
    vehicles::remove_of_device(tx, actor.clone(), device.id).await?;
    command::Entity::delete_many().filter(command::Column::DeviceId.eq(device.id)).exec(tx).await?;
    imei_claim::Entity::delete_many().filter(imei_claim::Column::DeviceId.eq(device.id)).exec(tx).await?;
    bindings::forget(tx, &device).await?;
    device_erasures::enter(tx, &device).await?;
    let act = Act {
        act,
        tenant: Some(device.tenant_id),
        object: Object::new("device", device.id, &device.name),
        change: audit::changes(Some(&Device::from(device.clone())), None),
    };
    audit::record(tx, actor, act).await?;
    device.delete(tx).await?;
    Ok(())
}
