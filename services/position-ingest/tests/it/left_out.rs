//! A value that cannot be costs itself: its gateway hears of it, and so does whoever looks.

use anyhow::ensure;
use armada_testkit::{Gateway, both_databases, eventually};
use armada_track::{FrameBuilder, Report};
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, at, at_ms, get, imei};

both_databases! {
    starting crate::common::world;

    async fn values_that_cannot_be_are_left_out_and_told(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        ingest.make_gateway("depot").await;
        let gateway = Gateway::connect_trusted(&ingest.world.nats, "depot").await;
        // As long as warnings can be: to a message of which nothing else is right the answer is as short.
        let worst = |second: i64| json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8, "batt_percent": -1, "fuel_percent": -1,
            "gsm_signal": -1, "fuel_liter": -1, "attrs": 7, "valid": 7, "ignition": {}, "speed": []});
        let worst = Value::Array((0..500).map(|number| worst(1_000 + number)).collect());
        let answer = gateway.send(&imei(2).to_string(), worst.to_string().into()).await;
        assert_eq!((&answer["held"], &answer["more_warnings"]), (&json!(500), &json!(3_990)), "{answer}");
        assert!(answer.to_string().len() < 1_000, "{answer}");
        let fix = |second: i64| json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8, "batt_percent": 101, "sat": 255});
        let many = Value::Array((0..500).map(fix).collect());
        let answer = gateway.send(&imei(1).to_string(), many.to_string().into()).await;
        assert_eq!((&answer["accepted"], &answer["more_warnings"]), (&json!(500), &json!(490)), "{answer}");
        assert!(answer["rejected"].is_null() && answer.to_string().len() < 1_000, "{answer}");
        let tenth = json!({"index": 9, "warning": "left_out", "field": "batt_percent", "reason": "out_of_range"});
        assert_eq!((answer["warnings"].as_array().map(Vec::len), &answer["warnings"][9]), (Some(10), &tenth));

        let mut frame = FrameBuilder::default();
        let odd = Report { speed: Some(20_000), ignition: Some(true), ..Report::new(at_ms(600), -62_000_000, 1_068_000_000) };
        frame.push(imei(1), &odd);
        let answer = gateway.send("frame", frame.take().encode_to_vec()).await;
        let told = json!([{"index": 0, "warning": "left_out", "field": "speed", "reason": "out_of_range"}]);
        assert_eq!((&answer["accepted"], &answer["warnings"]), (&json!(1), &told));
        let call = json!({"recorded_at": at(700), "lat": "north", "lng": 106.8, "alarm": {"kind": "SOS"}});
        let answer = gateway.send(&imei(1).to_string(), call.to_string().into()).await;
        let fields: Vec<_> = answer["warnings"].as_array().into_iter().flatten().map(|told| told["field"].as_str()).collect();
        assert_eq!((&answer["accepted"], fields), (&json!(1), vec![Some("lat"), Some("alarm")]), "{answer}");

        let track = ingest.track_of(&device.id, 502).await;
        let report = |second| &track[&at_ms(second)].report;
        assert_eq!((report(7).batt_percent, report(7).sat), (None, None));
        assert_eq!((report(600).speed, report(600).ignition), (None, Some(true)));
        assert_eq!((report(700).alarm.as_deref(), report(700).valid), (Some("unknown"), false));

        let shown = eventually("the messages are shown", SOON, async || {
            let shown = ingest.last_messages(&ingest.admin, "depot").await?;
            ensure!(shown.len() == 4, "{shown:?}");
            Ok(shown)
        })
        .await;
        let first = shown.iter().find(|message| message.accepted == 500).expect("it is shown");
        let left_out = &first.left_out[..];
        assert!(matches!(left_out, [one] if (one.field.as_str(), one.count) == ("batt_percent", 500)), "{left_out:?}");
        let metrics = get(ingest.context.health.router(), "/metrics").await;
        for (field, reason, count) in [("batt_percent", "out_of_range", 1_000), ("alarm", "wrong_type", 1)] {
            let line = format!(
                r#"armada_ingest_values_left_out_total{{gateway="depot",field="{field}",reason="{reason}"}} {count}"#
            );
            assert!(metrics.contains(&line), "{line}");
        }
    }
}
