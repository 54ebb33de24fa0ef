//! How the meters of devices are read: what is chosen of them, and what was corrected.

use std::collections::HashMap;

use armada_proto::{DeviceId, v1::DeviceBinding};
use armada_runtime::Result;
use armada_track::{MeterRule, MeterRules};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder};

use crate::entity::{
    device,
    meter_correction::{Column, Entity},
};

/// How the meters of a device are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub(super) rules: MeterRules,
    /// Where the newest correction begins, if there is one.
    pub(super) corrected_at: Option<i64>,
}

impl Rules {
    fn chosen(device: &device::Model) -> Self {
        let odometer = MeterRule::new(device.odometer_source, None);
        let engine = MeterRule::new(device.engine_hours_source, None);
        Self { rules: MeterRules { odometer, engine }, corrected_at: None }
    }
}

/// Those of one device.
pub async fn of(tx: &DatabaseTransaction, device: &device::Model) -> Result<Rules> {
    let rules = of_all(tx, std::slice::from_ref(device)).await?;
    Ok(rules.get(&device.id).copied().unwrap_or_else(|| Rules::chosen(device)))
}

/// Those of some devices.
pub async fn of_all(tx: &DatabaseTransaction, devices: &[device::Model]) -> Result<HashMap<DeviceId, Rules>> {
    let mut rules: HashMap<_, _> = devices.iter().map(|device| (device.id, Rules::chosen(device))).collect();
    let corrections = Entity::find().filter(Column::DeviceId.is_in(devices.iter().map(|device| device.id)));
    // The newest come last, and take the place of those before.
    for correction in corrections.order_by_asc(Column::Number).all(tx).await? {
        let Some(of_device) = rules.get_mut(&correction.device_id) else { continue };
        of_device.rules.odometer.correction = correction.odometer().or(of_device.rules.odometer.correction);
        of_device.rules.engine.correction = correction.engine().or(of_device.rules.engine.correction);
        of_device.corrected_at = Some(correction.anchor_at);
    }
    Ok(rules)
}

/// The binding of a device, with how its meters are read.
pub fn to_binding(device: device::Model, rules: &HashMap<DeviceId, Rules>) -> DeviceBinding {
    let (odometer, engine_hours) = rules.get(&device.id).map_or((None, None), |rules| rules.rules.to_binding());
    DeviceBinding { odometer, engine_hours, ..device.into() }
}
