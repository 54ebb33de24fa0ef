//! Reminders of documents as events: once each, for each last day.

use armada_proto::v1::{DocumentInput, Event, event::Details};
use armada_runtime::events::STREAM;
use armada_testkit::{World, both_databases, eventually};
use chrono_tz::Tz;
use prost::Message;

use crate::{
    documents::{day, of_device, zone_far_from_midnight},
    support::{Fleet, SOON, fleet_config, new_device, world},
};

impl Fleet {
    /// All events that there are.
    pub async fn events(&self) -> anyhow::Result<Vec<Event>> {
        let stream = self.world.bus.jetstream.get_stream(STREAM).await?;
        let state = &stream.cached_info().state;
        let mut events = Vec::new();
        if state.messages > 0 {
            for sequence in state.first_sequence..=state.last_sequence {
                events.push(Event::decode(stream.direct_get(sequence).await?.payload)?);
            }
        }
        Ok(events)
    }

    /// Waits for exactly these: what they are, of which reminder, and how many days are left.
    async fn expect_reminders(&self, wanted: &[(&str, i32, i32)]) -> Vec<Event> {
        eventually("the reminders are told", SOON, async || {
            let events = self.events().await?;
            let reminders: Vec<_> =
                events.iter().map(|event| (event.kind.as_str(), lead(event).0, lead(event).1)).collect();
            anyhow::ensure!(reminders == wanted, "{reminders:?}");
            Ok(events)
        })
        .await
    }
}

fn lead(event: &Event) -> (i32, i32) {
    let Some(Details::Document(reminder)) = &event.details else { panic!("no reminder: {event:?}") };
    (reminder.lead_days, reminder.days_left)
}

both_databases! {
    async fn each_event_is_raised_once(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        // Two are due, 14 and 7: the one that is nearer says it all.
        let input = DocumentInput { expires_on: Some(day(zone, 5)), number: Some("N1".to_owned()), ..of_device(&truck) };
        let stnk = fleet.make_document(&company.admin, input).await?;
        let events = fleet.expect_reminders(&[("document.expiring", 7, 5)]).await;
        let event = &events[0];
        assert_eq!((event.subject_id.as_str(), event.tenant_id.as_str()), (stnk.id.as_str(), company.id.to_string().as_str()));
        assert_eq!((event.device_id.as_deref(), event.driver_id.as_deref()), (Some(truck.id.as_str()), None));
        assert_eq!(event.row_version, 1);
        assert!(event.occurred_at < event.recorded_at, "the day of the reminder is over");
        assert_eq!(event.id.len(), 32);
        // What does not touch the last day reminds nobody, nor does a restart, nor another process.
        let change = |expires_on: Option<String>| DocumentInput { id: stnk.id.clone(), expires_on, notes: Some("x".to_owned()), ..DocumentInput::default() };
        fleet.change_document(&company.admin, change(None)).await?;
        fleet.restart().await;
        fleet.change_document(&company.admin, change(Some(day(zone, 0)))).await?;
        fleet.expect_reminders(&[("document.expiring", 7, 5), ("document.expiring", 0, 0)]).await;
        fleet.change_document(&company.admin, change(Some(day(zone, -1)))).await?;
        fleet.change_document(&company.admin, change(Some(day(zone, 100)))).await?;
        fleet.change_document(&company.admin, change(Some(day(zone, -2)))).await?;
        let reminders = [("document.expiring", 7, 5), ("document.expiring", 0, 0)];
        let events = eventually("those of the last days are told", SOON, async || {
            let events = fleet.events().await?;
            anyhow::ensure!(events.last().is_some_and(|event| event.kind == "document.expired" && lead(event) == (-1, -2)), "{events:?}");
            Ok(events)
        })
        .await;
        assert_eq!(events.iter().take(2).map(|event| (event.kind.as_str(), lead(event).0, lead(event).1)).collect::<Vec<_>>(), reminders);
        // Back to the first one, of which everything has been said that can be said now.
        fleet.change_document(&company.admin, change(Some(day(zone, 5)))).await?;
        let silent = DocumentInput { reminder_days: Some(String::new()), expires_on: Some(day(zone, -9)), ..of_device(&truck) };
        fleet.make_document(&company.admin, silent).await?;
        let last = DocumentInput { expires_on: Some(day(zone, 1)), ..of_device(&truck) };
        fleet.make_document(&company.admin, last).await?;
        let after = eventually("the last one is told", SOON, async || {
            let events = fleet.events().await?;
            anyhow::ensure!(events.last().is_some_and(|event| lead(event) == (1, 1)));
            Ok(events)
        })
        .await;
        assert_eq!(after.len(), events.len() + 1, "nothing else");
        let mut ids: Vec<_> = after.iter().map(|event| event.id.clone()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), after.len(), "no id is there twice");
        fleet.running.stop().await
    }

    /// What is due follows the tenant's calendar, also when it moves.
    async fn days_are_of_the_tenants_time_zone(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let (first, last) = (Tz::Pacific__Kiritimati, Tz::Etc__GMTPlus12);
        fleet.in_zone(&company, last).await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        let yesterday = day(first, -1);
        let input = DocumentInput { expires_on: Some(yesterday), reminder_days: Some("0".to_owned()), ..of_device(&truck) };
        let document = fleet.make_document(&company.admin, input).await?;
        assert!(document.days_left.is_some_and(|days| days >= 0));
        fleet.in_zone(&company, first).await;
        fleet.restart().await;
        let events = eventually("it has expired there", SOON, async || {
            let events = fleet.events().await?;
            anyhow::ensure!(events.iter().any(|event| event.kind == "document.expired"), "{events:?}");
            Ok(events)
        })
        .await;
        assert_eq!(events.iter().filter(|event| event.kind == "document.expired").count(), 1);
        fleet.running.stop().await
    }

    /// Both look at the same documents at the same time.
    async fn two_processes_tell_each_once(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start_in(world(kind).await).await;
        let other = another(&fleet.world).await;
        let company = fleet.company("Acme").await;
        let zone = zone_far_from_midnight();
        fleet.in_zone(&company, zone).await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        for number in 0..10 {
            let input = DocumentInput { expires_on: Some(day(zone, 3)), number: Some(number.to_string()), ..of_device(&truck) };
            fleet.make_document(&company.admin, input).await?;
        }
        fleet.expect_reminders(&[("document.expiring", 7, 3); 10]).await;
        other.stop().await?;
        let again = another(&fleet.world).await;
        fleet.expect_reminders(&[("document.expiring", 7, 3); 10]).await;
        again.stop().await?;
        fleet.running.stop().await
    }
}

async fn another(world: &World) -> armada_testkit::RunningProcess {
    let context = world.context(&["identity", "fleet"]).await;
    let mut process = world.process(&context);
    process.add(armada_identity::build(&context, armada_identity::Config::default()).await.unwrap());
    process.add(armada_fleet::build(&context, fleet_config(world)).await.unwrap());
    world.run(process).await
}
