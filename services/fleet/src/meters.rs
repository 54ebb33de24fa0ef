//! Odometer and engine hours of devices. What position-ingest reads of them comes once a minute and is kept day by day as it
//! was read ([`readings`]); what they show follows from what is chosen of a device and from what was corrected
//! ([`corrections`]), by the rules of [`armada_track::MeterRules`], the same for the live map.

mod changed;
mod corrections;
mod days;
mod fleet_day;
mod followed;
pub mod readings;
pub mod replaced_trackers;
pub mod rpc;
mod rules;

use std::str::FromStr;

use armada_proto::{DeviceId, Timestamp};
use armada_runtime::{Caller, Error, Result};
use armada_track::MetersRead;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder};

pub use self::{
    changed::Changed,
    days::Average,
    rules::{Rules, of_all as rules_of_all, to_binding},
};
use crate::entity::{
    device,
    device_meter_day::{Column, Entity, Model},
};

/// The service that reads them.
pub const INGEST: &str = "position-ingest";

/// What the meters of a device show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Metres; none when nobody knows.
    pub odometer_m: Option<i64>,
    /// Seconds that the engine has run; none when nobody knows.
    pub engine_s: Option<i64>,
    /// When the fix was recorded that they were read at.
    pub recorded_at: Timestamp,
}

/// What the meters of a device show now, as it is chosen and with what was corrected; none when it never told.
pub async fn latest(tx: &DatabaseTransaction, device: DeviceId) -> Result<Option<Reading>> {
    let Some(device) = device::Entity::find_by_id(device).one(tx).await? else { return Ok(None) };
    let newest = newest(tx, device.id).await?;
    let rules = rules::of(tx, &device).await?;
    Ok(rules.shown(newest.as_ref().map(Model::read)))
}

/// What it came to in a day, over the last days up to now.
pub async fn average_per_day(tx: &DatabaseTransaction, device: DeviceId, days: u32) -> Result<Average> {
    let Some(device) = device::Entity::find_by_id(device).one(tx).await? else { return Ok(Average::default()) };
    Ok(days::of(tx, &device, days).await?.average())
}

/// A device that the caller sees.
pub async fn seen(tx: &DatabaseTransaction, caller: &Caller, id: &str) -> Result<device::Model> {
    let id = DeviceId::from_str(id).map_err(|_| Error::not_found())?;
    let rows = device::Entity::visible_to(caller, caller.scope()).filter(device::Column::Id.eq(id));
    rows.one(tx).await?.ok_or_else(Error::not_found)
}

/// What was last read of a device.
async fn newest(tx: &DatabaseTransaction, device: DeviceId) -> Result<Option<Model>> {
    Ok(Entity::find().filter(Column::DeviceId.eq(device)).order_by_desc(Column::Day).one(tx).await?)
}

impl Rules {
    /// What the meters show where this was read last; where nothing was, what they were corrected to.
    fn shown(&self, read: Option<MetersRead>) -> Option<Reading> {
        let corrected = || self.corrected_at.map(|recorded_at| MetersRead { recorded_at, ..MetersRead::default() });
        let read = read.or_else(corrected)?;
        Some(Reading {
            odometer_m: self.rules.odometer.shown(read.recorded_at, read.odometer),
            engine_s: self.rules.engine.shown(read.recorded_at, read.engine),
            recorded_at: Timestamp::from_millis(read.recorded_at),
        })
    }
}
