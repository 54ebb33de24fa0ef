//! A vehicle's meters go on behind a tracker that was replaced or set back, whenever somebody says so.

use armada_position_ingest::Config;
use armada_proto::{
    Timestamp,
    v1::{
        Device, DeviceMeters, DeviceMetersRequest, ReplaceTrackerRequest, TrackerReplacement,
        WithdrawTrackerReplacementRequest, meters_client::MetersClient,
        tracker_replacements_client::TrackerReplacementsClient,
    },
};
use armada_testkit::{both_databases, eventually};
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, imei};

const STEP_MS: i64 = 600_000;

fn often() -> Config {
    Config { seal_seconds: 1, ..Config::default() }
}

/// A fix ten minutes and ten kilometres behind the one before it, with what the tracker says of its meters.
fn fix(began: i64, step: i64, km: f64, hours: f64) -> Value {
    let at = Timestamp::from_millis(began + step * STEP_MS).to_rfc3339();
    json!({
        "recorded_at": at, "lat": -6.2 + step as f64 * 0.09, "lng": 106.8, "speed": 60, "ignition": true,
        "odometer": km * 1_000.0, "attrs": { "engine_hours": hours },
    })
}

/// So that a drive of so many fixes has ended by now.
fn before_now(steps: i64) -> i64 {
    (Timestamp::now().millis() / STEP_MS - steps) * STEP_MS
}

impl Ingest {
    fn replacements(&self) -> TrackerReplacementsClient<armada_runtime::Transport> {
        TrackerReplacementsClient::new(self.context.peers.transport("fleet").expect("fleet is here"))
    }

    async fn replace(&self, request: ReplaceTrackerRequest) -> TrackerReplacement {
        self.replacements().replace(self.admin.sign(request)).await.expect("it is replaced").into_inner()
    }

    /// Waits until the last position and fleet show so many kilometres and hours, by the tracker.
    async fn shows(&self, device: &Device, km: f64, hours: f64) {
        eventually("odometer and engine hours go on", SOON, async || {
            let last = self.last(&self.admin).await?;
            let last = last.iter().find(|last| last.device_id == device.id);
            let last = last.ok_or_else(|| anyhow::anyhow!("nothing was heard yet"))?;
            let near =
                |shown: Option<f64>, wanted: f64| shown.is_some_and(|shown| (shown - wanted).abs() <= wanted * 2e-5);
            anyhow::ensure!(near(last.odometer, km * 1_000.0), "{last:?}");
            let request = DeviceMetersRequest { id: device.id.clone(), days: 0 };
            let fleet = self.context.peers.transport("fleet").expect("fleet is here");
            let meters: DeviceMeters = MetersClient::new(fleet).get(self.admin.sign(request)).await?.into_inner();
            anyhow::ensure!(meters.recorded_at == last.recorded_at, "{meters:?}");
            anyhow::ensure!(near(meters.odometer, km * 1_000.0), "{meters:?}");
            anyhow::ensure!(near(meters.device_engine_seconds, hours * 3_600.0), "{meters:?}");
            Ok(())
        })
        .await;
    }
}

both_databases! {
    starting crate::common::world;

    async fn meters_that_fall_go_on_and_are_told(world: World) {
        let mut ingest = Ingest::start_with(world, often()).await;
        let truck = ingest.device(imei(1)).await;
        let began = before_now(10);
        let gateway = ingest.gateway().await;
        for (step, km, hours) in [(0, 119_990.0, 1_001.0), (1, 120_000.0, 1_001.167), (2, 0.0, 12.0), (3, 10.0, 12.167)] {
            gateway.report(&imei(1).to_string(), &fix(began, step, km, hours)).await.expect("acknowledged");
        }
        ingest.shows(&truck, 120_020.0, 1_001.5).await;
        let told = ingest.expect_events(&["device.odometer_reset", "device.engine_hours_reset"]).await;
        let details = told.iter().map(|event| event.details.as_ref());
        assert!(details.into_iter().all(|details| details.is_some()), "{told:?}");
        // Whoever takes over knows as much.
        ingest.kill().await;
        ingest.run().await;
        let gateway = ingest.gateway().await;
        gateway.report(&imei(1).to_string(), &fix(began, 4, 20.0, 12.333)).await.expect("acknowledged");
        ingest.shows(&truck, 120_030.0, 1_001.667).await;
    }

    async fn another_tracker_goes_on_from_both_readings(world: World) {
        let ingest = Ingest::start_with(world, often()).await;
        let truck = ingest.device(imei(1)).await;
        let began = before_now(20);
        let gateway = ingest.gateway().await;
        for step in 0..3 {
            let fix = fix(began, step, 50_000.0 + step as f64 * 10.0, 800.0 + step as f64 / 6.0);
            gateway.report(&imei(1).to_string(), &fix).await.expect("acknowledged");
        }
        ingest.shows(&truck, 50_020.0, 800.333).await;
        // The old one went 100 km and an hour later; the new one had been in another vehicle.
        let at = |step: i64| Some(Timestamp::from_millis(began + step * STEP_MS));
        ingest.replace(ReplaceTrackerRequest {
            id: truck.id.clone(),
            imei: Some(imei(2).to_string()),
            replaced_at: at(5),
            odometer_before: Some(50_120_000.0),
            odometer_after: Some(90_000_000.0),
            engine_seconds_before: Some(801.0 * 3_600.0),
            engine_seconds_after: Some(30.0 * 3_600.0),
            ..ReplaceTrackerRequest::default()
        })
        .await;
        ingest.is_bound(&truck.id, imei(2)).await;
        // Where it was before is nowhere on the way.
        let elsewhere = json!({"recorded_at": at(4), "lat": 30.0, "lng": 120.0, "odometer": 89_000_000.0});
        gateway.report(&imei(2).to_string(), &elsewhere).await.expect_err("it is of nobody");
        for step in 6..8 {
            let fix = fix(began, step, 90_005.0 + (step - 6) as f64 * 10.0, 30.0 + (step - 6) as f64 / 6.0);
            gateway.report(&imei(2).to_string(), &fix).await.expect("acknowledged");
        }
        ingest.shows(&truck, 50_135.0, 801.167).await;
    }

    async fn replacement_of_the_past_is_derived_anew(world: World) {
        let ingest = Ingest::start_with(world, often()).await;
        let truck = ingest.device(imei(1)).await;
        let began = before_now(20);
        let gateway = ingest.gateway().await;
        // Nobody said so when another tracker, which had counted more, came under the same name.
        for step in 0..6 {
            let (km, hours) = if step < 3 { (1_000.0, 100.0) } else { (70_000.0, 900.0) };
            let fix = fix(began, step, km + step as f64 * 10.0, hours + step as f64 / 6.0);
            gateway.report(&imei(1).to_string(), &fix).await.expect("acknowledged");
        }
        ingest.shows(&truck, 70_050.0, 900.833).await;
        let replaced_at = Some(Timestamp::from_millis(began + 2 * STEP_MS + 1));
        let said = ingest.replace(ReplaceTrackerRequest { id: truck.id.clone(), replaced_at, ..Default::default() }).await;
        ingest.shows(&truck, 1_050.0, 100.833).await;
        // It is taken back.
        let request = WithdrawTrackerReplacementRequest { id: truck.id.clone(), replacement_id: said.id };
        ingest.replacements().withdraw(ingest.admin.sign(request)).await.expect("it is withdrawn");
        ingest.shows(&truck, 70_050.0, 900.833).await;
    }
}
