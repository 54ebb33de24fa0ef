//! What follows when devices are changed, one or many of them.

use std::slice;

use armada_proto::{Timestamp, v1::DeviceInput};
use armada_runtime::{
    Caller, Result,
    resource::{Resource, Row},
};
use sea_orm::{ActiveModelTrait, DatabaseTransaction, IntoActiveModel};

use super::{
    Devices, Effects, Prepared, groups,
    imei::{bind_or_claim, release},
};
use crate::{
    acts, bindings, documents::subjects, driver_assignments, entity::device::Model, maintenance::vehicles, members,
};

impl Devices {
    /// Gives a device, which is locked, the IMEI that an input names, as any change does. That its tracker was replaced says
    /// whoever calls this, before.
    pub(crate) async fn name_imei(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: &Model,
        input: DeviceInput,
        prepared: Prepared,
    ) -> Result<()> {
        let mut row = before.clone();
        let effects = self.apply(tx, caller, Some(before), &mut row, input, prepared).await?;
        row.touch(Timestamp::now());
        let mut row = row.into_active_model().reset_all().update(tx).await.map_err(Self::unique)?;
        self.changed(tx, caller, slice::from_ref(before), slice::from_mut(&mut row), &mut [effects]).await?;
        acts::changed(tx, caller, Some(before), Some(&row)).await
    }

    /// Called when they are written, with what they were before.
    pub(super) async fn changed(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: &[Model],
        rows: &mut [Model],
        effects: &mut [Effects],
    ) -> Result<()> {
        let named = rows.iter().zip(effects.iter());
        let named = named.filter_map(|(row, effects)| Some((row, effects.groups.as_deref()?)));
        groups::set(tx, named.collect()).await?;
        for ((before, row), effects) in before.iter().zip(rows.iter_mut()).zip(effects) {
            if row.imei != before.imei {
                release(tx, before).await?;
                bind_or_claim(tx, caller, slice::from_mut(row)).await?;
            }
            members::written(tx, before, row).await?;
            driver_assignments::written(tx, Some(before), row).await?;
            subjects::device_written(tx, before, row).await?;
            vehicles::device_written(tx, before, row).await?;
            let sources = |row: &Model| (row.odometer_source, row.engine_hours_source);
            effects.meters_of = (sources(before) != sources(row)).then_some(row.id);
        }
        let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
        vehicles::recheck(tx, &ids).await?;
        bindings::mark_all(tx, before).await?;
        let named_another = before.iter().zip(rows.iter()).filter(|(before, row)| before.imei != row.imei);
        for (_, row) in named_another {
            bindings::mark(tx, row, &row.imei).await?;
        }
        Ok(())
    }
}
