//! What follows when devices are changed, one or many of them.

use std::slice;

use armada_runtime::{Caller, Result};
use sea_orm::DatabaseTransaction;

use super::{
    Devices, Effects, groups,
    imei::{bind_or_claim, release},
};
use crate::{bindings, documents::subjects, driver_assignments, entity::device::Model, maintenance::vehicles, members};

impl Devices {
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
