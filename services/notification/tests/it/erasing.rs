//! What is erased takes its events along, and what comes late of it is not kept.

use armada_notification::NAME;
use armada_proto::v1::{DeleteRequest, DeleteTenantInput, EraseDeviceInput, ListEventsRequest};
use armada_runtime::Scope;
use armada_testkit::{both_databases, eventually_equal};
use sea_orm::{ConnectionTrait, Statement};

use crate::support::{SOON, Site, answer, event_of};

impl Site {
    /// A number from the table.
    async fn number(&self, sql: &str) -> anyhow::Result<i64> {
        let db = self.world.database(NAME).await;
        let tx = db.read(&Scope::Platform).await?;
        let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await?;
        let number = row.ok_or_else(|| anyhow::anyhow!("no row"))?.try_get_by_index(0)?;
        tx.commit().await?;
        db.close().await?;
        Ok(number)
    }
}

both_databases! {
    async fn events_of_an_erased_tenant_are_removed(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let (gone, kept) = (site.company("Gone").await, site.company("Kept").await);
        let truck = site.device(&gone, "Truck", None).await;
        site.publish_event(&event_of(&gone, "alarm.door", Some(&truck), 1)).await;
        site.publish_event(&event_of(&kept, "vehicle.towed", None, 2)).await;
        let events = || site.number("SELECT count(*) FROM event");
        eventually_equal("both are kept", SOON, 2, events).await;

        let id = gone.id.to_string();
        let named = || DeleteTenantInput { id: id.clone(), name: "Gone".to_owned(), row_version: None };
        answer(site.tenants().delete(site.owner.sign(named())).await)?;
        answer(site.tenants().erase(site.owner.sign(named())).await)?;
        eventually_equal("one is left", SOON, 1, events).await;
        site.publish_event(&event_of(&gone, "alarm.sos", Some(&truck), 3)).await;
        site.publish_event(&event_of(&kept, "alarm.sos", None, 4)).await;
        // In the order in which they came.
        let list = site.expect_events(&kept.admin, ListEventsRequest::default(), &["alarm.sos", "vehicle.towed"]).await;
        assert_eq!(list.total, 2);
        assert_eq!(events().await?, 2);
        assert_eq!(site.number("SELECT count(*) FROM alarm").await?, 0);
        site.expect_active_alarms(&truck, &[]).await;
        site.running.stop().await
    }

    async fn events_of_an_erased_device_are_removed(kind: Kind) -> anyhow::Result<()> {
        let mut site = Site::start(kind).await;
        let company = site.company("Acme").await;
        let [gone, kept] = [site.device(&company, "Gone", None).await, site.device(&company, "Kept", None).await];
        for device in [&gone, &kept] {
            site.publish_event(&event_of(&company, "vehicle.towing", Some(device), 1)).await;
        }
        let all = ListEventsRequest::default;
        site.expect_events(&company.admin, all(), &["vehicle.towing"; 2]).await;
        site.expect_active_alarms(&gone, &["vehicle.towing"]).await;
        // Nobody is there to hear of it.
        site.stop_notification().await;
        let delete = DeleteRequest { id: gone.id.clone(), row_version: None };
        answer(site.devices().delete(company.admin.sign(delete)).await)?;
        let erase = EraseDeviceInput { id: gone.id.clone(), name: gone.name.clone(), row_version: None };
        answer(site.devices().erase(company.admin.sign(erase)).await)?;
        site.start_notification().await;
        let list = site.expect_events(&company.admin, all(), &["vehicle.towing"]).await;
        assert_eq!(list.items[0].device_name, "Kept");
        site.expect_active_alarms(&gone, &[]).await;

        site.publish_event(&event_of(&company, "alarm.sos", Some(&gone), 2)).await;
        site.publish_event(&event_of(&company, "alarm.sos", Some(&kept), 3)).await;
        site.expect_events(&company.admin, all(), &["alarm.sos", "vehicle.towing"]).await;
        assert_eq!(site.number("SELECT count(*) FROM event").await?, 2);
        assert_eq!(site.number("SELECT count(*) FROM alarm").await?, 2);
        site.expect_active_alarms(&kept, &["vehicle.towing", "alarm.sos"]).await;
        site.running.stop().await
    }
}
