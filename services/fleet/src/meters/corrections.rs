//! Corrections of meters: somebody says what a meter shows, with a reason, from when on. They lie one upon the other: a new one
//! begins where the newest one does or later, and the newest one alone can be undone.

use std::str::FromStr;

use armada_proto::{
    DeviceId, MeterCorrectionId, ResourceList, Sorted as _, Timestamp, Validate, Violations,
    access::permission,
    v1::{ListMeterCorrectionsRequest, MeterCorrection, MeterCorrectionInput, MeterCorrectionList},
};
use armada_runtime::{
    Caller, Error, Result, Scope,
    audit::{self, Act, Change, Object},
    list::{List, ListQuery, Searched, Sort},
};
use armada_track::{MeterOffsets, MeterValues, MetersRead};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter,
    QueryOrder,
};
use serde_json::json;

use super::{
    Reading, newest,
    readings::{Days, read_of},
    rpc::Meters,
    rules, seen,
};
use crate::{
    bindings,
    entity::{
        device,
        meter_correction::{Column, Entity, Model},
    },
    members,
    said_at::said_at,
};

const LIST: List<Column> = List {
    sortable: &[("effective_from", Sort::Plain(Column::EffectiveFrom)), ("created_at", Sort::Plain(Column::CreatedAt))],
    searched: Searched::Scanned(Column::Reason),
    id: Column::Number,
};

impl Meters {
    /// The corrections of a device that the caller sees.
    pub(super) async fn corrections(
        &self,
        caller: &Caller,
        mut request: ListMeterCorrectionsRequest,
    ) -> Result<MeterCorrectionList> {
        request.validate().check()?;
        let tx = self.db.read(&caller.scope()).await?;
        let device = seen(&tx, caller, &request.id).await?;
        let query = ListQuery {
            page: request.page,
            page_size: request.page_size,
            sort: &request.sort,
            offered: ListMeterCorrectionsRequest::SORTABLE,
            after: &request.after,
            q: "",
        };
        let rows = Entity::find().filter(Column::DeviceId.eq(device.id));
        let (rows, paging) = LIST.fetch(&tx, rows, query).await?;
        let last = last(&tx, device.id).await?.map(|row| row.id);
        tx.commit().await?;
        let names = self.identity.names(&self.service_key, rows.iter().filter_map(|row| row.created_by)).await;
        let message = |row: Model| {
            let name = row.created_by.and_then(|user| names.get(&user.to_string()).cloned());
            let is_newest = Some(row.id) == last;
            MeterCorrection { created_by_name: name.unwrap_or_default(), is_newest, ..row.into() }
        };
        Ok(MeterCorrectionList::new(rows.into_iter().map(message).collect(), paging))
    }

    /// Corrects what the meters of a device show.
    pub(super) async fn correct(&self, caller: &Caller, mut input: MeterCorrectionInput) -> Result<MeterCorrection> {
        input.anchor = caller.believed(input.anchor);
        let tx = self.db.read(&caller.scope()).await?;
        let device = seen(&tx, caller, &input.id).await?;
        tx.commit().await?;
        let now = Timestamp::now().millis();
        let input = checked(input, now)?;
        let zone = self.identity.time_zone(&self.service_key, device.tenant_id).await?;
        let tx = self.db.write(&Scope::Tenant(device.tenant_id)).await?;
        let device = members::maintained(&tx, caller, device.id).await?;
        if let (Some(anchor), Some(zone)) = (&input.anchor, zone) {
            let mut days = Days::default();
            days.add(device.tenant_id, zone, anchor);
            days.store(&tx).await?;
        }
        let before = shown(&tx, &device).await?;
        let row = new_row(&tx, caller, &device, &input, now).await?;
        let row = row.into_active_model().insert(&tx).await.map_err(lost_race)?;
        let after = shown(&tx, &device).await?;
        let change = Change {
            before: Some(reading_json(before)),
            after: Some(json!({
                "odometer": after.and_then(|reading| reading.odometer_m),
                "engine_seconds": after.and_then(|reading| reading.engine_s),
                "effective_from": Timestamp::from_millis(row.effective_from).to_rfc3339(),
                "reason": row.reason,
            })),
        };
        let object = Object::new("device", device.id, &device.name);
        let act = Act { act: permission::DEVICE_CORRECT_METERS, tenant: Some(device.tenant_id), object, change };
        audit::record(&tx, caller, act).await?;
        bindings::mark(&tx, &device, &device.imei).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        self.changed.notify([device.id]);
        let name = self.identity.names(&self.service_key, row.created_by).await.into_values().next();
        Ok(MeterCorrection { created_by_name: name.unwrap_or_default(), is_newest: true, ..row.into() })
    }

    /// Takes the newest correction of a device back.
    pub(super) async fn undo(&self, caller: &Caller, device_id: &str, correction_id: &str) -> Result<()> {
        let tx = self.db.read(&caller.scope()).await?;
        let device = seen(&tx, caller, device_id).await?;
        tx.commit().await?;
        let tx = self.db.write(&Scope::Tenant(device.tenant_id)).await?;
        let device = members::maintained(&tx, caller, device.id).await?;
        let wanted = MeterCorrectionId::from_str(correction_id).map_err(|_| Error::not_found())?;
        let row = Entity::find_by_id(wanted).filter(Column::DeviceId.eq(device.id)).one(&tx).await?;
        let row = row.ok_or_else(Error::not_found)?;
        if last(&tx, device.id).await?.is_none_or(|last| last.id != row.id) {
            return Err(Error::field("correction_id", "not_the_newest"));
        }
        let before = shown(&tx, &device).await?;
        let reason = row.reason.clone();
        row.delete(&tx).await?;
        let mut was = reading_json(before);
        was["reason"] = json!(reason);
        let change = Change { before: Some(was), after: Some(reading_json(shown(&tx, &device).await?)) };
        let object = Object::new("device", device.id, &device.name);
        let act = Act { act: "device:undo_meter_correction", tenant: Some(device.tenant_id), object, change };
        audit::record(&tx, caller, act).await?;
        bindings::mark(&tx, &device, &device.imei).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        self.changed.notify([device.id]);
        Ok(())
    }
}

async fn last(tx: &DatabaseTransaction, device: DeviceId) -> Result<Option<Model>> {
    Ok(Entity::find().filter(Column::DeviceId.eq(device)).order_by_desc(Column::Number).one(tx).await?)
}

/// An input that nothing is wrong with, as far as it can be told by itself. What was read is of a fix before it is effective.
fn checked(mut input: MeterCorrectionInput, now: i64) -> Result<MeterCorrectionInput> {
    let mut violations: Violations = input.validate();
    if input.odometer.is_none() && input.engine_seconds.is_none() {
        violations.add("odometer", "required");
    }
    let from = said_at("effective_from", input.effective_from, now, &mut violations);
    violations.check()?;
    input.effective_from = Some(Timestamp::from_millis(from));
    Ok(input)
}

async fn new_row(
    tx: &DatabaseTransaction,
    caller: &Caller,
    device: &device::Model,
    input: &MeterCorrectionInput,
    now: i64,
) -> Result<Model> {
    let effective_from = input.effective_from.map_or(now, Timestamp::millis);
    let last = last(tx, device.id).await?;
    if last.as_ref().is_some_and(|last| effective_from < last.effective_from) {
        return Err(Error::field("effective_from", "before_newest_correction"));
    }
    let read = input.anchor.as_ref().map(read_of).unwrap_or_default();
    let anchor_at = if input.anchor.is_some() { read.recorded_at } else { effective_from };
    let rules = rules::of(tx, device).await?.rules;
    let whole = |value: Option<f64>| value.map(|value| value.round() as i64);
    let offsets = |shown: Option<i64>, read: MeterValues| {
        shown.map_or_else(MeterOffsets::default, |shown| MeterOffsets::to_show(shown, anchor_at, read))
    };
    let (odometer_m, engine_s) = (whole(input.odometer), whole(input.engine_seconds));
    let (odometer, engine) = (offsets(odometer_m, read.odometer), offsets(engine_s, read.engine));
    let MetersRead { odometer: odometer_read, engine: engine_read, .. } = read;
    Ok(Model {
        id: MeterCorrectionId::new(),
        tenant_id: device.tenant_id,
        device_id: device.id,
        number: last.map_or(1, |last| last.number + 1),
        effective_from,
        reason: input.reason.clone(),
        anchor_at,
        odometer_m,
        odometer_m_before: odometer_m.and_then(|_| rules.odometer.shown(anchor_at, odometer_read)),
        odometer_m_device: odometer.device,
        odometer_m_computed: odometer.computed,
        engine_s,
        engine_s_before: engine_s.and_then(|_| rules.engine.shown(anchor_at, engine_read)),
        engine_s_device: engine.device,
        engine_s_computed: engine.computed,
        created_by: caller.grant.as_ref().map(|grant| grant.user_id),
        created_at: now,
    })
}

/// What the meters of a device show.
async fn shown(tx: &DatabaseTransaction, device: &device::Model) -> Result<Option<Reading>> {
    let newest = newest(tx, device.id).await?;
    Ok(rules::of(tx, device).await?.shown(newest.as_ref().map(super::Model::read)))
}

fn reading_json(reading: Option<Reading>) -> serde_json::Value {
    json!({
        "odometer": reading.and_then(|reading| reading.odometer_m),
        "engine_seconds": reading.and_then(|reading| reading.engine_s),
    })
}

/// The device is locked, so nobody else has made one meanwhile; should it be so all the same, the caller reads anew.
fn lost_race(error: DbErr) -> Error {
    match error.sql_err() {
        Some(sea_orm::SqlErr::UniqueConstraintViolation(_)) => Error::version_mismatch(),
        _ => error.into(),
    }
}
