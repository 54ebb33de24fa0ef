//! What happens to vehicles comes to the stream EVENTS: once each, whatever is restarted, and without a fix where none is
//! needed.

use armada_proto::{
    Timestamp,
    v1::{Device, DeviceInput, DeviceStatus, Event, IgnitionWire, event::Details},
};
use armada_runtime::events::STREAM;
use armada_testkit::{both_databases, eventually};
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, imei};

impl Ingest {
    /// All events that there are, in their order.
    async fn events(&self) -> anyhow::Result<Vec<Event>> {
        let stream = self.context.bus.jetstream.get_stream(STREAM).await?;
        let state = &stream.cached_info().state;
        let mut events = Vec::new();
        if state.messages > 0 {
            for sequence in state.first_sequence..=state.last_sequence {
                events.push(Event::decode(stream.direct_get(sequence).await?.payload)?);
            }
        }
        Ok(events)
    }

    /// Waits until these kinds were told, in any order, and nothing else.
    pub async fn expect_events(&self, wanted: &[&str]) -> Vec<Event> {
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        eventually("the events are told", SOON, async || {
            let events = self.events().await?;
            let mut kinds: Vec<_> = events.iter().map(|event| event.kind.as_str()).collect();
            kinds.sort_unstable();
            anyhow::ensure!(kinds == wanted, "{kinds:?}");
            Ok(events)
        })
        .await
    }

    pub async fn change(&self, device: &Device, input: DeviceInput) {
        let input = DeviceInput { id: device.id.clone(), ..input };
        self.devices().update(self.admin.sign(input)).await.expect("the device is changed");
    }

    /// A fix so many seconds after `began`, with what else it says.
    async fn fix(&self, number: u64, began: i64, second: i64, more: Value) {
        let at = Timestamp::from_millis(began + second * 1_000).to_rfc3339();
        let mut fix = json!({"recorded_at": at, "lat": -6.0 + second as f64 * 2e-4, "lng": 106.8});
        fix.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        self.gateway().await.report(&imei(number).to_string(), &fix).await.expect("acknowledged");
    }
}

/// As long ago as nobody calls a vehicle offline, and nobody idle.
fn minutes_ago(minutes: i64) -> i64 {
    Timestamp::now().millis() - minutes * 60_000
}

both_databases! {
    starting crate::common::world;

    async fn events_are_raised_once_across_restarts(world: World) {
        let mut ingest = Ingest::start(world).await;
        let truck = ingest.device(imei(1)).await;
        ingest.change(&truck, DeviceInput { speed_limit: Some(60), ..DeviceInput::default() }).await;
        let began = minutes_ago(5);
        let drives = |speed: u32, ignition: bool| json!({"speed": speed, "ignition": ignition});
        ingest.fix(1, began, 0, drives(0, false)).await;
        ingest.fix(1, began, 10, drives(20, true)).await;
        let on = ingest.expect_events(&["vehicle.ignition_on"]).await;
        assert_eq!(on[0].device_id.as_ref(), Some(&truck.id));
        assert_eq!((on[0].subject_id.as_str(), on[0].tenant_id.as_str()), (truck.id.as_str(), truck.tenant_id.as_str()));
        assert_eq!(on[0].occurred_at, Some(Timestamp::from_millis(began + 10_000)));
        let Some(Details::Vehicle(details)) = &on[0].details else { panic!("{on:?}") };
        assert_eq!((details.lng, details.speed, details.value), (Some(106.8), Some(20.0), None));

        // In the middle of going too fast everything dies; what is under way goes on.
        ingest.fix(1, began, 20, drives(80, true)).await;
        ingest.fix(1, began, 30, drives(85, true)).await;
        ingest.kill().await;
        ingest.run().await;
        ingest.fix(1, began, 40, drives(80, true)).await;
        ingest.fix(1, began, 50, json!({"speed": 80, "ignition": true, "alarm": "sos"})).await;
        ingest.fix(1, began, 60, json!({"speed": 80, "ignition": true, "alarm": "sos"})).await;
        let events = ingest.expect_events(&["vehicle.ignition_on", "vehicle.overspeed", "alarm.sos"]).await;
        let overspeed = events.iter().find(|event| event.kind == "vehicle.overspeed").expect("it was told");
        let Some(Details::Vehicle(details)) = &overspeed.details else { panic!("{overspeed:?}") };
        assert_eq!((details.value, details.limit), (Some(85.0), Some(60.0)));
        assert_eq!(details.since, Some(Timestamp::from_millis(began + 20_000)));

        // What comes late tells of alarms alone, of one that stands once.
        ingest.fix(1, began, 11, json!({"speed": 20, "ignition": true, "alarm": "door"})).await;
        ingest.expect_events(&["vehicle.ignition_on", "vehicle.overspeed", "alarm.sos", "alarm.door"]).await;
        ingest.kill().await;
        ingest.run().await;
        ingest.fix(1, began, 12, json!({"speed": 20, "ignition": true, "alarm": "door"})).await;
        ingest.fix(1, began, 70, drives(0, false)).await;
        ingest.expect_events(&["vehicle.ignition_on", "vehicle.overspeed", "alarm.sos", "alarm.door", "vehicle.ignition_off"]).await;
        ingest.process.take().unwrap().stop().await.expect("drains");
    }

    /// In whatever script, and whatever else of the fix cannot be.
    async fn alarms_are_told_as_their_trackers_name_them(world: World) {
        let ingest = Ingest::start(world).await;
        ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let began = minutes_ago(5);
        for (second, members) in [
            (0, r#""alarm":"求救""#),
            (1, r#""alarm":"断电，ＳＯＳ""#),
            (2, r#""alarm":"so\s""#),
            (3, r#""speed":-nan,"sat":0x1F,"alarm":"accident","alarm":null,"course":"#),
        ] {
            let at = Timestamp::from_millis(began + second * 1_000).to_rfc3339();
            let body = format!(r#"{{"recorded_at":"{at}","lat":-6.2,"lng":106.8,{members}}}"#);
            assert_eq!(gateway.send(&imei(1).to_string(), body.into()).await["accepted"], 1, "{members}");
        }
        // What stands between the letters of a known name says nothing: the same alarm stands on.
        ingest.expect_events(&["alarm.求救", "alarm.断电", "alarm.sos", "alarm.accident"]).await;
    }

    /// The second fix of a step comes after the restart, and so does what lets a manoeuvre pass, or a silence end.
    async fn restart_keeps_ongoing_conditions(world: World) {
        let mut ingest = Ingest::start(world).await;
        let [silence, manoeuvre, step] =
            [ingest.device(imei(1)).await, ingest.device(imei(2)).await, ingest.device(imei(3)).await];
        let at_speed = |speed: u32| json!({"speed": speed});
        // What was kept for later ends no silence.
        let silent = minutes_ago(30);
        ingest.fix(1, silent, 0, at_speed(0)).await;
        ingest.fix(1, silent, 960, at_speed(0)).await;
        let began = minutes_ago(5);
        ingest.fix(2, began, 0, at_speed(20)).await;
        ingest.fix(2, began, 1, at_speed(60)).await;
        ingest.fix(2, began, 2, at_speed(60)).await;
        ingest.fix(3, began, 0, at_speed(20)).await;
        ingest.expect_events(&["device.offline", "vehicle.harsh_acceleration"]).await;
        for (device, stored) in [(silence, 2), (manoeuvre, 3), (step, 1)] {
            ingest.track_of(&device.id, stored).await;
        }
        ingest.kill().await;
        ingest.run().await;

        ingest.fix(1, silent, 1_440, at_speed(0)).await;
        ingest.fix(2, began, 3, at_speed(20)).await;
        for (second, speed) in [(11, 60), (12, 20)] {
            ingest.fix(2, began, second, at_speed(speed)).await;
        }
        ingest.fix(3, began, 1, at_speed(60)).await;
        // The step over a late fix was judged without it.
        for (second, speed) in [(20, 60), (22, 60), (21, 10)] {
            ingest.fix(3, began, second, at_speed(speed)).await;
        }
        ingest.fix(3, began, 23, json!({"speed": 60, "alarm": "sos"})).await;
        let accelerates = "vehicle.harsh_acceleration";
        let kinds = ["device.offline", "device.online", accelerates, accelerates, "vehicle.harsh_braking", "alarm.sos"];
        let events = ingest.expect_events(&kinds).await;
        let at = |kind: &str| -> Vec<_> {
            events.iter().filter(|event| event.kind == kind).filter_map(|event| event.occurred_at).collect()
        };
        assert_eq!(at(accelerates), [Timestamp::from_millis(began + 1_000); 2]);
        assert_eq!(at("vehicle.harsh_braking"), [Timestamp::from_millis(began + 12_000)], "no other within ten seconds");
        assert_eq!(at("device.online"), [Timestamp::from_millis(silent + 1_440_000)]);
    }

    async fn parking_event_needs_no_fix(world: World) {
        let ingest = Ingest::start(world).await;
        let (truck, idle) = (ingest.device(imei(1)).await, ingest.device(imei(2)).await);
        ingest.change(&truck, DeviceInput { max_parking_time: Some(70), ..DeviceInput::default() }).await;
        let inactive = DeviceStatus::Inactive.into();
        let off = DeviceInput { max_parking_time: Some(70), status: Some(inactive), ..DeviceInput::default() };
        ingest.change(&idle, off).await;
        let began = minutes_ago(1);
        for number in [1, 2] {
            ingest.fix(number, began, -10, json!({"speed": 40})).await;
            ingest.fix(number, began, 0, json!({"speed": 0})).await;
        }
        let events = ingest.expect_events(&["vehicle.parked_too_long"]).await;
        assert_eq!(events[0].subject_id, truck.id, "nobody is told of what is not in use");
        assert_eq!(events[0].occurred_at, Some(Timestamp::from_millis(began + 70_000)));
    }

    async fn idle_and_offline_limits_apply_per_vehicle(world: World) {
        let ingest = Ingest::start(world).await;
        let input = DeviceInput {
            imei: Some(imei(1).to_string()),
            name: Some("B 1".to_owned()),
            idle_alert_seconds: Some(60),
            stale_seconds: Some(100),
            offline_seconds: Some(200),
            ..DeviceInput::default()
        };
        let own = ingest.devices().create(ingest.admin.sign(input)).await.expect("the device is made").into_inner();
        ingest.device(imei(2)).await;
        let began = minutes_ago(5);
        for (number, second) in [1, 2].into_iter().flat_map(|number| [0, 30, 60, 290].map(|second| (number, second))) {
            ingest.fix(number, began, second, json!({"speed": 0, "ignition": true})).await;
        }
        let events = ingest.expect_events(&["vehicle.idling", "device.offline", "device.online"]).await;
        assert!(events.iter().all(|event| event.subject_id == own.id), "{events:?}");
        let of = |kind: &str| events.iter().find(|event| event.kind == kind).expect("it was told");
        let Some(Details::Vehicle(idling)) = &of("vehicle.idling").details else { panic!("{events:?}") };
        assert_eq!((idling.value, idling.limit), (Some(60.0), Some(60.0)));
        assert_eq!(of("vehicle.idling").occurred_at, Some(Timestamp::from_millis(began + 60_000)));
        assert_eq!(of("device.offline").occurred_at, Some(Timestamp::from_millis(began + 260_000)));
    }

    async fn silent_vehicle_is_offline(world: World) {
        let ingest = Ingest::start(world).await;
        let truck = ingest.device(imei(1)).await;
        let began = minutes_ago(30);
        ingest.fix(1, began, 0, json!({"speed": 0})).await;
        ingest.fix(1, began, 1_500, json!({"speed": 0})).await;
        let events = ingest.expect_events(&["device.offline", "device.online"]).await;
        let of = |kind: &str| events.iter().find(|event| event.kind == kind).expect("it was told");
        assert_eq!(of("device.offline").occurred_at, Some(Timestamp::from_millis(began + 600_000)));
        let Some(Details::Vehicle(online)) = &of("device.online").details else { panic!("{events:?}") };
        assert_eq!((online.value, of("device.online").device_id.as_ref()), (Some(1_500.0), Some(&truck.id)));
    }

    /// Its tracker says its last fix again: it is connected, without a new place. Nobody has to wait for what is not told: behind
    /// it comes what is.
    async fn a_tracker_whose_clock_stands_is_not_offline(world: World) {
        let ingest = Ingest::start(world).await;
        let [stands, silent] = [ingest.device(imei(1)).await, ingest.device(imei(2)).await];
        let began = minutes_ago(30);
        for number in [1, 2] {
            ingest.fix(number, began, 0, json!({"speed": 0})).await;
        }
        ingest.fix(1, began, 0, json!({"speed": 0})).await;
        for number in [1, 2] {
            ingest.fix(number, began, 1_500, json!({"speed": 0})).await;
        }
        let events = ingest.expect_events(&["device.offline", "device.online"]).await;
        assert!(events.iter().all(|event| event.subject_id == silent.id && event.subject_id != stands.id), "{events:?}");
    }

    /// Moved with the ignition off: as far as the vehicle's own threshold says, and only where the ignition was on before.
    async fn towing_needs_a_way_and_a_wire(world: World) {
        let ingest = Ingest::start(world).await;
        let mut devices = Vec::new();
        for number in [1, 2, 3, 4] {
            devices.push(ingest.device(imei(number)).await);
        }
        ingest.change(&devices[1], DeviceInput { tow_distance: Some(5_000), ..DeviceInput::default() }).await;
        let wired = Some(IgnitionWire::Connected.into());
        ingest.change(&devices[3], DeviceInput { ignition_wire: wired, ..DeviceInput::default() }).await;
        let began = minutes_ago(8);
        for number in [1, 2] {
            ingest.fix(number, began, -60, json!({"speed": 0, "ignition": true})).await;
            ingest.fix(number, began, -30, json!({"speed": 0, "ignition": true})).await;
        }
        for number in [1, 2, 3, 4] {
            for second in (0..=120).step_by(10) {
                ingest.fix(number, began, second, json!({"speed": 60, "ignition": false})).await;
            }
        }
        let events = ingest.expect_events(&[
            "vehicle.ignition_off", "vehicle.ignition_off", "vehicle.towing", "vehicle.towing",
        ]).await;
        let mut towed: Vec<_> =
            events.iter().filter(|event| event.kind == "vehicle.towing").map(|event| event.subject_id.clone()).collect();
        towed.sort_unstable();
        let mut wanted = vec![devices[0].id.clone(), devices[3].id.clone()];
        wanted.sort_unstable();
        assert_eq!(towed, wanted);
    }
}
