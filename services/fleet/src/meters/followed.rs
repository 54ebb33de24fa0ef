//! Corrections of meters that follow what came late before them.

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Result, Scope};
use armada_track::MetersRead;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
};

use crate::{
    bindings,
    entity::{
        device,
        meter_correction::{Column, Entity, Model},
    },
};

/// What was read anew at the fix of a correction.
pub struct ReadAgain {
    /// Whose.
    pub tenant: TenantId,
    /// Of which device.
    pub device: DeviceId,
    /// When the fix was recorded, milliseconds since 1970.
    pub correction_at: i64,
    /// What was read.
    pub read: MetersRead,
}

/// Has corrections go on showing at their fixes what somebody said, where something came late before these; of which devices.
pub async fn follow(tx: &DatabaseTransaction, read_again: &[ReadAgain]) -> Result<Vec<DeviceId>> {
    let mut followed = Vec::new();
    for ReadAgain { tenant, device, correction_at, read } in read_again {
        let device = device::Entity::within(Scope::Platform).filter(device::Column::Id.eq(*device));
        let device = device.lock_exclusive().one(tx).await?;
        let Some(device) = device.filter(|device| device.tenant_id == *tenant) else { continue };
        let of_fix = Entity::find().filter(Column::DeviceId.eq(device.id));
        let rows = of_fix.filter(Column::AnchorAt.eq(*correction_at)).all(tx).await?;
        let mut is_other = false;
        for row in rows {
            let after = row.clone().reading(read);
            if after != row {
                after.into_active_model().reset_all().update(tx).await?;
                is_other = true;
            }
        }
        if is_other {
            bindings::mark(tx, &device, &device.imei).await?;
            followed.push(device.id);
        }
    }
    Ok(followed)
}

impl Model {
    /// So that it shows at its fix what somebody said, where this was computed by then. What the device says itself stays.
    fn reading(self, read: &MetersRead) -> Self {
        let computed = |shown: Option<i64>, computed: Option<i64>, known: i64| match (shown, computed) {
            (Some(shown), Some(computed)) => shown.saturating_sub(computed),
            _ => known,
        };
        Self {
            odometer_m_computed: computed(self.odometer_m, read.odometer.computed, self.odometer_m_computed),
            engine_s_computed: computed(self.engine_s, read.engine.computed, self.engine_s_computed),
            ..self
        }
    }
}
