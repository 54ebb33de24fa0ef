//! What has happened is kept once, and shown to who may see what it is about.

use armada_notification::NAME;
use armada_proto::{
    TenantId, Timestamp,
    access::permission::{DEVICE_LIST, DOCUMENT_LIST, EVENT_EXPORT, EVENT_LIST},
    v1::{Event, ListEventsRequest, VehicleEvent, event::Details},
};
use armada_runtime::{Code, Scope};
use armada_testkit::{Kind, both_databases, expect_order_of_index};
use serde_json::json;

use crate::support::{BEGIN, Site, event_of, reminder_event, world};

fn all() -> ListEventsRequest {
    ListEventsRequest::default()
}

fn of_kinds(kinds: &[&str]) -> ListEventsRequest {
    ListEventsRequest { kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(), ..all() }
}

both_databases! {
    async fn each_event_is_listed_once(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let company = site.company("Acme").await;
        let truck = site.device(&company, "Truck", None).await;
        let event = event_of(&company, "vehicle.overspeed", Some(&truck), 1);
        site.publish_event(&event).await;
        site.publish_event(&event).await;
        // What is no event, or another one than its subject says, is in nobody's way.
        site.publish(format!("event.{}.vehicle.overspeed", company.id), b"\xffnonsense".to_vec()).await;
        let mut other = event_of(&company, "vehicle.parked_long", Some(&truck), 2);
        other.id = "no id".to_owned();
        site.publish_event(&other).await;
        let foreign = event_of(&site.company("Other").await, "vehicle.overspeed", None, 3);
        site.publish(format!("event.{}.vehicle.overspeed", company.id), prost::Message::encode_to_vec(&foreign)).await;
        site.publish_event(&reminder_event(&company, Some(&truck), 4)).await;
        let filled = VehicleEvent { value: Some(60.5), before: Some(40.0), confidence: Some(97), ..VehicleEvent::default() };
        let details = Some(Details::Vehicle(filled));
        site.publish_event(&Event { details, ..event_of(&company, "fuel.fill", Some(&truck), 5) }).await;

        let list = site.expect_events(&company.admin, all(), &["fuel.fill", "document.expiring", "vehicle.overspeed"]).await;
        assert_eq!(list.total, 3);
        let [fill, reminder, overspeed] = &list.items[..] else { panic!("three: {list:?}") };
        let measured: serde_json::Value = serde_json::from_str(fill.details.as_deref().unwrap())?;
        assert_eq!((fill.value, measured), (Some(60.5), json!({ "before": 40.0, "after": null, "confidence": 97 })));
        assert_eq!((reminder.title.as_str(), reminder.device_name.as_str()), ("STNK B 1234", "Truck"));
        let details: serde_json::Value = serde_json::from_str(reminder.details.as_deref().unwrap())?;
        assert_eq!(details["days_left"], 7);
        assert_eq!(overspeed.id, event.id);
        assert_eq!((overspeed.value, overspeed.limit), (Some(91.0), Some(80.0)));
        assert_eq!(overspeed.occurred_at, event.occurred_at);
        site.expect_events(&site.owner, all(), &["fuel.fill", "document.expiring", "vehicle.overspeed"]).await;
        site.running.stop().await
    }

    async fn who_sees_the_vehicle_sees_its_events(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let (company, others) = (site.company("Acme").await, site.company("Other").await);
        let budi = site.user(&company, "budi", &[DEVICE_LIST, EVENT_LIST]).await;
        let siti = site.user(&company, "siti", &[DEVICE_LIST, EVENT_LIST, EVENT_EXPORT, DOCUMENT_LIST]).await;
        let blind = site.user(&company, "joko", &[DEVICE_LIST]).await;
        let own = site.device(&company, "Own", Some(&budi)).await;
        let foreign = site.device(&company, "Foreign", Some(&siti)).await;
        site.publish_event(&event_of(&company, "vehicle.overspeed", Some(&own), 1)).await;
        site.publish_event(&event_of(&company, "vehicle.towed", Some(&foreign), 2)).await;
        site.publish_event(&reminder_event(&company, Some(&own), 3)).await;
        site.publish_event(&reminder_event(&company, Some(&foreign), 4)).await;
        // Of a driver's document.
        site.publish_event(&reminder_event(&company, None, 5)).await;

        let document = "document.expiring";
        site.expect_events(&company.admin, all(), &[document, document, document, "vehicle.towed", "vehicle.overspeed"]).await;
        site.expect_events(&budi, all(), &["vehicle.overspeed"]).await;
        let list = site.expect_events(&siti, all(), &[document, "vehicle.towed"]).await;
        assert!(list.items.iter().all(|event| event.device_name == "Foreign"), "{list:?}");
        assert_eq!(site.export(&siti, all()).await?, list.items);
        assert_eq!(site.list(&blind, all()).await.unwrap_err().class, Code::Forbidden);
        assert_eq!(site.export(&budi, all()).await.unwrap_err().class, Code::Forbidden);
        // As somebody else sees it, and of a vehicle that one does not see.
        let as_budi = ListEventsRequest { user_id: Some(budi.grant.user_id.to_string()), ..all() };
        site.expect_events(&company.admin, as_budi, &[document, "vehicle.overspeed"]).await;
        let of_foreign = ListEventsRequest { device_ids: vec![foreign.id.clone()], ..all() };
        assert!(site.list(&budi, of_foreign.clone()).await?.items.is_empty());

        assert!(site.list(&others.admin, all()).await?.items.is_empty());
        assert!(site.list(&others.admin, of_foreign).await?.items.is_empty());
        let named = ListEventsRequest { tenant_id: Some(company.id.to_string()), ..all() };
        assert_eq!(site.list(&others.admin, named).await.unwrap_err().class, Code::NotFound);
        site.running.stop().await
    }

    async fn lists_are_narrowed_and_paged(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let company = site.company("Acme").await;
        let [truck, van] = [site.device(&company, "Truck", None).await, site.device(&company, "Van", None).await];
        for (second, (kind, device)) in
            [("vehicle.overspeed", &truck), ("alarm.sos", &truck), ("alarm.power_cut", &van), ("device.offline", &van)]
                .into_iter()
                .enumerate()
        {
            site.publish_event(&event_of(&company, kind, Some(device), second as i64)).await;
        }
        site.publish_event(&reminder_event(&company, Some(&van), 9)).await;
        let admin = &company.admin;
        let everything = ["document.expiring", "device.offline", "alarm.power_cut", "alarm.sos", "vehicle.overspeed"];
        site.expect_events(admin, all(), &everything).await;

        site.expect_events(admin, of_kinds(&["alarm.*"]), &["alarm.power_cut", "alarm.sos"]).await;
        site.expect_events(admin, of_kinds(&["alarm.sos", "device.*"]), &["device.offline", "alarm.sos"]).await;
        site.expect_events(admin, of_kinds(&["alarm"]), &[]).await;
        let of_truck = ListEventsRequest { device_ids: vec![truck.id.clone()], ..all() };
        site.expect_events(admin, of_truck, &["alarm.sos", "vehicle.overspeed"]).await;
        let at = |second: i64| Some(Timestamp::from_millis(*BEGIN + second * 1000));
        let between = ListEventsRequest { from: at(1), to: at(3), ..all() };
        site.expect_events(admin, between, &["alarm.power_cut", "alarm.sos"]).await;
        let refused = site.list(admin, ListEventsRequest { from: at(3), to: at(1), ..all() }).await.unwrap_err();
        assert_eq!(refused.fields.get("from").map(String::as_str), Some("after_to"));
        site.expect_events(admin, ListEventsRequest { q: "stnk b".to_owned(), ..all() }, &["document.expiring"]).await;

        let count = |kind: &str, count| (kind.to_owned(), count);
        let summary = site.summary(admin, of_kinds(&["alarm.*", "document.expiring"])).await?;
        assert_eq!(summary, [count("alarm.power_cut", 1), count("alarm.sos", 1), count("document.expiring", 1)]);
        let of_van = ListEventsRequest { device_ids: vec![van.id.clone()], q: "stnk".to_owned(), ..all() };
        assert_eq!(site.summary(admin, of_van).await?, [count("document.expiring", 1)]);

        let oldest = |page| ListEventsRequest { page, page_size: 2, sort: "occurred_at".to_owned(), ..all() };
        let list = site.expect_events(admin, oldest(1), &["vehicle.overspeed", "alarm.sos"]).await;
        assert_eq!(list.total, 5);
        site.expect_events(admin, oldest(3), &["document.expiring"]).await;
        let unknown = ListEventsRequest { sort: "kind".to_owned(), ..all() };
        assert_eq!(site.list(admin, unknown).await.unwrap_err().class, Code::Invalid);
        site.running.stop().await
    }

    async fn events_of_deleted_devices_are_hidden(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let company = site.company("Acme").await;
        let [truck, van] = [site.device(&company, "Truck", None).await, site.device(&company, "Van", None).await];
        site.publish_event(&event_of(&company, "vehicle.overspeed", Some(&truck), 1)).await;
        site.publish_event(&event_of(&company, "alarm.sos", Some(&van), 2)).await;
        // Of a driver's document.
        site.publish_event(&reminder_event(&company, None, 3)).await;
        site.expect_events(&company.admin, all(), &["document.expiring", "alarm.sos", "vehicle.overspeed"]).await;
        site.delete(&company, &van).await;
        site.expect_events(&company.admin, all(), &["document.expiring", "vehicle.overspeed"]).await;
        site.expect_events(&site.owner, all(), &["document.expiring", "vehicle.overspeed"]).await;
        let of_van = ListEventsRequest { device_ids: vec![van.id.clone()], ..all() };
        assert!(site.list(&company.admin, of_van).await?.items.is_empty());
        site.running.stop().await
    }

    async fn events_during_an_outage_are_stored(kind: Kind) -> anyhow::Result<()> {
        let mut site = Site::start(kind).await;
        let company = site.company("Acme").await;
        let truck = site.device(&company, "Truck", None).await;
        site.publish_event(&event_of(&company, "vehicle.overspeed", Some(&truck), 1)).await;
        site.expect_events(&company.admin, all(), &["vehicle.overspeed"]).await;
        site.stop_notification().await;
        site.publish_event(&event_of(&company, "alarm.sos", Some(&truck), 2)).await;
        site.start_notification().await;
        site.expect_events(&company.admin, all(), &["alarm.sos", "vehicle.overspeed"]).await;
        site.running.stop().await
    }

    async fn a_page_of_many_events_is_read_from_an_index(kind: Kind) -> anyhow::Result<()> {
        let world = world(kind).await;
        let db = world.database(NAME).await;
        let id = if kind == Kind::Postgres { "'00000000-0000-7000-8000-000000000000'::uuid" } else { "x'00'" };
        let tenant = Scope::Tenant(TenantId::new());
        for (scope, filter, index, sort) in [
            (tenant, format!("tenant_id = {id}"), "event_tenant", "occurred_at"),
            (tenant, format!("tenant_id = {id}"), "event_recorded", "recorded_at"),
            (tenant, format!("tenant_id = {id} AND kind IN ('vehicle.towed')"), "event_kind", "occurred_at"),
            (Scope::Platform, "id IS NOT NULL".to_owned(), "event_occurred", "occurred_at"),
        ] {
            for behind in ["", &format!(" AND ({sort}, id) < (7, {id})")] {
                let order = format!("ORDER BY {sort} DESC, id DESC LIMIT 26");
                let sql = format!("SELECT * FROM event WHERE {filter}{behind} {order}");
                expect_order_of_index(&db, scope, &sql, index).await;
            }
        }
        Ok(())
    }
}
