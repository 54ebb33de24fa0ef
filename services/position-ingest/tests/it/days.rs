//! The same fixes give the same odometer, engine time, days and trips, in whatever order they come, sealed or not, and whatever is
//! restarted.

use armada_position_ingest::Config;
use armada_proto::{
    Timestamp,
    v1::{
        DayActivity, Device, DeviceMeters, DeviceMetersRequest, MeterDay, MeterReadingRequest, TrackSegmentsRequest,
        meters_client::MetersClient,
    },
};
use armada_testkit::{both_databases, eventually};
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, imei};

/// Fixes of a drive, ten minutes apart: two days and a half.
const FIXES: i64 = 360;
const STEP_MS: i64 = 600_000;

fn often() -> Config {
    Config { seal_seconds: 1, ..Config::default() }
}

/// An hour of 60 km/h and an hour of standing, in turns.
fn drive(began: i64) -> Vec<Value> {
    let mut lat = -6.2;
    let fix = |step: i64| {
        let drives = (step / 6) % 2 == 0;
        if drives {
            lat += 0.09;
        }
        let at = Timestamp::from_millis(began + step * STEP_MS).to_rfc3339();
        json!({"recorded_at": at, "lat": lat, "lng": 106.8, "speed": if drives { 60 } else { 0 }, "ignition": drives})
    };
    (0..FIXES).map(fix).collect()
}

/// What is told of a device, but for when it was told.
#[derive(Debug, PartialEq)]
struct Told {
    odometer: Option<f64>,
    engine_seconds: Option<f64>,
    today: Option<DayActivity>,
    days: Vec<MeterDay>,
    computed: (Option<f64>, Option<f64>),
    /// Kind, duration and metres of each trip and stop.
    segments: Vec<(i32, i64, f64)>,
    /// Metres and engine seconds in the middle.
    half_way: (u64, Option<u64>),
}

impl Ingest {
    async fn told(&self, device: &Device, began: i64) -> anyhow::Result<Told> {
        let last = self.last(&self.admin).await?;
        let last = last.into_iter().find(|last| last.device_id == device.id);
        let last = last.ok_or_else(|| anyhow::anyhow!("nothing was heard yet"))?;
        let newest = Timestamp::from_millis(began + (FIXES - 1) * STEP_MS);
        anyhow::ensure!(last.recorded_at == Some(newest), "{last:?}");
        let fleet = self.context.peers.transport("fleet").expect("fleet is here");
        let request = DeviceMetersRequest { id: device.id.clone(), days: 0 };
        let meters: DeviceMeters = MetersClient::new(fleet).get(self.admin.sign(request)).await?.into_inner();
        anyhow::ensure!(meters.recorded_at == Some(newest), "{meters:?}");
        let request = TrackSegmentsRequest {
            id: device.id.clone(),
            from: Some(Timestamp::from_millis(began)),
            to: Some(Timestamp::from_millis(began + FIXES * STEP_MS)),
        };
        let segments = self.positions().track_segments(self.admin.sign(request)).await?.into_inner().items;
        let millis = |at: Option<Timestamp>| at.map_or(0, |at| at.millis());
        let segments = segments.iter().map(|it| (it.kind, millis(it.to) - millis(it.from), it.distance)).collect();
        let at = Timestamp::from_millis(began + FIXES / 2 * STEP_MS);
        let request = MeterReadingRequest { device_id: device.id.clone(), at: Some(at) };
        let half_way = self.positions().meter_reading_at(self.admin.sign(request)).await?.into_inner().reading;
        let half_way = half_way.unwrap_or_default();
        Ok(Told {
            odometer: last.odometer,
            engine_seconds: last.engine_seconds,
            today: last.today,
            days: meters.days,
            computed: (meters.computed_odometer, meters.computed_engine_seconds),
            segments,
            half_way: (half_way.distance, half_way.engine_seconds),
        })
    }

    async fn tells_the_same(&self, device: &Device, began: i64, straight: &Told) {
        eventually("it tells the same", SOON * 2, async || {
            let told = self.told(device, began).await?;
            anyhow::ensure!(told == *straight, "\n{told:?}\nand not\n{straight:?}");
            Ok(())
        })
        .await;
    }

    async fn send_all(&self, number: u64, fixes: &[Value]) {
        let gateway = self.gateway().await;
        for part in fixes.chunks(40) {
            gateway.report(&imei(number).to_string(), &json!(part)).await.expect("acknowledged");
        }
    }
}

both_databases! {
    starting crate::common::world;

    async fn any_order_tells_the_same(world: World) {
        let mut ingest = Ingest::start_with(world, often()).await;
        let began = (Timestamp::now().millis() / STEP_MS - FIXES - 6) * STEP_MS;
        let fixes = drive(began);
        let mut devices = Vec::new();
        for number in 1..=5 {
            devices.push(ingest.device(imei(number)).await);
        }
        ingest.send_all(1, &fixes).await;
        let straight = eventually("all is told", SOON * 2, async || {
            let told = ingest.told(&devices[0], began).await?;
            let driven = told.computed.0.unwrap_or_default();
            let of_days: f64 = told.days.iter().filter_map(|day| day.distance).sum();
            anyhow::ensure!((driven - of_days).abs() <= told.days.len() as f64, "{told:?}");
            let engine: f64 = told.days.iter().filter_map(|day| day.engine_seconds).sum();
            anyhow::ensure!((told.engine_seconds.unwrap_or_default() - engine).abs() <= 3.0, "{told:?}");
            Ok(told)
        })
        .await;
        assert!(straight.computed.0.is_some_and(|metres| metres > 1_700_000.0), "{straight:?}");
        let driven: f64 = straight.segments.iter().map(|segment| segment.2).sum();
        assert!((driven - straight.computed.0.unwrap_or_default()).abs() < 2.0, "{driven} {straight:?}");

        // The newest first.
        let backwards: Vec<Value> = fixes.iter().rev().cloned().collect();
        ingest.send_all(2, &backwards).await;
        // The last hours live, and then what was kept.
        let (kept, live) = fixes.split_at(300);
        ingest.send_all(3, live).await;
        ingest.send_all(3, kept).await;
        // Every third fix, then the others, sealed in between.
        let (third, others): (Vec<_>, Vec<_>) = fixes.iter().cloned().enumerate().partition(|(at, _)| at % 3 == 2);
        let plain = |numbered: Vec<(usize, Value)>| numbered.into_iter().map(|(_, fix)| fix).collect::<Vec<_>>();
        let (third, others) = (plain(third), plain(others));
        ingest.send_all(4, &third).await;
        ingest.seal().await;
        ingest.send_all(4, &others).await;
        for device in &devices[1..4] {
            ingest.tells_the_same(device, began, &straight).await;
        }
        // Sealed, and loaded anew.
        ingest.seal().await;
        ingest.kill().await;
        ingest.run().await;
        for device in &devices[1..4] {
            ingest.tells_the_same(device, began, &straight).await;
        }
        // What came late is derived by the next owner when the one before it dies.
        ingest.send_all(5, live).await;
        ingest.send_all(5, kept).await;
        ingest.kill().await;
        ingest.run().await;
        ingest.tells_the_same(&devices[4], began, &straight).await;
    }
}
