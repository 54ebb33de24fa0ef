//! Documents of vehicles and drivers: how they stand, who sees and changes them, and what becomes of them.

use armada_proto::{
    access::permission::{DEVICE_LIST, DOCUMENT_CREATE, DOCUMENT_DELETE, DOCUMENT_LIST, DOCUMENT_UPDATE, DRIVER_LIST},
    v1::{
        BulkDocumentsRequest, DeleteRequest, Device, DeviceInput, DeviceMemberInput, DeviceMemberRole, Document,
        DocumentInput, DocumentKind, DocumentState, DocumentSubject, DocumentSummary, DriverInput, Empty, GetRequest,
        ListDocumentsRequest, TenantInput, documents_client::DocumentsClient,
    },
};
use armada_runtime::{Error, Result, Transport};
use armada_testkit::{Signed, both_databases, eventually, eventually_equal};
use chrono::{Days, NaiveDate, Utc};
use chrono_tz::Tz;

use crate::{
    device_members::link,
    drivers::new_driver,
    files::pdf,
    support::{Company, Fleet, SOON, answer, new_device, owned_by},
};

impl Fleet {
    pub fn documents(&self) -> DocumentsClient<Transport> {
        DocumentsClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn make_document(&self, caller: &Signed, input: DocumentInput) -> Result<Document> {
        answer(self.documents().create(caller.sign(input)).await)
    }

    pub async fn change_document(&self, caller: &Signed, input: DocumentInput) -> Result<Document> {
        answer(self.documents().update(caller.sign(input)).await)
    }

    pub async fn document(&self, caller: &Signed, id: &str) -> Result<Document> {
        answer(self.documents().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    pub async fn remove_document(&self, caller: &Signed, id: &str) -> Result<()> {
        let request = DeleteRequest { id: id.to_owned(), row_version: None };
        answer(self.documents().delete(caller.sign(request)).await).map(drop)
    }

    pub async fn document_names(&self, caller: &Signed, request: ListDocumentsRequest) -> Result<Vec<String>> {
        let list = answer(self.documents().list(caller.sign(request)).await)?;
        assert_eq!(list.total as usize, list.items.len(), "on one page");
        Ok(list.items.into_iter().map(|document| document.name).collect())
    }

    async fn summary(&self, caller: &Signed, request: ListDocumentsRequest) -> Result<DocumentSummary> {
        answer(self.documents().summary(caller.sign(request)).await)
    }

    pub async fn in_zone(&self, company: &Company, zone: Tz) {
        let input = TenantInput {
            id: company.id.to_string(),
            time_zone: Some(zone.name().to_owned()),
            ..TenantInput::default()
        };
        answer(self.tenants().update(self.owner.sign(input)).await).unwrap();
    }

    pub async fn link(&self, device: &Device, user: &Signed, role: DeviceMemberRole) {
        let input = DeviceMemberInput {
            tenant_id: Some(device.tenant_id.clone()),
            role: Some(role.into()),
            ..link(device, user)
        };
        self.link_one(&self.owner, input).await.unwrap();
    }
}

/// A document of a vehicle.
pub fn of_device(device: &Device) -> DocumentInput {
    let kind = Some(DocumentKind::Stnk.into());
    DocumentInput { device_id: Some(device.id.clone()), kind, ..DocumentInput::default() }
}

/// The day that it is in a time zone, and so many days from then.
pub fn day(zone: Tz, days: i64) -> String {
    let today: NaiveDate = Utc::now().with_timezone(&zone).date_naive();
    let days_away = Days::new(days.unsigned_abs());
    if days < 0 { today - days_away } else { today + days_away }.to_string()
}

/// A time zone whose day does not end while the test runs.
pub fn zone_far_from_midnight() -> Tz {
    use chrono::Timelike;
    if Utc::now().hour() < 12 { Tz::UTC } else { Tz::Etc__GMTPlus12 }
}

fn all() -> ListDocumentsRequest {
    ListDocumentsRequest::default()
}

both_databases! {
    async fn documents_are_made_changed_found_and_removed(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = DeviceInput { vehicle_code: Some("B 9120 KXT".to_owned()), ..new_device("Truck") };
        let truck = fleet.create(admin, truck).await?;
        let input = DocumentInput {
            number: Some(" 0123456/JT/2024 ".to_owned()),
            issued_on: Some("2024-03-01".to_owned()),
            expires_on: Some("2029-03-01".to_owned()),
            notes: Some("Lima tahunan".to_owned()),
            reminder_days: Some("7, 60,7,0".to_owned()),
            ..of_device(&truck)
        };
        let stnk = fleet.make_document(admin, input).await?;
        assert_eq!((stnk.name.as_str(), stnk.number.as_str()), ("0123456/JT/2024", "0123456/JT/2024"));
        assert_eq!((stnk.subject(), stnk.subject_name.as_str(), stnk.subject_code.as_str()), (DocumentSubject::Vehicle, "Truck", "B 9120 KXT"));
        assert_eq!((stnk.reminder_days.as_str(), stnk.row_version), ("60,7,0", 1));
        assert_eq!(fleet.document(admin, &stnk.id).await?, stnk);
        let driver = answer(fleet.drivers().create(admin.sign(DriverInput { license_number: Some("SIM-7788".to_owned()), ..new_driver("Siti") })).await)?;
        let input = DocumentInput { driver_id: Some(driver.id.clone()), kind: Some(DocumentKind::License.into()), ..DocumentInput::default() };
        let license = fleet.make_document(admin, input).await?;
        assert_eq!((license.name.as_str(), license.subject(), license.subject_code.as_str()), ("Siti", DocumentSubject::Driver, "SIM-7788"));
        assert_eq!((license.state(), license.days_left, license.reminder_days.as_str()), (DocumentState::None, None, "30,14,7,1,0"));

        for q in ["0123456", "truck", "9120 kxt"] {
            let request = ListDocumentsRequest { q: q.to_owned(), ..all() };
            assert_eq!(fleet.document_names(admin, request).await?, ["0123456/JT/2024"], "{q}");
        }
        for (request, names) in [
            (all(), vec!["0123456/JT/2024", "Siti"]),
            (ListDocumentsRequest { sort: "-expires_on".to_owned(), ..all() }, vec!["Siti", "0123456/JT/2024"]),
            (ListDocumentsRequest { sort: "subject_name".to_owned(), ..all() }, vec!["Siti", "0123456/JT/2024"]),
            (ListDocumentsRequest { kinds: vec![DocumentKind::License.into()], ..all() }, vec!["Siti"]),
            (ListDocumentsRequest { subject: DocumentSubject::Vehicle.into(), ..all() }, vec!["0123456/JT/2024"]),
            (ListDocumentsRequest { driver_id: Some(driver.id.clone()), ..all() }, vec!["Siti"]),
            (ListDocumentsRequest { device_id: Some(driver.id.clone()), ..all() }, vec![]),
            (ListDocumentsRequest { device_id: Some("no id".to_owned()), ..all() }, vec![]),
        ] {
            assert_eq!(fleet.document_names(admin, request.clone()).await?, names, "{request:?}");
        }

        let change = DocumentInput { id: stnk.id.clone(), row_version: Some(1), name: Some("STNK".to_owned()), expires_on: Some(String::new()), ..DocumentInput::default() };
        let changed = fleet.change_document(admin, change.clone()).await?;
        assert_eq!((changed.name.as_str(), changed.expires_on.as_str(), changed.notes), ("STNK", "", stnk.notes));
        assert_eq!(fleet.change_document(admin, change).await.unwrap_err(), Error::version_mismatch());

        let renamed = DeviceInput { id: truck.id.clone(), name: Some("Tronton".to_owned()), ..DeviceInput::default() };
        fleet.update(admin, renamed).await?;
        let followed = fleet.document(admin, &stnk.id).await?;
        assert_eq!((followed.subject_name.as_str(), followed.row_version), ("Tronton", 2), "and nobody has to look again");
        fleet.remove_document(admin, &stnk.id).await?;
        assert_eq!(fleet.document(admin, &stnk.id).await.unwrap_err(), Error::not_found());
        fleet.running.stop().await
    }

    async fn what_makes_no_sense_is_named(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        let theirs = fleet.create(&other.admin, new_device("Theirs")).await?;
        let driver = answer(fleet.drivers().create(company.admin.sign(new_driver("Siti"))).await)?;
        let input = || of_device(&truck);
        for (input, field, code) in [
            (DocumentInput { kind: None, ..input() }, "kind", "required"),
            (DocumentInput { device_id: None, ..input() }, "device_id", "required"),
            (DocumentInput { driver_id: Some(driver.id.clone()), ..input() }, "driver_id", "one_subject"),
            (of_device(&theirs), "device_id", "unknown"),
            (DocumentInput { expires_on: Some("2026-02-30".to_owned()), ..input() }, "expires_on", "invalid_date"),
            (DocumentInput { issued_on: Some("2026-02-02".to_owned()), expires_on: Some("2026-02-01".to_owned()), ..input() }, "expires_on", "before_issued"),
            (DocumentInput { reminder_days: Some("soon".to_owned()), ..input() }, "reminder_days", "invalid_reminder_days"),
            (DocumentInput { reminder_days: Some("366".to_owned()), ..input() }, "reminder_days", "invalid_reminder_days"),
            (DocumentInput { file_ids: Some("x".to_owned()), ..input() }, "file_ids", "unknown"),
            (DocumentInput { file_ids: Some(truck.id.clone()), ..input() }, "file_ids", "unknown"),
        ] {
            assert_eq!(fleet.make_document(&company.admin, input).await.unwrap_err(), Error::field(field, code), "{field} {code}");
        }
        let made = fleet.make_document(&company.admin, input()).await?;
        let moved = DocumentInput { id: made.id.clone(), device_id: None, driver_id: Some(driver.id), ..DocumentInput::default() };
        assert_eq!(fleet.change_document(&company.admin, moved).await.unwrap_err(), Error::field("driver_id", "not_changeable"));
        let same = DocumentInput { id: made.id, ..input() };
        fleet.change_document(&company.admin, same).await?;
        fleet.running.stop().await
    }

    /// Each by the day of its own tenant: of two days at once there is a tenant in each.
    async fn document_states_depend_on_today(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (early, late) = (fleet.company("Early").await, fleet.company("Late").await);
        let (first, last) = (Tz::Pacific__Kiritimati, Tz::Etc__GMTPlus12);
        fleet.in_zone(&early, first).await;
        fleet.in_zone(&late, last).await;
        // Where the day begins first it is tomorrow already, or the day after.
        let yesterday = day(first, -1);
        for (company, state) in [(&early, DocumentState::Expired), (&late, DocumentState::Expiring)] {
            let truck = fleet.create(&company.admin, new_device("Truck")).await?;
            let input = DocumentInput { expires_on: Some(yesterday.clone()), name: Some(format!("{state:?}")), ..of_device(&truck) };
            let document = fleet.make_document(&company.admin, input).await?;
            assert_eq!(document.state(), state);
            let of_state = |state: DocumentState| ListDocumentsRequest { states: vec![state.into()], ..all() };
            assert_eq!(fleet.document_names(&company.admin, of_state(state)).await?.len(), 1);
            assert_eq!(fleet.document_names(&fleet.owner, of_state(state)).await?, [format!("{state:?}")], "all tenants");
        }
        let both = fleet.summary(&fleet.owner, all()).await?;
        assert_eq!((both.total, both.expired, both.expiring), (2, 1, 1));

        let zone = zone_far_from_midnight();
        fleet.in_zone(&early, zone).await;
        let truck = fleet.create(&early.admin, new_device("Van")).await?;
        for (days, state) in [(-1, DocumentState::Expired), (0, DocumentState::Expiring), (30, DocumentState::Expiring), (31, DocumentState::Valid)] {
            let input = DocumentInput { expires_on: Some(day(zone, days)), ..of_device(&truck) };
            let document = fleet.make_document(&early.admin, input).await?;
            assert_eq!((document.state(), document.days_left), (state, Some(days as i32)), "{days}");
        }
        fleet.make_document(&early.admin, of_device(&truck)).await?;
        let of_van = ListDocumentsRequest { device_id: Some(truck.id.clone()), ..all() };
        let summary = fleet.summary(&early.admin, of_van.clone()).await?;
        assert_eq!(summary, DocumentSummary { total: 5, valid: 1, expiring: 2, expired: 1, none: 1 });
        let asked = ListDocumentsRequest { states: vec![DocumentState::Valid.into(), DocumentState::None.into()], ..of_van };
        assert_eq!(fleet.document_names(&early.admin, asked).await?.len(), 2);
        fleet.running.stop().await
    }

    async fn member_role_decides_access(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let all_of_them = [DEVICE_LIST, DOCUMENT_CREATE, DOCUMENT_DELETE, DOCUMENT_LIST, DOCUMENT_UPDATE];
        for person in [&company.budi, &company.siti] {
            fleet.allow(&person.grant.user_id.to_string(), &company.id.to_string(), &all_of_them).await;
        }
        let truck = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        let van = fleet.create(&company.admin, new_device("Van")).await?;
        let driver = answer(fleet.drivers().create(company.admin.sign(new_driver("Siti"))).await)?;
        let of_driver = DocumentInput { driver_id: Some(driver.id), kind: Some(DocumentKind::License.into()), ..DocumentInput::default() };
        let hidden = fleet.make_document(&company.admin, of_device(&van)).await?;
        let license = fleet.make_document(&company.admin, of_driver.clone()).await?;
        let stnk = fleet.make_document(&company.budi, of_device(&truck)).await?;

        assert_eq!(fleet.document_names(&company.budi, all()).await?, ["Truck"]);
        assert!(fleet.document_names(&company.siti, all()).await?.is_empty());
        for unseen in [&hidden, &license] {
            assert_eq!(fleet.document(&company.budi, &unseen.id).await.unwrap_err(), Error::not_found());
        }
        assert_eq!(fleet.make_document(&company.budi, of_device(&van)).await.unwrap_err(), Error::field("device_id", "unknown"));
        assert_eq!(fleet.make_document(&company.budi, of_driver.clone()).await.unwrap_err(), Error::field("driver_id", "unknown"));

        let change = || DocumentInput { id: stnk.id.clone(), notes: Some("x".to_owned()), ..DocumentInput::default() };
        fleet.link(&truck, &company.siti, DeviceMemberRole::Viewer).await;
        assert_eq!(fleet.document(&company.siti, &stnk.id).await?.id, stnk.id);
        for refused in [
            fleet.change_document(&company.siti, change()).await.map(drop),
            fleet.make_document(&company.siti, of_device(&truck)).await.map(drop),
            fleet.remove_document(&company.siti, &stnk.id).await,
        ] {
            assert_eq!(refused.unwrap_err(), Error::forbidden(), "a viewer looks");
        }
        let technician = [DRIVER_LIST, DEVICE_LIST, DOCUMENT_LIST, DOCUMENT_UPDATE, DOCUMENT_CREATE, DOCUMENT_DELETE];
        fleet.allow(&company.siti.grant.user_id.to_string(), &company.id.to_string(), &technician).await;
        assert_eq!(fleet.document_names(&company.siti, all()).await?.len(), 2, "who may see drivers sees theirs");
        fleet.link(&van, &company.siti, DeviceMemberRole::Technician).await;
        fleet.change_document(&company.siti, DocumentInput { id: hidden.id.clone(), ..change() }).await?;
        fleet.make_document(&company.siti, of_driver).await?;
        fleet.running.stop().await
    }

    async fn documents_are_deleted_with_their_owner(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let driver = answer(fleet.drivers().create(admin.sign(new_driver("Siti"))).await)?;
        for _ in 0..2 {
            let file = fleet.upload(admin, "a.pdf", &pdf(100)).await?;
            fleet.make_document(admin, DocumentInput { file_ids: Some(file.id), ..of_device(&truck) }).await?;
        }
        let of_driver = DocumentInput { driver_id: Some(driver.id.clone()), kind: Some(DocumentKind::License.into()), ..DocumentInput::default() };
        fleet.make_document(admin, of_driver).await?;
        fleet.delete(admin, &truck.id, None).await?;
        assert_eq!(fleet.document_names(admin, all()).await?, ["Siti"]);
        assert_eq!(fleet.objects()?.len(), 2, "the vehicle may come back");
        fleet.erase_device(admin, &truck).await?;
        eventually_equal("the files go too", SOON, 0, async || Ok(fleet.objects()?.len())).await;
        let request = DeleteRequest { id: driver.id, row_version: None };
        answer(fleet.drivers().delete(admin.sign(request)).await)?;
        assert!(fleet.document_names(admin, all()).await?.is_empty());
        fleet.running.stop().await
    }

    async fn many_are_changed_and_removed_at_once(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        for days in [-3, -2, 50] {
            let input = DocumentInput { expires_on: Some(day(zone, days)), name: Some(days.to_string()), ..of_device(&truck) };
            fleet.make_document(admin, input).await?;
        }
        let filter = Some(ListDocumentsRequest { states: vec![DocumentState::Expired.into()], ..all() });
        let request = BulkDocumentsRequest { filter, delete: Some(Empty {}), ..BulkDocumentsRequest::default() };
        answer(fleet.documents().bulk(admin.sign(request)).await)?;
        eventually("those that have expired are gone", SOON, async || {
            let names = fleet.document_names(admin, all()).await?;
            anyhow::ensure!(names == ["50"], "{names:?}");
            Ok(())
        })
        .await;
        let mut pieces = answer(fleet.documents().export(admin.sign(all())).await)?;
        let piece = pieces.message().await?.expect("a piece");
        assert_eq!((piece.total, piece.items[0].state()), (1, DocumentState::Valid));
        fleet.running.stop().await
    }
}
