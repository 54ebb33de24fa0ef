//! Commands of the program, which is killed between sending them and hearing what became of them.

use std::{collections::BTreeSet, time::Duration};

use anyhow::Context as _;
use armada_fleet as fleet;
use armada_proto::{Timestamp, command};
use armada_runtime::{Bus, Database, Scope, db::Location};
use armada_testkit::{Api, Gateway, both_databases, eventually};
use async_nats::Subscriber;
use futures::StreamExt;
use http::StatusCode;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::{SOON, site::Site};

/// Commands, each to a device of its own.
const COUNT: u64 = 20;

fn imei(n: u64) -> String {
    (351_756_051_500_000 + n).to_string()
}

/// The command that comes next.
async fn next(subscriber: &mut Subscriber) -> anyhow::Result<String> {
    let message = tokio::time::timeout(SOON, subscriber.next()).await?.context("it listens")?;
    let command: Value = serde_json::from_slice(&message.payload)?;
    Ok(command["id"].as_str().context("an id")?.to_owned())
}

/// The commands that came and were not taken yet.
fn waiting(subscriber: &mut Subscriber) -> Vec<String> {
    let ready = std::iter::from_fn(|| futures::FutureExt::now_or_never(subscriber.next()).flatten());
    let ids = ready.map(|message| serde_json::from_slice::<Value>(&message.payload).expect("JSON")["id"].take());
    ids.map(|id| id.as_str().expect("an id").to_owned()).collect()
}

async fn of_state(owner: &Api, state: &str) -> anyhow::Result<BTreeSet<String>> {
    let list = owner.get(&format!("/api/v1/commands?page_size=500&state={state}")).await?.expect(StatusCode::OK);
    let items = list["items"].as_array().context("items")?;
    Ok(items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)).collect())
}

/// What a minute does to commands of which nothing is heard.
async fn a_minute_passes(site: &Site) -> anyhow::Result<()> {
    let location = match site.logins.clone() {
        Some(logins) => Location::Postgres(logins),
        None => Location::Sqlite(site.data()),
    };
    let db = Database::open(&location, fleet::NAME).await?;
    let tx = db.write(&Scope::Platform).await?;
    tx.execute_unprepared("UPDATE command SET answer_by = 1 WHERE state = 'sent'").await?;
    tx.commit().await?;
    Ok(db.close().await?)
}

both_databases! {
    async fn killed_program_sends_no_command_twice(kind: Kind) -> anyhow::Result<()> {
        let site = Site::new(kind).await;
        let mut armada = site.run().await;
        let owner = site.owner().await?;
        let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
        for n in 0..COUNT {
            let device = json!({ "tenant_id": tenant["id"], "imei": imei(n), "name": format!("Truck {n}") });
            let device = owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
            let path = format!("/api/v1/devices/{}/commands", device["id"].as_str().context("an id")?);
            owner.post(&path, json!({ "kind": "reboot" })).await?.expect(StatusCode::OK);
        }
        let all = of_state(&owner, "queued").await?;
        assert_eq!(all.len() as u64, COUNT, "nobody has heard the trackers");
        let bus = Bus::connect_without_streams(&site.gateways_url()?, "test").await?;
        let mut commands = bus.client.subscribe(command::subject("local", "*")).await?;
        let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", site.nats_port), "local").await;
        let drive = async || {
            for n in 0..COUNT {
                let fix = json!({ "recorded_at": Timestamp::now().to_rfc3339(), "lat": -6.2, "lng": 106.8 });
                gateway.report(&imei(n), &fix).await?;
            }
            anyhow::Ok(())
        };
        drive().await?;
        let mut subscriber = Vec::new();
        while subscriber.len() < 3 {
            subscriber.push(next(&mut commands).await?);
        }
        armada.kill();
        let unanswered: BTreeSet<_> = subscriber.iter().cloned().collect();
        subscriber.extend(waiting(&mut commands));
        a_minute_passes(&site).await?;

        let _armada = site.run().await;
        let owner = site.owner().await?;
        eventually("none waits any more", SOON * 2, async || {
            drive().await?;
            let queued = of_state(&owner, "queued").await?;
            anyhow::ensure!(queued.is_empty(), "{queued:?}");
            Ok(())
        })
        .await;
        let (sent, unknown) = (of_state(&owner, "sent").await?, of_state(&owner, "unknown").await?);
        assert_eq!(sent.union(&unknown).count() as u64, COUNT, "{sent:?} {unknown:?}");
        assert!(unknown.is_superset(&unanswered), "of those nobody knows what became: {unanswered:?} {unknown:?}");
        // Whatever would be sent again has come when this is over.
        while let Ok(Some(message)) = tokio::time::timeout(Duration::from_secs(3), commands.next()).await {
            let command: Value = serde_json::from_slice(&message.payload)?;
            subscriber.push(command["id"].as_str().context("an id")?.to_owned());
        }
        let once: BTreeSet<_> = subscriber.iter().cloned().collect();
        assert_eq!(once.len(), subscriber.len(), "none came twice: {subscriber:?}");
        assert!(once.is_superset(&sent), "what is sent since was heard");

        // A person decides.
        let id = unanswered.first().context("one")?;
        let resolved = owner.post(&format!("/api/v1/commands/{id}/resolve"), json!({ "carried_out": true })).await?;
        assert_eq!(resolved.expect(StatusCode::OK)["state"], "acknowledged");
        Ok(())
    }
}
