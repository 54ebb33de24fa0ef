//! Of whom nothing may be left.

use std::collections::HashSet;

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Database, Result, Scope};
use sea_orm::{EntityTrait, QuerySelect};

use crate::entity::{device_erasure_pending, erased_device, erased_tenant, erasure_pending};

/// Tenants and devices that are erased and of which no partition can bring anything any more.
pub struct Ledger {
    tenants: HashSet<TenantId>,
    devices: HashSet<DeviceId>,
}

impl Ledger {
    /// As it is now.
    pub async fn read(db: &Database) -> Result<Self> {
        let tx = db.read(&Scope::Platform).await?;
        let tenants = erased_tenant::Entity::find().select_only().column(erased_tenant::Column::TenantId);
        let mut tenants: HashSet<TenantId> = tenants.into_tuple::<TenantId>().all(&tx).await?.into_iter().collect();
        let pending = erasure_pending::Entity::find().select_only().column(erasure_pending::Column::TenantId);
        for tenant in pending.into_tuple::<TenantId>().all(&tx).await? {
            tenants.remove(&tenant);
        }
        let devices = erased_device::Entity::find().select_only().column(erased_device::Column::DeviceId);
        let mut devices: HashSet<DeviceId> = devices.into_tuple::<DeviceId>().all(&tx).await?.into_iter().collect();
        let pending = device_erasure_pending::Entity::find().select_only();
        let pending = pending.column(device_erasure_pending::Column::DeviceId);
        for device in pending.into_tuple::<DeviceId>().all(&tx).await? {
            devices.remove(&device);
        }
        tx.commit().await?;
        Ok(Self { tenants, devices })
    }

    /// Why there should be nothing of a device, if that is so.
    pub fn of(&self, tenant: TenantId, device: DeviceId) -> Option<&'static str> {
        if self.tenants.contains(&tenant) {
            return Some("the tenant is erased");
        }
        self.devices.contains(&device).then_some("the device is erased")
    }
}
