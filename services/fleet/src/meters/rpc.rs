//! The RPCs of meters.

use armada_proto::{
    Timestamp, Validate,
    v1::{
        DeviceMeters, DeviceMetersRequest, Empty, FleetDay, FleetDayRequest, ListMeterCorrectionsRequest,
        MeterCorrection, MeterCorrectionInput, MeterCorrectionList, UndoMeterCorrectionRequest, meters_server,
    },
};
use armada_runtime::{Caller, Database, Result, ServiceKey, outbox::OutboxHandle};
use tonic::{Request, Response, Status};

use super::{Changed, days, fleet_day, newest, rules, seen};
use crate::{identity::IdentityClient, seen_by};

/// Days that are shown when nobody says how many.
const DAYS: u32 = 30;

/// The RPCs.
pub struct Meters {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    pub(crate) changed: Changed,
}

impl meters_server::Meters for Meters {
    async fn get(&self, request: Request<DeviceMetersRequest>) -> Result<Response<DeviceMeters>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.of_device(&caller, request.into_inner()).await?))
    }

    async fn of_day(&self, request: Request<FleetDayRequest>) -> Result<Response<FleetDay>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.of_day(&caller, request.into_inner()).await?))
    }

    async fn corrections(
        &self,
        request: Request<ListMeterCorrectionsRequest>,
    ) -> Result<Response<MeterCorrectionList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.corrections(&caller, request.into_inner()).await?))
    }

    async fn correct(&self, request: Request<MeterCorrectionInput>) -> Result<Response<MeterCorrection>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.correct(&caller, request.into_inner()).await?))
    }

    async fn undo(&self, request: Request<UndoMeterCorrectionRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        let UndoMeterCorrectionRequest { id, correction_id } = request.into_inner();
        self.undo(&caller, &id, &correction_id).await?;
        Ok(Response::new(Empty {}))
    }
}

impl Meters {
    async fn of_day(&self, caller: &Caller, mut request: FleetDayRequest) -> Result<FleetDay> {
        request.validate().check()?;
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let seen = match request.user_ids.is_empty() {
            true => None,
            false => seen_by::of(&self.identity, &self.service_key, scope, &request.user_ids).await?,
        };
        let tx = self.db.read(&scope).await?;
        fleet_day::of(&tx, caller, scope, &request, seen.as_ref()).await
    }

    async fn of_device(&self, caller: &Caller, mut request: DeviceMetersRequest) -> Result<DeviceMeters> {
        request.validate().check()?;
        let asked = if request.days == 0 { DAYS } else { request.days };
        let tx = self.db.read(&caller.scope()).await?;
        let device = seen(&tx, caller, &request.id).await?;
        let newest = newest(&tx, device.id).await?;
        let shown = rules::of(&tx, &device).await?.shown(newest.as_ref().map(super::Model::read));
        let days = days::of(&tx, &device, asked).await?;
        let whole = |value: Option<i64>| value.map(|value| value as f64);
        let read = newest.map(|row| row.read()).unwrap_or_default();
        let average = days.average();
        Ok(DeviceMeters {
            odometer: whole(shown.and_then(|shown| shown.odometer_m)),
            odometer_source: device.odometer_source.into(),
            engine_seconds: whole(shown.and_then(|shown| shown.engine_s)),
            engine_hours_source: device.engine_hours_source.into(),
            recorded_at: shown.map(|shown| shown.recorded_at).filter(|at| *at > Timestamp::default()),
            device_odometer: whole(read.odometer.device),
            device_engine_seconds: whole(read.engine.device),
            computed_odometer: whole(read.odometer.computed),
            computed_engine_seconds: whole(read.engine.computed),
            average_distance: average.odometer_m,
            average_engine_seconds: average.engine_s,
            days: days.into_messages(device.odometer_source),
            days_asked: asked,
        })
    }
}
