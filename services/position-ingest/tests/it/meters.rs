//! What ingest reads of meters reaches fleet, whatever is restarted, and live positions show what is chosen and corrected.

use armada_position_ingest::Config;
use armada_proto::{
    Timestamp, binding,
    v1::{
        Device, DeviceInput, DeviceMeters, DeviceMetersRequest, LiveFrame, MeterCorrectionInput, MeterReading,
        MeterReadingRequest, MeterSource, meters_client::MetersClient,
    },
};
use armada_testkit::{both_databases, eventually};
use armada_track::Imei;
use futures::StreamExt;
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, imei};

/// Readings are told with checkpoints: once a second here.
fn often() -> Config {
    Config { seal_seconds: 1, ..Config::default() }
}

/// A fix on a way north in steps of 111.2 m, ten seconds each, with what else it says.
fn fix(began: i64, step: i64, more: Value) -> Value {
    let at = Timestamp::from_millis(began + step * 10_000).to_rfc3339();
    let mut fix =
        json!({"recorded_at": at, "lat": -6.0 + step as f64 * 0.001, "lng": 106.8, "speed": 40, "ignition": true});
    fix.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    fix
}

/// Of all days.
fn trips(meters: &DeviceMeters) -> u32 {
    meters.days.iter().filter_map(|day| day.trips).sum()
}

fn an_hour_ago() -> i64 {
    Timestamp::now().millis() - 3_600_000
}

impl Ingest {
    fn meters(&self) -> MetersClient<armada_runtime::Transport> {
        MetersClient::new(self.context.peers.transport("fleet").expect("fleet is here"))
    }

    async fn meters_of(&self, device: &Device) -> anyhow::Result<DeviceMeters> {
        let request = DeviceMetersRequest { id: device.id.clone(), days: 0 };
        Ok(self.meters().get(self.admin.sign(request)).await?.into_inner())
    }

    /// Waits until fleet knows what was read at this instant.
    async fn read_at(&self, device: &Device, at: i64) -> DeviceMeters {
        eventually("fleet knows what was read", SOON, async || {
            let meters = self.meters_of(device).await?;
            anyhow::ensure!(meters.recorded_at == Some(Timestamp::from_millis(at)), "{meters:?}");
            Ok(meters)
        })
        .await
    }

    async fn reading_at(&self, device: &Device, at: i64) -> anyhow::Result<Option<MeterReading>> {
        let request = MeterReadingRequest { device_id: device.id.clone(), at: Some(Timestamp::from_millis(at)) };
        Ok(self.positions().meter_reading_at(self.admin.sign(request)).await?.into_inner().reading)
    }

    /// As the edge does it.
    async fn correct(&self, device: &Device, at: i64, metres: f64) {
        let input = MeterCorrectionInput {
            id: device.id.clone(),
            effective_from: Some(Timestamp::from_millis(at)),
            odometer: Some(metres),
            reason: "read in the vehicle".to_owned(),
            anchor: self.reading_at(device, at).await.expect("an answer"),
            ..MeterCorrectionInput::default()
        };
        self.meters().correct(self.admin.sign(input)).await.expect("it is corrected");
    }

    /// Waits until the last position of the only device is the one that was recorded then.
    async fn last_is_of(&self, at: i64) {
        eventually("the last fix is known", SOON, async || {
            let last = self.last(&self.admin).await?;
            anyhow::ensure!(
                last.first().and_then(|last| last.recorded_at) == Some(Timestamp::from_millis(at)),
                "{last:?}"
            );
            Ok(())
        })
        .await;
    }

    /// Waits until the last position of the only device shows this odometer.
    async fn expect_last_odometer(&self, wanted: impl Fn(f64) -> bool) -> f64 {
        eventually("the last position shows it", SOON, async || {
            let last = self.last(&self.admin).await?;
            let odometer = last.first().and_then(|last| last.odometer).unwrap_or_default();
            anyhow::ensure!(wanted(odometer), "{last:?}");
            Ok(odometer)
        })
        .await
    }
}

async fn drive(ingest: &Ingest, imei: Imei, began: i64, steps: std::ops::Range<i64>, more: Value) {
    let gateway = ingest.gateway().await;
    for step in steps {
        gateway.report(&imei.to_string(), &fix(began, step, more.clone())).await.expect("acknowledged");
    }
}

both_databases! {
    starting crate::common::world;

    async fn readings_reach_fleet_across_restarts(world: World) {
        let mut ingest = Ingest::start_with(world, often()).await;
        let truck = ingest.device(imei(1)).await;
        let began = an_hour_ago();
        drive(&ingest, imei(1), began, 0..10, json!({})).await;
        let meters = ingest.read_at(&truck, began + 90_000).await;
        assert!(meters.odometer.is_some_and(|metres| (999.0..1_003.0).contains(&metres)), "{meters:?}");
        assert_eq!((meters.engine_seconds, meters.device_odometer), (Some(90.0), None));
        assert_eq!(trips(&meters), 1, "it has gone far enough");

        // Everything dies. What is stored is told by whoever comes next, and what comes then as well.
        ingest.kill().await;
        ingest.run().await;
        drive(&ingest, imei(1), began, 10..20, json!({})).await;
        let meters = ingest.read_at(&truck, began + 190_000).await;
        assert!(meters.odometer.is_some_and(|metres| (2_109.0..2_117.0).contains(&metres)), "{meters:?}");

        // The server of NATS dies.
        ingest.world.nats.kill();
        drive(&ingest, imei(1), began, 20..30, json!({})).await;
        let meters = ingest.read_at(&truck, began + 290_000).await;
        assert_eq!((meters.engine_seconds, trips(&meters)), (Some(290.0), 1), "the same trip goes on");
        ingest.process.take().unwrap().stop().await.expect("drains");
    }

    /// A tracker that was out of reach for days sends all of it at once: each day gets what belongs to it.
    async fn backlog_is_published_day_by_day(world: World) {
        let ingest = Ingest::start_with(world, often()).await;
        let truck = ingest.device(imei(1)).await;
        // Ten steps at noon of each of the last three days, UTC being the tenant's zone unless it says another.
        let noon = Timestamp::now().millis().div_euclid(86_400_000) * 86_400_000 - 43_200_000;
        let mut fixes = Vec::new();
        for day in (0..3).rev() {
            fixes.extend((0..=10).map(|step| fix(noon - day * 86_400_000, (2 - day) * 10 + step, json!({}))));
        }
        ingest.gateway().await.report(&imei(1).to_string(), &Value::from(fixes)).await.expect("acknowledged");
        let meters = eventually("fleet knows all days", SOON, async || {
            let meters = ingest.meters_of(&truck).await?;
            anyhow::ensure!(meters.days.len() == 3 && meters.odometer.is_some_and(|metres| metres > 3_300.0), "{meters:?}");
            Ok(meters)
        })
        .await;
        for day in &meters.days {
            assert!(day.distance.is_some_and(|metres| (1_105.0..1_120.0).contains(&metres)), "{meters:?}");
        }
    }

    async fn correction_applies_from_its_time_on(world: World) {
        let mut ingest = Ingest::start_with(world, often()).await;
        let truck = ingest.device(imei(1)).await;
        let began = an_hour_ago();
        drive(&ingest, imei(1), began, 0..10, json!({"odometer": 5_000})).await;
        ingest.expect_last_odometer(|metres| metres == 5_000.0).await;
        // All ten: a correction begins from what is known when it is made.
        ingest.last_is_of(began + 90_000).await;
        let mut live = ingest.world.bus.client.subscribe(binding::live_subject(ingest.tenant)).await.unwrap();
        ingest.world.bus.client.flush().await.unwrap();

        // The vehicle stands, and is shown again all the same.
        ingest.correct(&truck, Timestamp::now().millis(), 120_000_000.0).await;
        let shown = eventually("it is told live", SOON, async || {
            let message = live.next().await.expect("goes on");
            let frame = LiveFrame::decode(message.payload)?;
            anyhow::ensure!(frame.positions[0].odometer == Some(120_000_000.0), "{frame:?}");
            Ok(frame.positions[0].clone())
        })
        .await;
        assert_eq!(shown.recorded_at, Some(Timestamp::from_millis(began + 90_000)));
        ingest.expect_last_odometer(|metres| metres == 120_000_000.0).await;
        // The device counts on, and so does what is shown; history stays as it came.
        drive(&ingest, imei(1), began, 10..20, json!({"odometer": 6_000})).await;
        ingest.expect_last_odometer(|metres| metres == 120_001_000.0).await;
        let track = ingest.track_of(&truck.id, 20).await;
        assert_eq!(track.last_key_value().unwrap().1.derived.odometer_dm, 60_000);
        let meters = ingest.read_at(&truck, began + 190_000).await;
        assert_eq!((meters.odometer, meters.device_odometer), (Some(120_001_000.0), Some(6_000.0)));

        // Computed, it goes on from the correction with what was driven since: nine steps of ten, the tenth is the next.
        let other = DeviceInput { id: truck.id.clone(), odometer_source: Some(MeterSource::Computed.into()), ..DeviceInput::default() };
        ingest.devices().update(ingest.admin.sign(other)).await.unwrap();
        ingest.expect_last_odometer(|metres| (120_001_105.0..120_001_120.0).contains(&metres)).await;
        // The same after a restart.
        ingest.kill().await;
        ingest.run().await;
        ingest.expect_last_odometer(|metres| (120_001_105.0..120_001_120.0).contains(&metres)).await;
    }

    async fn corrections_follow_what_came_late(world: World) {
        let ingest = Ingest::start_with(world, often()).await;
        let truck = ingest.device(imei(1)).await;
        let began = an_hour_ago();
        drive(&ingest, imei(1), began, 100..110, json!({})).await;
        ingest.last_is_of(began + 1_090_000).await;
        ingest.correct(&truck, Timestamp::now().millis(), 120_000_000.0).await;
        // What was read at its fix was read in whole metres.
        ingest.expect_last_odometer(|metres| (metres - 120_000_000.0).abs() <= 1.0).await;
        // Before it the vehicle had come eleven kilometres, which its tracker sends now.
        drive(&ingest, imei(1), began, 0..100, json!({})).await;
        eventually("what is computed has grown, and what is shown has not", SOON * 2, async || {
            let meters = ingest.meters_of(&truck).await?;
            anyhow::ensure!(meters.computed_odometer.is_some_and(|metres| (12_000.0..12_300.0).contains(&metres)), "{meters:?}");
            anyhow::ensure!(meters.odometer == Some(120_000_000.0), "{meters:?}");
            Ok(())
        })
        .await;
        ingest.expect_last_odometer(|metres| (metres - 120_000_000.0).abs() <= 1.0).await;
        // It goes on from there.
        drive(&ingest, imei(1), began, 110..120, json!({})).await;
        ingest.expect_last_odometer(|metres| (metres - 120_001_112.0).abs() <= 2.0).await;
    }

    async fn meters_are_known_at_any_time(world: World) {
        let ingest = Ingest::start_with(world, often()).await;
        let truck = ingest.device(imei(1)).await;
        let days_ago = |days: i64| an_hour_ago() - days * 86_400_000;
        let (long_ago, lately) = (days_ago(20), days_ago(0));
        drive(&ingest, imei(1), long_ago, 0..10, json!({"attrs": {"engine_hours": 100}})).await;
        drive(&ingest, imei(1), lately, 10..20, json!({})).await;
        ingest.track_of(&truck.id, 20).await;
        ingest.seal().await;
        assert_eq!(ingest.reading_at(&truck, long_ago - 1).await.unwrap(), None);
        let first = ingest.reading_at(&truck, long_ago).await.unwrap().expect("a fix");
        assert_eq!((first.recorded_at, first.distance, first.odometer), (long_ago, 0, None));
        let between = ingest.reading_at(&truck, days_ago(10)).await.unwrap().expect("a fix");
        assert_eq!((between.recorded_at, between.device_engine_seconds), (long_ago + 90_000, Some(360_000)));
        let newest = ingest.reading_at(&truck, Timestamp::now().millis()).await.unwrap().expect("a fix");
        assert_eq!(newest.recorded_at, lately + 190_000);
        assert_eq!(newest.device_engine_seconds, Some(360_000 + 90), "carried on with the time of the engine");
        assert!(newest.distance > between.distance);
    }
}
