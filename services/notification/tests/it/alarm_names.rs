//! Names of alarms that no table knows are listed, and are what a platform owner says from then on.

use armada_proto::{
    Timestamp,
    v1::{
        AlarmName, AlarmNameInput, AlarmSeverity, DeleteRequest, GetRequest, ListAlarmNamesRequest, ListAlarmsRequest,
    },
};
use armada_runtime::{Code, Error, Result};
use armada_testkit::{Signed, both_databases};

use crate::support::{BEGIN, Site, answer};

impl Site {
    async fn assign(&self, caller: &Signed, name: &AlarmName, event: &str) -> Result<AlarmName> {
        let input =
            AlarmNameInput { id: name.id.clone(), event: Some(event.to_owned()), row_version: Some(name.row_version) };
        answer(self.names().update(caller.sign(input)).await)
    }

    async fn forget(&self, caller: &Signed, name: &AlarmName) -> Result<()> {
        let request = DeleteRequest { id: name.id.clone(), row_version: None };
        answer(self.names().delete(caller.sign(request)).await).map(drop)
    }
}

both_databases! {
    async fn unknown_names_are_listed_and_mapped(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let (company, other) = (site.company("Acme").await, site.company("Other").await);
        let [truck, bus] = [site.device(&company, "Truck", None).await, site.device(&other, "Bus", None).await];
        // Those that the table has are not among them, and what is sent twice is heard once.
        let heard =
            [("alarm.kabin_3", 5), ("alarm.sos", 6), ("alarm.power_restored", 6), ("alarm.kabin_3", 5), ("alarm.求救", 7)];
        site.publish_all(&company, &truck, &heard).await;
        site.publish_all(&other, &bus, &[("alarm.kabin_3", 2), ("alarm.kabin_3", 9)]).await;
        let names = site.names_are(&[("kabin_3", 3), ("求救", 1)]).await;
        let at = |second: i64| Some(Timestamp::from_millis(*BEGIN + second * 1_000));
        assert_eq!((names[0].first_heard_at, names[0].last_heard_at), (at(2), at(9)));
        assert_eq!(names[0].event, "as_told");
        let all = ListAlarmsRequest { sort: "first_at".to_owned(), ..ListAlarmsRequest::default() };
        let told = [("alarm.kabin_3", 1), ("alarm.sos", 1), ("alarm.求救", 1)];
        let alarms = site.alarms_are(&company.admin, all.clone(), &told).await;
        assert_eq!(alarms[0].severity(), AlarmSeverity::Warning);

        // What was told stays; from now on it is what was said.
        let panic = site.assign(&site.owner, &names[1], "alarm.sos").await?;
        assert_eq!((panic.event.as_str(), panic.row_version), ("alarm.sos", 2));
        site.assign(&site.owner, &names[0], "none").await?;
        site.publish_all(&company, &truck, &[("alarm.求救", 11), ("alarm.kabin_3", 12)]).await;
        site.is_taken_in(&company, &truck, 13).await;
        site.names_are(&[("kabin_3", 4), ("求救", 2)]).await;
        site.alarms_are(&company.admin, all.clone(), &[("alarm.kabin_3", 1), ("alarm.sos", 2), ("alarm.求救", 1)]).await;

        // What is forgotten is heard anew, as it is told.
        site.forget(&site.owner, &names[0]).await?;
        site.names_are(&[("求救", 2)]).await;
        site.publish_all(&company, &truck, &[("alarm.kabin_3", 14)]).await;
        site.names_are(&[("kabin_3", 1), ("求救", 2)]).await;
        site.alarms_are(&company.admin, all, &[("alarm.kabin_3", 2), ("alarm.sos", 2), ("alarm.求救", 1)]).await;
        Ok(())
    }

    async fn platform_owners_alone_say_what_names_are(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await;
        let company = site.company("Acme").await;
        let truck = site.device(&company, "Truck", None).await;
        site.publish_all(&company, &truck, &[("alarm.kabin_3", 5)]).await;
        let [name] = &site.names_are(&[("kabin_3", 1)]).await[..] else { panic!("one") };
        let list = answer(site.names().list(company.admin.sign(ListAlarmNamesRequest::default())).await);
        assert_eq!(list.unwrap_err().class, Code::Forbidden);
        assert_eq!(site.assign(&company.admin, name, "alarm.sos").await.unwrap_err().class, Code::Forbidden);
        assert_eq!(site.forget(&company.admin, name).await.unwrap_err().class, Code::Forbidden);
        for event in ["alarm.kabin_4", "document.expired", "sos", ""] {
            let refused = site.assign(&site.owner, name, event).await;
            assert_eq!(refused, Err(Error::field("event", "invalid_alarm_event")), "{event}");
        }
        for event in ["device.power_cut", "none", "as_told"] {
            let request = GetRequest { id: name.id.clone() };
            let name = answer(site.names().get(site.owner.sign(request)).await)?;
            assert_eq!(site.assign(&site.owner, &name, event).await?.event, event);
        }
        assert_eq!(site.assign(&site.owner, name, "none").await.unwrap_err().class, Code::VersionMismatch);
        Ok(())
    }
}
