//! Devices that are deleted, brought back and erased.

use armada_proto::access::permission::{DEVICE_DELETE, DEVICE_LIST};
use armada_proto::{
    Timestamp, coded, device_erasure,
    v1::{
        BulkDevicesRequest, CommandKind, CommandState, Device, DeviceErasure, DeviceInput, DeviceMemberRole,
        DocumentInput, Empty, EraseDeviceInput, GetRequest, JobStatus, ListDeviceMembersRequest, ListDevicesRequest,
        ListDocumentsRequest, ListDriverAssignmentsRequest, ListShareLinksRequest, MasterDataKind,
    },
};
use armada_runtime::{Code, Error, Result, Scope};
use armada_testkit::{Signed, both_databases, eventually, eventually_equal};
use futures::future::join_all;
use sea_orm::ConnectionTrait;

use crate::commands::to;
use crate::documents::of_device;
use crate::drivers::new_driver;
use crate::files::pdf;
use crate::maintenance::{all, done, service};
use crate::master_data::new_entry;
use crate::share_links::of;
use crate::support::{Company, Fleet, SOON, answer, new_device, owned_by};

impl Fleet {
    async fn restore(&self, caller: &Signed, id: &str) -> Result<Device> {
        answer(self.devices().restore(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    /// Erases a deleted device.
    pub async fn erase_device(&self, caller: &Signed, device: &Device) -> Result<()> {
        let input = EraseDeviceInput { id: device.id.clone(), name: device.name.clone(), row_version: None };
        answer(self.devices().erase(caller.sign(input)).await).map(drop)
    }

    async fn deleted(&self, caller: &Signed) -> Result<Vec<Device>> {
        let request = ListDevicesRequest { deleted: true, sort: "name".to_owned(), ..ListDevicesRequest::default() };
        Ok(answer(self.devices().list(caller.sign(request)).await)?.items)
    }

    async fn deleted_names(&self, caller: &Signed) -> Result<Vec<String>> {
        Ok(self.deleted(caller).await?.into_iter().map(|device| device.name).collect())
    }

    async fn expect_binding_of(&self, imei: &str, to: Option<(String, i64)>) {
        eventually_equal("the bucket follows", SOON, to, async || self.bound(imei).await).await;
    }

    async fn expect_audit_acts(&self, caller: &Signed, wanted: [&str; 2]) {
        eventually("the audit has the acts", SOON, async || {
            let acts: Vec<_> = self.acts(caller).await?.into_iter().map(|entry| entry.act).collect();
            anyhow::ensure!(wanted.iter().all(|act| acts.iter().any(|each| each == act)), "{acts:?}");
            Ok(())
        })
        .await;
    }

    async fn run_sql(&self, sql: &str) -> anyhow::Result<()> {
        let tx = self.world.database("fleet").await.write(&Scope::Platform).await?;
        tx.execute_unprepared(sql).await?;
        Ok(tx.commit().await?)
    }

    /// Whether the bucket says that a device is erased.
    async fn is_in_states(&self, device: &Device) -> anyhow::Result<bool> {
        let value = self.world.bus.bucket(device_erasure::BUCKET).await?.get(&device.id).await?;
        let erasure = value.and_then(|value| coded::decode::<DeviceErasure>(&value));
        Ok(erasure.is_some_and(|erasure| erasure.tenant_id == device.tenant_id && erasure.erased_at > 0))
    }

    /// A truck of Budi's with one of everything.
    async fn full(&self, company: &Company) -> anyhow::Result<Device> {
        let admin = &company.admin;
        let driver = self.make_driver(admin, new_driver("Siti")).await?;
        let group = self.make_entry(admin, new_entry(MasterDataKind::DeviceGroup, "Utara")).await?;
        let warehouse = self.make_entry(admin, new_entry(MasterDataKind::Warehouse, "Cakung")).await?;
        let input = DeviceInput {
            primary_driver_id: Some(driver.id),
            group_ids: Some(group.id),
            warehouse_id: Some(warehouse.id),
            ..owned_by(&company.budi, new_device("Truck"))
        };
        let truck = self.create(admin, input).await?;
        self.link(&truck, &company.siti, DeviceMemberRole::Viewer).await;
        let file = self.upload(admin, "a.pdf", &pdf(100)).await?;
        self.make_document(admin, DocumentInput { file_ids: Some(file.id), ..of_device(&truck) }).await?;
        let oil = self.plan(admin, service(&truck, "Oil")).await?;
        self.complete(admin, done(&oil)).await?;
        self.plan(admin, service(&truck, "Brakes")).await?;
        Ok(truck)
    }
}

/// As it is but for its version.
fn without_timestamps(device: Device) -> Device {
    Device { row_version: 0, updated_at: None, ..device }
}

fn of_truck(device: &Device) -> ListDriverAssignmentsRequest {
    ListDriverAssignmentsRequest { device_id: Some(device.id.clone()), ..ListDriverAssignmentsRequest::default() }
}

fn taking(device: &Device) -> DeviceInput {
    DeviceInput { imei: Some(device.imei.clone()), ..new_device("Taken") }
}

const TABLES: [&str; 9] = [
    "device",
    "device_member",
    "device_group_member",
    "document",
    "share_link",
    "maintenance",
    "maintenance_log",
    "command",
    "driver_assignment",
];

both_databases! {
    async fn deleted_device_is_hidden_and_restored_completely(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.full(&company).await?;
        let link = fleet.share(admin, of(&truck)).await?;
        let command = fleet.send(admin, to(&truck, CommandKind::Reboot)).await?;
        let before = fleet.get(admin, &truck.id).await?;
        fleet.expect_binding_of(&truck.imei, Some((truck.id.clone(), 0))).await;
        let began = Timestamp::now();

        fleet.delete(admin, &truck.id, Some(before.row_version)).await?;
        assert_eq!(fleet.get(admin, &truck.id).await.unwrap_err(), Error::not_found());
        for caller in [admin, &company.budi, &company.siti] {
            assert!(fleet.seen(caller).await?.is_empty());
        }
        assert!(fleet.document_names(admin, ListDocumentsRequest::default()).await?.is_empty());
        assert!(fleet.titles(admin, all()).await?.is_empty());
        assert!(fleet.completed(admin).await?.is_empty());
        assert!(fleet.links(admin, ListDeviceMembersRequest::default()).await?.is_empty());
        assert!(fleet.shared(admin, ListShareLinksRequest::default()).await?.is_empty());
        assert!(fleet.is_over(&link).await);
        assert_eq!(fleet.listed_commands(admin).await?, 0);
        assert_eq!(fleet.assignments(admin, of_truck(&truck)).await?, ["Siti Truck"], "it has ended");
        fleet.expect_binding_of(&truck.imei, None).await;
        eventually_equal("it does not count", SOON, 0, async || fleet.used(company.id).await).await;
        let deleted = fleet.deleted(admin).await?;
        assert_eq!(deleted.len(), 1);
        assert_eq!(deleted[0].deleted_by, Some(admin.grant.user_id.to_string()));
        let (at, until) = (deleted[0].deleted_at.unwrap(), deleted[0].erase_after.unwrap());
        assert!(at >= began && until.millis() - at.millis() == 30 * 24 * 3_600_000, "{at:?} {until:?}");
        assert_eq!(fleet.delete(admin, &truck.id, None).await.unwrap_err(), Error::not_found(), "once");

        let back = fleet.restore(admin, &truck.id).await?;
        assert_eq!(without_timestamps(back), without_timestamps(before.clone()));
        assert_eq!(without_timestamps(fleet.get(admin, &truck.id).await?), without_timestamps(before));
        for caller in [admin, &company.budi, &company.siti] {
            assert_eq!(fleet.seen(caller).await?, ["Truck"]);
        }
        assert_eq!(fleet.links(admin, ListDeviceMembersRequest::default()).await?.len(), 2);
        assert_eq!(fleet.document_names(admin, ListDocumentsRequest::default()).await?.len(), 1);
        assert_eq!((fleet.titles(admin, all()).await?.len(), fleet.completed(admin).await?.len()), (2, 1));
        assert_eq!(fleet.open(&link).await?.device_ids, [truck.id.as_str()]);
        assert_eq!(fleet.assignments(admin, of_truck(&truck)).await?, ["Siti Truck!"], "as if it had never ended");
        assert_eq!(fleet.command(admin, &command.id).await?.state(), CommandState::Cancelled);
        fleet.expect_binding_of(&truck.imei, Some((truck.id.clone(), 0))).await;
        eventually_equal("it counts", SOON, 1, async || fleet.used(company.id).await).await;
        assert!(fleet.deleted(admin).await?.is_empty());
        assert_eq!(fleet.restore(admin, &truck.id).await.unwrap_err(), Error::not_found(), "once");
        fleet.expect_audit_acts(admin, ["device:delete", "device:restore"]).await;
        fleet.running.stop().await
    }

    async fn restore_skips_what_was_removed_meanwhile(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.full(&company).await?;
        let now = fleet.get(admin, &truck.id).await?;
        fleet.delete(admin, &truck.id, None).await?;
        // Nobody is told that what nobody sees keeps them from it.
        for entry in [now.group_ids, now.warehouse_id.unwrap()] {
            fleet.remove_entry(admin, &entry).await?;
        }
        fleet.remove_driver(admin, &now.primary_driver_id.unwrap()).await?;
        fleet.remove(&fleet.running, &company.budi).await;
        eventually_equal("his links are gone", SOON, 1, async || Ok(fleet.rows("SELECT count(*) FROM device_member").await)).await;

        let back = fleet.restore(admin, &truck.id).await?;
        assert_eq!((back.user_id, back.primary_driver_id, back.warehouse_id), (None, None, None));
        assert_eq!((back.group_ids.as_str(), back.primary_driver.as_str(), back.warehouse.as_str()), ("", "", ""));
        assert_eq!(fleet.assignments(admin, of_truck(&truck)).await?, ["Siti Truck"]);
        assert_eq!(fleet.seen(&company.siti).await?, ["Truck"]);
        fleet.running.stop().await
    }

    /// Who may delete devices brings back what they owned; others are told nothing.
    async fn owners_bring_back_their_own(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let Company { admin, budi, siti, .. } = &company;
        let truck = fleet.create(admin, owned_by(budi, new_device("Truck"))).await?;
        fleet.create(admin, owned_by(siti, new_device("Van"))).await?;
        fleet.link(&truck, siti, DeviceMemberRole::Technician).await;
        assert_eq!(fleet.deleted(budi).await.unwrap_err(), Error::forbidden());
        assert_eq!(fleet.restore(budi, &truck.id).await.unwrap_err().class, Code::Forbidden);
        for user in [budi, siti] {
            fleet.allow(&user.grant.user_id.to_string(), &company.id.to_string(), &[DEVICE_LIST, DEVICE_DELETE]).await;
        }
        fleet.delete(budi, &truck.id, None).await?;
        let absent = GetRequest { id: armada_proto::DeviceId::new().to_string() }.id;
        for caller in [siti, &other.admin] {
            assert!(fleet.deleted(caller).await?.is_empty());
            assert_eq!(fleet.restore(caller, &truck.id).await, fleet.restore(caller, &absent).await);
            assert_eq!(fleet.restore(caller, &truck.id).await.unwrap_err(), Error::not_found());
            assert_eq!(fleet.erase_device(caller, &truck).await.unwrap_err(), Error::not_found());
        }
        for caller in [budi, admin, &fleet.owner] {
            assert_eq!(fleet.deleted_names(caller).await?, ["Truck"]);
        }
        let wrong = Device { name: "truck".to_owned(), ..truck.clone() };
        assert_eq!(fleet.erase_device(budi, &wrong).await.unwrap_err(), Error::field("name", "name_differs"));
        assert_eq!(fleet.restore(budi, &truck.id).await?.name, "Truck");
        assert_eq!(fleet.erase_device(budi, &truck).await.unwrap_err(), Error::not_found(), "what is not deleted");
        fleet.running.stop().await
    }

    async fn restore_fails_when_the_imei_is_taken(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let admin = &company.admin;
        let [lost, doubled] = [fleet.create(admin, new_device("Lost")).await?, fleet.create(admin, new_device("Doubled")).await?];
        for device in [&lost, &doubled] {
            fleet.delete(admin, &device.id, None).await?;
        }
        let theirs = fleet.create(&other.admin, taking(&lost)).await?;
        let refused = fleet.restore(admin, &lost.id).await.unwrap_err();
        assert_eq!((refused.class, refused.code.as_str()), (Code::Conflict, "imei_bound_again"));
        assert!(refused.conflicting.is_none(), "it is not told who");
        fleet.expect_binding_of(&lost.imei, Some((theirs.id.clone(), fleet.bound(&lost.imei).await?.map_or(0, |bound| bound.1)))).await;
        // Nor does it come back when they have let go of it.
        fleet.delete(&other.admin, &theirs.id, None).await?;
        assert_eq!(fleet.restore(admin, &lost.id).await.unwrap_err().code, "imei_bound_again");
        fleet.restore(&other.admin, &theirs.id).await?;
        assert_eq!(fleet.deleted_names(admin).await?, ["Doubled", "Lost"]);

        // One of one's own that names it is named; when that names another one, all is well.
        let own = fleet.create(admin, taking(&doubled)).await?;
        let refused = fleet.restore(admin, &doubled.id).await.unwrap_err();
        assert_eq!(refused, Error::taken("imei").with_field("imei", "taken_by_own").with_conflicting(&own.id, "Taken"));
        fleet.delete(admin, &own.id, None).await?;
        fleet.restore(admin, &doubled.id).await?;
        let bound = eventually("the bucket follows", SOON, async || {
            fleet.bound(&doubled.imei).await?.ok_or_else(|| anyhow::anyhow!("not yet"))
        })
        .await;
        assert!(bound.0 == doubled.id && bound.1 > 0, "what came in between is the other one's: {bound:?}");
        fleet.running.stop().await
    }

    /// However many come back at once.
    async fn restore_respects_the_device_limit(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let made = join_all((0..6).map(|_| fleet.create(admin, new_device("x")))).await;
        let made: Vec<Device> = made.into_iter().collect::<Result<_>>()?;
        for device in &made {
            fleet.delete(admin, &device.id, None).await?;
        }
        fleet.limit(company.id, 2).await?;
        let answers = join_all(made.iter().map(|device| fleet.restore(admin, &device.id))).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 2);
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            assert_eq!((error.class, error.code.as_str()), (Code::Conflict, "device_limit_reached"));
        }
        assert_eq!(fleet.seen(admin).await?.len(), 2);
        fleet.running.stop().await
    }

    /// What was deleted before its tenant stays deleted with it, and can still be brought back.
    async fn a_restored_tenant_brings_back_what_it_had(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Gone").await;
        let admin = &company.admin;
        let truck = fleet.full(&company).await?;
        fleet.share(admin, of(&truck)).await?;
        let van = fleet.create(admin, new_device("Van")).await?;
        fleet.make_document(admin, of_device(&van)).await?;
        fleet.delete(admin, &truck.id, None).await?;
        fleet.hide(&company, "Gone").await;
        fleet.expect_binding_of(&van.imei, None).await;
        fleet.restart().await;
        assert!(fleet.deleted_names(&fleet.owner).await?.is_empty(), "with their tenant they are nobody's");
        assert_eq!(fleet.restore(&fleet.owner, &truck.id).await.unwrap_err(), Error::not_found());
        fleet.restore_all(&company).await;
        fleet.expect_binding_of(&van.imei, Some((van.id.clone(), 0))).await;
        assert_eq!(fleet.seen(&fleet.owner).await?, ["Van"]);
        assert_eq!(fleet.document_names(&fleet.owner, ListDocumentsRequest::default()).await?, ["Van"]);
        assert!(fleet.titles(&fleet.owner, all()).await?.is_empty());
        assert!(fleet.shared(&fleet.owner, ListShareLinksRequest::default()).await?.is_empty());
        assert_eq!(fleet.bound(&truck.imei).await?, None);

        fleet.restore(&fleet.owner, &truck.id).await?;
        assert_eq!(fleet.document_names(&fleet.owner, ListDocumentsRequest::default()).await?.len(), 2);
        fleet.expect_binding_of(&truck.imei, Some((truck.id.clone(), 0))).await;
        fleet.running.stop().await
    }

    async fn deleted_devices_are_erased_after_thirty_days(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.full(&company).await?;
        fleet.share(admin, of(&truck)).await?;
        fleet.send(admin, to(&truck, CommandKind::Reboot)).await?;
        let kept = fleet.create(admin, new_device("Kept")).await?;
        for device in [&truck, &kept] {
            fleet.delete(admin, &device.id, None).await?;
        }
        let ago = |days: i64| Timestamp::now().millis() - days * 24 * 3_600_000;
        let move_to = |name: &str, at: i64| format!("UPDATE device SET deleted_at = {at} WHERE name = '{name}'");
        fleet.run_sql(&move_to("Truck", ago(30))).await?;
        fleet.run_sql(&move_to("Kept", ago(29))).await?;
        assert_eq!(fleet.objects()?.len(), 1);
        fleet.restart().await;
        eventually_equal("one is left", SOON, vec!["Kept".to_owned()], async || Ok(fleet.deleted_names(admin).await?)).await;
        for table in TABLES {
            let left = fleet.rows(&format!("SELECT count(*) FROM {table}")).await;
            assert_eq!(left, i64::from(table == "device"), "{table}");
        }
        eventually_equal("the files go too", SOON, 0, async || Ok(fleet.objects()?.len())).await;
        eventually_equal("others are told", SOON, true, async || fleet.is_in_states(&truck).await).await;
        assert_eq!(fleet.restore(admin, &truck.id).await.unwrap_err(), Error::not_found());
        fleet.expect_audit_acts(admin, ["device:delete", "device:erase"]).await;
        fleet.running.stop().await
    }

    /// At once when somebody wants that, and once more when an older copy of the tables brings one back.
    async fn erased_device_cannot_be_restored(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.full(&company).await?;
        fleet.delete(admin, &truck.id, None).await?;
        fleet.erase_device(admin, &truck).await?;
        assert!(fleet.deleted(admin).await?.is_empty());
        assert_eq!(fleet.restore(admin, &truck.id).await.unwrap_err(), Error::not_found());
        eventually_equal("others are told", SOON, true, async || fleet.is_in_states(&truck).await).await;
        let again = fleet.create(admin, taking(&truck)).await?;
        assert!(eventually("its IMEI is free", SOON, async || {
            fleet.bound(&again.imei).await?.ok_or_else(|| anyhow::anyhow!("not yet"))
        })
        .await.1 > 0);

        // As if the tables were those of before.
        let erased = DeviceErasure { tenant_id: again.tenant_id.clone(), erased_at: 1 };
        let bucket = fleet.world.bucket_of("fleet", device_erasure::BUCKET).await;
        bucket.put(&again.id, coded::encode(&erased).into()).await?;
        fleet.restart().await;
        eventually_equal("it is erased again", SOON, 0, async || Ok(fleet.rows("SELECT count(*) FROM device").await)).await;
        fleet.running.stop().await
    }

    async fn devices_are_restored_in_bulk(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let admin = &company.admin;
        let mut made = Vec::new();
        for name in ["Bus", "Truck", "Van"] {
            made.push(fleet.create(admin, new_device(name)).await?);
        }
        let ids: Vec<String> = made.iter().map(|device| device.id.clone()).collect();
        let job = fleet.bulk(admin, BulkDevicesRequest { ids: ids.clone(), delete: Some(Empty {}), ..Default::default() }).await?;
        assert_eq!(fleet.over(admin, &job.id).await.done, 3);
        assert_eq!(fleet.deleted_names(admin).await?, ["Bus", "Truck", "Van"]);
        fleet.create(&other.admin, taking(&made[0])).await?;
        let job = fleet.bulk(admin, BulkDevicesRequest { ids: ids[..2].to_vec(), restore: Some(Empty {}), ..Default::default() }).await?;
        let job = fleet.over(admin, &job.id).await;
        assert_eq!((job.status(), job.done, job.failed), (JobStatus::Completed, 1, 1));
        assert_eq!(fleet.seen(admin).await?, ["Truck"]);
        let filter = Some(ListDevicesRequest { deleted: true, q: "van".to_owned(), ..Default::default() });
        let job = fleet.bulk(admin, BulkDevicesRequest { filter, restore: Some(Empty {}), ..Default::default() }).await?;
        assert_eq!(fleet.over(admin, &job.id).await.total, 1);
        assert_eq!(fleet.deleted_names(admin).await?, ["Bus"]);
        fleet.running.stop().await
    }
}
