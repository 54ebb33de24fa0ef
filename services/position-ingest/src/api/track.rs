//! Tracks and what is read of them, for whoever sees the device.

use std::collections::BTreeSet;

use armada_proto::{
    DeviceId, TenantId, Timestamp,
    v1::{
        Device, DeviceMessageList, DeviceMessagesRequest, GetRequest, MessageOutcome, MeterReadingAnswer,
        MeterReadingRequest, TrackRequest, TrackSegmentList, TrackSegmentsRequest,
    },
};
use armada_runtime::{Caller, Error, Result};
use armada_track::{Bbox, MetersRead, Position, Segmenter, track_span};

use super::{messages::Wanted, positions::PositionsService};
use crate::{
    directory::registry::Reading,
    feeds::meters,
    history::read::{self, Track},
    rejected::device_rejections,
};

/// So far behind what is asked for, in milliseconds, the next fix is looked for, whose step may begin in it.
const BEHIND_MS: i64 = 24 * 3600 * 1000;

impl PositionsService {
    /// A track for whoever sees the device; to all others there is no such device.
    pub(super) async fn track(&self, caller: &Caller, wanted: TrackRequest) -> Result<Track> {
        let from = wanted.from.ok_or_else(|| Error::field("from", "required"))?.millis();
        let to = wanted.to.ok_or_else(|| Error::field("to", "required"))?.millis();
        if from > to {
            return Err(Error::field("from", "after_to"));
        }
        let device = self.device(caller, wanted.id).await?;
        self.open(caller, &device, from, to).await
    }

    /// The trips and stops of a track, for whoever sees the device.
    pub(super) async fn track_segments(
        &self,
        caller: &Caller,
        wanted: TrackSegmentsRequest,
    ) -> Result<TrackSegmentList> {
        let now = Timestamp::now();
        let (from, to) = track_span(wanted.from, wanted.to, now);
        if from > to {
            return Err(Error::field("from", "after_to"));
        }
        let read_to = Timestamp::from_millis(to.millis().saturating_add(BEHIND_MS));
        let asked = TrackRequest { id: wanted.id, from: Some(from), to: Some(read_to), ..TrackRequest::default() };
        let mut track = self.track(caller, asked).await?.shown_until(to.millis());
        let mut last: Option<Position> = None;
        let mut segmenter = Segmenter::new(track.thresholds().segments());
        let mut bounds: Option<Bbox> = None;
        while let Some(positions) = track.next_day().await? {
            let places =
                positions.iter().filter(|position| position.is_placed()).map(|position| position.report.place());
            let day = Bbox::of(places);
            bounds = bounds.map_or(day, |bounds| Some(day.map_or(bounds, |day| bounds.union(&day))));
            if let (None, Some(before), Some(first)) = (&last, track.before(), positions.first()) {
                segmenter.begin_within(before, first, from.millis());
            }
            for position in &positions {
                segmenter.push(position);
            }
            last = positions.into_iter().next_back();
        }
        let segments = match (&last, track.before(), track.after()) {
            (Some(last), _, Some(after)) => segmenter.finish_within(last, after, to.millis()),
            // A single step leads over all of it.
            (None, Some(before), Some(after)) => {
                segmenter.begin_within(before, after, from.millis());
                segmenter.finish_within(before, after, to.millis())
            }
            _ => segmenter.finish(to.millis().min(now.millis())),
        };
        let last = segments.len().saturating_sub(1);
        let items = segments.iter().enumerate().map(|(index, segment)| segment.to_message(index == last)).collect();
        Ok(TrackSegmentList { items, bounds: bounds.map(Bbox::to_message) })
    }

    /// What a device sent, for whoever sees it; to all others there is no such device.
    pub(super) async fn messages(&self, caller: &Caller, request: DeviceMessagesRequest) -> Result<DeviceMessageList> {
        let wanted = Wanted::of(&request)?;
        let device = self.device(caller, request.id).await?;
        let wanted = wanted.since(self.kept_from(device.tenant_id.parse()?).await);
        let refused = match wanted.has(MessageOutcome::Refused) {
            true => device_rejections::of_device(&self.bus, device.tenant_id.parse()?, device.id.parse()?).await?,
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
        let binding = self.devices.clone().rules(get).await.map_err(Error::from)?.into_inner();
        Ok(Reading::of_binding(&binding))
    }

    /// Since when a tenant's history is kept, milliseconds since 1970. Until that is known nothing can be shown.
    async fn kept_from(&self, tenant: TenantId) -> i64 {
        self.settings.loaded().await;
        self.settings.kept_from(tenant, Timestamp::now().millis())
    }

    /// What the meters of a device stood at, at its last fix that was recorded by then.
    pub(super) async fn meter_reading_at(
        &self,
        caller: &Caller,
        wanted: MeterReadingRequest,
    ) -> Result<MeterReadingAnswer> {
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
                read::meters_at(&self.db, (tenant, id), partitions, thresholds, kept_from, at).await?
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
}
