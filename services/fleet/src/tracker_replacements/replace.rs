//! Saying that a tracker was replaced, which may give its device another IMEI.

use armada_proto::{
    Timestamp, TrackerReplacementId, Validate, Violations,
    v1::{DeviceInput, ReplaceTrackerRequest, TrackerReplacement},
};
use armada_runtime::{Caller, Error, Result, Scope, audit::Change, resource::Resource};
use sea_orm::{ActiveModelTrait, DatabaseTransaction, IntoActiveModel, ModelTrait};
use serde_json::json;

use super::{TrackerReplacements, record};
use crate::{
    bindings,
    devices::Devices,
    entity::{device, tracker_replacement::Model},
    members,
    meters::{self, replaced_trackers},
    said_at::said_at,
};

/// How often it is tried when somebody binds the IMEI in the same moment.
const TRIES: usize = 3;

/// What somebody says of a replacement, with nothing wrong in it as far as it can be told by itself.
#[derive(Clone)]
struct Said {
    /// What it changes of the device: its IMEI, if that is named.
    change: DeviceInput,
    /// Milliseconds since 1970.
    replaced_at: i64,
    /// Metres, and seconds: of the old tracker, and of the new one.
    odometer: Option<(i64, i64)>,
    engine: Option<(i64, i64)>,
    reason: String,
    said_at: i64,
}

/// A replacement that is entered, and one that it takes the place of.
struct Entered {
    row: Model,
    instead_of: Option<Model>,
}

impl TrackerReplacements {
    /// Says that the tracker of a device was replaced.
    pub(super) async fn replace(&self, caller: &Caller, request: ReplaceTrackerRequest) -> Result<TrackerReplacement> {
        let tx = self.devices.db.read(&caller.scope()).await?;
        let seen = meters::seen(&tx, caller, &request.id).await?;
        tx.commit().await?;
        let said = self.checked(caller, &seen, request)?;
        for _ in 1..TRIES {
            match self.replace_once(caller, &seen, said.clone()).await {
                Err(error) if Devices::is_lost_race(&error) => {}
                replaced => return replaced,
            }
        }
        self.replace_once(caller, &seen, said).await
    }

    fn checked(&self, caller: &Caller, seen: &device::Model, mut request: ReplaceTrackerRequest) -> Result<Said> {
        let mut violations = request.validate();
        let now = Timestamp::now().millis();
        let replaced_at = said_at("replaced_at", request.replaced_at, now, &mut violations);
        let odometer = [("odometer_before", request.odometer_before), ("odometer_after", request.odometer_after)];
        let odometer = both(odometer, &mut violations);
        let engine = [
            ("engine_seconds_before", request.engine_seconds_before),
            ("engine_seconds_after", request.engine_seconds_after),
        ];
        let engine = both(engine, &mut violations);
        let mut change = DeviceInput { id: request.id, imei: request.imei, ..DeviceInput::default() };
        for (field, code) in change.validate().iter() {
            violations.add(field, code);
        }
        self.devices.check(caller, Some(seen), &mut change, &mut violations);
        violations.check()?;
        Ok(Said { change, replaced_at, odometer, engine, reason: request.reason, said_at: now })
    }

    async fn replace_once(&self, caller: &Caller, seen: &device::Model, mut said: Said) -> Result<TrackerReplacement> {
        let prepared = self.devices.prepare(caller, seen, &mut said.change).await?;
        let tx = self.devices.db.write(&Scope::Tenant(seen.tenant_id)).await?;
        let device = members::maintained(&tx, caller, seen.id).await?;
        let entered = enter(&tx, caller, &device, &said).await?;
        match entered.row.imei == device.imei {
            true => bindings::mark(&tx, &device, &device.imei).await?,
            false => self.devices.name_imei(&tx, caller, &device, said.change, prepared).await?,
        }
        record(&tx, caller, &device, "device:replace_tracker", entered.change()).await?;
        self.commit(tx, &device).await?;
        self.messages(vec![entered.row]).await.pop().ok_or_else(Error::not_found)
    }
}

/// What a meter showed of both trackers, in whole units; wrong when it is known of one alone.
fn both(read: [(&str, Option<f64>); 2], violations: &mut Violations) -> Option<(i64, i64)> {
    match read {
        [(_, Some(before)), (_, Some(after))] => Some((before.round() as i64, after.round() as i64)),
        [(_, None), (_, None)] => None,
        [(field, None), _] | [_, (field, None)] => {
            violations.add(field, "required");
            None
        }
    }
}

/// Enters a replacement of a device that is locked. One that came with the IMEI which the device has by now, and of which nobody
/// said more, makes place for it.
async fn enter(tx: &DatabaseTransaction, caller: &Caller, device: &device::Model, said: &Said) -> Result<Entered> {
    let imei = said.change.imei.as_ref().unwrap_or(&device.imei);
    let mut last = replaced_trackers::last(tx, device.id, 2).await?.into_iter().peekable();
    let instead_of = last.next_if(|newest| newest.is_by_imei && newest.imei == *imei && *imei == device.imei);
    let below = last.next();
    if below.as_ref().is_some_and(|below| said.replaced_at < below.replaced_at) {
        return Err(Error::field("replaced_at", "before_newest_replacement"));
    }
    if let Some(instead_of) = instead_of.clone() {
        instead_of.delete(tx).await?;
    }
    let row = Model {
        id: TrackerReplacementId::new(),
        tenant_id: device.tenant_id,
        device_id: device.id,
        number: below.map_or(1, |below| below.number + 1),
        replaced_at: said.replaced_at,
        imei_before: instead_of.as_ref().map_or(&device.imei, |by_imei| &by_imei.imei_before).clone(),
        imei: imei.clone(),
        odometer_before_m: said.odometer.map(|(before, _)| before),
        odometer_after_m: said.odometer.map(|(_, after)| after),
        engine_before_s: said.engine.map(|(before, _)| before),
        engine_after_s: said.engine.map(|(_, after)| after),
        reason: said.reason.clone(),
        is_by_imei: false,
        created_by: caller.grant.as_ref().map(|grant| grant.user_id),
        created_at: said.said_at,
    };
    let row = row.into_active_model().reset_all().insert(tx).await?;
    Ok(Entered { row, instead_of })
}

impl Entered {
    /// For the audit.
    fn change(&self) -> Change {
        let Self { row, instead_of } = self;
        let rfc3339 = |at: i64| Timestamp::from_millis(at).to_rfc3339();
        Change {
            before: Some(json!({
                "imei": row.imei_before,
                "odometer": row.odometer_before_m,
                "engine_seconds": row.engine_before_s,
                "replaced_at": instead_of.as_ref().map(|by_imei| rfc3339(by_imei.replaced_at)),
            })),
            after: Some(json!({
                "imei": row.imei,
                "odometer": row.odometer_after_m,
                "engine_seconds": row.engine_after_s,
                "replaced_at": rfc3339(row.replaced_at),
                "reason": row.reason,
            })),
        }
    }
}
