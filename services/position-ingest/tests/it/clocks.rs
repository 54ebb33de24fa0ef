//! Trackers whose clocks are wrong: what has lost weeks is taken in at the time that is right, and who sends it is told.

use std::collections::BTreeMap;

use anyhow::ensure;
use armada_position_ingest::streams;
use armada_proto::{
    Timestamp,
    v1::{DeviceMessagesRequest, FixMark, PositionReport},
};
use armada_runtime::bus::Publication;
use armada_testkit::{Gateway, Kind, both_databases, eventually};
use armada_track::{FrameBuilder, HotBuilder, Position, ROLLOVER_MS, Report};
use async_nats::HeaderMap;
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, at_ms, get, imei};

/// By how many seconds the clock of the only device is wrong.
async fn clock_is_off(ingest: &Ingest, seconds: Option<i32>) {
    eventually("it is known whether the clock is right", SOON, async || {
        let last = ingest.last(&ingest.admin).await?.pop();
        ensure!(last.as_ref().is_some_and(|last| last.clock_off_seconds == seconds), "{last:?}");
        Ok(())
    })
    .await;
}

both_databases! {
    starting crate::common::world;

    async fn lost_weeks_are_added(world: World) {
        let mut ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        ingest.make_gateway("depot").await;
        let gateway = Gateway::connect_trusted(&ingest.world.nats, "depot").await;
        let now = Timestamp::now().millis() / 1_000 * 1_000;
        let lost = ROLLOVER_MS / 1_000;
        let of_ms = |at: i64| Timestamp::from_millis(at).to_rfc3339();

        let body = json!([{"recorded_at": of_ms(now - 60_000 - ROLLOVER_MS), "lat": -6.2, "lng": 106.8},
                          {"recorded_at": of_ms(now - 3 * 86_400_000 - ROLLOVER_MS), "lat": -6.2, "lng": 106.8},
                          {"recorded_at": of_ms(now - 50_000 - 2 * ROLLOVER_MS), "lat": -6.2, "lng": 106.8},
                          {"recorded_at": of_ms(now + 3_600_000 - ROLLOVER_MS), "lat": -6.2, "lng": 106.8}]);
        let answer = gateway.send(&imei(1).to_string(), body.to_string().into()).await;
        let corrected = |index: u32, seconds: i64| json!({"index": index, "warning": "clock_corrected", "seconds": seconds});
        assert_eq!((&answer["accepted"], &answer["warnings"]), (&json!(3), &json!([corrected(0, lost), corrected(2, 2 * lost)])));
        // What cannot be corrected is stored at the time that it says, and what is ahead then is refused as ever.
        assert_eq!(answer["rejected"], json!([{"index": 3, "reason": "future_fix", "field": "recorded_at"}]));

        let (lat, lng) = (Some(-6.2), Some(106.8));
        let report = PositionReport { recorded_at: now - 40_000 - ROLLOVER_MS, lat, lng, ..PositionReport::default() };
        let answer = gateway.send(&imei(1).to_string(), report.encode_to_vec()).await;
        assert_eq!((&answer["accepted"], &answer["warnings"]), (&json!(1), &json!([corrected(0, lost)])));
        let mut frame = FrameBuilder::default();
        frame.push(imei(1), &Report::new(now - 30_000 - ROLLOVER_MS, -62_000_000, 1_068_000_000));
        // Whether a clock was corrected says the receiver alone.
        let claims = Report { clock_corrected: true, ..Report::new(now - 20_000, -62_000_000, 1_068_000_000) };
        frame.push(imei(1), &claims);
        // Held until somebody has the device.
        frame.push(imei(2), &Report::new(now - 30_000 - ROLLOVER_MS, -62_000_000, 1_068_000_000));
        let answer = gateway.send("frame", frame.take().encode_to_vec()).await;
        assert_eq!((&answer["accepted"], &answer["held"]), (&json!(2), &json!(1)), "{answer}");
        assert_eq!(answer["warnings"], json!([corrected(0, lost), corrected(2, lost)]));

        let of = |seconds: i64, mark| (now + seconds * 1_000, mark);
        let expected = [
            (now - 3 * 86_400_000 - ROLLOVER_MS, FixMark::Clock),
            of(-60, FixMark::ClockCorrected),
            of(-50, FixMark::ClockCorrected),
            of(-40, FixMark::ClockCorrected),
            of(-30, FixMark::ClockCorrected),
            of(-20, FixMark::Unspecified),
        ];
        let told = |track: &BTreeMap<i64, Position>| -> Vec<(i64, FixMark)> {
            track.values().map(|position| (position.recorded_at(), position.shown_mark())).collect()
        };
        assert_eq!(told(&ingest.track_of(&device.id, 6).await), expected);
        clock_is_off(&ingest, None).await;
        ingest.refused_for("clock_corrected", 4).await;

        let shown = eventually("the messages are shown", SOON, async || {
            let shown = ingest.last_messages(&ingest.admin, "depot").await?;
            ensure!(shown.len() == 3, "{shown:?}");
            Ok(shown)
        })
        .await;
        let counts = shown.iter().map(|message| (message.clock_corrected, message.clock_behind_seconds)).max();
        assert_eq!(counts, Some((2, 2 * lost as u32)), "{shown:?}");
        let metrics = get(ingest.context.health.router(), "/metrics").await;
        let line = r#"armada_ingest_clocks_corrected_total{gateway="depot"} 5"#;
        assert!(metrics.contains(line), "{line}");
        let request = DeviceMessagesRequest {
            id: device.id.clone(),
            marks: vec![FixMark::ClockCorrected.into()],
            ..DeviceMessagesRequest::default()
        };
        let found = ingest.positions().messages(ingest.admin.sign(request)).await.expect("a page").into_inner();
        assert_eq!(found.items.len(), 4);

        // Whoever reads it again finds the same, and who gets the device later as well.
        ingest.kill().await;
        ingest.run().await;
        assert_eq!(told(&ingest.track_of(&device.id, 6).await), expected);
        ingest.seal().await;
        assert_eq!(told(&ingest.track_of(&device.id, 6).await), expected);
        let later = ingest.device(imei(2)).await;
        assert_eq!(told(&ingest.track_of(&later.id, 1).await), [of(-30, FixMark::ClockCorrected)]);
    }

    /// What was refused as one of the future is played back later: at the time that was right when it came.
    async fn lost_weeks_are_added_when_a_message_is_played_back(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let received = Timestamp::now().millis() / 1_000 * 1_000 - 2 * 86_400_000;
        let fix = |at: i64| json!({"recorded_at": Timestamp::from_millis(at - ROLLOVER_MS).to_rfc3339(), "lat": -6.2, "lng": 106.8});
        let body = json!([fix(received), fix(received + 1_200_000)]).to_string();
        let mut headers = HeaderMap::new();
        headers.insert("Armada-Gateway", "test");
        headers.insert("Armada-Imei", imei(1).to_string());
        headers.insert("Armada-Size", body.len().to_string());
        headers.insert("Armada-Received", received.to_string());
        let letter = Publication { subject: "dlq.future_fix".to_owned(), headers, body: body.into() };
        let bus = &ingest.world.bus;
        bus.publish(letter).await.expect("it is kept");
        let gateways = ingest.world.gateways_bus().await;
        let played = armada_position_ingest::admin::replay_dead_letters(bus, gateways, None, |_| ()).await.expect("it is played back");
        assert_eq!(played, 1);
        let track = ingest.track_of(&device.id, 2).await;
        let told: Vec<_> = track.values().map(|position| (position.recorded_at(), position.shown_mark())).collect();
        assert_eq!(told, [(received, FixMark::ClockCorrected), (received + 1_200_000, FixMark::ClockCorrected)]);
    }

    /// Frames as the owner of the partition publishes them stand for what takes minutes.
    async fn clock_that_stays_behind_is_told(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let now = Timestamp::now().millis();
        let ids = (ingest.tenant, device.id.parse().expect("an id"));
        let publish = async |seq: i64, minutes: i64| {
            let received_at = now + minutes * 60_000;
            let report = Report::new(received_at - 7_200_000, -62_000_000, 1_068_000_000);
            let mut hot = HotBuilder::default();
            hot.push(ids.0, ids.1, &Position { late: false, ..Position::late(report) });
            let mut headers = HeaderMap::new();
            headers.insert(streams::HEADER_SEQ, seq.to_string());
            headers.insert(streams::HEADER_STREAM_TS, received_at.to_string());
            let subject = streams::positions_subject(imei(1).partition(8));
            ingest.world.bus.publish(Publication { subject, headers, body: hot.finish().into() }).await.expect("it is published");
        };
        for (seq, minutes) in (1..).zip([-4, -3, -2, -1, 0]) {
            publish(seq, minutes).await;
        }
        clock_is_off(&ingest, Some(-7_200)).await;
        let fix = |at: i64| json!({"recorded_at": Timestamp::from_millis(at).to_rfc3339(), "lat": -6.2, "lng": 106.8});
        let now = Timestamp::now().millis();
        // The newest is as late as all of late; the one before is what it had kept.
        let body = json!([fix(now - 7_260_000), fix(now - 7_200_000)]);
        let answer = gateway.send(&imei(1).to_string(), body.to_string().into()).await;
        let told = (&answer["accepted"], &answer["warnings"][0]["index"], &answer["warnings"][0]["warning"], &answer["warnings"][1]);
        assert_eq!(told, (&json!(2), &json!(1), &json!("clock_behind"), &Value::Null), "{answer}");
        let seconds = answer["warnings"][0]["seconds"].as_i64().expect("a number");
        assert!((7_200..7_215).contains(&seconds), "{answer}");

        // When frames are missing all is loaded anew, and what was heard of clocks is still known.
        ingest.track_of(&device.id, 2).await;
        publish(100, 0).await;
        eventually("the positions are loaded anew", SOON, async || {
            let last = ingest.last(&ingest.admin).await?.pop();
            ensure!(last.as_ref().is_some_and(|last| last.recorded_at == Some(Timestamp::from_millis(now - 7_200_000))), "{last:?}");
            Ok(())
        })
        .await;
        clock_is_off(&ingest, Some(-7_200)).await;
    }

    /// A clock of which nobody says that it is right refuses no fix of the future, and takes in what stands beside it.
    async fn what_an_unsure_clock_cannot_judge_costs_nothing_else(world: World) {
        if world.kind == Kind::Postgres {
            // By the clock of the server it would be known.
            return;
        }
        let mut ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        ingest.kill().await;
        ingest.run_unsure().await;
        let gateway = ingest.gateway().await;
        let now = Timestamp::now().millis();
        let (hours, year) = (now + 2 * 3_600_000, now + 365 * 86_400_000);
        let again = async |device: &str, body: Vec<u8>| {
            eventually("the gateway is told to send again", SOON, async || {
                let answer = gateway.try_send(device, body.clone()).await?;
                let said = (&answer["error"]["description"], &answer["retry_after_ms"], &answer["rejected"]);
                ensure!(said == (&json!("clock_unsure"), &json!(30_000), &Value::Null), "{answer}");
                Ok(())
            })
            .await;
        };

        let mut frame = FrameBuilder::default();
        let row = |at| Report::new(at, -62_000_000, 1_068_000_000);
        (0..100).for_each(|second| frame.push(imei(1), &row(at_ms(second))));
        frame.push(imei(1), &row(hours));
        frame.push(imei(2), &row(at_ms(0)));
        let frame = frame.take().encode_to_vec();
        let fix = |at: i64| json!({"recorded_at": Timestamp::from_millis(at).to_rfc3339(), "lat": -6.2, "lng": 106.8});
        let unknown = json!([fix(at_ms(1)), fix(at_ms(2)), fix(hours)]).to_string();
        // It is sent again as long as it is asked for, and is there once.
        for _ in 0..3 {
            again("frame", frame.clone()).await;
            again(&imei(3).to_string(), unknown.clone().into()).await;
        }
        again(&imei(1).to_string(), fix(hours).to_string().into()).await;
        ingest.track_of(&device.id, 100).await;
        let later = (ingest.device(imei(2)).await, ingest.device(imei(3)).await);
        ingest.track_of(&later.0.id, 1).await;
        ingest.track_of(&later.1.id, 2).await;

        // No clock is so wrong that these are right.
        let answer = gateway.send(&imei(1).to_string(), json!([fix(at_ms(200)), fix(year)]).to_string().into()).await;
        let refused = json!([{"index": 1, "reason": "future_fix", "field": "recorded_at"}]);
        assert_eq!((&answer["accepted"], &answer["rejected"]), (&json!(1), &refused), "{answer}");
        let last = PositionReport { recorded_at: i64::MAX, lat: Some(-6.2), lng: Some(106.8), ..PositionReport::default() };
        for body in [last.encode_to_vec(), json!({"recorded_at": "9999-12-31T00:00:00Z", "lat": 1, "lng": 2}).to_string().into()] {
            let answer = gateway.send(&imei(1).to_string(), body).await;
            assert_eq!((&answer["error"]["description"], &answer["error"]["code"]), (&json!("future_fix"), &json!(400)), "{answer}");
        }
        ingest.track_of(&device.id, 101).await;
        ingest.refused_for("future_fix", 3).await;
    }
}
