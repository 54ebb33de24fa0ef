//! By what the fixes of a device are read, for who has to read them without a binding.

use armada_proto::{DeviceId, v1::DeviceBinding};
use armada_runtime::{Caller, Error, Result, resource::Resource};
use sea_orm::{ColumnTrait, QueryFilter};

use super::Devices;
use crate::{bindings, entity::device::Column};

impl Devices {
    /// What the binding of a device that the caller sees says, or would say if its IMEI led to it.
    pub(super) async fn rules(&self, caller: &Caller, id: &str) -> Result<DeviceBinding> {
        let id: DeviceId = id.parse().map_err(|_| Error::not_found())?;
        let scope = caller.scope();
        let tx = self.db.read(&scope).await?;
        let rows = Self::visible(caller, scope).filter(Column::Id.eq(id)).all(&tx).await?;
        let bindings = bindings::of_devices(&tx, rows).await?;
        bindings.into_iter().next().map(|(_, binding)| binding).ok_or_else(Error::not_found)
    }
}
