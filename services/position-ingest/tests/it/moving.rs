//! A device whose IMEI is changed moves to another partition; what is known of it goes with it.

use std::collections::BTreeMap;

use crate::common::{Ingest, imei, imei_in};
use armada_position_ingest::Config;
use armada_proto::{Timestamp, v1::Motion};
use armada_testkit::{Gateway, both_databases};
use armada_track::{Imei, Position};
use serde_json::json;

/// A way north in steps of ten seconds and 111.2 m. The fixes are of now: those of an IMEI that comes back must be newer than
/// the end of its former binding.
struct Drive {
    began: i64,
    steps: i64,
    lat: f64,
}

impl Drive {
    fn begin() -> Self {
        Self { began: Timestamp::now().millis() - 3_600_000, steps: 0, lat: -6.0 }
    }

    async fn drive_on(&mut self, gateway: &Gateway, imei: Imei, steps: i64, speed: f64) {
        for _ in 0..steps {
            let at = Timestamp::from_millis(self.began + self.steps * 10_000).to_rfc3339();
            let fix =
                json!({"recorded_at": at, "lat": self.lat, "lng": 106.8, "speed": speed, "ignition": speed > 0.0});
            gateway.report(&imei.to_string(), &fix).await.expect("acknowledged");
            self.steps += 1;
            if speed > 0.0 {
                self.lat += 0.001;
            }
        }
    }
}

fn last(track: &BTreeMap<i64, Position>) -> &Position {
    track.last_key_value().expect("a position").1
}

/// No counter ever goes back, and none begins anew.
fn assert_continuous(track: &BTreeMap<i64, Position>) {
    let counters = |position: &Position| {
        let derived = &position.derived;
        [derived.odometer_dm, derived.distance_dm, derived.engine_ms, derived.moving_ms, derived.parked_ms]
    };
    for (before, after) in track.values().zip(track.values().skip(1)) {
        let (before, after) = (counters(before), counters(after));
        assert!(before.iter().zip(&after).all(|(before, after)| before <= after), "{before:?}, then {after:?}");
    }
}

/// So many steps of 111.2 m, each rounded to a decimetre.
fn driven(position: &Position, steps: u64) {
    let odometer = position.derived.odometer_dm;
    assert!((1_110 * steps..1_114 * steps).contains(&odometer), "{odometer} dm after {steps} steps");
    assert_eq!(position.derived.distance_dm, odometer);
}

async fn move_imei(ingest: &mut Ingest, first: Imei, second: Imei) {
    let device = ingest.device(first).await.id;
    let gateway = ingest.gateway().await;
    let mut drive = Drive::begin();
    drive.drive_on(&gateway, first, 20, 40.0).await;
    drive.drive_on(&gateway, first, 6, 0.0).await;
    ingest.change_imei(&device, second).await;
    drive.drive_on(&gateway, second, 3, 0.0).await;
    let track = ingest.track_of(&device, 29).await;
    assert_continuous(&track);
    let parked = last(&track).derived;
    assert_eq!(parked.motion, Motion::Parked);
    // The engine was off at the 21st fix, ten seconds after the 20th.
    assert_eq!(parked.motion_since, drive.began + 200_000, "parked since before the change");
    assert_eq!((parked.engine_ms, parked.parked_ms), (200_000, 80_000));

    drive.drive_on(&gateway, second, 10, 40.0).await;
    let track = ingest.track_of(&device, 39).await;
    assert_continuous(&track);
    driven(last(&track), 29);
    ingest.seal().await;

    // Whoever takes over the partitions finds it there.
    ingest.kill().await;
    ingest.run().await;
    drive.drive_on(&gateway, second, 5, 40.0).await;
    let track = ingest.track_of(&device, 44).await;
    assert_continuous(&track);
    driven(last(&track), 34);
    assert_eq!(ingest.refused().await.unwrap(), BTreeMap::new());
}

both_databases! {
    starting crate::common::world;

    /// Two changes before anything is sealed: what the partition in between took in is there all the while.
    async fn imei_that_changes_twice_leaves_no_hole(world: World) {
        let ingest = Ingest::start(world).await;
        let imeis = [imei(1), imei_in(100, |partition| partition != imei(1).partition(8)), imei_in(200, |partition| {
            partition != imei(1).partition(8) && partition != imei_in(100, |partition| partition != imei(1).partition(8)).partition(8)
        })];
        let device = ingest.device(imeis[0]).await.id;
        let gateway = ingest.gateway().await;
        let mut drive = Drive::begin();
        for (place, imei) in imeis.into_iter().enumerate() {
            if place > 0 {
                ingest.change_imei(&device, imei).await;
            }
            drive.drive_on(&gateway, imei, 5, 40.0).await;
            ingest.track_of(&device, 5 * (place + 1)).await;
        }
        let track = ingest.track_of(&device, 15).await;
        assert_continuous(&track);
        ingest.seal().await;
        assert_eq!(ingest.track_of(&device, 15).await.len(), 15);
    }


    async fn moved_device_keeps_odometer_counters_and_parking(world: World) {
        let mut ingest = Ingest::start(world).await;
        let first = imei(1);
        let second = imei_in(100, |partition| partition != first.partition(8));
        move_imei(&mut ingest, first, second).await;
    }

    async fn moved_device_continues_on_another_instance(world: World) {
        let mut ingest = Ingest::start(world).await;
        let other = ingest.run_second().await;
        let owners = ingest.owners().await.unwrap();
        let first = imei(1);
        let owner = &owners[first.partition(8) as usize];
        let second = imei_in(100, |partition| owners[partition as usize] != *owner);
        move_imei(&mut ingest, first, second).await;
        other.stop().await.expect("drains");
    }

    /// The partition that the device comes from has its fixes in memory only, when the first one reaches the other.
    async fn moved_device_keeps_unstored_fixes(world: World) {
        let config = Config { commit_linger_ms: 3_000, ..Config::default() };
        let ingest = Ingest::start_with(world, config).await;
        let first = imei(1);
        let second = imei_in(100, |partition| partition != first.partition(8));
        let device = ingest.device(first).await.id;
        let gateway = ingest.gateway().await;
        let mut drive = Drive::begin();
        drive.drive_on(&gateway, first, 5, 40.0).await;
        ingest.change_imei(&device, second).await;
        drive.drive_on(&gateway, second, 5, 40.0).await;
        let track = ingest.track_of(&device, 10).await;
        assert_continuous(&track);
        driven(last(&track), 9);
    }

    async fn imei_moves_there_and_back(world: World) {
        let mut ingest = Ingest::start(world).await;
        let first = imei(1);
        let second = imei_in(100, |partition| partition != first.partition(8));
        let device = ingest.device(first).await.id;
        let gateway = ingest.gateway().await;
        let mut drive = Drive::begin();
        drive.drive_on(&gateway, first, 5, 40.0).await;
        ingest.track_of(&device, 5).await;
        ingest.change_imei(&device, second).await;
        drive.drive_on(&gateway, second, 5, 40.0).await;
        ingest.track_of(&device, 10).await;
        ingest.change_imei(&device, first).await;
        drive.began = Timestamp::now().millis() - drive.steps * 10_000;
        drive.drive_on(&gateway, first, 5, 40.0).await;
        let track = ingest.track_of(&device, 15).await;
        assert_continuous(&track);
        driven(last(&track), 14);
        ingest.seal().await;
        ingest.kill().await;
        ingest.run().await;
        drive.drive_on(&gateway, first, 5, 40.0).await;
        let track = ingest.track_of(&device, 20).await;
        assert_continuous(&track);
        driven(last(&track), 19);
    }
}
