//! From a publication to history and last positions, as messages and as frames.

use crate::common::{Ingest, SOON, at, at_ms, imei};
use armada_proto::v1::Motion;
use armada_testkit::{both_databases, eventually};
use armada_track::{FrameBuilder, Report};
use prost::Message;
use serde_json::json;

both_databases! {
    starting crate::common::world;

    async fn a_fix_published_by_a_device_becomes_history_and_last_position(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let fix = json!({
            "recorded_at": at(0), "lat": -6.175392, "lng": 106.827153, "speed": 41.5, "course": 270, "sat": 11,
            "ignition": true, "odometer": 120_500, "fuel_percent": 61, "attrs": {"temp": 4.5},
        });
        gateway.report(&imei(1).to_string(), &fix).await.expect("acknowledged");

        let track = ingest.track_of(&device.id, 1).await;
        let position = &track[&at_ms(0)];
        assert_eq!((position.report.lat, position.report.lng), (-61_753_920, 1_068_271_530));
        assert_eq!(position.report.speed, Some(415));
        assert_eq!(position.derived.motion, Motion::Moving);

        let last = eventually("the last position", SOON, async || {
            let last = ingest.last(&ingest.admin).await?;
            anyhow::ensure!(last.len() == 1);
            Ok(last)
        })
        .await;
        assert_eq!((last[0].lat, last[0].lng), (-6.175392, 106.827153));
        assert_eq!(last[0].odometer, Some(120_500.0));
        assert_eq!(last[0].attrs.as_deref(), Some(r#"{"temp":4.5}"#));
        ingest.process.unwrap().stop().await.expect("drains");
    }

    async fn frames_carry_many_devices(world: World) {
        let ingest = Ingest::start(world).await;
        let mut devices = Vec::new();
        for number in 0..20 {
            devices.push(ingest.device(imei(number)).await);
        }
        let gateway = ingest.gateway().await;
        for partition in 0..ingest.config.partitions {
            let mut frame = FrameBuilder::default();
            for second in 0..30 {
                for number in (0..20).filter(|number| imei(*number).partition(8) == partition) {
                    let lat = -61_000_000 + number as i32 * 1000 + second as i32 * 100;
                    let report = Report { speed: Some(300), ..Report::new(at_ms(second), lat, 1_068_000_000) };
                    frame.push(imei(number), &report);
                }
            }
            if !frame.is_empty() {
                gateway.frame(frame.take().encode_to_vec()).await.expect("acknowledged");
            }
        }
        for device in &devices {
            ingest.track_of(&device.id, 30).await;
        }
        assert_eq!(ingest.refused().await.unwrap().len(), 0);
    }

    async fn history_is_the_same_before_and_after_sealing(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(7)).await;
        let gateway = ingest.gateway().await;
        // Out of order, with repeats, over midnight, and another fix of a stored instant.
        let seconds = [0, 10, 20, 10, 5, 86_400, 86_390, 15, 0];
        for (n, second) in seconds.iter().enumerate() {
            let lat = -6.0 + *second as f64 * 1e-5;
            let fix = json!({"recorded_at": at(*second), "lat": lat, "lng": 106.8, "speed": 20 + n / 100});
            gateway.report(&imei(7).to_string(), &fix).await.expect("acknowledged");
        }
        let conflict = json!({"recorded_at": at(20), "lat": 1.0, "lng": 1.0});
        gateway.report(&imei(7).to_string(), &conflict).await.expect("acknowledged");
        ingest.refused_for("conflict", 1).await;

        let hot = ingest.track_of(&device.id, 7).await;
        ingest.seal().await;
        let sealed = ingest.track_of(&device.id, 7).await;
        let reports = |track: &std::collections::BTreeMap<i64, armada_track::Position>| {
            track.values().map(|position| position.report.clone()).collect::<Vec<_>>()
        };
        assert_eq!(reports(&hot), reports(&sealed));
        assert_eq!(sealed[&at_ms(20)].report.lat, -59_998_000);

        let late = json!({"recorded_at": at(12), "lat": -6.0, "lng": 106.8});
        gateway.report(&imei(7).to_string(), &late).await.expect("acknowledged");
        ingest.track_of(&device.id, 8).await;
        ingest.seal().await;
        ingest.track_of(&device.id, 8).await;
        let last = ingest.last(&ingest.admin).await.unwrap();
        assert_eq!(last[0].recorded_at.unwrap().millis(), at_ms(86_400), "a late fix never moves the live state back");
    }

    async fn a_device_made_after_its_first_message_gets_its_next(world: World) {
        let ingest = Ingest::start(world).await;
        let gateway = ingest.gateway().await;
        let fix = |second| json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8});
        gateway.report(&imei(3).to_string(), &fix(0)).await.expect("acknowledged");
        ingest.refused_for("unknown_device", 1).await;
        let device = ingest.device(imei(3)).await;
        // The bucket tells in a moment: the fixes until then are held, and are taken in with it.
        let mut second = 0;
        eventually("the device's fixes are taken in", SOON, async || {
            second += 1;
            gateway.report(&imei(3).to_string(), &fix(second)).await?;
            let track = ingest.track(&ingest.admin, &device.id).await?;
            anyhow::ensure!(!track.is_empty());
            Ok(())
        })
        .await;
        ingest.track_of(&device.id, second as usize + 1).await;
    }

    async fn restart_resumes_from_the_checkpoint(world: World) {
        let mut ingest = Ingest::start(world).await;
        let device = ingest.device(imei(9)).await;
        let gateway = ingest.gateway().await;
        for round in 0..4_i64 {
            for second in 0..25 {
                let second = round * 25 + second;
                let fix = json!({"recorded_at": at(second), "lat": -6.0 - second as f64 * 1e-4, "lng": 106.8, "speed": 40});
                gateway.report(&imei(9).to_string(), &fix).await.expect("acknowledged");
            }
            match round % 2 {
                0 => ingest.kill().await,
                _ => ingest.process.take().unwrap().stop().await.expect("drains"),
            }
            ingest.run().await;
        }
        let track = ingest.track_of(&device.id, 100).await;
        let odometers: Vec<u64> = track.values().map(|position| position.derived.odometer_dm).collect();
        assert!(odometers.is_sorted(), "the odometer went on: {odometers:?}");
        // 99 steps of 11.12 m, each rounded to a decimetre, whatever was killed in between.
        assert!((10_980..11_020).contains(odometers.last().unwrap()), "{:?}", odometers.last());
    }
}
