//! Odometer and engine hours: what position-ingest reads comes day by day, what is chosen and corrected shows, and who may.

use armada_proto::{
    TenantId, Timestamp,
    access::permission::{DEVICE_CORRECT_METERS, DEVICE_LIST},
    meters::{STREAM, subject},
    v1::{
        Device, DeviceInput, DeviceMemberInput, DeviceMemberRole, DeviceMeters, DeviceMetersRequest, FleetDay,
        FleetDayRequest, ListMeterCorrectionsRequest, MeterCorrection, MeterCorrectionInput, MeterCorrectionList,
        MeterDayBegin, MeterReading, MeterReadings, MeterSource, TenantMeterReadings, UndoMeterCorrectionRequest,
        meters_client::MetersClient,
    },
};
use armada_runtime::{Code, Error, Result, Transport, bus::Publication};
use armada_testkit::{Signed, World, both_databases, eventually};
use async_nats::HeaderMap;
use chrono::{Days, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;
use prost::Message;

use crate::{
    device_members::link,
    support::{Fleet, SOON, answer, new_device, owned_by},
};

const ZONE: Tz = Tz::Asia__Jakarta;

impl Fleet {
    fn meters(&self) -> MetersClient<Transport> {
        MetersClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    async fn meters_of(&self, caller: &Signed, id: &str) -> Result<DeviceMeters> {
        let request = DeviceMetersRequest { id: id.to_owned(), days: 0 };
        answer(self.meters().get(caller.sign(request)).await)
    }

    async fn day(&self, caller: &Signed, request: FleetDayRequest) -> Result<FleetDay> {
        answer(self.meters().of_day(caller.sign(request)).await)
    }

    async fn corrections(&self, caller: &Signed, id: &str) -> Result<MeterCorrectionList> {
        let request = ListMeterCorrectionsRequest { id: id.to_owned(), ..ListMeterCorrectionsRequest::default() };
        answer(self.meters().corrections(caller.sign(request)).await)
    }

    async fn correct(&self, caller: &Signed, input: MeterCorrectionInput) -> Result<MeterCorrection> {
        answer(self.meters().correct(caller.sign(input)).await)
    }

    async fn undo(&self, caller: &Signed, device: &str, correction: &str) -> Result<()> {
        let request = UndoMeterCorrectionRequest { id: device.to_owned(), correction_id: correction.to_owned() };
        answer(self.meters().undo(caller.sign(request)).await).map(drop)
    }

    async fn read(&self, tenant: TenantId, readings: Vec<MeterReading>) {
        read_in(&self.world, tenant, readings).await;
    }

    /// Waits until the odometer of a device shows this.
    async fn odometer_shows(&self, caller: &Signed, id: &str, odometer: f64) -> DeviceMeters {
        eventually("the odometer shows it", SOON, async || {
            let meters = self.meters_of(caller, id).await?;
            anyhow::ensure!(meters.odometer == Some(odometer), "{meters:?}");
            Ok(meters)
        })
        .await
    }

    /// Waits until everything that was published is taken in.
    async fn all_taken_in(&self) {
        eventually("the stream is empty", SOON, async || {
            let stream = self.world.bus.jetstream.get_stream(STREAM).await?;
            anyhow::ensure!(stream.cached_info().state.messages == 0);
            Ok(())
        })
        .await;
    }
}

/// Publishes as position-ingest does.
async fn read_in(world: &World, tenant: TenantId, readings: Vec<MeterReading>) {
    publish(world, payload(tenant, readings)).await;
}

async fn publish(world: &World, payload: Vec<u8>) {
    let context = world.context(&[]).await.of("position-ingest").unwrap();
    let headers = context.message_signer(STREAM).unwrap().headers(&subject(0), &payload).unwrap();
    context.bus.publish(Publication { subject: subject(0), headers, body: payload.into() }).await.unwrap();
}

fn payload(tenant: TenantId, readings: Vec<MeterReading>) -> Vec<u8> {
    let tenants = vec![TenantMeterReadings { tenant_id: tenant.to_string(), readings }];
    MeterReadings { tenants }.encode_to_vec()
}

/// So many hours into the day that was so many days ago in Jakarta.
fn hour(days_ago: u64, hour: f64) -> i64 {
    let day = Utc::now().with_timezone(&ZONE).date_naive() - Days::new(days_ago);
    let midnight = ZONE.from_local_datetime(&day.and_time(NaiveTime::MIN)).unwrap();
    midnight.timestamp_millis() + (hour * 3_600_000.0) as i64
}

fn name_of_day(days_ago: u64) -> String {
    (Utc::now().with_timezone(&ZONE).date_naive() - Days::new(days_ago)).to_string()
}

/// Of a device that does not tell its meters itself. It stood for a third of the time with its engine on, and made a trip in
/// each hour of it.
fn computed(device: &Device, recorded_at: i64, metres: u64, seconds: u64) -> MeterReading {
    let id: armada_proto::DeviceId = device.id.parse().unwrap();
    MeterReading {
        device_id: id.0.as_bytes().to_vec(),
        recorded_at,
        distance: metres,
        odometer: None,
        engine_seconds: Some(seconds),
        device_engine_seconds: None,
        moving_seconds: seconds - seconds / 3,
        idle_seconds: seconds / 3,
        parked_seconds: 0,
        trips: Some(seconds / 3_600),
        begin: None,
        version: 0,
        correction_at: 0,
    }
}

/// The same of which it is told what it had come to at midnight, so many days ago, when position-ingest had read so far.
fn since_midnight(reading: MeterReading, days_ago: u64, metres: u64, version: u64) -> MeterReading {
    let at = hour(days_ago, 0.0);
    MeterReading { begin: Some(MeterDayBegin { at, distance: metres, ..MeterDayBegin::default() }), version, ..reading }
}

/// Of one that tells its odometer.
fn with_odometer(reading: MeterReading, odometer: u64) -> MeterReading {
    MeterReading { odometer: Some(odometer), ..reading }
}

fn odometer_shows(device: &Device, metres: f64, anchor: Option<MeterReading>) -> MeterCorrectionInput {
    MeterCorrectionInput {
        id: device.id.clone(),
        odometer: Some(metres),
        reason: "read in the vehicle".to_owned(),
        anchor,
        ..MeterCorrectionInput::default()
    }
}

fn refused_for<T: std::fmt::Debug>(answer: Result<T>, field: &str, code: &str) {
    let error: Error = answer.expect_err("refused");
    assert_eq!((error.class, error.fields.get(field).map(String::as_str)), (Code::Invalid, Some(code)), "{error:?}");
}

both_databases! {
    async fn meter_readings_are_listed_by_day(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        fleet.in_zone(&company, ZONE).await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        assert_eq!(fleet.meters_of(&company.admin, &truck.id).await?.odometer, None);
        let days = [
            computed(&truck, hour(3, 8.0), 0, 0),
            computed(&truck, hour(3, 23.99), 100_000, 7_200),
            computed(&truck, hour(2, 0.01), 100_400, 7_230),
            computed(&truck, hour(2, 23.0), 180_000, 14_400),
            computed(&truck, hour(1, 12.0), 181_500, 14_700),
        ];
        // In several messages, in the wrong order, and twice: the newest of each day stays.
        for reading in [&days[4], &days[0], &days[3], &days[1], &days[2], &days[3], &days[4]] {
            fleet.read(company.id, vec![reading.clone()]).await;
        }
        fleet.all_taken_in().await;
        let meters = fleet.odometer_shows(&company.admin, &truck.id, 181_500.0).await;
        let of_days = |meters: &DeviceMeters| {
            let day = |day: &armada_proto::v1::MeterDay| {
                (day.day.clone(), day.distance, day.engine_seconds, day.idle_seconds, day.trips)
            };
            meters.days.iter().map(day).collect::<Vec<_>>()
        };
        let wanted = vec![
            (name_of_day(1), Some(1_500.0), Some(300.0), Some(100.0), Some(0)),
            (name_of_day(2), Some(80_000.0), Some(7_200.0), Some(2_400.0), Some(2)),
            (name_of_day(3), Some(100_000.0), Some(7_200.0), Some(2_400.0), Some(2)),
        ];
        assert_eq!(of_days(&meters), wanted, "days are those of the tenant");
        assert_eq!((meters.engine_seconds, meters.days_asked), (Some(14_700.0), 30));
        assert_eq!(meters.recorded_at, Some(Timestamp::from_millis(hour(1, 12.0))));
        assert!(meters.average_distance.is_some_and(|metres| (40_000.0..=61_000.0).contains(&metres)), "{meters:?}");

        // What was published while fleet was away comes when it is back.
        let Fleet { world, running, .. } = fleet;
        running.stop().await?;
        read_in(&world, company.id, vec![computed(&truck, hour(0, 0.0), 182_000, 15_000)]).await;
        let fleet = Fleet::start_in(world).await;
        fleet.odometer_shows(&company.admin, &truck.id, 182_000.0).await;
        fleet.running.stop().await
    }

    async fn a_day_of_a_fleet_is_summed_for_who_sees_it(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, others) = (fleet.company("Acme").await, fleet.company("Other").await);
        fleet.in_zone(&company, ZONE).await;
        let truck = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        let van = fleet.create(&company.admin, new_device("Van")).await?;
        let gone = fleet.create(&company.admin, new_device("Gone")).await?;
        let read = [
            computed(&truck, hour(1, 8.0), 1_000, 100),
            computed(&truck, hour(1, 10.0), 51_000, 3_700),
            computed(&van, hour(1, 8.0), 500, 10),
            computed(&van, hour(1, 9.0), 600, 70),
            computed(&gone, hour(1, 8.0), 0, 0),
            computed(&gone, hour(1, 9.0), 90_000, 3_600),
            // Of another day.
            computed(&van, hour(0, 0.0), 70_000, 9_000),
        ];
        for reading in read {
            fleet.read(company.id, vec![reading]).await;
        }
        fleet.all_taken_in().await;
        fleet.delete(&company.admin, &gone.id, None).await?;
        let yesterday = || FleetDayRequest { day: name_of_day(1), ..FleetDayRequest::default() };
        let all = FleetDay {
            distance: 50_100.0,
            engine_seconds: 3_660.0,
            heard: 2,
            driven: 1,
            moving_seconds: 2_440.0,
            idle_seconds: 1_220.0,
            trips: 1,
        };
        let of_truck = FleetDay {
            distance: 50_000.0,
            engine_seconds: 3_600.0,
            heard: 1,
            driven: 1,
            moving_seconds: 2_400.0,
            idle_seconds: 1_200.0,
            trips: 1,
        };
        assert_eq!(fleet.day(&company.admin, yesterday()).await?, all);
        assert_eq!(fleet.day(&company.budi, yesterday()).await?, of_truck);
        let user_ids = vec![company.budi.grant.user_id.to_string()];
        assert_eq!(fleet.day(&company.admin, FleetDayRequest { user_ids, ..yesterday() }).await?, of_truck);
        assert_eq!(fleet.day(&others.admin, yesterday()).await?, FleetDay::default());
        let long_ago = FleetDayRequest { day: "2001-02-03".to_owned(), ..FleetDayRequest::default() };
        assert_eq!(fleet.day(&company.admin, long_ago).await?, FleetDay::default());
        let no_day = FleetDayRequest { day: "2001-02-30".to_owned(), ..FleetDayRequest::default() };
        assert_eq!(fleet.day(&company.admin, no_day).await.expect_err("refused").class, Code::Invalid);
        fleet.running.stop().await
    }

    async fn days_begin_at_midnight_and_the_higher_version_holds(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        fleet.in_zone(&company, ZONE).await;
        let (tenant, admin) = (company.id, &company.admin);
        let device = fleet.create(admin, new_device("Truck")).await?;
        let days = async |metres: [f64; 2]| {
            eventually("the days are known", SOON, async || {
                let days = fleet.meters_of(admin, &device.id).await?.days;
                let found: Vec<_> = days.iter().rev().filter_map(|day| day.distance).collect();
                anyhow::ensure!(found == metres, "{days:?}");
                Ok(())
            })
            .await;
        };
        let first = since_midnight(computed(&device, hour(3, 20.0), 10_000, 3_600), 3, 0, 7);
        let second = since_midnight(computed(&device, hour(2, 9.0), 25_000, 7_200), 2, 12_000, 7);
        fleet.read(tenant, vec![first.clone(), second.clone()]).await;
        // Two kilometres of the way over midnight are of the first day, once that is told at its end.
        days([10_000.0, 13_000.0]).await;
        fleet.read(tenant, vec![MeterReading { distance: 12_000, ..first.clone() }]).await;
        days([12_000.0, 13_000.0]).await;
        let request = FleetDayRequest { day: name_of_day(2), ..FleetDayRequest::default() };
        assert_eq!(fleet.day(admin, request).await?.distance, 13_000.0);
        // Something came late of the first day.
        let late = MeterReading { distance: 20_000, version: 9, ..first.clone() };
        let moved = MeterReading { distance: 33_000, ..since_midnight(second.clone(), 2, 20_000, 9) };
        fleet.read(tenant, vec![late, moved]).await;
        days([20_000.0, 13_000.0]).await;
        // What was read before that comes again.
        fleet.read(tenant, vec![MeterReading { version: 8, ..second }]).await;
        fleet.all_taken_in().await;
        days([20_000.0, 13_000.0]).await;
        fleet.running.stop().await
    }

    async fn only_ingest_publishes_readings(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, others) = (fleet.company("Acme").await, fleet.company("Other").await);
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        let forged = payload(company.id, vec![computed(&truck, hour(0, 0.0), 999_000, 0)]);
        let send = async |headers| {
            let body = forged.clone().into();
            fleet.world.bus.publish(Publication { subject: subject(0), headers, body }).await
        };
        send(HeaderMap::new()).await?;
        // Signed, but for another place.
        let context = fleet.world.context(&[]).await.of("position-ingest")?;
        let headers = context.message_signer(STREAM)?.headers(&subject(1), &forged)?;
        send(headers).await?;
        // Signed, by somebody who is not its owner.
        let context = fleet.world.context(&[]).await.of("bff")?;
        let headers = context.message_signer(STREAM)?.headers(&subject(0), &forged)?;
        send(headers).await?;
        // Of a device of another tenant, and of one that does not exist.
        let gone = Device { id: armada_proto::DeviceId::new().to_string(), ..truck.clone() };
        let read = |device: &Device| computed(device, hour(0, 0.0), 998_000, 0);
        let theirs = payload(others.id, vec![read(&truck), read(&gone)]);
        // Both in one message, for the same instant: what is encoded one behind the other is read as one.
        let both = [theirs, payload(company.id, vec![computed(&truck, hour(0, 0.0), 5_000, 60)])].concat();
        publish(&fleet.world, both).await;
        fleet.all_taken_in().await;
        assert_eq!(fleet.meters_of(&company.admin, &truck.id).await?.odometer, Some(5_000.0));
        let foreign = fleet.meters_of(&others.admin, &truck.id).await.unwrap_err();
        let absent = fleet.meters_of(&others.admin, &gone.id).await.unwrap_err();
        assert_eq!(foreign, absent);
        assert_eq!(foreign.class, Code::NotFound);
        fleet.running.stop().await
    }

    async fn a_correction_shows_and_can_be_undone(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        fleet.in_zone(&company, ZONE).await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        let anchor = computed(&truck, hour(1, 10.0), 20_000, 3_600);
        let first = MeterCorrectionInput {
            engine_seconds: Some(36_000_000.0),
            effective_from: Some(Timestamp::from_millis(hour(1, 10.5))),
            ..odometer_shows(&truck, 120_000_000.0, Some(anchor.clone()))
        };
        let made = fleet.correct(&company.admin, first).await?;
        assert_eq!((made.odometer_before, made.engine_seconds_before), (Some(20_000.0), Some(3_600.0)));
        assert!(made.is_newest);
        let meters = fleet.meters_of(&company.admin, &truck.id).await?;
        assert_eq!((meters.odometer, meters.engine_seconds), (Some(120_000_000.0), Some(36_000_000.0)));
        assert_eq!((meters.computed_odometer, meters.device_odometer), (Some(20_000.0), None));
        // What is driven since is added, and nothing of it makes a day longer.
        fleet.read(company.id, vec![computed(&truck, hour(0, 0.0), 30_000, 7_200)]).await;
        let meters = fleet.odometer_shows(&company.admin, &truck.id, 120_010_000.0).await;
        assert_eq!(meters.days[0].distance, Some(10_000.0));
        // Ingest reads it from the binding.
        let binding = eventually("the binding tells it", SOON, async || {
            let binding = fleet.binding(&truck.imei).await?.ok_or_else(|| anyhow::anyhow!("no binding"))?;
            anyhow::ensure!(binding.odometer.is_some() && binding.engine_hours.is_some(), "{binding:?}");
            Ok(binding)
        })
        .await;
        let offsets = binding.odometer.and_then(|rule| rule.correction).unwrap();
        assert_eq!((offsets.from, offsets.device, offsets.computed), (anchor.recorded_at, 0, 119_980_000));

        // The newest is on top, and only that one can be undone.
        let earlier = MeterCorrectionInput {
            effective_from: Some(Timestamp::from_millis(hour(1, 9.0))),
            ..odometer_shows(&truck, 1.0, None)
        };
        refused_for(fleet.correct(&company.admin, earlier).await, "effective_from", "before_newest_correction");
        let again = computed(&truck, hour(0, 0.0), 30_000, 7_200);
        let second = fleet.correct(&company.admin, odometer_shows(&truck, 125_000_000.0, Some(again))).await?;
        assert_eq!(second.odometer_before, Some(120_010_000.0));
        let list = fleet.corrections(&company.admin, &truck.id).await?;
        assert_eq!(list.items.iter().map(|each| (&each.id, each.is_newest)).collect::<Vec<_>>(), [(&second.id, true), (&made.id, false)]);
        assert_eq!((list.total, list.items[0].created_by_name.as_str()), (2, "admin"));
        refused_for(fleet.undo(&company.admin, &truck.id, &made.id).await, "correction_id", "not_the_newest");
        fleet.undo(&company.admin, &truck.id, &second.id).await?;
        let meters = fleet.meters_of(&company.admin, &truck.id).await?;
        assert_eq!((meters.odometer, meters.engine_seconds), (Some(120_010_000.0), Some(36_003_600.0)));
        fleet.undo(&company.admin, &truck.id, &made.id).await?;
        fleet.odometer_shows(&company.admin, &truck.id, 30_000.0).await;
        assert_eq!(fleet.undo(&company.admin, &truck.id, &made.id).await.unwrap_err().class, Code::NotFound);
        eventually("the binding says nothing of it any more", SOON, async || {
            let binding = fleet.binding(&truck.imei).await?.ok_or_else(|| anyhow::anyhow!("no binding"))?;
            anyhow::ensure!(binding.odometer.is_none() && binding.engine_hours.is_none(), "{binding:?}");
            Ok(())
        })
        .await;
        // All of it is in the audit, with before and after.
        let acts = ["device:create", "device:correct_meters", "device:correct_meters", "device:undo_meter_correction", "device:undo_meter_correction"];
        let entries = fleet.wait_for_acts(&company.admin, &acts).await;
        let content = |entry: &armada_proto::v1::AuditEntry| {
            let read = |text: &Option<String>| serde_json::from_str::<serde_json::Value>(text.as_deref().unwrap_or("null")).unwrap();
            (read(&entry.before)["odometer"].clone(), read(&entry.after)["odometer"].clone(), read(&entry.after)["reason"].clone())
        };
        assert_eq!(content(&entries[1]), (20_000.into(), 120_000_000.into(), "read in the vehicle".into()));
        assert_eq!(content(&entries[3]).1, serde_json::Value::from(120_010_000));
        fleet.running.stop().await
    }

    async fn what_is_wrong_with_a_correction_is_said(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        let admin = &company.admin;
        let nothing = MeterCorrectionInput { odometer: None, ..odometer_shows(&truck, 1.0, None) };
        refused_for(fleet.correct(admin, nothing).await, "odometer", "required");
        let unsaid = MeterCorrectionInput { reason: "  ".to_owned(), ..odometer_shows(&truck, 1.0, None) };
        refused_for(fleet.correct(admin, unsaid).await, "reason", "required");
        refused_for(fleet.correct(admin, odometer_shows(&truck, -1.0, None)).await, "odometer", "too_small");
        refused_for(fleet.correct(admin, odometer_shows(&truck, f64::NAN, None)).await, "odometer", "too_large");
        let tomorrow = Timestamp::from_millis(Timestamp::now().millis() + 86_400_000);
        let future = MeterCorrectionInput { effective_from: Some(tomorrow), ..odometer_shows(&truck, 1.0, None) };
        refused_for(fleet.correct(admin, future).await, "effective_from", "in_the_future");
        assert_eq!(fleet.corrections(admin, &truck.id).await?.total, 0);
        // Of a vehicle that has never reported it counts from there.
        fleet.correct(admin, odometer_shows(&truck, 50_000.0, None)).await?;
        assert_eq!(fleet.meters_of(admin, &truck.id).await?.odometer, Some(50_000.0));
        let since = Timestamp::now().millis() + 1_000;
        fleet.read(company.id, vec![computed(&truck, since, 700, 0)]).await;
        fleet.odometer_shows(admin, &truck.id, 50_700.0).await;
        // It goes with its device.
        fleet.delete(admin, &truck.id, None).await?;
        assert_eq!(fleet.meters_of(admin, &truck.id).await.unwrap_err().class, Code::NotFound);
        fleet.running.stop().await
    }

    async fn what_is_chosen_is_shown(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        assert_eq!((truck.odometer_source(), truck.engine_hours_source()), (MeterSource::Device, MeterSource::Computed));
        let reading = MeterReading {
            device_engine_seconds: Some(9_000_000),
            ..with_odometer(computed(&truck, hour(0, 0.0), 20_000, 3_600), 80_000_000)
        };
        fleet.read(company.id, vec![reading]).await;
        let meters = fleet.odometer_shows(&company.admin, &truck.id, 80_000_000.0).await;
        assert_eq!(meters.engine_seconds, Some(3_600.0));
        let other = DeviceInput {
            id: truck.id.clone(),
            odometer_source: Some(MeterSource::Computed.into()),
            engine_hours_source: Some(MeterSource::Device.into()),
            ..DeviceInput::default()
        };
        fleet.update(&company.admin, other).await?;
        let meters = fleet.meters_of(&company.admin, &truck.id).await?;
        assert_eq!((meters.odometer, meters.engine_seconds), (Some(20_000.0), Some(9_000_000.0)));
        assert_eq!((meters.device_odometer, meters.computed_engine_seconds), (Some(80_000_000.0), Some(3_600.0)));
        eventually("the binding tells it", SOON, async || {
            let binding = fleet.binding(&truck.imei).await?.ok_or_else(|| anyhow::anyhow!("no binding"))?;
            let source = binding.odometer.map(|rule| rule.source());
            anyhow::ensure!(source == Some(MeterSource::Computed), "{binding:?}");
            Ok(())
        })
        .await;
        fleet.running.stop().await
    }

    async fn who_maintains_a_device_corrects_it(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, others) = (fleet.company("Acme").await, fleet.company("Other").await);
        let truck = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        let one = || odometer_shows(&truck, 1_000.0, None);
        assert_eq!(fleet.correct(&company.budi, one()).await.unwrap_err().class, Code::Forbidden, "no permission");
        for user in [&company.budi, &company.siti] {
            let id = user.grant.user_id.to_string();
            fleet.allow(&id, &company.id.to_string(), &[DEVICE_LIST, DEVICE_CORRECT_METERS]).await;
        }
        fleet.correct(&company.budi, one()).await?;
        // Who is linked to nothing finds nothing, and so does another tenant.
        for stranger in [&company.siti, &others.admin] {
            assert_eq!(fleet.correct(stranger, one()).await.unwrap_err().class, Code::NotFound);
            assert_eq!(fleet.corrections(stranger, &truck.id).await.unwrap_err().class, Code::NotFound);
        }
        let as_role = |role: DeviceMemberRole| DeviceMemberInput {
            tenant_id: Some(truck.tenant_id.clone()),
            role: Some(role.into()),
            ..link(&truck, &company.siti)
        };
        let viewer = fleet.link_one(&fleet.owner, as_role(DeviceMemberRole::Viewer)).await?;
        let newest = fleet.corrections(&company.siti, &truck.id).await?.items.remove(0);
        assert_eq!(newest.reason, "read in the vehicle", "who looks sees it");
        assert_eq!(fleet.correct(&company.siti, one()).await.unwrap_err().class, Code::Forbidden);
        assert_eq!(fleet.undo(&company.siti, &truck.id, &newest.id).await.unwrap_err().class, Code::Forbidden);
        let technician = DeviceMemberInput { id: viewer.id, role: Some(DeviceMemberRole::Technician.into()), ..DeviceMemberInput::default() };
        fleet.change_link(&fleet.owner, technician).await?;
        fleet.correct(&company.siti, one()).await?;
        fleet.running.stop().await
    }
}
