//! Drivers, and which vehicles they drive.

use armada_proto::{
    access::permission::{DEVICE_LIST, DEVICE_UPDATE, DRIVER_LIST},
    v1::{
        BulkDriversRequest, DeleteRequest, Device, DeviceInput, Driver, DriverAssignment, DriverInput, DriverStatus,
        Empty, GetRequest, ListDriverAssignmentsRequest, ListDriversRequest,
        driver_assignments_client::DriverAssignmentsClient, drivers_client::DriversClient,
    },
};
use armada_runtime::{Error, Result, Scope, Transport};
use armada_testkit::{Kind, Signed, both_databases, eventually, eventually_equal};
use sea_orm::ConnectionTrait;

use crate::support::{Fleet, SOON, answer, new_device, owned_by};

impl Fleet {
    pub fn drivers(&self) -> DriversClient<Transport> {
        DriversClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn make_driver(&self, caller: &Signed, input: DriverInput) -> Result<Driver> {
        answer(self.drivers().create(caller.sign(input)).await)
    }

    async fn change_driver(&self, caller: &Signed, input: DriverInput) -> Result<Driver> {
        answer(self.drivers().update(caller.sign(input)).await)
    }

    async fn driver(&self, caller: &Signed, id: &str) -> Result<Driver> {
        answer(self.drivers().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    pub async fn remove_driver(&self, caller: &Signed, id: &str) -> Result<()> {
        let request = DeleteRequest { id: id.to_owned(), row_version: None };
        answer(self.drivers().delete(caller.sign(request)).await).map(drop)
    }

    pub async fn driver_names(&self, caller: &Signed, request: ListDriversRequest) -> Result<Vec<String>> {
        let list = answer(self.drivers().list(caller.sign(request)).await)?;
        assert_eq!(list.total as usize, list.items.len(), "on one page");
        Ok(list.items.into_iter().map(|driver| driver.name).collect())
    }

    /// Who drove what, the newest first, as `driver device` with `!` behind those that hold.
    pub async fn assignments(&self, caller: &Signed, request: ListDriverAssignmentsRequest) -> Result<Vec<String>> {
        let mut client = DriverAssignmentsClient::new(self.running.context.peers.transport("fleet").unwrap());
        let shown = |row: DriverAssignment| {
            assert!(row.assigned_until.is_none_or(|until| until >= row.assigned_from.expect("a beginning")), "{row:?}");
            format!("{} {}{}", row.driver_name, row.device_name, if row.assigned_until.is_none() { "!" } else { "" })
        };
        Ok(answer(client.list(caller.sign(request)).await)?.items.into_iter().map(shown).collect())
    }

    pub async fn drive(&self, caller: &Signed, device: &Device, driver: &str) -> Result<Device> {
        let input =
            DeviceInput { id: device.id.clone(), primary_driver_id: Some(driver.to_owned()), ..DeviceInput::default() };
        self.update(caller, input).await
    }
}

pub fn new_driver(name: &str) -> DriverInput {
    DriverInput { name: Some(name.to_owned()), ..DriverInput::default() }
}

fn all() -> ListDriversRequest {
    ListDriversRequest::default()
}

both_databases! {
    async fn drivers_are_made_changed_found_and_removed(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let input = DriverInput {
            phone: Some("+62 812 3456".to_owned()),
            email: Some(" Siti@Example.ORG".to_owned()),
            license_number: Some("SIM-7788".to_owned()),
            license_class: Some("B II Umum".to_owned()),
            license_expiry: Some("2027-02-28".to_owned()),
            license_plate: Some("B 9120 KXT".to_owned()),
            home_base: Some("Depo Cakung".to_owned()),
            identification: Some("01:ab-23 cd".to_owned()),
            notes: Some("Malam\nsaja".to_owned()),
            ..new_driver(" Siti Rahayu ")
        };
        let siti = fleet.make_driver(&company.admin, input).await?;
        assert_eq!((siti.name.as_str(), siti.email.as_str(), siti.status()), ("Siti Rahayu", "siti@example.org", DriverStatus::Available));
        assert_eq!((siti.identification.as_str(), siti.license_expiry.as_str()), ("01AB23CD", "2027-02-28"));
        assert_eq!(fleet.driver(&company.admin, &siti.id).await?, siti);
        let agus = DriverInput { status: Some(DriverStatus::OffDuty.into()), home_base: Some("bandung".to_owned()), ..new_driver("agus") };
        fleet.make_driver(&company.admin, agus).await?;

        for q in ["RAHAYU", "siti@ex", "812 34", "9120 kxt", "7788", "ab23"] {
            let request = ListDriversRequest { q: q.to_owned(), ..all() };
            assert_eq!(fleet.driver_names(&company.admin, request).await?, ["Siti Rahayu"], "{q}");
        }
        let sorted = |sort: &str| ListDriversRequest { sort: sort.to_owned(), ..all() };
        for (sort, first) in [("", "agus"), ("-name", "Siti Rahayu"), ("home_base", "agus"), ("-license_expiry", "Siti Rahayu")] {
            assert_eq!(fleet.driver_names(&company.admin, sorted(sort)).await?[0], first, "{sort}");
        }
        let of_status = |status: DriverStatus| ListDriversRequest { statuses: vec![status.into()], ..all() };
        assert_eq!(fleet.driver_names(&company.admin, of_status(DriverStatus::OffDuty)).await?, ["agus"]);
        assert!(fleet.driver_names(&company.admin, of_status(DriverStatus::Inactive)).await?.is_empty());

        let change = DriverInput { id: siti.id.clone(), row_version: Some(siti.row_version), status: Some(DriverStatus::OnDuty.into()), identification: Some(String::new()), ..DriverInput::default() };
        let changed = fleet.change_driver(&company.admin, change.clone()).await?;
        assert_eq!((changed.status(), changed.identification.as_str(), changed.phone), (DriverStatus::OnDuty, "", siti.phone));
        assert_eq!(fleet.change_driver(&company.admin, change).await.unwrap_err(), Error::version_mismatch());
        fleet.remove_driver(&company.admin, &siti.id).await?;
        assert_eq!(fleet.driver(&company.admin, &siti.id).await.unwrap_err(), Error::not_found());
        fleet.running.stop().await
    }

    async fn what_is_wrong_with_a_driver_is_named(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let wrong = DriverInput {
            status: Some(99),
            email: Some("siti@".to_owned()),
            license_expiry: Some("2026-02-29".to_owned()),
            identification: Some("!".to_owned()),
            ..new_driver("  ")
        };
        let fields = fleet.make_driver(&company.admin, wrong).await.unwrap_err().fields;
        let mut fields: Vec<_> = fields.iter().map(|(name, code)| format!("{name} {code}")).collect();
        fields.sort();
        let expected = ["email invalid_email", "identification invalid_identification", "license_expiry invalid_date", "name required", "status invalid"];
        assert_eq!(fields, expected);
        let with_card = |name: &str| DriverInput { identification: Some("CAFE01".to_owned()), ..new_driver(name) };
        fleet.make_driver(&company.admin, with_card("First")).await?;
        assert_eq!(fleet.make_driver(&company.admin, with_card("Second")).await.unwrap_err(), Error::taken("identification"));
        // Who has no card is no other one's double, and a card of another company is another card.
        fleet.make_driver(&company.admin, new_driver("Third")).await?;
        fleet.make_driver(&company.admin, new_driver("Fourth")).await?;
        let other = fleet.company("Other").await;
        fleet.make_driver(&other.admin, with_card("Theirs")).await?;
        fleet.running.stop().await
    }

    async fn drivers_of_others_are_not_found(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let theirs = fleet.make_driver(&other.admin, new_driver("Theirs")).await?;
        let missing = Error::not_found();
        assert_eq!(fleet.driver(&company.admin, &theirs.id).await.unwrap_err(), missing);
        let change = DriverInput { id: theirs.id.clone(), ..new_driver("Mine") };
        assert_eq!(fleet.change_driver(&company.admin, change).await.unwrap_err(), missing);
        assert_eq!(fleet.remove_driver(&company.admin, &theirs.id).await.unwrap_err(), missing);
        assert!(fleet.driver_names(&company.admin, all()).await?.is_empty());
        let device = fleet.create(&company.admin, new_device("Truck")).await?;
        for id in [&*theirs.id, "nobody"] {
            let refused = fleet.drive(&company.admin, &device, id).await.unwrap_err();
            assert_eq!(refused, Error::field("primary_driver_id", "unknown"), "{id}");
        }
        let named = DriverInput { tenant_id: Some(other.id.to_string()), ..new_driver("Sent over") };
        assert_eq!(fleet.make_driver(&company.admin, named).await.unwrap_err(), Error::field("tenant_id", "unknown"));
        let by_owner = DriverInput { tenant_id: Some(company.id.to_string()), ..new_driver("Given") };
        assert_eq!(fleet.make_driver(&fleet.owner, by_owner).await?.tenant_id, company.id.to_string());
        // Those who see vehicles do not see people unless they are let, nor by naming them.
        let own = fleet.create(&company.admin, owned_by(&company.budi, new_device("Own"))).await?;
        let driver = fleet.make_driver(&company.admin, new_driver("Mine")).await?;
        let budi = company.budi.grant.user_id.to_string();
        fleet.allow(&budi, &company.id.to_string(), &[DEVICE_LIST, DEVICE_UPDATE]).await;
        let refused = fleet.drive(&company.budi, &own, &driver.id).await.unwrap_err();
        assert_eq!(refused, Error::field("primary_driver_id", "unknown"));
        fleet.drive(&company.admin, &own, &driver.id).await?;
        fleet.drive(&company.budi, &own, &driver.id).await?;
        assert_eq!(fleet.driver_names(&company.budi, all()).await.unwrap_err(), Error::forbidden());
        fleet.running.stop().await
    }

    async fn driver_history_lists_assignments(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        fleet.allow(&company.budi.grant.user_id.to_string(), &company.id.to_string(), &[DEVICE_LIST, DRIVER_LIST]).await;
        let siti = fleet.make_driver(&company.admin, new_driver("Siti")).await?;
        let agus = fleet.make_driver(&company.admin, new_driver("Agus")).await?;
        let first = DeviceInput { primary_driver_id: Some(siti.id.clone()), ..owned_by(&company.budi, new_device("Truck")) };
        let truck = fleet.create(&company.admin, first).await?;
        assert_eq!((truck.primary_driver.as_str(), truck.primary_driver_id.as_ref()), ("Siti", Some(&siti.id)));
        let van = fleet.create(&company.admin, new_device("Van")).await?;
        fleet.drive(&company.admin, &van, &agus.id).await?;
        let truck = fleet.drive(&company.admin, &truck, &agus.id).await?;
        assert_eq!(fleet.drive(&company.admin, &truck, &agus.id).await?.primary_driver, "Agus");
        let of_driver = |id: &str| ListDriverAssignmentsRequest { driver_id: Some(id.to_owned()), ..Default::default() };
        let of_device = |id: &str| ListDriverAssignmentsRequest { device_id: Some(id.to_owned()), ..Default::default() };
        assert_eq!(fleet.assignments(&company.admin, of_device(&truck.id)).await?, ["Agus Truck!", "Siti Truck"]);
        assert_eq!(fleet.assignments(&company.admin, of_driver(&agus.id)).await?, ["Agus Truck!", "Agus Van!"]);
        // Of vehicles that one does not see, one does not see who drives them.
        assert_eq!(fleet.assignments(&company.budi, of_driver(&agus.id)).await?, ["Agus Truck!"]);
        let other = fleet.company("Other").await;
        assert!(fleet.assignments(&other.admin, of_driver(&agus.id)).await?.is_empty());
        assert!(fleet.assignments(&company.admin, of_driver("nobody")).await?.is_empty());

        // A new name is a new name everywhere: in the list, on the map, in the history.
        let renamed = DriverInput { id: agus.id.clone(), ..new_driver("Agus Salim") };
        fleet.change_driver(&company.admin, renamed).await?;
        let now = fleet.get(&company.admin, &truck.id).await?;
        assert_eq!(now.primary_driver, "Agus Salim");
        assert!(now.row_version > truck.row_version, "whoever has it open sees that it changed");
        eventually_equal("the map follows", SOON, Some("Agus Salim".to_owned()), async || {
            Ok::<_, anyhow::Error>(fleet.binding(&truck.imei).await?.map(|binding| binding.primary_driver))
        }).await;
        let found = armada_proto::v1::ListDevicesRequest { q: "salim".to_owned(), ..Default::default() };
        assert_eq!(answer(fleet.devices().list(company.admin.sign(found)).await)?.total, 2);
        assert_eq!(fleet.assignments(&company.admin, of_device(&truck.id)).await?, ["Agus Salim Truck!", "Siti Truck"]);

        fleet.remove_driver(&company.admin, &agus.id).await?;
        let left = fleet.get(&company.admin, &truck.id).await?;
        assert_eq!((left.primary_driver.as_str(), left.primary_driver_id.as_ref()), ("", None));
        fleet.delete(&company.admin, &van.id, None).await?;
        assert_eq!(fleet.assignments(&company.admin, of_driver(&agus.id)).await?, ["Agus Salim Truck", "Agus Salim Van"]);
        let back = fleet.drive(&company.admin, &left, &siti.id).await?;
        assert_eq!(fleet.drive(&company.admin, &back, "").await?.primary_driver, "");
        assert_eq!(fleet.assignments(&company.admin, of_device(&truck.id)).await?, ["Siti Truck", "Agus Salim Truck", "Siti Truck"]);
        fleet.running.stop().await
    }

    async fn many_drivers_change_in_one_job(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        for name in ["Siti", "Agus"] {
            fleet.make_driver(&company.admin, new_driver(name)).await?;
        }
        let found = ListDriversRequest { q: "sit".to_owned(), ..all() };
        let request = BulkDriversRequest { filter: Some(found), delete: Some(Empty {}), ..Default::default() };
        let job = answer(fleet.drivers().bulk(company.admin.sign(request)).await)?;
        assert_eq!((job.resource.as_str(), job.total), ("driver", 1));
        eventually("the job is over", SOON, async || {
            let left = fleet.driver_names(&company.admin, all()).await?;
            anyhow::ensure!(left == ["Agus"], "{left:?}");
            Ok(())
        }).await;
        fleet.running.stop().await
    }
}

/// In a folder of before, drivers were texts: it is refused in one line, and left as it was. On SQLite alone, where the
/// service may undo a migration to get there.
#[tokio::test(flavor = "multi_thread")]
async fn data_of_an_older_state_is_refused() -> anyhow::Result<()> {
    let fleet = Fleet::start(Kind::Sqlite).await;
    let company = fleet.company("Acme").await;
    fleet.create(&company.admin, new_device("Truck")).await?;
    let Fleet { world, running, .. } = fleet;
    running.stop().await?;
    let db = world.database(armada_fleet::NAME).await;
    let tx = db.write(&Scope::Platform).await?;
    for statement in [
        "DROP TABLE driver_assignment",
        "DROP INDEX device_primary_driver",
        "ALTER TABLE device DROP COLUMN primary_driver_id",
        "UPDATE device SET primary_driver = 'Budi'",
        "DELETE FROM seaql_migrations WHERE version = 'm0011_driver_assignments'",
    ] {
        tx.execute_unprepared(statement).await?;
    }
    tx.commit().await?;
    for _ in 0..2 {
        let refused = armada_fleet::migrate(&world.bus, &db, &armada_fleet::Config::default()).await.unwrap_err();
        assert!(refused.message.ends_with("older state, in which drivers were texts: start anew"), "{refused}");
        assert_eq!(refused.message.lines().count(), 1);
    }
    Ok(())
}
