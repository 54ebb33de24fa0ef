//! From when on a vehicle moves is what its tenant says, or it for itself: from the next fix on, and of the past at once.

use armada_proto::{
    TenantId, Timestamp,
    json::Clearable as _,
    v1::{
        DeviceInput, DeviceMessagesRequest, GetRequest, ImeiStatus, Motion, TenantThresholdsInput, TrackPoint,
        TrackSegment, TrackSegmentKind, TrackSegmentsRequest, thresholds_client::ThresholdsClient,
    },
};
use armada_testkit::{both_databases, eventually};
use armada_track::Position;
use serde_json::{Value, json};
use tonic::Code;

use crate::common::{Ingest, SOON, at, at_ms, imei};

/// A fix every minute at 4 km/h, with the engine on.
fn creeping(minute: i64) -> Value {
    let lat = -6.2 - 0.0006 * minute as f64;
    json!({"recorded_at": at(minute * 60), "lat": lat, "lng": 106.8, "speed": 4, "ignition": true})
}

impl Ingest {
    async fn set_tenant_moving_speed(&self, kmh: u32) {
        let fleet = self.context.peers.transport("fleet").expect("fleet is here");
        let input = TenantThresholdsInput { moving_speed: Some(kmh), ..TenantThresholdsInput::default() };
        ThresholdsClient::new(fleet).update(self.admin.sign(input)).await.expect("the thresholds are changed");
    }

    async fn set_device_moving_speed(&self, device: &str, kmh: u32) {
        let input = DeviceInput { id: device.to_owned(), moving_speed: Some(kmh), ..DeviceInput::default() };
        self.devices().update(self.admin.sign(input)).await.expect("the device is changed");
    }

    /// Waits until all that is known of a device is one segment, of this kind.
    async fn is_all(&self, device: &str, kind: TrackSegmentKind) -> TrackSegment {
        let time = |seconds| Some(Timestamp::from_millis(at_ms(seconds)));
        eventually(&format!("it is a {kind:?}"), SOON, async || {
            let asked = TrackSegmentsRequest { id: device.to_owned(), from: time(-3_600), to: time(3_600) };
            let found = self.positions().track_segments(self.admin.sign(asked)).await?.into_inner().items;
            let [segment] = &found[..] else { anyhow::bail!("{found:?}") };
            anyhow::ensure!(segment.kind() == kind, "{segment:?}");
            Ok(*segment)
        })
        .await
    }

    /// What a device has sent since a second, the newest first, as it is told page by page.
    async fn sent(&self, device: &str, from: i64) -> Vec<TrackPoint> {
        let (mut sent, mut cursor) = (Vec::new(), Some(String::new()));
        while let Some(before) = cursor {
            let asked = DeviceMessagesRequest {
                id: device.to_owned(),
                from: Some(Timestamp::from_millis(at_ms(from))),
                page_size: 8,
                cursor: before,
                ..DeviceMessagesRequest::default()
            };
            let page = self.positions().messages(self.admin.sign(asked)).await.expect("a page").into_inner();
            sent.extend(page.items.into_iter().filter_map(|message| message.fix));
            cursor = page.next_cursor;
        }
        sent
    }

    /// Sends a fix, and waits until it is the newest: what the vehicle does then.
    async fn newest(&self, minute: i64) -> Motion {
        self.gateway().await.report(&imei(1).to_string(), &creeping(minute)).await.expect("acknowledged");
        eventually("the fix is there", SOON, async || {
            let last = self.last(&self.admin).await?;
            let [newest] = &last[..] else { anyhow::bail!("{last:?}") };
            anyhow::ensure!(newest.recorded_at == Some(Timestamp::from_millis(at_ms(minute * 60))), "{newest:?}");
            Ok(newest.motion())
        })
        .await
    }
}

both_databases! {
    starting crate::common::world;

    async fn pending_device_uses_thresholds_of_its_tenant(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        ingest.device_elsewhere(imei(2)).await;
        ingest.set_tenant_moving_speed(5).await;
        let fixes: Value = (0..10).map(creeping).collect();
        ingest.gateway().await.report(&imei(1).to_string(), &fixes).await.expect("acknowledged");
        ingest.is_all(&device.id, TrackSegmentKind::Stop).await;

        let claim = DeviceInput { id: device.id.clone(), imei: Some(imei(2).to_string()), ..DeviceInput::default() };
        let claiming = ingest.devices().update(ingest.admin.sign(claim)).await.expect("it is claimed").into_inner();
        assert_eq!(claiming.imei_status(), ImeiStatus::Pending);
        eventually("no IMEI leads to it", SOON, async || {
            let last = ingest.last(&ingest.admin).await?;
            anyhow::ensure!(last.is_empty(), "{last:?}");
            Ok(())
        })
        .await;
        let stop = ingest.is_all(&device.id, TrackSegmentKind::Stop).await;
        assert_eq!((stop.moving_seconds, stop.idle_seconds), (0.0, 540.0));
        // A device of others is none, whatever leads to it.
        let get = || GetRequest { id: device.id.clone() };
        assert!(ingest.devices().rules(ingest.admin.sign(get())).await.is_ok());
        let stranger = ingest.world.tenant_admin(TenantId::new()).await;
        let refused = ingest.devices().rules(stranger.sign(get())).await.expect_err("it is not theirs");
        assert_eq!(refused.code(), Code::NotFound);
    }

    async fn changed_thresholds_apply_to_new_fixes_and_history(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        // Over midnight, so that one day goes on where the other ended; sealed in part.
        let tracker = imei(1).to_string();
        gateway.report(&tracker, &(-10..0).map(creeping).collect::<Value>()).await.expect("acknowledged");
        ingest.track_of(&device.id, 10).await;
        ingest.seal().await;
        gateway.report(&tracker, &(0..10).map(creeping).collect::<Value>()).await.expect("acknowledged");
        ingest.track_of(&device.id, 20).await;
        assert_eq!(ingest.newest(10).await, Motion::Moving);
        let trip = ingest.is_all(&device.id, TrackSegmentKind::Trip).await;
        assert_eq!((trip.moving_seconds, trip.idle_seconds, trip.engine_seconds), (1_200.0, 0.0, 1_200.0));

        ingest.set_tenant_moving_speed(5).await;
        let stop = ingest.is_all(&device.id, TrackSegmentKind::Stop).await;
        assert_eq!((stop.moving_seconds, stop.idle_seconds, stop.engine_seconds), (0.0, 1_200.0, 1_200.0));
        assert_eq!((stop.from, stop.to), (trip.from, trip.to));
        let track = ingest.track(&ingest.admin, &device.id).await.expect("a track");
        assert!(track.values().all(|position| position.derived.motion == Motion::Idle));
        // The same of each fix on every page, wherever it begins: it has stood since the evening before.
        let sent = ingest.sent(&device.id, -3_600).await;
        assert_eq!(sent, track.values().rev().map(Position::to_track_point).collect::<Vec<_>>());
        assert!(sent.iter().all(|fix| fix.motion_since == trip.from), "{sent:?}");
        assert_eq!(ingest.sent(&device.id, 300).await, sent[..6]);
        assert_eq!(ingest.newest(11).await, Motion::Idle);

        // Its own threshold goes before that of its tenant.
        ingest.set_device_moving_speed(&device.id, 4).await;
        ingest.is_all(&device.id, TrackSegmentKind::Trip).await;
        assert_eq!(ingest.newest(12).await, Motion::Moving);
        ingest.set_device_moving_speed(&device.id, u32::CLEARED).await;
        let stop = ingest.is_all(&device.id, TrackSegmentKind::Stop).await;
        assert_eq!(stop.idle_seconds, 1_320.0);
    }
}
