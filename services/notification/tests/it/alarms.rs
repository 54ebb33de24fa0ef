//! What events raise stands until somebody acknowledges it.

use armada_proto::{
    Timestamp,
    access::permission::{ALARM_ACKNOWLEDGE, ALARM_EXPORT, ALARM_LIST, DEVICE_LIST},
    v1::{
        AcknowledgeAlarmsRequest, Alarm, AlarmSeverity, AlarmState, Device, GetRequest, ListAlarmsRequest,
        ListEventsRequest,
    },
};
use armada_runtime::Code;
use armada_testkit::{Signed, both_databases};

use crate::support::{BEGIN, Company, Site, answer, event_of};

fn all() -> ListAlarmsRequest {
    ListAlarmsRequest::default()
}

fn of(device: &Device) -> ListAlarmsRequest {
    ListAlarmsRequest { device_ids: vec![device.id.clone()], ..all() }
}

fn at(second: i64) -> Option<Timestamp> {
    Some(Timestamp::from_millis(*BEGIN + second * 1000))
}

impl Site {
    /// What happened to a device, one after the other, each so many seconds after the beginning of the tests.
    pub async fn publish_all(&self, company: &Company, device: &Device, events: &[(&str, i64)]) {
        for (kind, second) in events {
            self.publish_event(&event_of(company, kind, Some(device), *second)).await;
        }
    }

    /// All that was told before is taken in: so is what came after it.
    pub async fn is_taken_in(&self, company: &Company, device: &Device, second: i64) {
        let kind = format!("vehicle.marked_{second}");
        self.publish_event(&event_of(company, &kind, Some(device), second)).await;
        let request = ListEventsRequest { kinds: vec![kind.clone()], ..ListEventsRequest::default() };
        self.expect_events(&company.admin, request, &[kind.as_str()]).await;
    }

    async fn alarm(&self, caller: &Signed, id: &str) -> armada_runtime::Result<Alarm> {
        answer(self.alarms().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }
}

both_databases! {
    async fn one_active_alarm_per_vehicle_and_kind(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let company = site.company("Acme").await;
        let [truck, van] = [site.device(&company, "Truck", None).await, site.device(&company, "Van", None).await];
        // In no order, one of them twice, and what nobody has to see to among them.
        let events =
            [("alarm.sos", 5), ("alarm.door", 6), ("vehicle.overspeed", 7), ("alarm.sos", 1), ("alarm.sos", 5)];
        site.publish_all(&company, &truck, &events).await;
        site.publish_all(&company, &van, &[("device.power_cut", 2), ("alarm.sos", 3), ("device.low_battery", 4)]).await;
        site.is_taken_in(&company, &van, 9).await;
        site.publish_all(&company, &truck, &events).await;
        site.is_taken_in(&company, &van, 10).await;

        let wanted = [("alarm.door", 1), ("alarm.sos", 2), ("alarm.sos", 1), ("device.power_cut", 1)];
        let alarms = site.alarms_are(&company.admin, all(), &wanted).await;
        let sos = &alarms[1];
        assert_eq!((sos.device_name.as_str(), sos.first_at, sos.last_at), ("Truck", at(1), at(5)));
        let event = |second| event_of(&company, "alarm.sos", Some(&truck), second).id;
        assert_eq!((&sos.first_event_id, &sos.last_event_id), (&event(1), &event(5)));
        assert_eq!((sos.state(), sos.severity()), (AlarmState::Open, AlarmSeverity::Critical));
        assert_eq!(alarms[0].severity(), AlarmSeverity::Warning);
        assert_eq!(site.alarm(&company.admin, &sos.id).await?, *sos);
        site.expect_active_alarms(&truck, &["alarm.sos", "alarm.door"]).await;
        site.expect_active_alarms(&van, &["device.power_cut", "alarm.sos"]).await;

        let critical = ListAlarmsRequest { severities: vec![AlarmSeverity::Critical.into()], ..of(&truck) };
        site.alarms_are(&company.admin, critical, &[("alarm.sos", 2)]).await;
        let of_module = ListAlarmsRequest { kinds: vec!["alarm.*".to_owned()], from: at(4), to: at(6), ..all() };
        site.alarms_are(&company.admin, of_module, &[("alarm.sos", 2)]).await;
        let urgent = ListAlarmsRequest { sort: "severity".to_owned(), page_size: 1, page: 4, ..all() };
        let last = site.list_alarms(&company.admin, urgent).await?;
        assert_eq!((last.items[0].kind.as_str(), last.total), ("alarm.door", 4));
        let acknowledged = ListAlarmsRequest { states: vec![AlarmState::Acknowledged.into()], ..all() };
        site.alarms_are(&company.admin, acknowledged, &[]).await;
        site.running.stop().await
    }

    async fn new_alarm_after_acknowledgement(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let company = site.company("Acme").await;
        let truck = site.device(&company, "Truck", None).await;
        site.publish_all(&company, &truck, &[("alarm.sos", 5), ("alarm.door", 6)]).await;
        let alarms = site.alarms_are(&company.admin, all(), &[("alarm.door", 1), ("alarm.sos", 1)]).await;
        let seen = site.acknowledge(&company.admin, &alarms[1], "Called.").await?;
        assert_eq!((seen.state(), seen.note.as_str(), seen.row_version), (AlarmState::Acknowledged, "Called.", 2));
        assert_eq!(seen.acknowledged_by, Some(company.admin.grant.user_id.to_string()));
        let reaction = seen.acknowledged_at.unwrap().millis() - seen.first_at.unwrap().millis();
        assert_eq!(seen.reaction_seconds, Some(u32::try_from(reaction / 1000)?));
        site.expect_active_alarms(&truck, &["alarm.door"]).await;
        assert_eq!(site.acknowledge(&company.admin, &seen, "Mine.").await?, seen, "it was seen to");
        let search = |q: &str| ListAlarmsRequest { q: q.to_owned(), ..all() };
        site.alarms_are(&company.admin, search("CALLED"), &[("alarm.sos", 1)]).await;
        site.alarms_are(&company.admin, search("mine"), &[]).await;

        // What was no later than what was seen then, and what was seen itself, tell nothing new.
        site.publish_all(&company, &truck, &[("alarm.sos", 4), ("alarm.sos", 5)]).await;
        site.is_taken_in(&company, &truck, 8).await;
        let open = ListAlarmsRequest { states: vec![AlarmState::Open.into()], ..all() };
        site.alarms_are(&company.admin, open.clone(), &[("alarm.door", 1)]).await;
        assert_eq!(site.alarm(&company.admin, &seen.id).await?, seen);
        site.publish_all(&company, &truck, &[("alarm.sos", 7)]).await;
        let again = site.alarms_are(&company.admin, open.clone(), &[("alarm.sos", 1), ("alarm.door", 1)]).await;
        assert_ne!(again[0].id, seen.id);
        site.expect_active_alarms(&truck, &["alarm.sos", "alarm.door"]).await;

        let of_truck = AcknowledgeAlarmsRequest { device_id: Some(truck.id.clone()), ..Default::default() };
        assert_eq!(site.acknowledge_all(&company.admin, of_truck).await?.len(), 2);
        site.alarms_are(&company.admin, open, &[]).await;
        site.expect_active_alarms(&truck, &[]).await;
        let some = AcknowledgeAlarmsRequest { ids: vec![seen.id.clone(), "x".to_owned()], ..Default::default() };
        assert_eq!(site.acknowledge_all(&company.admin, some).await?, [seen]);
        let none = site.acknowledge_all(&company.admin, AcknowledgeAlarmsRequest::default()).await.unwrap_err();
        assert_eq!(none.fields.get("ids").map(String::as_str), Some("required"));
        site.running.stop().await
    }

    async fn who_sees_the_vehicle_sees_its_alarms(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let (company, others) = (site.company("Acme").await, site.company("Other").await);
        let budi = site.user(&company, "budi", &[DEVICE_LIST, ALARM_LIST, ALARM_ACKNOWLEDGE]).await;
        let siti = site.user(&company, "siti", &[DEVICE_LIST, ALARM_LIST, ALARM_EXPORT]).await;
        let own = site.device(&company, "Own", Some(&budi)).await;
        let foreign = site.device(&company, "Foreign", Some(&siti)).await;
        site.publish_all(&company, &own, &[("alarm.sos", 1)]).await;
        site.publish_all(&company, &foreign, &[("alarm.door", 2)]).await;
        let alarms = site.alarms_are(&company.admin, all(), &[("alarm.door", 1), ("alarm.sos", 1)]).await;
        let ids = || AcknowledgeAlarmsRequest {
            ids: alarms.iter().map(|alarm| alarm.id.clone()).collect(),
            ..Default::default()
        };
        site.alarms_are(&budi, all(), &[("alarm.sos", 1)]).await;
        site.alarms_are(&siti, all(), &[("alarm.door", 1)]).await;
        assert_eq!(site.export_alarms(&company.admin, all()).await?, alarms);
        assert_eq!(site.export_alarms(&siti, all()).await?, alarms[..1]);
        assert_eq!(site.export_alarms(&others.admin, all()).await?, []);
        assert_eq!(site.export_alarms(&budi, all()).await.unwrap_err().class, Code::Forbidden);
        site.alarms_are(&budi, of(&foreign), &[]).await;
        let as_siti = ListAlarmsRequest { user_id: Some(siti.grant.user_id.to_string()), ..all() };
        site.alarms_are(&company.admin, as_siti, &[("alarm.door", 1)]).await;
        assert_eq!(site.acknowledge(&siti, &alarms[0], "").await.unwrap_err().class, Code::Forbidden);
        assert_eq!(site.acknowledge_all(&siti, ids()).await.unwrap_err().class, Code::Forbidden);
        for (caller, alarm) in [(&budi, &alarms[0]), (&others.admin, &alarms[1])] {
            assert_eq!(site.alarm(caller, &alarm.id).await.unwrap_err().class, Code::NotFound);
            assert_eq!(site.acknowledge(caller, alarm, "").await.unwrap_err().class, Code::NotFound);
        }
        assert_eq!(site.acknowledge_all(&others.admin, ids()).await?, []);
        site.expect_active_alarms(&own, &["alarm.sos"]).await;
        let done = site.acknowledge_all(&budi, ids()).await?;
        assert_eq!(done.iter().map(|alarm| alarm.kind.as_str()).collect::<Vec<_>>(), ["alarm.sos"]);
        site.expect_active_alarms(&own, &[]).await;
        site.expect_active_alarms(&foreign, &["alarm.door"]).await;
        site.delete(&company, &foreign).await;
        site.alarms_are(&company.admin, all(), &[("alarm.sos", 1)]).await;
        assert_eq!(site.alarm(&company.admin, &alarms[0].id).await.unwrap_err().class, Code::NotFound);
        site.running.stop().await
    }
}
