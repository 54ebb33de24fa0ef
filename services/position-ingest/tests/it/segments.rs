//! Trips and stops of a device, from what is sealed and what is not, for whoever sees it.

use armada_proto::{
    DeviceId, Timestamp,
    v1::{TrackSegmentKind, TrackSegmentsRequest},
};
use armada_testkit::both_databases;
use serde_json::{Value, json};

use crate::common::{Ingest, at, at_ms, imei};

/// A fix every minute: half an hour on the road at 36 km/h, then half an hour beside it.
fn fix(minute: i64) -> Value {
    let moves = minute < 30;
    let (lat, speed) = (-6.2 - 0.0054 * minute.min(30) as f64, if moves { 36 } else { 0 });
    json!({"recorded_at": at(minute * 60), "lat": lat, "lng": 106.8, "speed": speed, "ignition": moves})
}

/// The same hour of every day.
fn fix_of_day(minute: i64) -> Value {
    let mut fix = fix(minute % (24 * 60));
    fix["recorded_at"] = at(minute * 60).into();
    fix
}

fn of(device: &str, from: i64, to: i64) -> TrackSegmentsRequest {
    let time = |seconds| Some(Timestamp::from_millis(at_ms(seconds)));
    TrackSegmentsRequest { id: device.to_owned(), from: time(from), to: time(to) }
}

both_databases! {
    starting crate::common::world;

    async fn trips_and_stops_are_divided_across_what_is_sealed(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let tracker = imei(1).to_string();
        gateway.report(&tracker, &(0..20).map(fix).collect::<Value>()).await.expect("acknowledged");
        ingest.track_of(&device.id, 20).await;
        ingest.seal().await;
        gateway.report(&tracker, &(20..60).map(fix).collect::<Value>()).await.expect("acknowledged");
        ingest.track_of(&device.id, 60).await;

        let ask = async |request| ingest.positions().track_segments(ingest.admin.sign(request)).await;
        let all = ask(of(&device.id, 0, 3_600)).await.expect("segments").into_inner().items;
        let [trip, stop] = &all[..] else { panic!("{all:?}") };
        assert_eq!((trip.kind(), stop.kind()), (TrackSegmentKind::Trip, TrackSegmentKind::Stop));
        assert_eq!((trip.from.unwrap().millis(), trip.to.unwrap().millis()), (at_ms(0), at_ms(1_800)));
        assert_eq!((stop.to.unwrap().millis(), stop.fixes, stop.ongoing, trip.ongoing), (at_ms(59 * 60), 30, true, false));
        assert_eq!((trip.fixes, trip.moving_seconds, trip.max_speed), (30, 1_800.0, Some(36.0)));
        assert!((17_900.0..18_150.0).contains(&trip.distance), "{trip:?}");
        assert_eq!((trip.end_lat, trip.end_lng), (stop.start_lat, stop.start_lng));
        let part = ask(of(&device.id, 2_400, 3_000)).await.expect("segments").into_inner().items;
        assert_eq!(part.len(), 1, "within the stop: {part:?}");
        assert_eq!(ask(of(&device.id, 7_200, 9_000)).await.expect("none").into_inner().items, []);

        let refused = ask(of(&device.id, 1, 0)).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::InvalidArgument);
        let foreign = ingest.device_elsewhere(imei(2)).await;
        for id in [foreign.id.clone(), DeviceId::new().to_string(), "no id at all".to_owned()] {
            assert_eq!(ask(of(&id, 0, 1)).await.unwrap_err().code(), tonic::Code::NotFound, "{id}");
        }
    }

    async fn what_a_tracker_kept_of_the_day_before_has_its_trips(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let tracker = imei(1).to_string();
        let day = 24 * 60;
        gateway.report(&tracker, &(day..day + 60).map(fix_of_day).collect::<Value>()).await.expect("acknowledged");
        ingest.track_of(&device.id, 60).await;
        ingest.seal().await;
        gateway.report(&tracker, &(0..60).map(fix_of_day).collect::<Value>()).await.expect("acknowledged");
        ingest.track_of(&device.id, 120).await;

        for sealed in [false, true] {
            if sealed {
                ingest.seal().await;
            }
            let asked = of(&device.id, 0, 2 * 24 * 3_600);
            let all = ingest.positions().track_segments(ingest.admin.sign(asked)).await.expect("segments").into_inner().items;
            let trips: Vec<_> = all.iter().filter(|segment| segment.kind() == TrackSegmentKind::Trip).collect();
            let [kept, today] = trips[..] else { panic!("sealed {sealed}: {all:?}") };
            assert_eq!(kept.from.unwrap().millis() + 24 * 3_600_000, today.from.unwrap().millis());
            for trip in trips {
                assert_eq!((trip.fixes, trip.moving_seconds, trip.max_speed), (30, 1_800.0, Some(36.0)), "sealed {sealed}");
                assert!((17_900.0..18_150.0).contains(&trip.distance), "sealed {sealed}: {trip:?}");
            }
        }
    }
}
