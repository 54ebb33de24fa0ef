//! Events that raise alarms: each opens one, or raises the one of its kind that stands, in the transaction that stores the
//! event. docs/EVENTS.md has the rules.

use std::collections::{BTreeMap, HashMap};

use armada_proto::{DeviceId, v1::AlarmSeverity};
use armada_runtime::{Result, outbox};
use armada_track::alarm_severity;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
};

use crate::entity::{
    alarm::{Column, Entity, Model},
    event,
};

/// What happened to one vehicle of one kind.
type Kind<'a> = (DeviceId, &'a str);

/// Opens and raises alarms for events that were not known before. An event that is no newer than what was acknowledged of
/// its vehicle and kind was seen to with that, and changes nothing. Returns whether any alarm has changed.
pub async fn raise(tx: &DatabaseTransaction, events: &[event::Model]) -> Result<bool> {
    let mut kinds = BTreeMap::<Kind<'_>, (AlarmSeverity, Vec<&event::Model>)>::new();
    for event in events {
        if let (Some(device), Some(severity)) = (event.device_id, alarm_severity(&event.kind)) {
            kinds.entry((device, event.kind.as_str())).or_insert_with(|| (severity, Vec::new())).1.push(event);
        }
    }
    if kinds.is_empty() {
        return Ok(false);
    }
    let acknowledged = acknowledged_until(tx, kinds.keys().map(|(device, _)| *device)).await?;
    let mut changed = Vec::new();
    for ((device, kind), (severity, mut events)) in kinds {
        let until = acknowledged.get(&(device, kind.to_owned()));
        events.retain(|event| until.is_none_or(|until| event.occurred_at > *until));
        events.sort_by_key(|event| (event.occurred_at, event.id));
        if store(tx, (device, kind), severity, &events).await? {
            changed.push(device.to_string());
        }
    }
    if changed.is_empty() {
        return Ok(false);
    }
    outbox::mark(tx, changed).await?;
    Ok(true)
}

/// False when there are no events.
async fn store(
    tx: &DatabaseTransaction,
    (device, kind): Kind<'_>,
    severity: AlarmSeverity,
    events: &[&event::Model],
) -> Result<bool> {
    let Some((first, others)) = events.split_first() else { return Ok(false) };
    let of_kind = Entity::open().filter(Column::DeviceId.eq(device)).filter(Column::Kind.eq(kind));
    match of_kind.lock_exclusive().one(tx).await? {
        Some(mut alarm) => {
            events.iter().for_each(|event| alarm.raise(event));
            alarm.into_active_model().reset_all().update(tx).await?;
        }
        None => {
            let mut alarm = Model::opened_by(first, device, severity);
            others.iter().for_each(|event| alarm.raise(event));
            Entity::insert(alarm.into_active_model().reset_all()).exec_without_returning(tx).await?;
        }
    }
    Ok(true)
}

/// Until when what happened was seen to, by vehicle and kind.
async fn acknowledged_until(
    tx: &DatabaseTransaction,
    devices: impl Iterator<Item = DeviceId>,
) -> Result<HashMap<(DeviceId, String), i64>> {
    let rows = Entity::find()
        .filter(Column::DeviceId.is_in(devices))
        .filter(Column::AcknowledgedAt.is_not_null())
        .select_only()
        .column(Column::DeviceId)
        .column(Column::Kind)
        .column_as(Column::LastAt.max(), "until")
        .group_by(Column::DeviceId)
        .group_by(Column::Kind);
    let rows: Vec<(DeviceId, String, i64)> = rows.into_tuple().all(tx).await?;
    Ok(rows.into_iter().map(|(device, kind, until)| ((device, kind), until)).collect())
}
