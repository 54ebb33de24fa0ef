//! What trackers send with the time of another fix is not lost: an alarm, the ignition, what else there is.

use std::collections::BTreeMap;

use armada_proto::{Timestamp, v1::event::Details};
use armada_testkit::{both_databases, eventually};
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, imei, imei_in};

/// A fix so many seconds after `began`, with what else it says.
fn fix(began: i64, second: i64, more: Value) -> Value {
    let at = Timestamp::from_millis(began + second * 1000).to_rfc3339();
    let mut fix =
        json!({ "recorded_at": at, "lat": -6.2 + second as f64 * 1e-4, "lng": 106.8, "speed": 40, "ignition": true });
    fix.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    fix
}

/// An alarm without a place, and nothing else.
fn call(began: i64, second: i64, alarm: &str) -> Value {
    json!({ "recorded_at": Timestamp::from_millis(began + second * 1000).to_rfc3339(), "alarm": alarm })
}

impl Ingest {
    /// Publishes it, which must be accepted whole.
    async fn accept(&self, number: u64, body: Value) {
        let count = body.as_array().map_or(1, Vec::len);
        let answer = self.gateway().await.send(&imei(number).to_string(), body.to_string().into()).await;
        assert_eq!(answer["accepted"], count, "{answer}");
    }
}

both_databases! {
    starting crate::common::world;

    /// Alive, in one batch, late, behind a kill, and once more; sealed and compacted.
    async fn alarm_with_the_time_of_another_fix_is_told_once(world: World) {
        let mut ingest = Ingest::start(world).await;
        let began = Timestamp::now().millis() - 120_000;
        let devices = [ingest.device(imei(1)).await.id, ingest.device(imei(2)).await.id, ingest.device(imei(3)).await.id, ingest.device(imei(4)).await.id];
        for number in 1..=4 {
            ingest.accept(number, fix(began, 0, json!({}))).await;
        }
        // Of the newest fix, in another message and in the same one.
        ingest.accept(1, call(began, 0, "sos")).await;
        ingest.accept(2, json!([fix(began, 10, json!({})), call(began, 10, "accident"), call(began, 10, "power_cut")])).await;
        // Of an older one.
        ingest.accept(3, fix(began, 10, json!({}))).await;
        ingest.accept(3, fix(began, 20, json!({}))).await;
        ingest.accept(3, call(began, 10, "sos")).await;
        let told = ["alarm.sos", "alarm.accident", "device.power_cut", "alarm.sos"];
        ingest.expect_events(&told).await;
        // After a kill, and what was told before it again.
        ingest.kill().await;
        ingest.run().await;
        ingest.accept(4, call(began, 0, "sos")).await;
        ingest.accept(1, call(began, 0, "sos")).await;
        ingest.accept(2, call(began, 10, "accident")).await;
        ingest.accept(3, call(began, 10, "sos")).await;
        let told = [&told[..], &["alarm.sos"]].concat();
        ingest.expect_events(&told).await;

        let alarms = async |ingest: &Ingest| {
            let mut found = Vec::new();
            for device in &devices {
                let track = ingest.track(&ingest.admin, device).await?;
                anyhow::ensure!(track.values().all(|position| position.report.valid));
                found.push(track.values().filter_map(|position| position.report.alarm.as_deref().map(str::to_owned)).collect::<Vec<_>>());
            }
            Ok(found)
        };
        let wanted = [vec!["sos"], vec!["accident,power_cut"], vec!["sos"], vec!["sos"]];
        assert_eq!(alarms(&ingest).await.unwrap(), wanted);
        let last = eventually("the last positions say it", SOON, async || {
            let last = ingest.last(&ingest.admin).await?;
            let alarms: BTreeMap<_, _> = last.into_iter().map(|last| (last.device_id, last.alarm)).collect();
            anyhow::ensure!(alarms[&devices[0]].as_deref() == Some("sos") && alarms[&devices[3]].as_deref() == Some("sos"), "{alarms:?}");
            Ok(alarms)
        })
        .await;
        assert_eq!(last[&devices[1]].as_deref(), Some("accident"), "what asks most");
        ingest.seal().await;
        ingest.accept(2, call(began, 0, "tamper")).await;
        ingest.expect_events(&[&told[..], &["alarm.tampering"]].concat()).await;
        ingest.seal().await;
        let wanted = [vec!["sos"], vec!["tamper", "accident,power_cut"], vec!["sos"], vec!["sos"]];
        assert_eq!(alarms(&ingest).await.unwrap(), wanted);
        assert_eq!(ingest.number("SELECT count(*) FROM hot_frame").await.unwrap(), 0);
    }

    /// Ignition off in the second of a trip's last fix ends it.
    async fn ignition_with_the_time_of_another_fix_counts(world: World) {
        let ingest = Ingest::start(world).await;
        let began = Timestamp::now().millis() - 120_000;
        let device = ingest.device(imei(1)).await.id;
        ingest.accept(1, fix(began, 0, json!({}))).await;
        ingest.accept(1, fix(began, 10, json!({}))).await;
        ingest.accept(1, fix(began, 10, json!({ "speed": 0, "ignition": false, "odometer": 4711 }))).await;
        ingest.expect_events(&["vehicle.ignition_off"]).await;
        let last = eventually("the engine is off", SOON, async || {
            let last = ingest.last(&ingest.admin).await?.remove(0);
            anyhow::ensure!(last.ignition == Some(false), "{last:?}");
            Ok(last)
        })
        .await;
        assert_eq!((last.speed, last.odometer), (Some(40.0), Some(4711.0)), "what was said first, and what is new");
        ingest.accept(1, fix(began, 100, json!({ "speed": null, "ignition": null, "lat": -6.199 }))).await;
        let track = ingest.track_of(&device, 3).await;
        assert_eq!(track[&(began + 100_000)].derived.engine_ms, 10_000, "it stood still");
        // Another device of another partition from then on: the fix of its last second is known there.
        let moved = imei_in(100, |partition| partition != imei(1).partition(8));
        ingest.change_imei(&device, moved).await;
        let alarm = call(began, 100, "sos");
        let answer = ingest.gateway().await.send(&moved.to_string(), alarm.to_string().into()).await;
        assert_eq!(answer["accepted"], 1, "{answer}");
        ingest.expect_events(&["vehicle.ignition_off", "alarm.sos"]).await;
        ingest.seal().await;
        let track = ingest.track_of(&device, 3).await;
        assert_eq!(track[&(began + 100_000)].report.alarm.as_deref(), Some("sos"));
        assert!(track[&(began + 100_000)].report.valid);
    }

    /// Whoever never had a place is heard, and on no map.
    async fn call_without_a_place_is_an_event(world: World) {
        let mut ingest = Ingest::start(world).await;
        let began = Timestamp::now().millis() - 60_000;
        let device = ingest.device(imei(1)).await.id;
        let calls = [
            call(began, 0, "sos"),
            fix(began, 0, json!({ "lat": 0, "lng": 0, "alarm": "sos" })),
            fix(began, 0, json!({ "valid": false, "lat": 0, "lng": 0, "alarm": "sos" })),
        ];
        for call in calls {
            ingest.accept(1, call).await;
        }
        let events = ingest.expect_events(&["alarm.sos"]).await;
        assert_eq!(events[0].device_id.as_ref(), Some(&device));
        let Some(Details::Vehicle(details)) = &events[0].details else { panic!("{events:?}") };
        assert_eq!((details.lat, details.lng), (None, None));
        ingest.kill().await;
        ingest.run().await;
        ingest.accept(1, call(began, 0, "sos")).await;
        let answer = ingest.gateway().await.send(&imei(1).to_string(), fix(began, 1, json!({ "lat": 0, "lng": 0 })).to_string().into()).await;
        assert_eq!(answer["error"]["description"], "null_island", "without an alarm it says nothing");
        ingest.accept(1, fix(began, 30, json!({}))).await;
        assert_eq!(ingest.track_of(&device, 1).await.len(), 1);
        ingest.expect_events(&["alarm.sos"]).await;
    }

    /// Where there is no sky, the ignition is turned where the vehicle was a moment ago, in the same message or in one before.
    async fn ignition_without_a_place_is_turned_where_the_vehicle_was(world: World) {
        let ingest = Ingest::start(world).await;
        let began = Timestamp::now().millis() - 60_000;
        let nowhere = |second, ignition: bool| {
            fix(began, second, json!({ "valid": false, "lat": 0, "lng": 0, "speed": 0, "ignition": ignition }))
        };
        let parked = |second| fix(began, second, json!({ "speed": 0, "ignition": false }));
        let (one, other) = (ingest.device(imei(1)).await.id, ingest.device(imei(2)).await.id);
        ingest.accept(1, json!([parked(0), nowhere(5, true)])).await;
        let track = ingest.track_of(&one, 2).await;
        assert_eq!(track[&(began + 5_000)].report.ignition, Some(true));
        let gateway = ingest.gateway().await;
        for message in [parked(0), nowhere(5, true)] {
            let answer = gateway.send(&imei(2).to_string(), message.to_string().into()).await;
            assert_eq!(answer["accepted"], 1, "{answer}");
        }
        assert_eq!(ingest.track_of(&other, 2).await[&(began + 5_000)].report.ignition, Some(true));
    }

    /// Two places of one second: the first is kept, and whoever sent them is told.
    async fn second_place_of_an_instant_is_told(world: World) {
        let ingest = Ingest::start(world).await;
        ingest.make_gateway("north").await;
        let began = Timestamp::now().millis() - 60_000;
        let device = ingest.device(imei(1)).await.id;
        let gateway = armada_testkit::Gateway::connect_trusted(&ingest.world.nats, "north").await;
        let two = json!([fix(began, 0, json!({})), fix(began, 0, json!({ "lat": -6.3 }))]);
        let answer = gateway.send(&imei(1).to_string(), two.to_string().into()).await;
        assert_eq!(answer["warnings"], json!([{ "index": 1, "warning": "second_place" }]), "{answer}");
        let apart = gateway.send(&imei(1).to_string(), fix(began, 0, json!({ "lat": -6.4 })).to_string().into()).await;
        assert_eq!((&apart["accepted"], &apart["warnings"]), (&json!(1), &Value::Null));
        ingest.refused_for("conflict", 2).await;
        let shown = ingest.last_messages(&ingest.admin, "north").await.unwrap();
        assert_eq!(shown.iter().map(|message| message.second_places).sum::<u32>(), 1, "{shown:?}");
        let track = ingest.track_of(&device, 1).await;
        assert_eq!(track[&began].report.lat, -62_000_000);
    }
}
