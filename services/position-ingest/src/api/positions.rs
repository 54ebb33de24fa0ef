//! The service of positions; the newest of each device, and what its vehicle does.

use std::{collections::HashSet, pin::Pin};

use armada_proto::{
    DeviceId, TenantId, Timestamp, alarm,
    v1::{
        DeviceMessageList, DeviceMessagesRequest, DevicesInStates, DevicesInStatesRequest, LastPosition,
        LastPositionList, LastPositionsRequest, ListRejectionsRequest, MeterReadingAnswer, MeterReadingRequest,
        RejectionList, TrackChunk, TrackFormat, TrackRequest, TrackSegmentList, TrackSegmentsRequest, VehicleState,
        VisibleDevicesRequest, devices_client::DevicesClient, positions_server::Positions,
    },
};
use armada_runtime::{Bus, Caller, Database, Error, Result, Scope, Transport};
use armada_track::Position;
use futures::{Stream, StreamExt};
use tonic::{Request, Response, Status};

use super::track_chunks;
use crate::{
    directory::{registry::Registry, standing_alarms::StandingAlarmCache, tenants::TenantSettings},
    live::last_positions::LastPositions,
};

/// Answers for every partition, whoever owns it.
pub struct PositionsService {
    /// For dead letters.
    pub bus: Bus,
    /// History.
    pub db: Database,
    /// The live view.
    pub last: LastPositions,
    /// Which devices exist.
    pub registry: Registry,
    /// For how long tenants keep their history.
    pub settings: TenantSettings,
    /// Which alarms of them stand.
    pub standing_alarms: StandingAlarmCache,
    /// How many there are.
    pub partitions: u32,
    /// Fleet, which knows who sees what.
    pub devices: DevicesClient<Transport>,
}

type Chunks = Pin<Box<dyn Stream<Item = Result<TrackChunk, Status>> + Send>>;

impl Positions for PositionsService {
    async fn last(&self, request: Request<LastPositionsRequest>) -> Result<Response<LastPositionList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.last(&caller, request.into_inner()).await?))
    }

    async fn in_states(&self, request: Request<DevicesInStatesRequest>) -> Result<Response<DevicesInStates>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.in_states(&caller, request.into_inner()).await?))
    }

    type TrackStream = Chunks;

    async fn track(&self, request: Request<TrackRequest>) -> Result<Response<Chunks>, Status> {
        let caller = Caller::of(&request)?;
        let wanted = request.into_inner();
        let format = wanted.format();
        let track = self.track(&caller, wanted).await?;
        Ok(Response::new(match format {
            TrackFormat::Columns => track_chunks::columns(track).boxed(),
            _ => track_chunks::blocks(track).boxed(),
        }))
    }

    async fn track_segments(
        &self,
        request: Request<TrackSegmentsRequest>,
    ) -> Result<Response<TrackSegmentList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.track_segments(&caller, request.into_inner()).await?))
    }

    async fn meter_reading_at(
        &self,
        request: Request<MeterReadingRequest>,
    ) -> Result<Response<MeterReadingAnswer>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.meter_reading_at(&caller, request.into_inner()).await?))
    }

    async fn messages(&self, request: Request<DeviceMessagesRequest>) -> Result<Response<DeviceMessageList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.messages(&caller, request.into_inner()).await?))
    }

    async fn rejections(&self, request: Request<ListRejectionsRequest>) -> Result<Response<RejectionList>, Status> {
        let caller = Caller::of(&request)?;
        if !caller.is_platform_owner() {
            return Err(Error::forbidden().into());
        }
        Ok(Response::new(self.rejections(request.into_inner()).await?))
    }
}

impl PositionsService {
    async fn last(&self, caller: &Caller, wanted: LastPositionsRequest) -> Result<LastPositionList> {
        let named: HashSet<DeviceId> = wanted.device_ids.iter().filter_map(|id| id.parse().ok()).collect();
        let names_all = wanted.device_ids.is_empty();
        let asked = wanted.tenant_id.clone();
        let (seen_in, visible) = self.visible(caller, wanted).await?;
        // Of a platform owner's view that of a user is narrower.
        let tenants = self.tenants(caller, seen_in.or(asked).as_deref())?;
        let selects = |device| (names_all || named.contains(&device)) && visible(device);
        let (now, alarms) = (Timestamp::now().millis(), self.standing_alarms.alarms());
        let mut items = Vec::new();
        for tenant in tenants {
            let positions = self.last.of_tenant(tenant, selects);
            let meters = self.registry.meters();
            items.extend(positions.into_iter().filter(|last| meters.has_device(last.device)).map(|last| {
                let standing = alarms.get(&last.device);
                let mut shown: LastPosition = last.position.to_live_position(last.device, last.place);
                meters.show(last.device, &last.position, last.own_engine, &mut shown);
                shown.clock_off_seconds = last.clock_off;
                shown.today = last.day.activity(&last.position);
                shown.state = Some(meters.state(last.device, &last.position, now, standing.is_some()).into());
                shown.standing_alarm = standing.map(|standing| alarm::name_of(&standing.kind).to_owned());
                shown.standing_alarm_since = standing.map(|standing| Timestamp::from_millis(standing.since));
                shown
            }));
        }
        items.sort_by(|a, b| a.device_id.cmp(&b.device_id));
        let total = items.len() as u32;
        Ok(LastPositionList { items, total })
    }

    async fn in_states(&self, caller: &Caller, wanted: DevicesInStatesRequest) -> Result<DevicesInStates> {
        let tenants = self.tenants(caller, wanted.tenant_id.as_deref())?;
        let states: HashSet<VehicleState> = wanted.states().collect();
        let of_tenant = LastPositionsRequest { tenant_id: wanted.tenant_id, ..LastPositionsRequest::default() };
        let (_, visible) = self.visible(caller, of_tenant).await?;
        // Of those that have no data nothing is known here: they are who is not in any other state.
        let others = states.contains(&VehicleState::NoData);
        let (now, alarms) = (Timestamp::now().millis(), self.standing_alarms.alarms());
        let mut device_ids = Vec::new();
        for tenant in tenants {
            // Before the view, as everywhere.
            let bindings = self.registry.bindings();
            let is_there = |device| visible(device) && bindings.has_device(device);
            let state =
                |device: DeviceId, newest: &Position| bindings.state(device, newest, now, alarms.contains_key(&device));
            for (device, state) in self.last.states(tenant, is_there, state) {
                if states.contains(&state) != others {
                    device_ids.extend_from_slice(device.0.as_bytes());
                }
            }
        }
        Ok(DevicesInStates { device_ids, others })
    }

    /// The tenants of a scope, which must be the caller's.
    fn tenants(&self, caller: &Caller, named: Option<&str>) -> Result<Vec<TenantId>> {
        Ok(match caller.narrow(named)? {
            Scope::Tenant(tenant) => vec![tenant],
            Scope::Platform => self.last.tenants(),
        })
    }

    /// The tenant in which something is seen, if it is one, and whether the caller sees a device, which may be gone.
    async fn visible(
        &self,
        caller: &Caller,
        wanted: LastPositionsRequest,
    ) -> Result<(Option<String>, impl Fn(DeviceId) -> bool + use<>)> {
        let visible = VisibleDevicesRequest {
            user_id: wanted.user_id,
            tenant_id: wanted.tenant_id,
            device_ids: wanted.device_ids,
            with_names: false,
            with_hidden: false,
        };
        let visible = self.devices.clone().visible(caller.sign(visible)).await.map_err(Error::from)?.into_inner();
        let listed: HashSet<DeviceId> = visible.device_ids.iter().filter_map(|id| id.parse().ok()).collect();
        Ok((visible.tenant_id, move |device| visible.all || listed.contains(&device)))
    }
}
