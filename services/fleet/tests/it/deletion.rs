//! Devices of tenants that are deleted, brought back and erased.

use armada_proto::{
    coded, erasure,
    v1::{
        CommandKind, DeleteTenantInput, Device, DeviceInput, DocumentInput, Erasure, ErasureState, GetRequest,
        ListAuditRequest, ListDevicesRequest, ListDocumentsRequest, ListDriversRequest, TenantThresholdsInput,
        audit_client::AuditClient,
    },
};
use armada_runtime::{Error, Scope};
use armada_testkit::{both_databases, eventually, eventually_equal};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::commands::to;
use crate::documents::of_device;
use crate::drivers::new_driver;
use crate::files::pdf;
use crate::share_links;
use crate::support::{Company, Fleet, SOON, answer, new_device, new_imei, owned_by};

impl Fleet {
    pub async fn hide(&self, company: &Company, name: &str) {
        answer(self.tenants().delete(self.owner.sign(named(company, name))).await).unwrap();
    }

    pub async fn restore_all(&self, company: &Company) {
        answer(self.tenants().restore(self.owner.sign(GetRequest { id: company.id.to_string() })).await).unwrap();
    }

    async fn erase(&self, company: &Company, name: &str) {
        answer(self.tenants().erase(self.owner.sign(named(company, name))).await).unwrap();
    }

    /// The names of the devices that the platform owner sees.
    async fn names(&self) -> anyhow::Result<Vec<String>> {
        let list = answer(self.devices().list(self.owner.sign(ListDevicesRequest::default())).await)?;
        Ok(list.items.into_iter().map(|device| device.name).collect())
    }

    async fn expect_devices(&self, names: &[&str]) {
        let wanted: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        eventually_equal("the list follows", SOON, wanted, async || self.names().await).await;
    }

    pub async fn bound(&self, imei: &str) -> anyhow::Result<Option<(String, i64)>> {
        Ok(self.binding(imei).await?.map(|binding| (binding.device_id, binding.bound_from)))
    }

    pub async fn rows(&self, sql: &str) -> i64 {
        let db = self.world.database("fleet").await;
        let tx = db.read(&Scope::Platform).await.unwrap();
        let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }

    /// What fleet entered of an act.
    async fn audit_entry(&self, act: &str) -> Value {
        eventually("fleet has entered it", SOON, async || {
            let audit = self.running.context.peers.transport("identity")?;
            let request = ListAuditRequest { acts: vec![act.to_owned()], ..ListAuditRequest::default() };
            let list = answer(AuditClient::new(audit).list(self.owner.sign(request)).await)?;
            let entry = list.items.into_iter().find(|entry| entry.actor_name == "fleet");
            let after = entry.and_then(|entry| entry.after).ok_or_else(Error::not_found)?;
            Ok(serde_json::from_str(&after)?)
        })
        .await
    }
}

fn named(company: &Company, name: &str) -> DeleteTenantInput {
    DeleteTenantInput { id: company.id.to_string(), name: name.to_owned(), row_version: None }
}

both_databases! {
    /// What somebody else has bound meanwhile stays with them; everything else is as it was, links and old fixes too.
    async fn deleted_tenant_releases_imeis_and_can_be_restored(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let (gone, other) = (fleet.company("Gone").await, fleet.company("Other").await);
        let kept = fleet.create(&gone.admin, owned_by(&gone.budi, new_device("Kept"))).await?;
        let lost = fleet.create(&gone.admin, new_device("Lost")).await?;
        let returned = fleet.create(&gone.admin, new_device("Returned")).await?;
        answer(fleet.drivers().create(gone.admin.sign(new_driver("Driver"))).await)?;
        fleet.hide(&gone, "Gone").await;
        fleet.expect_devices(&[]).await;
        assert!(fleet.driver_names(&fleet.owner, ListDriversRequest::default()).await?.is_empty());
        for device in [&kept, &lost, &returned] {
            eventually_equal("nobody has the IMEI", SOON, None, async || fleet.bound(&device.imei).await).await;
        }
        assert_eq!(fleet.audit_entry("tenant:delete").await, json!({ "devices": 3 }));
        let get = GetRequest { id: kept.id.clone() };
        assert_eq!(answer(fleet.devices().get(fleet.owner.sign(get.clone())).await).unwrap_err(), Error::not_found());
        let into = DeviceInput { tenant_id: Some(gone.id.to_string()), ..new_device("New") };
        assert_eq!(fleet.create(&fleet.owner, into).await.unwrap_err(), Error::field("tenant_id", "unknown"));
        // Nothing of it comes to whoever binds an IMEI now.
        let with = |device: &Device| DeviceInput { imei: Some(device.imei.clone()), ..new_device("Taken") };
        let taken = fleet.create(&other.admin, with(&lost)).await?;
        let bound = eventually("the bucket follows", SOON, async || fleet.bound(&lost.imei).await?.ok_or_else(|| anyhow::anyhow!("not yet"))).await;
        assert!(bound.0 == taken.id && bound.1 > 0, "{bound:?}");
        let short = fleet.create(&other.admin, with(&returned)).await?;
        let away = DeviceInput { id: short.id, imei: Some(new_imei()), name: Some("Short".to_owned()), ..DeviceInput::default() };
        fleet.update(&other.admin, away).await?;
        // A process that starts meanwhile brings nothing back.
        fleet.restart().await;
        fleet.expect_devices(&["Short", "Taken"]).await;

        fleet.restore_all(&gone).await;
        fleet.expect_devices(&["Kept", "Returned", "Short", "Taken"]).await;
        assert_eq!(fleet.driver_names(&fleet.owner, ListDriversRequest::default()).await?, ["Driver"]);
        assert_eq!(fleet.audit_entry("tenant:restore").await, json!({ "devices": 2, "bound_elsewhere": 1 }));
        eventually_equal("as if it had never gone", SOON, Some((kept.id.clone(), 0)), async || fleet.bound(&kept.imei).await).await;
        let bound = eventually("the bucket follows", SOON, async || fleet.bound(&returned.imei).await?.ok_or_else(|| anyhow::anyhow!("not yet"))).await;
        assert!(bound.0 == returned.id && bound.1 > 0, "what came in between is another's: {bound:?}");
        assert_eq!(answer(fleet.devices().get(fleet.owner.sign(get)).await)?.user_id, kept.user_id);
        let budi = vec![gone.budi.grant.user_id.to_string()];
        let linked = ListDevicesRequest { user_ids: budi, ..ListDevicesRequest::default() };
        assert_eq!(answer(fleet.devices().list(fleet.owner.sign(linked)).await)?.total, 1, "links are as they were");
        fleet.running.stop().await
    }

    async fn erasing_a_tenant_leaves_only_binding_ends(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (gone, other) = (fleet.company("Gone").await, fleet.company("Other").await);
        let driver = answer(fleet.drivers().create(gone.admin.sign(new_driver("Driver"))).await)?;
        let truck = DeviceInput { primary_driver_id: Some(driver.id), ..owned_by(&gone.budi, new_device("Truck")) };
        let device = fleet.create(&gone.admin, truck).await?;
        fleet.share(&gone.admin, share_links::of(&device)).await?;
        fleet.create(&other.admin, new_device("Other")).await?;
        fleet.send(&gone.admin, to(&device, CommandKind::Reboot)).await?;
        for company in [&gone, &other] {
            let input = TenantThresholdsInput { moving_speed: Some(5), ..TenantThresholdsInput::default() };
            fleet.set_thresholds(&company.admin, input).await?;
        }
        fleet.hide(&gone, "Gone").await;
        let listed = async || anyhow::Ok(fleet.listed_commands(&fleet.owner).await?);
        eventually_equal("they are hidden with the devices", SOON, 0, listed).await;
        fleet.erase(&gone, "Gone").await;
        let counts = fleet.audit_entry("tenant:erase").await;
        // Links of users who are gone may have been taken away before: identity erases them too.
        assert_eq!((&counts["devices"], &counts["bindings"]), (&json!(1), &json!(1)), "{counts}");
        assert_eq!((fleet.rows("SELECT count(*) FROM device").await, fleet.rows("SELECT count(*) FROM device_member").await), (1, 0));
        assert_eq!((fleet.rows("SELECT count(*) FROM driver").await, fleet.rows("SELECT count(*) FROM driver_assignment").await), (0, 0));
        assert_eq!(fleet.rows("SELECT count(*) FROM share_link").await, 0);
        assert_eq!(fleet.rows("SELECT count(*) FROM command").await, 0);
        assert_eq!(fleet.rows("SELECT count(*) FROM thresholds").await, 1);
        // Its late fixes come to nobody.
        let next = fleet.create(&other.admin, DeviceInput { imei: Some(device.imei.clone()), ..new_device("Next") }).await?;
        let bound = eventually("the bucket follows", SOON, async || fleet.bound(&next.imei).await?.ok_or_else(|| anyhow::anyhow!("not yet"))).await;
        assert!(bound.0 == next.id && bound.1 > 0, "{bound:?}");
        fleet.running.stop().await
    }

    /// What identity did not sign says nothing, at a start as well. Fleet's own login may not even write it.
    async fn a_forged_entry_erases_nothing(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let (kept, hidden) = (fleet.company("Kept").await, fleet.company("Hidden").await);
        let gone = [fleet.company("First").await, fleet.company("Second").await];
        let device = fleet.create(&kept.admin, new_device("Kept")).await?;
        fleet.create(&hidden.admin, new_device("Hidden")).await?;
        let erased = Erasure { state: ErasureState::Erased.into(), deleted_at: 1, erase_after: 1, actor_id: None };
        let key = kept.id.to_string();
        let plain = fleet.world.bus.bucket(erasure::BUCKET).await?;
        for (gone, name) in gone.iter().zip(["First", "Second"]) {
            plain.put(&key, coded::encode(&erased).into()).await?;
            // What comes after them is obeyed: they have been read.
            fleet.create(&gone.admin, new_device(name)).await?;
            fleet.hide(gone, name).await;
            fleet.expect_devices(&["Hidden", "Kept"]).await;
            assert_eq!(fleet.bound(&device.imei).await?, Some((device.id.clone(), 0)));
            fleet.restart().await;
        }
        fleet.hide(&hidden, "Hidden").await;
        fleet.expect_devices(&["Kept"]).await;
        fleet.running.stop().await
    }

    /// The tables are those of before, the ledger is not.
    async fn restored_backup_applies_the_erase_ledger(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let gone = fleet.company("Gone").await;
        let device = fleet.create(&gone.admin, new_device("Truck")).await?;
        fleet.hide(&gone, "Gone").await;
        fleet.expect_devices(&[]).await;
        // It has been obeyed to the end: nothing is hidden once more.
        fleet.audit_entry("tenant:delete").await;
        let db = fleet.world.database("fleet").await;
        let tx = db.write(&Scope::Platform).await?;
        tx.execute_unprepared("UPDATE device SET hidden_at = NULL").await?;
        tx.execute_unprepared("DELETE FROM imei_binding").await?;
        tx.commit().await?;
        assert_eq!(fleet.names().await?, ["Truck"]);
        fleet.restart().await;
        assert_eq!(fleet.names().await?.len(), 0, "at once, not soon");
        eventually_equal("nobody has the IMEI", SOON, None, async || fleet.bound(&device.imei).await).await;
        fleet.running.stop().await
    }

    /// Rows at once, objects soon, also when the process dies before they are gone.
    async fn documents_and_files_of_an_erased_tenant_are_erased(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let (gone, kept) = (fleet.company("Gone").await, fleet.company("Kept").await);
        for company in [&gone, &kept] {
            let truck = fleet.create(&company.admin, new_device("Truck")).await?;
            let file = fleet.upload(&company.admin, "Rahasia.pdf", &pdf(1_000)).await?;
            fleet.upload(&company.admin, "unnamed.pdf", &pdf(1_000)).await?;
            let input = DocumentInput { file_ids: Some(file.id), expires_on: Some("2020-01-01".to_owned()), ..of_device(&truck) };
            fleet.make_document(&company.admin, input).await?;
        }
        let list = async |fleet: &Fleet| {
            let list = fleet.documents().list(fleet.owner.sign(ListDocumentsRequest::default())).await;
            anyhow::Ok(answer(list)?.total)
        };
        eventually_equal("both are reminded of", SOON, 2, async || Ok(fleet.rows("SELECT count(*) FROM document_reminder").await)).await;
        fleet.hide(&gone, "Gone").await;
        eventually_equal("it is hidden", SOON, 1, async || list(&fleet).await).await;
        fleet.restore_all(&gone).await;
        eventually_equal("it is back", SOON, 2, async || list(&fleet).await).await;
        fleet.hide(&gone, "Gone").await;
        eventually_equal("it is hidden", SOON, 1, async || list(&fleet).await).await;
        fleet.erase(&gone, "Gone").await;
        fleet.restart().await;
        eventually_equal("the files are gone", SOON, 2, async || Ok(fleet.objects()?.len())).await;
        for table in ["document", "document_reminder"] {
            assert_eq!(fleet.rows(&format!("SELECT count(*) FROM {table}")).await, 1, "{table}");
        }
        eventually_equal("and their rows", SOON, 2, async || Ok(fleet.rows("SELECT count(*) FROM file").await)).await;
        fleet.running.stop().await
    }
}
