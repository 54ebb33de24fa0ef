//! Maintenance of vehicles: who sees, changes and completes it, what it comes to, and what becomes of it.

use armada_proto::{
    TenantId,
    access::permission::{
        DEVICE_LIST, MAINTENANCE_CREATE, MAINTENANCE_DELETE, MAINTENANCE_LIST, MAINTENANCE_LOG_CREATE,
        MAINTENANCE_LOG_LIST, MAINTENANCE_UPDATE,
    },
    v1::{
        BulkMaintenanceRequest, DeleteRequest, Device, DeviceInput, DeviceMemberRole, GetRequest,
        ListMaintenanceLogsRequest, ListMaintenanceRequest, Maintenance, MaintenanceCosts, MaintenanceCostsRequest,
        MaintenanceInput, MaintenanceLog, MaintenanceLogInput, MaintenancePlanRequest, MaintenanceState,
        MaintenanceTrigger, MaintenanceWordsRequest, MasterDataEntryInput, MasterDataKind,
        maintenance_logs_client::MaintenanceLogsClient, maintenances_client::MaintenancesClient,
    },
};
use armada_runtime::{Code, Error, Result, Transport};
use armada_testkit::{Signed, both_databases, eventually, eventually_equal};

use crate::{
    documents::{day, zone_far_from_midnight},
    files::pdf,
    support::{Fleet, SOON, answer, new_device, owned_by},
};

impl Fleet {
    pub fn maintenances(&self) -> MaintenancesClient<Transport> {
        MaintenancesClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub fn maintenance_logs(&self) -> MaintenanceLogsClient<Transport> {
        MaintenanceLogsClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn plan(&self, caller: &Signed, input: MaintenanceInput) -> Result<Maintenance> {
        answer(self.maintenances().create(caller.sign(input)).await)
    }

    pub async fn update_plan(&self, caller: &Signed, input: MaintenanceInput) -> Result<Maintenance> {
        answer(self.maintenances().update(caller.sign(input)).await)
    }

    pub async fn maintenance(&self, caller: &Signed, id: &str) -> Result<Maintenance> {
        answer(self.maintenances().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    pub async fn complete(&self, caller: &Signed, input: MaintenanceLogInput) -> Result<MaintenanceLog> {
        answer(self.maintenance_logs().create(caller.sign(input)).await)
    }

    pub async fn titles(&self, caller: &Signed, request: ListMaintenanceRequest) -> Result<Vec<String>> {
        let list = answer(self.maintenances().list(caller.sign(request)).await)?;
        assert_eq!(list.total as usize, list.items.len(), "on one page");
        Ok(list.items.into_iter().map(|each| each.name).collect())
    }

    pub async fn completed(&self, caller: &Signed) -> Result<Vec<MaintenanceLog>> {
        let request = ListMaintenanceLogsRequest::default();
        Ok(answer(self.maintenance_logs().list(caller.sign(request)).await)?.items)
    }

    async fn costs(&self, caller: &Signed, from: String, until: String) -> Result<MaintenanceCosts> {
        let request = MaintenanceCostsRequest { from, until, ..MaintenanceCostsRequest::default() };
        answer(self.maintenance_logs().costs(caller.sign(request)).await)
    }

    async fn remove_maintenance(&self, caller: &Signed, id: &str) -> Result<()> {
        let request = DeleteRequest { id: id.to_owned(), row_version: None };
        answer(self.maintenances().delete(caller.sign(request)).await).map(drop)
    }
}

/// A maintenance of a vehicle, without a limit.
pub fn service(device: &Device, title: &str) -> MaintenanceInput {
    let title = Some(title.to_owned());
    MaintenanceInput { device_id: Some(device.id.clone()), name: title, ..MaintenanceInput::default() }
}

/// That one was completed.
pub fn done(maintenance: &Maintenance) -> MaintenanceLogInput {
    MaintenanceLogInput { maintenance_id: Some(maintenance.id.clone()), ..MaintenanceLogInput::default() }
}

pub fn all() -> ListMaintenanceRequest {
    ListMaintenanceRequest::default()
}

fn of_tenant(tenant: TenantId) -> Option<String> {
    Some(tenant.to_string())
}

both_databases! {
    async fn maintenance_is_created_updated_found_and_deleted(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = DeviceInput { vehicle_code: Some("B 9120 KXT".to_owned()), ..new_device("Truck") };
        let truck = fleet.create(admin, truck).await?;
        let van = fleet.create(admin, new_device("Van")).await?;
        let oil = MaintenanceInput {
            due_date: Some(day(zone, 40)),
            notification_emails: Some(" Budi@Example.org,a@b.example , budi@example.org".to_owned()),
            detail: Some("15W-40".to_owned()),
            ..service(&truck, " Ganti oli ")
        };
        let oil = fleet.plan(admin, oil).await?;
        assert_eq!((oil.name.as_str(), oil.device_name.as_str(), oil.vehicle_code.as_str()), ("Ganti oli", "Truck", "B 9120 KXT"));
        assert_eq!((oil.status.as_str(), oil.priority.as_str(), oil.trigger_mode()), ("pending", "medium", MaintenanceTrigger::Any));
        assert_eq!((oil.lead_days, oil.lead_odometer, oil.lead_engine_hours), (7, 500, 20));
        assert_eq!(oil.notification_emails, "a@b.example, budi@example.org");
        assert_eq!((oil.state(), oil.expected_on.as_str(), oil.is_forecast), (MaintenanceState::Scheduled, day(zone, 40).as_str(), false));
        assert_eq!((oil.odometer, oil.engine_hours, oil.row_version), (None, None, 1));
        let tyres = MaintenanceInput { status: Some("Menunggu suku cadang".to_owned()), priority: Some("HIGH".to_owned()), ..service(&van, "Ban") };
        let tyres = fleet.plan(admin, tyres).await?;
        assert_eq!((tyres.state(), tyres.expected_on.as_str()), (MaintenanceState::Scheduled, ""));

        for (request, titles) in [
            (all(), vec!["Ganti oli", "Ban"]),
            (ListMaintenanceRequest { q: "9120 kxt".to_owned(), ..all() }, vec!["Ganti oli"]),
            (ListMaintenanceRequest { q: "15w-40".to_owned(), ..all() }, vec!["Ganti oli"]),
            (ListMaintenanceRequest { sort: "title".to_owned(), ..all() }, vec!["Ban", "Ganti oli"]),
            (ListMaintenanceRequest { statuses: vec!["MENUNGGU suku CADANG".to_owned()], ..all() }, vec!["Ban"]),
            (ListMaintenanceRequest { statuses: vec!["pending".to_owned(), "done".to_owned()], ..all() }, vec!["Ganti oli"]),
            (ListMaintenanceRequest { priorities: vec!["high".to_owned()], ..all() }, vec!["Ban"]),
            (ListMaintenanceRequest { device_id: Some(van.id.clone()), ..all() }, vec!["Ban"]),
            (ListMaintenanceRequest { device_id: Some("no id".to_owned()), ..all() }, vec![]),
            (ListMaintenanceRequest { expected_from: Some(day(zone, 30)), expected_until: Some(day(zone, 40)), ..all() }, vec!["Ganti oli"]),
            (ListMaintenanceRequest { expected_from: Some(day(zone, 41)), ..all() }, vec![]),
        ] {
            assert_eq!(fleet.titles(admin, request.clone()).await?, titles, "{request:?}");
        }
        let words = answer(fleet.maintenances().words(admin.sign(MaintenanceWordsRequest::default())).await)?;
        assert_eq!(words.statuses, ["pending", "in-progress", "done", "Menunggu suku cadang"]);
        assert_eq!(words.priorities, ["low", "medium", "high"], "however it is written");

        let change = MaintenanceInput { id: oil.id.clone(), row_version: Some(1), status: Some("in-progress".to_owned()), ..MaintenanceInput::default() };
        let changed = fleet.update_plan(admin, change.clone()).await?;
        assert_eq!((changed.status.as_str(), changed.name, changed.row_version), ("in-progress", oil.name, 2));
        assert_eq!(fleet.update_plan(admin, change).await.unwrap_err(), Error::version_mismatch());
        let renamed = DeviceInput { id: truck.id.clone(), name: Some("Tronton".to_owned()), ..DeviceInput::default() };
        fleet.update(admin, renamed).await?;
        let followed = fleet.maintenance(admin, &oil.id).await?;
        assert_eq!((followed.device_name.as_str(), followed.row_version), ("Tronton", 2), "and nobody has to look again");
        fleet.remove_maintenance(admin, &oil.id).await?;
        assert_eq!(fleet.maintenance(admin, &oil.id).await.unwrap_err(), Error::not_found());
        fleet.delete(admin, &van.id, None).await?;
        assert!(fleet.titles(admin, all()).await?.is_empty(), "it goes with its vehicle");
        fleet.running.stop().await
    }

    async fn what_makes_no_sense_is_named(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        let theirs = fleet.create(&other.admin, new_device("Theirs")).await?;
        let input = || service(&truck, "Oli");
        let nameless = fleet.plan(&company.admin, MaintenanceInput { name: None, ..input() }).await.unwrap_err();
        assert_eq!((nameless.code.as_str(), nameless.message.as_str()), ("maintenance_title_required", "Title is required."));
        assert_eq!(nameless.fields["title"], "required");
        let of_none = fleet.plan(&company.admin, MaintenanceInput { device_id: None, ..input() }).await.unwrap_err();
        assert_eq!((of_none.code.as_str(), of_none.message.as_str()), ("maintenance_device_required", "Device ID is required."));
        let many = (0..11).map(|number| format!("a{number}@b.example")).collect::<Vec<_>>().join(",");
        for (input, field, code) in [
            (service(&theirs, "Oli"), "device_id", "unknown"),
            (MaintenanceInput { device_id: Some("x".to_owned()), ..input() }, "device_id", "unknown"),
            (MaintenanceInput { due_date: Some("2026-02-30".to_owned()), ..input() }, "due_date", "invalid_date"),
            (MaintenanceInput { due_odometer: Some(10_000_001), ..input() }, "due_odometer", "too_large"),
            (MaintenanceInput { notification_emails: Some("a@b.example, c".to_owned()), ..input() }, "notification_emails", "invalid_emails"),
            (MaintenanceInput { notification_emails: Some(many), ..input() }, "notification_emails", "too_many"),
            (MaintenanceInput { tenant_id: of_tenant(other.id), ..input() }, "tenant_id", "unknown"),
        ] {
            assert_eq!(fleet.plan(&company.admin, input).await.unwrap_err(), Error::field(field, code), "{field} {code}");
        }
        let made = fleet.plan(&company.admin, input()).await?;
        let moved = MaintenanceInput { id: made.id.clone(), ..service(&theirs, "Oli") };
        assert_eq!(fleet.update_plan(&company.admin, moved).await.unwrap_err(), Error::field("device_id", "not_changeable"));
        let tomorrow = MaintenanceLogInput { done_on: Some(day(chrono_tz::Tz::Pacific__Kiritimati, 1)), ..done(&made) };
        assert_eq!(fleet.complete(&company.admin, tomorrow).await.unwrap_err(), Error::field("done_on", "in_future"));
        assert_eq!(fleet.complete(&other.admin, done(&made)).await.unwrap_err(), Error::field("maintenance_id", "unknown"));
        let negative = MaintenanceLogInput { cost: Some(-1), ..done(&made) };
        assert_eq!(fleet.complete(&company.admin, negative).await.unwrap_err().fields.len(), 1);
        fleet.complete(&company.admin, done(&made)).await?;
        let again = fleet.complete(&company.admin, done(&made)).await.unwrap_err();
        assert_eq!((again.class, again.fields["maintenance_id"].as_str()), (Code::Conflict, "already_done"));
        fleet.running.stop().await
    }

    /// Completing writes down what was done, and the next one is due an interval later.
    async fn completing_makes_the_next_one_due(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.metered(&company, &truck, (zone, 0), Some(44_900.0), Some(310.0)).await?;
        let oil = MaintenanceInput {
            due_date: Some(day(zone, -1)),
            interval_days: Some(90),
            due_odometer: Some(45_000),
            interval_odometer: Some(10_000),
            ..service(&truck, "Oli")
        };
        let oil = fleet.plan(admin, oil).await?;
        assert_eq!((oil.state(), oil.odometer), (MaintenanceState::Due, Some(44_900.0)));
        let bill = fleet.upload(admin, "nota.pdf", &pdf(100)).await?;
        let input = MaintenanceLogInput {
            cost: Some(45_000_000),
            vendor: Some("Bengkel Jaya".to_owned()),
            parts: Some("Filter oli\nOli 10 L".to_owned()),
            file_ids: Some(bill.id.clone()),
            ..done(&oil)
        };
        let log = fleet.complete(admin, input).await?;
        assert_eq!((log.name.as_str(), log.device_name.as_str(), log.done_on.as_str()), ("Oli", "Truck", day(zone, 0).as_str()));
        assert_eq!((log.odometer, log.engine_hours, log.currency.as_str(), log.cost), (44_900, 310, "IDR", 45_000_000));
        assert_eq!((log.due_date.as_str(), log.due_odometer, log.is_late), (day(zone, -1).as_str(), 45_000, false));
        assert_eq!(log.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["nota.pdf"]);
        assert_eq!(fleet.content(admin, &bill.id).await?, pdf(100));
        let next = fleet.maintenance(admin, &oil.id).await?;
        assert_eq!((next.due_date.as_str(), next.due_odometer, next.state()), (day(zone, 90).as_str(), 54_900, MaintenanceState::Scheduled));
        assert_eq!((next.status.as_str(), next.last_done_on.as_str(), next.row_version), ("pending", day(zone, 0).as_str(), 2));
        // What was done earlier counts from then, and was late: nine days past are a tenth of the interval, ten are more.
        let late = MaintenanceInput { due_date: Some(day(zone, -30)), interval_days: Some(90), ..service(&truck, "Rem") };
        let late = fleet.plan(admin, late).await?;
        assert_eq!(late.state(), MaintenanceState::Overdue);
        for (days, is_late) in [(-21, false), (-20, true)] {
            let input = MaintenanceInput { id: late.id.clone(), due_date: Some(day(zone, -30)), ..MaintenanceInput::default() };
            fleet.update_plan(admin, input).await?;
            let input = MaintenanceLogInput { done_on: Some(day(zone, days)), odometer: Some(44_000), ..done(&late) };
            let log = fleet.complete(admin, input).await?;
            assert_eq!((log.is_late, log.odometer), (is_late, 44_000), "{days}");
            assert_eq!(fleet.maintenance(admin, &late.id).await?.due_date, day(zone, 90 + days));
        }
        // What has no interval is done, until somebody gives it another limit.
        let once = fleet.plan(admin, MaintenanceInput { due_date: Some(day(zone, 3)), ..service(&truck, "Kaca") }).await?;
        assert_eq!(once.state(), MaintenanceState::DueSoon);
        fleet.complete(admin, done(&once)).await?;
        let is = fleet.maintenance(admin, &once.id).await?;
        assert_eq!((is.state(), is.status.as_str(), is.expected_on.as_str()), (MaintenanceState::Done, "done", ""));
        let again = MaintenanceInput { id: once.id.clone(), due_date: Some(day(zone, 4)), ..MaintenanceInput::default() };
        assert_eq!(fleet.update_plan(admin, again).await?.state(), MaintenanceState::DueSoon);

        let changed = MaintenanceLogInput { id: log.id.clone(), cost: Some(50_000_000), file_ids: Some(String::new()), ..MaintenanceLogInput::default() };
        let changed = answer(fleet.maintenance_logs().update(admin.sign(changed)).await)?;
        assert_eq!((changed.cost, changed.vendor.as_str(), changed.files.len()), (50_000_000, "Bengkel Jaya", 0));
        assert_eq!(fleet.maintenance(admin, &oil.id).await?.due_odometer, 54_900, "when it comes again stays");
        fleet.remove_maintenance(admin, &oil.id).await?;
        let kept = fleet.completed(admin).await?;
        assert_eq!((kept.len(), kept.iter().filter(|log| log.maintenance_id.is_none()).count()), (4, 1), "what was completed stays");
        fleet.delete(admin, &truck.id, None).await?;
        assert!(fleet.completed(admin).await?.is_empty());
        fleet.erase_device(admin, &truck).await?;
        eventually_equal("the files go too", SOON, 0, async || Ok(fleet.objects()?.len())).await;
        fleet.running.stop().await
    }

    /// Kept with the files of what was completed, once.
    async fn a_report_is_made_of_a_completion(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        let oil = MaintenanceInput { auto_generate_report: Some(true), interval_days: Some(90), ..service(&truck, "Oli / filter") };
        let oil = fleet.plan(&company.admin, oil).await?;
        let bill = fleet.upload(&company.admin, "nota.pdf", &pdf(100)).await?;
        fleet.complete(&company.admin, MaintenanceLogInput { cost: Some(15_000_050), file_ids: Some(bill.id), ..done(&oil) }).await?;
        let names = async |fleet: &Fleet| -> anyhow::Result<Vec<String>> {
            let logs = fleet.completed(&company.admin).await?;
            Ok(logs[0].files.iter().map(|file| file.name.clone()).collect())
        };
        let day = fleet.completed(&company.admin).await?[0].done_on.clone();
        let wanted = vec!["nota.pdf".to_owned(), format!("Laporan perawatan-Oli---filter-{day}.pdf")];
        eventually_equal("it is there", SOON, wanted.clone(), async || names(&fleet).await).await;
        let report = fleet.completed(&company.admin).await?[0].files[1].clone();
        let content = fleet.content(&company.admin, &report.id).await?;
        assert!(content.starts_with(b"%PDF-") && content.len() == report.size as usize && report.sha256.len() == 64);
        fleet.restart().await;
        let plain = fleet.plan(&company.admin, MaintenanceInput { interval_days: Some(9), ..service(&truck, "Rem") }).await?;
        fleet.complete(&company.admin, done(&plain)).await?;
        eventually_equal("no more objects", SOON, 2, async || Ok(fleet.objects()?.len())).await;
        fleet.running.stop().await
    }

    async fn costs_are_of_each_vehicle_and_kilometre(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let (truck, van) = (fleet.create(admin, new_device("Truck")).await?, fleet.create(admin, new_device("Van")).await?);
        for (days, km) in [(-40, 1_000.0), (-11, 1_500.0), (-5, 1_700.0), (0, 2_500.0)] {
            fleet.metered(&company, &truck, (zone, days), Some(km), None).await?;
        }
        for (device, days, cost) in [(&truck, -9, 1_000_000), (&truck, -2, 500_000), (&van, -1, 4_000_000), (&truck, -30, 9_000_000)] {
            let input = MaintenanceInput { due_date: Some(day(zone, days)), interval_days: Some(30), ..service(device, "Oli") };
            let made = fleet.plan(admin, input).await?;
            let input = MaintenanceLogInput { done_on: Some(day(zone, days)), cost: Some(cost), ..done(&made) };
            fleet.complete(admin, input).await?;
        }
        let costs = fleet.costs(admin, day(zone, -10), day(zone, 0)).await?;
        assert_eq!((costs.currency.as_str(), costs.cost, costs.completions, costs.on_time), ("IDR", 5_500_000, 3, 3));
        // From the last figure before: 2,500 km less 1,500. What the van cost says nothing of a kilometre.
        assert_eq!((costs.distance, costs.cost_per_km), (Some(1_000.0), Some(1_500.0)));
        let rows: Vec<_> = costs.items.iter().map(|item| (item.device_name.as_str(), item.cost, item.distance, item.cost_per_km)).collect();
        assert_eq!(rows, [("Van", 4_000_000, None, None), ("Truck", 1_500_000, Some(1_000.0), Some(1_500.0))]);
        let request = MaintenanceCostsRequest { device_id: Some(van.id.clone()), from: day(zone, -10), until: day(zone, 0), ..MaintenanceCostsRequest::default() };
        let of_van = answer(fleet.maintenance_logs().costs(admin.sign(request.clone())).await)?;
        assert_eq!((of_van.cost, of_van.items.len()), (4_000_000, 1));
        assert_eq!(answer(fleet.maintenance_logs().costs(fleet.owner.sign(request)).await).unwrap_err(), Error::field("tenant_id", "required"));
        let backwards = fleet.costs(admin, day(zone, 0), day(zone, -1)).await.unwrap_err();
        assert_eq!(backwards, Error::field("until", "before_from"));
        fleet.running.stop().await
    }

    async fn member_role_decides_access(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let rights = [
            DEVICE_LIST, MAINTENANCE_CREATE, MAINTENANCE_DELETE, MAINTENANCE_LIST, MAINTENANCE_LOG_CREATE,
            MAINTENANCE_LOG_LIST, MAINTENANCE_UPDATE,
        ];
        for person in [&company.budi, &company.siti] {
            fleet.allow(&person.grant.user_id.to_string(), &company.id.to_string(), &rights).await;
        }
        let truck = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        let van = fleet.create(&company.admin, new_device("Van")).await?;
        let hidden = fleet.plan(&company.admin, service(&van, "Hidden")).await?;
        let oil = fleet.plan(&company.budi, MaintenanceInput { interval_days: Some(30), ..service(&truck, "Oli") }).await?;
        assert_eq!(fleet.titles(&company.budi, all()).await?, ["Oli"]);
        assert!(fleet.titles(&company.siti, all()).await?.is_empty());
        assert_eq!(fleet.maintenance(&company.budi, &hidden.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.complete(&company.budi, done(&hidden)).await.unwrap_err(), Error::field("maintenance_id", "unknown"));
        let log = fleet.complete(&company.budi, done(&oil)).await?;
        assert!(fleet.completed(&company.siti).await?.is_empty());

        fleet.link(&truck, &company.siti, DeviceMemberRole::Viewer).await;
        assert_eq!(fleet.completed(&company.siti).await?, [log]);
        let change = || MaintenanceInput { id: oil.id.clone(), detail: Some("x".to_owned()), ..MaintenanceInput::default() };
        for refused in [
            fleet.plan(&company.siti, service(&truck, "Rem")).await.map(drop),
            fleet.update_plan(&company.siti, change()).await.map(drop),
            fleet.remove_maintenance(&company.siti, &oil.id).await,
            fleet.complete(&company.siti, done(&oil)).await.map(drop),
        ] {
            assert_eq!(refused.unwrap_err(), Error::forbidden(), "a viewer looks");
        }
        fleet.link(&van, &company.siti, DeviceMemberRole::Technician).await;
        fleet.update_plan(&company.siti, MaintenanceInput { id: hidden.id.clone(), ..change() }).await?;
        fleet.complete(&company.siti, done(&hidden)).await?;
        fleet.running.stop().await
    }

    async fn many_are_planned_and_paused_at_once(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let group = MasterDataEntryInput { kind: Some(MasterDataKind::DeviceGroup.into()), name: Some("Trucks".to_owned()), ..MasterDataEntryInput::default() };
        let group = answer(fleet.master_data().create(admin.sign(group)).await)?.id;
        let in_group = |name: &str| DeviceInput { group_ids: Some(group.clone()), ..new_device(name) };
        let first = fleet.create(admin, in_group("A")).await?;
        fleet.create(admin, in_group("B")).await?;
        fleet.create(admin, new_device("Elsewhere")).await?;
        fleet.plan(admin, service(&first, "Oli")).await?;
        let plan = |group_id: &str, title: Option<&str>| MaintenancePlanRequest {
            group_id: group_id.to_owned(),
            maintenance: Some(MaintenanceInput { name: title.map(str::to_owned), interval_days: Some(90), ..MaintenanceInput::default() }),
        };
        let started = answer(fleet.maintenances().plan(admin.sign(plan(&group, Some("OLI")))).await)?;
        assert_eq!(started.total, 1, "the first one has it");
        eventually("the others have it", SOON, async || {
            let titles = fleet.titles(admin, ListMaintenanceRequest { group_ids: vec![group.clone()], ..all() }).await?;
            anyhow::ensure!(titles.len() == 2, "{titles:?}");
            Ok(())
        })
        .await;
        for (group_id, field, code) in [(group.as_str(), "group_id", "no_vehicles"), ("x", "group_id", "unknown")] {
            let refused = answer(fleet.maintenances().plan(admin.sign(plan(group_id, Some("Oli")))).await);
            assert_eq!(refused.unwrap_err(), Error::field(field, code));
        }
        let refused = answer(fleet.maintenances().plan(admin.sign(plan(&group, None))).await).unwrap_err();
        assert_eq!(refused.code, "maintenance_title_required");
        let paused = MaintenanceInput { paused: Some(true), ..MaintenanceInput::default() };
        let request = BulkMaintenanceRequest { filter: Some(all()), update: Some(paused), ..BulkMaintenanceRequest::default() };
        answer(fleet.maintenances().bulk(admin.sign(request)).await)?;
        let states = vec![MaintenanceState::Paused.into()];
        eventually("all are paused", SOON, async || {
            let titles = fleet.titles(admin, ListMaintenanceRequest { states: states.clone(), ..all() }).await?;
            anyhow::ensure!(titles.len() == 2, "{titles:?}");
            Ok(())
        })
        .await;
        let summary = answer(fleet.maintenances().summary(admin.sign(all())).await)?;
        assert_eq!((summary.total, summary.paused), (2, 2));
        let mut pieces = answer(fleet.maintenances().export(admin.sign(all())).await)?;
        assert_eq!(pieces.message().await?.expect("a piece").total, 2);
        fleet.running.stop().await
    }
}
