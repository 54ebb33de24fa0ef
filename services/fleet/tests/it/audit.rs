//! What is done to devices reaches the audit once, whatever dies.

use std::time::Duration;

use armada_proto::v1::{
    AuditEntry, DeleteRequest, DeviceInput, ListAuditRequest, ListDevicesRequest, audit_client::AuditClient,
};
use armada_runtime::{
    Scope,
    audit::STREAM,
    db::{Location, Owner},
};
use armada_testkit::{Signed, both_databases, eventually, eventually_equal};
use futures::{StreamExt, TryStreamExt};
use sea_orm::{ConnectOptions, ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::{Fleet, SOON, answer, new_device};

impl Fleet {
    /// What was done to devices, as a caller sees it, the oldest first.
    pub async fn acts(&self, caller: &Signed) -> anyhow::Result<Vec<AuditEntry>> {
        let mut audit = AuditClient::new(self.running.context.peers.transport("identity")?);
        let request = ListAuditRequest {
            acts: vec!["device:*".to_owned()],
            sort: "at".to_owned(),
            ..ListAuditRequest::default()
        };
        Ok(answer(audit.list(caller.sign(request)).await)?.items)
    }

    /// How often something was done, as a caller sees it.
    pub async fn count_acts(&self, caller: &Signed, act: &str) -> anyhow::Result<u32> {
        let mut audit = AuditClient::new(self.running.context.peers.transport("identity")?);
        let request = ListAuditRequest { acts: vec![act.to_owned()], page_size: 1, ..ListAuditRequest::default() };
        Ok(answer(audit.list(caller.sign(request)).await)?.total)
    }

    pub async fn wait_for_acts(&self, caller: &Signed, expected: &[&str]) -> Vec<AuditEntry> {
        eventually_equal("the audit has the acts", SOON, expected.to_vec().join(" "), async || {
            Ok(self.acts(caller).await?.iter().map(|entry| entry.act.clone()).collect::<Vec<_>>().join(" "))
        })
        .await;
        self.acts(caller).await.unwrap()
    }

    /// Lets rows of the outbox be removed, or not.
    async fn allow_audit_deletes(&self, may: bool) {
        match &self.world.location {
            Location::Sqlite(_) => {
                let sql = match may {
                    true => "DROP TRIGGER stays",
                    false => {
                        "CREATE TRIGGER stays BEFORE DELETE ON audit_outbox \
                         BEGIN SELECT RAISE(ABORT, 'the relay dies here'); END"
                    }
                };
                let tx = self.world.database("fleet").await.write(&Scope::Platform).await.unwrap();
                tx.execute_unprepared(sql).await.unwrap();
                tx.commit().await.unwrap();
            }
            Location::Postgres(logins) => {
                let Owner::Url(url) = &logins.owner else { panic!("the owner is another login") };
                let mut options = ConnectOptions::new(url);
                options.max_connections(1).sqlx_logging(false);
                let owner = sea_orm::Database::connect(options).await.unwrap();
                let sql = match may {
                    true => "GRANT DELETE ON fleet.audit_outbox TO armada_fleet",
                    false => "REVOKE DELETE ON fleet.audit_outbox FROM armada_fleet",
                };
                owner.execute_unprepared(sql).await.unwrap();
            }
        }
    }

    async fn waiting(&self) -> anyhow::Result<i64> {
        let db = self.world.database("fleet").await;
        let tx = db.read(&Scope::Platform).await?;
        let count = Statement::from_string(db.backend(), "SELECT count(*) FROM audit_outbox");
        Ok(tx.query_one_raw(count).await?.unwrap().try_get_by_index(0)?)
    }
}

fn object(text: &Option<String>) -> Option<Value> {
    text.as_deref().map(|text| serde_json::from_str(text).unwrap())
}

both_databases! {
    async fn every_act_is_audited_with_its_changes(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let input = DeviceInput { sim_number: Some("0812".to_owned()), ..new_device("B 1") };
        let device = fleet.create(&company.admin, input.clone()).await?;
        let change = DeviceInput {
            id: device.id.clone(),
            name: Some("B 2".to_owned()),
            sim_number: Some("0812".to_owned()),
            user_id: Some(company.budi.grant.user_id.to_string()),
            ..DeviceInput::default()
        };
        fleet.update(&fleet.owner, change).await?;
        let export = fleet.devices().export(company.budi.sign(ListDevicesRequest::default())).await?.into_inner();
        assert_eq!(export.try_collect::<Vec<_>>().await?.len(), 1);
        let remove = DeleteRequest { id: device.id.clone(), row_version: None };
        fleet.devices().delete(company.admin.sign(remove)).await?;

        let wanted = ["device:create", "device:update", "device:export", "device:delete"];
        let entries = fleet.wait_for_acts(&company.admin, &wanted).await;
        let [made, changed, exported, removed] = &entries[..] else { panic!("{entries:?}") };
        let id = |signed: &Signed| Some(signed.grant.user_id.to_string());
        assert_eq!((made.actor_id.clone(), &*made.actor_name), (id(&company.admin), "admin"));
        assert_eq!((&*made.object_kind, &made.object_id, &*made.object_name), ("device", &device.id, "B 1"));
        assert_eq!(made.tenant_id, Some(company.id.to_string()));
        let after = object(&made.after).unwrap();
        assert_eq!((object(&made.before), &after["imei"], &after["sim_number"]), (None, &json!(input.imei), &json!("0812")));
        assert_eq!((changed.actor_id.clone(), &*changed.object_name), (id(&fleet.owner), "B 2"));
        assert_eq!(object(&changed.before), Some(json!({ "name": "B 1", "user_id": null })));
        assert_eq!(object(&changed.after), Some(json!({ "name": "B 2", "user_id": id(&company.budi) })));
        assert_eq!((exported.actor_id.clone(), object(&exported.after)), (id(&company.budi), Some(json!({ "count": 1 }))));
        assert_eq!((object(&removed.after), &object(&removed.before).unwrap()["name"]), (None, &json!("B 2")));

        assert!(fleet.acts(&other.admin).await?.is_empty(), "another tenant sees nothing");
        fleet.running.stop().await
    }

    async fn failed_acts_are_not_audited(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let input = new_device("B 1");
        let device = fleet.create(&company.admin, input.clone()).await?;
        fleet.create(&company.admin, input).await.unwrap_err();
        let stale = DeviceInput { id: device.id.clone(), row_version: Some(7), ..DeviceInput::default() };
        fleet.update(&company.admin, stale).await.unwrap_err();
        let remove = DeleteRequest { id: device.id, row_version: None };
        fleet.devices().delete(company.admin.sign(remove)).await?;
        fleet.wait_for_acts(&company.admin, &["device:create", "device:delete"]).await;
        fleet.running.stop().await
    }

    async fn an_act_is_entered_once_when_the_relay_dies_after_publishing_it(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let stream = fleet.world.bus.jetstream.get_stream(STREAM).await?;
        // JetStream itself shall not notice that it is the same.
        let mut config = stream.cached_info().config.clone();
        config.duplicate_window = Duration::from_millis(100);
        fleet.world.bus.jetstream.update_stream(config).await?;
        let mut published = fleet.world.bus.client.subscribe("audit.fleet").await?;
        fleet.world.bus.client.flush().await?;

        fleet.allow_audit_deletes(false).await;
        fleet.create(&company.admin, new_device("B 1")).await?;
        let mut ids = Vec::new();
        while ids.len() < 3 {
            let message = tokio::time::timeout(SOON, published.next()).await?.unwrap();
            ids.push(message.headers.unwrap().get("Nats-Msg-Id").unwrap().to_string());
        }
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        fleet.allow_audit_deletes(true).await;
        eventually_equal("it is removed", SOON, 0, async || fleet.waiting().await).await;
        eventually("everything published is entered", SOON, async || {
            let consumer = stream.consumer_info("identity").await?;
            anyhow::ensure!(consumer.num_pending == 0 && consumer.num_ack_pending == 0, "{consumer:?}");
            Ok(())
        })
        .await;
        let entries = fleet.wait_for_acts(&company.admin, &["device:create"]).await;
        assert_eq!(entries[0].id, ids[0]);
        fleet.running.stop().await
    }
}
