//! Fixes that cannot be believed: kept, told as such, counted, and shown nowhere as where the vehicle is.

use armada_proto::v1::{DeviceMessagesRequest, FixMark, LastPosition, MessageOutcome};
use armada_testkit::{both_databases, eventually};
use serde_json::json;

use crate::common::{Ingest, SOON, at, at_ms, imei};

/// Waits until the newest fix of the only device is that of a second.
async fn newest(ingest: &Ingest, second: i64) -> LastPosition {
    eventually("the newest fix is known", SOON, async || {
        let last = ingest.last(&ingest.admin).await?.pop();
        let last = last.filter(|last| last.recorded_at.is_some_and(|at| at.millis() == at_ms(second)));
        last.ok_or_else(|| anyhow::anyhow!("not yet"))
    })
    .await
}

both_databases! {
    starting crate::common::world;

    async fn jump_is_stored_and_marked_without_moving_the_vehicle(world: World) {
        let mut ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let report = async |second: i64, lat: f64| {
            let fix = json!({"recorded_at": at(second), "lat": lat, "lng": 106.8, "speed": 36});
            gateway.report(&imei(1).to_string(), &fix).await.expect("acknowledged");
        };
        for (second, lat) in [(0, -6.2), (30, -6.203), (60, -7.0)] {
            report(second, lat).await;
        }
        let shown = newest(&ingest, 60).await;
        assert_eq!((shown.lat, shown.mark()), (-6.203, FixMark::Jump));
        ingest.refused_for("jump", 1).await;

        // Whoever starts from the checkpoint and what was stored since knows it as well.
        ingest.seal().await;
        ingest.kill().await;
        ingest.run().await;
        assert_eq!(newest(&ingest, 60).await, shown);
        report(90, -6.209).await;
        let shown = newest(&ingest, 90).await;
        assert_eq!((shown.lat, shown.mark), (-6.209, None));

        // One that came late is judged by those around it, and counted when it is sealed.
        report(40, -6.204).await;
        report(45, -5.0).await;
        let track = ingest.track_of(&device.id, 6).await;
        ingest.seal().await;
        ingest.refused_for("jump", 2).await;
        let sealed = ingest.track_of(&device.id, 6).await;
        let marks_of = |track: &std::collections::BTreeMap<i64, armada_track::Position>| -> Vec<_> {
            track.values().map(|position| (position.report.lat, position.mark, position.derived.distance_dm)).collect()
        };
        assert_eq!(marks_of(&track), marks_of(&sealed));
        let marks: Vec<_> = sealed.values().map(|position| position.mark).collect();
        let good = FixMark::Unspecified;
        assert_eq!(marks, [good, good, good, FixMark::Jump, FixMark::Jump, good]);
        let travelled = sealed[&at_ms(90)].derived.distance_dm;
        assert!(travelled.abs_diff(10_008) <= 5, "0.009 degrees: {travelled} dm");

        let wanted = |outcome: MessageOutcome, marks: &[FixMark]| DeviceMessagesRequest {
            id: device.id.clone(),
            outcome: outcome.into(),
            marks: marks.iter().map(|mark| (*mark).into()).collect(),
            ..DeviceMessagesRequest::default()
        };
        for (outcome, marks, expected) in [
            (MessageOutcome::Unspecified, [FixMark::Jump, FixMark::Stuck].as_slice(), vec![-7.0, -5.0]),
            (MessageOutcome::Accepted, [FixMark::Clock].as_slice(), vec![]),
            (MessageOutcome::Refused, [FixMark::Jump].as_slice(), vec![]),
        ] {
            let request = ingest.admin.sign(wanted(outcome, marks));
            let found = ingest.positions().messages(request).await.expect("a page").into_inner().items;
            let places: Vec<_> = found.iter().filter_map(|message| Some(message.fix.as_ref()?.lat)).collect();
            assert_eq!(places, expected, "{outcome:?} {marks:?}");
        }
    }
}
