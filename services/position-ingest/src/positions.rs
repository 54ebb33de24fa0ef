//! The gRPC side: last positions, tracks, and what was refused.

use std::{
    collections::{BTreeSet, HashSet},
    pin::Pin,
};

use armada_proto::{
    DeviceId, TenantId, Timestamp, alarm,
    v1::{
        Device, DeviceBinding, DeviceMessageList, DeviceMessagesRequest, DevicesInStates, DevicesInStatesRequest,
        GetRequest, LastPosition, LastPositionList, LastPositionsRequest, ListRejectionsRequest, MessageOutcome,
        MeterReadingAnswer, MeterReadingRequest, Rejection, RejectionList, TrackChunk, TrackFormat, TrackRequest,
        TrackSegmentList, TrackSegmentsRequest, VehicleState, VisibleDevicesRequest, devices_client::DevicesClient,
        positions_server::Positions,
    },
};
use armada_runtime::{Bus, Caller, Database, Error, Result, Scope, Transport};
use armada_track::{Bbox, MetersRead, Position, Segmenter, track_span};
use chrono::DateTime;
use futures::{Stream, StreamExt};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use tonic::{Request, Response, Status};

use crate::{
    alarms::StandingAlarmCache,
    dead_letters,
    entity::rejection,
    history::{self, Track},
    last_positions::LastPositions,
    messages::Wanted,
    meters, refusals,
    registry::{Reading, Registry},
    tenants::TenantSettings,
    track_chunks,
};

/// Days of counts that are shown.
const DAYS_SHOWN: i64 = 30;
const DAY_MS: i64 = 24 * 3600 * 1000;

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

    /// A track for whoever sees the device; to all others there is no such device.
    async fn track(&self, caller: &Caller, wanted: TrackRequest) -> Result<Track> {
        let from = wanted.from.ok_or_else(|| Error::field("from", "required"))?.millis();
        let to = wanted.to.ok_or_else(|| Error::field("to", "required"))?.millis();
        if from > to {
            return Err(Error::field("from", "after_to"));
        }
        let device = self.device(caller, wanted.id).await?;
        self.open(caller, &device, from, to).await
    }

    /// The trips and stops of a track, for whoever sees the device.
    async fn track_segments(&self, caller: &Caller, wanted: TrackSegmentsRequest) -> Result<TrackSegmentList> {
        let now = Timestamp::now();
        let (from, to) = track_span(wanted.from, wanted.to, now);
        let asked = TrackRequest { id: wanted.id, from: Some(from), to: Some(to), ..TrackRequest::default() };
        let mut track = self.track(caller, asked).await?;
        let mut segmenter = Segmenter::new(track.thresholds().segments());
        let mut bounds: Option<Bbox> = None;
        while let Some(positions) = track.next_day().await? {
            let places =
                positions.iter().filter(|position| position.is_placed()).map(|position| position.report.place());
            let day = Bbox::of(places);
            bounds = bounds.map_or(day, |bounds| Some(day.map_or(bounds, |day| bounds.union(&day))));
            for position in &positions {
                segmenter.push(position);
            }
        }
        let segments = segmenter.finish(to.millis().min(now.millis()));
        let last = segments.len().saturating_sub(1);
        let items = segments.iter().enumerate().map(|(index, segment)| segment.to_message(index == last)).collect();
        Ok(TrackSegmentList { items, bounds: bounds.map(Bbox::to_message) })
    }

    /// What a device sent, for whoever sees it; to all others there is no such device.
    async fn messages(&self, caller: &Caller, request: DeviceMessagesRequest) -> Result<DeviceMessageList> {
        let wanted = Wanted::of(&request)?;
        let device = self.device(caller, request.id).await?;
        let wanted = wanted.since(self.kept_from(device.tenant_id.parse()?).await);
        let refused = match wanted.has(MessageOutcome::Refused) {
            true => refusals::of_device(&self.bus, device.tenant_id.parse()?, device.id.parse()?).await?,
            false => Vec::new(),
        };
        let fixes = match wanted.has(MessageOutcome::Accepted) {
            true => {
                let (from, to) = wanted.span();
                let track = self.open(caller, &device, from, to).await?;
                track.newest(wanted.enough(), wanted.marks()).await?
            }
            false => Vec::new(),
        };
        Ok(wanted.page(fixes, refused))
    }

    /// A device that the caller sees.
    async fn device(&self, caller: &Caller, id: String) -> Result<Device> {
        let get = caller.sign(GetRequest { id });
        Ok(self.devices.clone().get(get).await.map_err(Error::from)?.into_inner())
    }

    /// What is too old is not there, whether it was removed yet or not.
    async fn open(&self, caller: &Caller, device: &Device, from: i64, to: i64) -> Result<Track> {
        let (tenant, id) = (device.tenant_id.parse()?, device.id.parse()?);
        let from = from.max(self.kept_from(tenant).await);
        let Reading { thresholds, fuel } = self.reading(caller, id).await?;
        let track = Track::open(&self.db, tenant, id, self.partitions_of(tenant, id, &device.imei), from, to).await?;
        Ok(track.derived_by(thresholds).fuelled_by(fuel))
    }

    /// How the fixes of a device are read that the caller sees. Of one that waits for its IMEI, or has lost it, fleet alone
    /// knows.
    async fn reading(&self, caller: &Caller, device: DeviceId) -> Result<Reading> {
        self.registry.loaded().await;
        if let Some(reading) = self.registry.reading(device) {
            return Ok(reading);
        }
        let get = caller.sign(GetRequest { id: device.to_string() });
        let DeviceBinding { thresholds, fuel, .. } =
            self.devices.clone().rules(get).await.map_err(Error::from)?.into_inner();
        Ok(Reading::of_binding(thresholds, fuel))
    }

    /// Since when a tenant's history is kept, milliseconds since 1970. Until that is known nothing can be shown.
    async fn kept_from(&self, tenant: TenantId) -> i64 {
        self.settings.loaded().await;
        self.settings.kept_from(tenant, Timestamp::now().millis())
    }

    /// What the meters of a device stood at, at its last fix that was recorded by then.
    async fn meter_reading_at(&self, caller: &Caller, wanted: MeterReadingRequest) -> Result<MeterReadingAnswer> {
        let at = wanted.at.ok_or_else(|| Error::field("at", "required"))?.millis();
        let get = GetRequest { id: wanted.device_id };
        let device = self.devices.clone().get(caller.sign(get)).await.map_err(Error::from)?.into_inner();
        let (tenant, id) = (device.tenant_id.parse()?, device.id.parse()?);
        let newest = self.last.of_device(tenant, id);
        let read = match newest {
            Some(newest) if newest.position.recorded_at() <= at => {
                Some(MetersRead::of(&newest.position, newest.own_engine))
            }
            _ => {
                let partitions = self.partitions_of(tenant, id, &device.imei);
                let kept_from = self.kept_from(tenant).await;
                let thresholds = self.reading(caller, id).await?.thresholds;
                history::meters_at(&self.db, (tenant, id), partitions, thresholds, kept_from, at).await?
            }
        };
        Ok(MeterReadingAnswer { reading: read.map(|read| meters::reading(id, &read)) })
    }

    /// Where frames that are not sealed yet may have positions of a device, as far as it is known in memory.
    fn partitions_of(&self, tenant: TenantId, device: DeviceId, imei: &str) -> BTreeSet<u32> {
        let imeis = self.registry.imeis_of(device).into_iter().chain(imei.parse());
        let of_imeis = imeis.map(|imei| imei.partition(self.partitions));
        of_imeis.chain(self.last.partitions_of(tenant, device)).collect()
    }

    async fn rejections(&self, wanted: ListRejectionsRequest) -> Result<RejectionList> {
        let reason = match wanted.reason.as_str() {
            "" => None,
            text => Some(text.parse().map_err(|_| Error::field("reason", "unknown"))?),
        };
        let limit = match wanted.page_size {
            0 => 25,
            size => size.min(500) as usize,
        };
        let before = (wanted.before > 0).then_some(u64::from(wanted.before));
        let page = dead_letters::list(&self.bus, reason, before, limit).await?;
        Ok(RejectionList {
            counts: counts(&self.db).await?,
            items: page.items,
            total: page.total as u32,
            next_cursor: page.next_before.map(|seq| seq as u32),
        })
    }
}

/// What was refused in the last days, by day and reason, the newest day first.
pub async fn counts(db: &Database) -> Result<Vec<Rejection>> {
    use rejection::Column;
    let since = Timestamp::now().millis().div_euclid(DAY_MS) - DAYS_SHOWN;
    let tx = db.read(&Scope::Platform).await?;
    let rows: Vec<(i32, String, i64)> = rejection::Entity::find()
        .filter(Column::Day.gt(since as i32))
        .select_only()
        .column(Column::Day)
        .column(Column::Reason)
        .column(Column::N)
        .order_by_desc(Column::Day)
        .order_by_asc(Column::Reason)
        .into_tuple()
        .all(&tx)
        .await?;
    tx.commit().await?;
    let mut counts: Vec<Rejection> = Vec::new();
    for (day, reason, n) in rows {
        let day = DateTime::from_timestamp(i64::from(day) * DAY_MS / 1000, 0).unwrap_or_default().format("%Y-%m-%d");
        let day = day.to_string();
        match counts.last_mut().filter(|last| last.day == day && last.reason == reason) {
            Some(last) => last.count = last.count.saturating_add(n as u32),
            None => counts.push(Rejection { day, reason, count: n as u32 }),
        }
    }
    Ok(counts)
}
