//! When maintenance is due, by date and by meter, and who is told of it: once of each.

use armada_proto::{
    Timestamp,
    access::permission::MAINTENANCE_LIST,
    v1::{
        Device, DeviceInput, Event, ListMaintenanceRequest, Maintenance, MaintenanceInput, MaintenanceState,
        MaintenanceTrigger, event::Details,
    },
};
use armada_runtime::Scope;
use armada_testkit::{Signed, both_databases, eventually, eventually_equal};
use chrono_tz::Tz;
use sea_orm::{ConnectionTrait, Statement, Value, prelude::Uuid};

use crate::{
    documents::{day, zone_far_from_midnight},
    maintenance::{all, done, service},
    support::{Company, Fleet, SOON, answer, new_device},
};

const DAY_MS: i64 = 86_400_000;

impl Fleet {
    /// What the meters of a vehicle showed so many days from today.
    pub async fn metered(
        &self,
        company: &Company,
        device: &Device,
        (zone, days): (Tz, i64),
        km: Option<f64>,
        hours: Option<f64>,
    ) -> anyhow::Result<()> {
        let db = self.running.context.database("fleet")?;
        let tx = db.write(&Scope::Tenant(company.id)).await?;
        let at = Timestamp::now().millis() + days * DAY_MS;
        let whole = |figure: Option<f64>, unit: f64| Value::BigInt(figure.map(|figure| (figure * unit) as i64));
        let values = [
            Value::from(Uuid::from(company.id)),
            device.id.parse::<Uuid>()?.into(),
            day(zone, days).into(),
            whole(km, 1_000.0),
            whole(hours, 3_600.0),
            at.into(),
        ];
        let sql = "INSERT INTO device_meter_day \
                   (tenant_id, device_id, day, odometer_m, engine_s, recorded_at, updated_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $6) \
                   ON CONFLICT (device_id, day) DO UPDATE SET odometer_m = excluded.odometer_m, \
                   engine_s = excluded.engine_s, recorded_at = excluded.recorded_at";
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await?;
        Ok(tx.commit().await?)
    }

    /// The events of maintenance: what they are, and of what.
    async fn due_events(&self) -> anyhow::Result<Vec<(String, String)>> {
        let raised = self.events().await?.into_iter().map(|event| {
            let Some(Details::Maintenance(due)) = &event.details else { panic!("another event: {event:?}") };
            (event.kind.clone(), due.title.clone())
        });
        Ok(raised.collect())
    }

    /// Waits for exactly these.
    async fn due(&self, wanted: &[(&str, &str)]) -> Vec<Event> {
        eventually("it is told", SOON, async || {
            let raised = self.due_events().await?;
            let raised: Vec<_> = raised.iter().map(|(kind, title)| (kind.as_str(), title.as_str())).collect();
            anyhow::ensure!(raised == wanted, "{raised:?}");
            self.events().await
        })
        .await
    }
}

fn in_state(state: MaintenanceState) -> ListMaintenanceRequest {
    ListMaintenanceRequest { states: vec![state.into()], ..all() }
}

both_databases! {
    /// Each by the day of its own tenant, and by whichever limit comes first.
    async fn state_depends_on_day_and_meter(kind: Kind) -> anyhow::Result<()> {
        use MaintenanceState as S;
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.metered(&company, &truck, (zone, 0), Some(44_900.0), Some(1_000.0)).await?;
        let dated = |days: i64| MaintenanceInput { due_date: Some(day(zone, days)), ..service(&truck, &format!("date {days}")) };
        let far = |km: u32| MaintenanceInput { due_odometer: Some(km), ..service(&truck, &format!("{km} km")) };
        let mut wanted: Vec<(MaintenanceInput, S)> = vec![
            (dated(8), S::Scheduled), (dated(7), S::DueSoon), (dated(1), S::DueSoon), (dated(0), S::Due), (dated(-1), S::Overdue),
            (MaintenanceInput { interval_days: Some(100), name: Some("ten days".to_owned()), ..dated(-10) }, S::Due),
            (MaintenanceInput { interval_days: Some(100), name: Some("eleven days".to_owned()), ..dated(-11) }, S::Overdue),
            (MaintenanceInput { lead_days: Some(0), name: Some("no lead".to_owned()), ..dated(1) }, S::Scheduled),
            (far(45_401), S::Scheduled), (far(45_400), S::DueSoon), (far(44_901), S::DueSoon), (far(44_900), S::Due),
            (far(44_800), S::Due), (far(44_799), S::Overdue),
            (MaintenanceInput { interval_odometer: Some(5_000), name: Some("500 km past".to_owned()), ..far(44_400) }, S::Due),
            (MaintenanceInput { interval_odometer: Some(5_000), name: Some("501 km past".to_owned()), ..far(44_399) }, S::Overdue),
            (MaintenanceInput { due_engine_hours: Some(1_020), ..service(&truck, "hours") }, S::DueSoon),
            (MaintenanceInput { due_engine_hours: Some(989), ..service(&truck, "hours past") }, S::Overdue),
            (MaintenanceInput { name: Some("date first".to_owned()), due_odometer: Some(90_000), ..dated(0) }, S::Due),
            (MaintenanceInput { name: Some("meter first".to_owned()), due_odometer: Some(44_000), ..dated(90) }, S::Overdue),
            (MaintenanceInput { name: Some("date alone".to_owned()), due_odometer: Some(44_000), trigger_mode: Some(MaintenanceTrigger::Schedule.into()), ..dated(90) }, S::Scheduled),
            (MaintenanceInput { name: Some("meter alone".to_owned()), due_odometer: Some(45_000), trigger_mode: Some(MaintenanceTrigger::Mileage.into()), ..dated(-90) }, S::DueSoon),
            (MaintenanceInput { name: Some("hours alone".to_owned()), trigger_mode: Some(MaintenanceTrigger::EngineHours.into()), ..dated(-90) }, S::Scheduled),
            (MaintenanceInput { name: Some("paused".to_owned()), paused: Some(true), ..dated(-90) }, S::Paused),
            (service(&truck, "no limit"), S::Scheduled),
        ];
        for (input, state) in &wanted {
            let made = fleet.plan(admin, input.clone()).await?;
            assert_eq!(made.state(), *state, "{}", made.name);
        }
        // Only an interval: counted from now.
        let counted = MaintenanceInput { interval_days: Some(30), interval_odometer: Some(5_000), interval_engine_hours: Some(250), ..service(&truck, "counted") };
        let made = fleet.plan(admin, counted.clone()).await?;
        assert_eq!((made.due_date.as_str(), made.due_odometer, made.due_engine_hours), (day(zone, 30).as_str(), 49_900, 1_250));
        wanted.push((counted, S::Scheduled));
        for state in [S::Scheduled, S::DueSoon, S::Due, S::Overdue, S::Paused, S::Done] {
            let mut titles: Vec<_> = wanted.iter().filter(|(_, of)| *of == state).filter_map(|(input, _)| input.name.clone()).collect();
            let mut found = fleet.titles(admin, in_state(state)).await?;
            let mut of_all = fleet.titles(&fleet.owner, in_state(state)).await?;
            for list in [&mut titles, &mut found, &mut of_all] {
                list.sort();
            }
            assert_eq!((&found, &of_all), (&titles, &titles), "{state:?}");
        }
        fleet.running.stop().await
    }

    /// At the rate of the last days; what comes first, date or meter.
    async fn a_forecast_follows_the_meter(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        // 100 km a day.
        for days in [-20, -10, 0] {
            fleet.metered(&company, &truck, (zone, days), Some(50_000.0 + 100.0 * days as f64), None).await?;
        }
        let far = MaintenanceInput { due_odometer: Some(52_000), ..service(&truck, "far") };
        let forecast = fleet.plan(admin, far.clone()).await?;
        assert!(forecast.is_forecast);
        assert!([19, 20, 21].map(|days| day(zone, days)).contains(&forecast.expected_on), "{}", forecast.expected_on);
        let dated = fleet.plan(admin, MaintenanceInput { name: Some("date".to_owned()), due_date: Some(day(zone, 10)), ..far.clone() }).await?;
        assert_eq!((dated.expected_on, dated.is_forecast), (day(zone, 10), false));
        let hours = MaintenanceInput { name: Some("hours".to_owned()), due_odometer: None, due_engine_hours: Some(5), ..far.clone() };
        // In three years nobody knows.
        let years = MaintenanceInput { name: Some("years".to_owned()), due_odometer: Some(160_000), ..far };
        for unknown in [hours, years] {
            let never = fleet.plan(admin, unknown).await?;
            assert_eq!((never.expected_on.as_str(), never.is_forecast), ("", false));
        }
        let within = ListMaintenanceRequest { expected_from: Some(day(zone, 15)), expected_until: Some(day(zone, 25)), ..all() };
        assert_eq!(fleet.titles(admin, within).await?, ["far"]);
        fleet.running.stop().await
    }

    async fn each_event_is_raised_once(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let oil = MaintenanceInput { due_date: Some(day(zone, 5)), interval_days: Some(90), ..service(&truck, "Oli") };
        let oil = fleet.plan(admin, oil).await?;
        let events = fleet.due(&[("maintenance.due_soon", "Oli")]).await;
        let event = &events[0];
        assert_eq!((event.subject_id.as_str(), event.device_id.as_deref()), (oil.id.as_str(), Some(truck.id.as_str())));
        assert_eq!((event.tenant_id.as_str(), event.row_version), (company.id.to_string().as_str(), 1));
        assert!(event.occurred_at < event.recorded_at, "the day on which it began is over");
        // What does not touch its limits tells nobody, nor does a restart.
        let change = |input: MaintenanceInput| MaintenanceInput { id: oil.id.clone(), ..input };
        fleet.update_plan(admin, change(MaintenanceInput { detail: Some("x".to_owned()), ..MaintenanceInput::default() })).await?;
        fleet.restart().await;
        // Of what came at once the worst says it all.
        fleet.update_plan(admin, change(MaintenanceInput { due_date: Some(day(zone, -60)), ..MaintenanceInput::default() })).await?;
        fleet.due(&[("maintenance.due_soon", "Oli"), ("maintenance.overdue", "Oli")]).await;
        fleet.complete(admin, done(&oil)).await?;
        let paused = MaintenanceInput { paused: Some(true), due_date: Some(day(zone, -1)), ..service(&truck, "Paused") };
        let paused = fleet.plan(admin, paused).await?;
        fleet.plan(admin, MaintenanceInput { due_date: Some(day(zone, 0)), ..service(&truck, "Rem") }).await?;
        let raised = [("maintenance.due_soon", "Oli"), ("maintenance.overdue", "Oli"), ("maintenance.due", "Rem")];
        fleet.due(&raised).await;
        let resumed = MaintenanceInput { id: paused.id, paused: Some(false), ..MaintenanceInput::default() };
        fleet.update_plan(admin, resumed).await?;
        let after = fleet.due(&[&raised[..], &[("maintenance.overdue", "Paused")]].concat()).await;
        let mut ids: Vec<_> = after.iter().map(|event| event.id.clone()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), after.len(), "no id is there twice");
        fleet.running.stop().await
    }

    /// A figure that comes tells what it has brought about.
    async fn a_meter_makes_it_due(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.metered(&company, &truck, (zone, -1), Some(44_000.0), None).await?;
        let oil = MaintenanceInput { due_odometer: Some(45_000), ..service(&truck, "Oli") };
        let oil = fleet.plan(admin, oil).await?;
        let waiting = fleet.plan(admin, MaintenanceInput { interval_engine_hours: Some(100), ..service(&truck, "Hours") }).await?;
        assert_eq!((oil.state(), waiting.due_engine_hours), (MaintenanceState::Scheduled, 0));
        let shown = async |maintenance: &Maintenance| fleet.maintenance(admin, &maintenance.id).await;
        let looked = |maintenance: Maintenance| (maintenance.state(), maintenance.odometer);
        fleet.metered(&company, &truck, (zone, 0), Some(44_600.0), Some(10.0)).await?;
        // Whoever writes anything of a vehicle wakes the watch; otherwise it looks once a minute.
        fleet.plan(admin, service(&truck, "Wakes")).await?;
        eventually_equal("it is due soon", SOON, (MaintenanceState::DueSoon, Some(44_600.0)), async || Ok(looked(shown(&oil).await?))).await;
        eventually_equal("the first figure begins its interval", SOON, 110, async || {
            Ok(shown(&waiting).await?.due_engine_hours)
        })
        .await;
        fleet.due(&[("maintenance.due_soon", "Oli")]).await;
        // Faster than any vehicle goes; but whoever changes a vehicle may have changed its meters.
        fleet.metered(&company, &truck, (zone, 0), Some(45_050.0), Some(10.0)).await?;
        fleet.update(admin, DeviceInput { id: truck.id.clone(), name: Some("Tronton".to_owned()), ..DeviceInput::default() }).await?;
        fleet.plan(admin, service(&truck, "Wakes again")).await?;
        let events = fleet.due(&[("maintenance.due_soon", "Oli"), ("maintenance.due", "Oli")]).await;
        let Some(Details::Maintenance(due)) = &events[1].details else { panic!("{events:?}") };
        assert_eq!((due.device_name.as_str(), due.odometer, due.due_odometer), ("Tronton", Some(45_050.0), 45_000));
        fleet.running.stop().await
    }

    /// An email to each address for each event, asked for once.
    async fn emails_are_asked_for_once(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let emails = Some("a@b.example, c@d.example".to_owned());
        let oil = MaintenanceInput { due_date: Some(day(zone, 0)), notification_emails: emails, ..service(&truck, "Oli") };
        fleet.plan(admin, oil).await?;
        let count = async |service: &str, table: &str| {
            let tx = fleet.running.context.database(service)?.read(&Scope::Platform).await?;
            let statement = Statement::from_string(tx.get_database_backend(), format!("SELECT COUNT(*) AS number FROM {table}"));
            let row = tx.query_one_raw(statement).await?.expect("a row");
            anyhow::Ok(row.try_get::<i64>("", "number")?)
        };
        eventually_equal("identity was asked", SOON, (0, 2), async || {
            Ok((count("fleet", "maintenance_mail").await?, count("identity", "mail_request").await?))
        })
        .await;
        fleet.restart().await;
        fleet.plan(admin, MaintenanceInput { due_date: Some(day(zone, 0)), ..service(&truck, "Rem") }).await?;
        fleet.due(&[("maintenance.due", "Oli"), ("maintenance.due", "Rem")]).await;
        let tx = fleet.running.context.database("identity")?.read(&Scope::Platform).await?;
        let statement = Statement::from_string(tx.get_database_backend(), "SELECT COUNT(*) AS number FROM mail_request");
        let row = tx.query_one_raw(statement).await?.expect("a row");
        assert_eq!(row.try_get::<i64>("", "number")?, 2);
        drop(tx);
        fleet.running.stop().await
    }

    /// A tenant writes to a hundred addresses of a day that none of its users has; its admins are told how many more there were.
    async fn emails_that_are_too_many_are_told_to_admins(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        for plan in 0..11 {
            let emails = (0..10).map(|number| format!("reader-{plan}-{number}@example.org")).collect::<Vec<_>>().join(",");
            let plan = MaintenanceInput { due_date: Some(day(zone, 0)), notification_emails: Some(emails), ..service(&truck, &format!("Oli {plan}")) };
            fleet.plan(admin, plan).await?;
        }
        let told = async |caller: &Signed| {
            let summary = fleet.maintenances().summary(caller.sign(ListMaintenanceRequest::default())).await;
            anyhow::Ok(answer(summary)?.unsent_emails)
        };
        eventually_equal("ten are too many", SOON, 10, async || told(admin).await).await;
        assert_eq!(told(&fleet.world.user_who_can(company.id, &[MAINTENANCE_LIST]).await).await?, 0);
        fleet.running.stop().await
    }
}
