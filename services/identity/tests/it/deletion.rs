//! Tenants that are deleted: hidden at once, brought back within their time, erased after it, and erased again when a backup
//! brings them back.

use armada_identity::Config;
use armada_proto::{
    Timestamp, coded, erasure,
    v1::{
        AuditEntry, DeleteTenantInput, Effect, Erasure, ErasureState, GetRequest, ListAuditRequest, ListRolesRequest,
        ListTenantsRequest, ListUsersRequest, RefreshRequest, Tenant, TenantInput, UserInput, VerifyAuditRequest,
        audit_client::AuditClient,
    },
};
use armada_runtime::{Code, Error, Result, Scope};
use armada_testkit::{Kind, World, both_databases, eventually, eventually_equal};
use async_nats::{HeaderMap, header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE};
use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::support::{self, Identity, PASSWORD, SOON, answer, new_user};

const DAY_MS: i64 = 24 * 3600 * 1000;

fn named(tenant: &Tenant, name: &str) -> DeleteTenantInput {
    DeleteTenantInput { id: tenant.id.clone(), name: name.to_owned(), row_version: None }
}

fn get(id: &str) -> GetRequest {
    GetRequest { id: id.to_owned() }
}

impl Identity {
    async fn delete(&self, tenant: &Tenant, name: &str) -> Result<Tenant> {
        answer(self.tenants().delete(self.owner.sign(named(tenant, name))).await)
    }

    async fn restore(&self, tenant: &Tenant) -> Result<Tenant> {
        answer(self.tenants().restore(self.owner.sign(get(&tenant.id))).await)
    }

    async fn erase(&self, tenant: &Tenant, name: &str) -> Result<()> {
        answer(self.tenants().erase(self.owner.sign(named(tenant, name))).await).map(drop)
    }

    /// The names in the list of tenants, or in that of deleted ones.
    async fn names(&self, deleted: bool) -> Result<Vec<String>> {
        let request = ListTenantsRequest { deleted, ..ListTenantsRequest::default() };
        let list = answer(self.tenants().list(self.owner.sign(request)).await)?;
        assert_eq!(list.total as usize, list.items.len());
        Ok(list.items.into_iter().map(|tenant| tenant.name).collect())
    }

    /// How many users and roles a platform owner sees in a tenant.
    async fn seen(&self, tenant: &Tenant) -> Result<(u32, u32)> {
        let tenant_id = Some(tenant.id.clone());
        let users = ListUsersRequest { tenant_id: tenant_id.clone(), ..ListUsersRequest::default() };
        let roles = ListRolesRequest { tenant_id, ..ListRolesRequest::default() };
        let users = answer(self.users().list(self.owner.sign(users)).await)?.total;
        Ok((users, answer(self.roles().list(self.owner.sign(roles)).await)?.total))
    }

    /// What was entered of an act, oldest first.
    async fn audit_entries(&self, act: &str) -> Result<Vec<AuditEntry>> {
        let transport = self.running.context.peers.transport("identity")?;
        let request =
            ListAuditRequest { acts: vec![act.to_owned()], sort: "at".to_owned(), ..ListAuditRequest::default() };
        Ok(answer(AuditClient::new(transport).list(self.owner.sign(request)).await)?.items)
    }

    /// Writes into the ledger as another process of identity.
    async fn put(&self, tenant: &Tenant, erasure: &Erasure) {
        put(&self.world, tenant, erasure).await;
    }

    /// How many entries the index of the audit finds.
    async fn indexed(&self, text: &str) -> i64 {
        let sqlite = "SELECT count(*) AS n FROM audit_entry_search WHERE audit_entry_search MATCH";
        let postgres = "SELECT count(*) AS n FROM audit_entry_matching";
        let db = self.world.database("identity").await;
        let sql = match db.backend() {
            DbBackend::Sqlite => format!("{sqlite} '\"{text}\"'"),
            _ => format!("{postgres}('%{text}%')"),
        };
        self.number(sql).await
    }

    async fn number(&self, sql: String) -> i64 {
        let db = self.world.database("identity").await;
        let tx = db.write(&Scope::Platform).await.unwrap();
        let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await.unwrap().unwrap();
        row.try_get("", "n").unwrap()
    }

    /// What stands in the ledger, whoever wrote it.
    async fn ledger(&self, tenant: &Tenant) -> ErasureState {
        let bucket = self.world.bus.bucket(erasure::BUCKET).await.unwrap();
        let value = bucket.get(tenant.id.clone()).await.unwrap();
        value.map_or(ErasureState::Unspecified, |value| coded::decode::<Erasure>(&value).unwrap().state())
    }

    async fn ledger_becomes(&self, tenant: &Tenant, state: ErasureState) {
        eventually_equal("the ledger is mended", SOON, state, async || Ok(self.ledger(tenant).await)).await;
    }

    /// Another process on the same database and the same NATS.
    async fn restart(self) -> anyhow::Result<Self> {
        let Self { world, running, owner } = self;
        running.stop().await?;
        let running = serve(&world, &support::config()).await;
        Ok(Self { world, running, owner })
    }
}

async fn put(world: &World, tenant: &Tenant, erasure: &Erasure) {
    let bucket = world.bucket_of("identity", erasure::BUCKET).await;
    bucket.put(&tenant.id, coded::encode(erasure).into()).await.unwrap();
}

/// Publishes on the subject of an entry; whoever runs the machine may.
async fn publish(world: &World, tenant: &Tenant, headers: HeaderMap, value: Vec<u8>) {
    let subject = format!("$KV.{}.{}", erasure::BUCKET, tenant.id);
    // Whoever replays an entry leaves out the condition under which it was written.
    let mut kept = HeaderMap::new();
    for (name, values) in headers.iter().filter(|(name, _)| **name != NATS_EXPECTED_LAST_SUBJECT_SEQUENCE) {
        values.iter().for_each(|value| kept.append(name.clone(), value.clone()));
    }
    #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
    world.bus.jetstream.publish_with_headers(subject, kept, value.into()).await.unwrap().await.unwrap();
}

/// The same with what identity does not say.
async fn forge_ledger_entry(world: &World, tenant: &Tenant, state: ErasureState) {
    let now = Timestamp::now().millis();
    let erasure = Erasure { state: state.into(), deleted_at: now, erase_after: now, actor_id: None };
    publish(world, tenant, HeaderMap::new(), coded::encode(&erasure)).await;
}

async fn serve(world: &World, config: &Config) -> armada_testkit::RunningProcess {
    let context = support::context(world, config).await;
    let mut process = world.process(&context);
    process.add(armada_identity::build(&context, config.clone()).await.unwrap());
    world.run(process).await
}

both_databases! {
    async fn a_deleted_tenant_is_hidden_until_that_is_undone(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (gone, kept) = (identity.tenant("Gone").await, identity.tenant("Kept").await);
        let user = identity.user(&gone, "a@example.com").await;
        identity.user(&kept, "b@example.com").await;
        let session = identity.login("a@example.com", PASSWORD).await?;
        let roles = identity.seen(&gone).await?.1;

        let wrong = identity.delete(&gone, "gone").await.unwrap_err();
        assert_eq!(wrong, Error::field("name", "name_differs"));
        let admin = identity.admin_of(&gone).await;
        let theirs = answer(identity.tenants().delete(admin.sign(named(&gone, "Gone"))).await).unwrap_err();
        assert_eq!(theirs, Error::forbidden());
        assert_eq!(identity.erase(&gone, "Gone").await.unwrap_err(), Error::not_found(), "it is not deleted");
        assert_eq!(identity.restore(&gone).await.unwrap_err(), Error::not_found());

        let before = Timestamp::now().millis();
        let deleted = identity.delete(&gone, " Gone ").await?;
        let erase_after = deleted.erase_after.unwrap().millis();
        assert!((before + 30 * DAY_MS..=Timestamp::now().millis() + 30 * DAY_MS).contains(&erase_after));
        assert_eq!(identity.delete(&gone, "Gone").await.unwrap_err(), Error::not_found());
        assert_eq!((identity.names(false).await?, identity.names(true).await?), (vec!["Kept".to_owned()], vec!["Gone".to_owned()]));
        assert_eq!(identity.seen(&gone).await?, (0, 0));
        assert_eq!(answer(identity.users().get(identity.owner.sign(get(&user.id))).await).unwrap_err(), Error::not_found());
        assert!(answer(identity.tenants().get(identity.owner.sign(get(&gone.id))).await)?.deleted_at.is_some());
        // Fleet must not take its people for removed ones, and makes no devices in it.
        let service = identity.running.context.service_key.caller(Scope::Platform, None)?;
        assert_eq!(answer(identity.users().get(service.sign(get(&user.id))).await)?.id, user.id);
        assert_eq!(answer(identity.tenants().get(service.sign(get(&gone.id))).await).unwrap_err(), Error::not_found());
        let update = TenantInput { id: gone.id.clone(), name: Some("Back".to_owned()), ..TenantInput::default() };
        assert_eq!(answer(identity.tenants().update(identity.owner.sign(update)).await).unwrap_err(), Error::not_found());
        let into = UserInput { tenant_id: Some(gone.id.clone()), ..new_user("c@example.com") };
        assert!(answer(identity.users().create(identity.owner.sign(into)).await).is_err());

        // Its people are told no more than somebody who has forgotten the password.
        let out = identity.login("a@example.com", PASSWORD).await.unwrap_err();
        assert_eq!(out, identity.login("b@example.com", "wrong password").await.unwrap_err());
        let refresh = RefreshRequest { refresh_token: session.refresh_token };
        assert_eq!(answer(identity.sessions().refresh(refresh).await).unwrap_err().class, Code::Unauthenticated);
        eventually_equal("the policy is withdrawn", SOON, None, async || identity.policy(&user).await).await;

        let back = identity.restore(&gone).await?;
        assert_eq!((back.deleted_at, back.erase_after, back.name.as_str()), (None, None, "Gone"));
        assert_eq!((identity.names(true).await?.len(), identity.seen(&gone).await?), (0, (1, roles)));
        identity.login("a@example.com", PASSWORD).await?;
        eventually("the audit has both", SOON, async || {
            for act in ["tenant:delete", "tenant:restore"] {
                let entries = identity.audit_entries(act).await?;
                let actor = entries.first().and_then(|entry| entry.actor_id.clone());
                anyhow::ensure!(actor == Some(identity.owner.grant.user_id.to_string()), "{act}: {entries:?}");
                anyhow::ensure!(entries.len() == 1, "entered once: {entries:?}");
            }
            Ok(())
        })
        .await;
        // Once more, from the beginning.
        identity.delete(&back, "Gone").await?;
        assert_eq!(identity.names(true).await?, ["Gone"]);
        identity.running.stop().await
    }

    async fn users_are_erased_with_the_tenant_and_audit_stays_intact(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let gone = identity.tenant("Gone").await;
        let user = identity.user(&gone, "canary@example.com").await;
        identity.role(&gone, "Canary role", &[("user:list", Effect::Allow)]).await;
        identity.login("canary@example.com", PASSWORD).await?;
        let of_tenant = || ListAuditRequest { tenant_id: Some(gone.id.clone()), ..ListAuditRequest::default() };
        let audit = || AuditClient::new(identity.running.context.peers.transport("identity").unwrap());
        let entries = async || anyhow::Ok(answer(audit().list(identity.owner.sign(of_tenant())).await)?.items);
        let before = eventually("the acts are entered", SOON, async || {
            let found = entries().await?;
            anyhow::ensure!(found.iter().any(|entry| entry.act == "session:login"), "{found:?}");
            Ok(found)
        })
        .await;
        assert!(format!("{before:?}").to_lowercase().contains("canary"));
        assert!(identity.indexed("canary").await > 0);
        let verify = async || {
            let request = VerifyAuditRequest { tenant_id: Some(gone.id.clone()), ..Default::default() };
            anyhow::Ok(answer(audit().verify(identity.owner.sign(request)).await)?)
        };
        assert_eq!(verify().await?.defect, None);

        identity.delete(&gone, "Gone").await?;
        assert_eq!(identity.erase(&gone, "Gones").await.unwrap_err(), Error::field("name", "name_differs"));
        identity.erase(&gone, "Gone").await?;
        assert_eq!(identity.restore(&gone).await.unwrap_err(), Error::not_found());
        assert_eq!((identity.names(false).await?.len(), identity.names(true).await?.len()), (0, 0));
        assert_eq!(identity.ledger(&gone).await, ErasureState::Erased);
        eventually_equal("the policy is withdrawn", SOON, None, async || identity.policy(&user).await).await;
        eventually_equal("the index finds nothing of it", SOON, 0, async || Ok(identity.indexed("canary").await)).await;
        // The address is free.
        let next = identity.tenant("Next").await;
        identity.user(&next, "canary@example.com").await;

        let after = entries().await?;
        assert!(after.len() >= before.len() && after.iter().all(|entry| entry.erased), "{after:?}");
        let printed = format!("{after:?}").to_lowercase();
        assert!(!printed.contains("canary"), "{printed}");
        for entry in &before {
            let same = after.iter().find(|other| other.id == entry.id).unwrap();
            assert_eq!((&same.hash, &same.act, same.at), (&entry.hash, &entry.act, entry.at));
        }
        assert_eq!(verify().await?.defect, None);
        let erased = eventually("the erasure is entered", SOON, async || {
            Ok(identity.audit_entries("tenant:erase").await?.pop().ok_or_else(Error::not_found)?)
        })
        .await;
        let counts: serde_json::Value = serde_json::from_str(erased.after.as_deref().unwrap())?;
        assert_eq!(counts["users"], 1);
        assert!(counts["audit_entries"].as_u64().unwrap() >= before.len() as u64, "{counts}");
        // Nobody erases entries of the platform, or of a tenant that is there.
        let blank = "UPDATE audit_entry SET erased = true, actor_name = '', address = '', object_name = '', before = NULL, \
                     after = NULL WHERE tenant_id IS NULL";
        let of_next = format!("SELECT erase_audit('{}', 0, 9)", next.id);
        for text in [blank, &of_next] {
            let db = identity.world.database("identity").await;
            let tx = db.write(&Scope::Platform).await?;
            assert!(tx.execute_raw(Statement::from_string(db.backend(), text)).await.is_err(), "{text}");
        }
        identity.running.stop().await
    }

    /// The signature decides, not who may publish.
    async fn forged_ledger_entries_are_ignored_and_repaired(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (kept, hidden, back) =
            (identity.tenant("Kept").await, identity.tenant("Hidden").await, identity.tenant("Back").await);
        for (tenant, email) in [(&kept, "kept@example.com"), (&hidden, "hidden@example.com"), (&back, "back@example.com")] {
            identity.user(tenant, email).await;
        }
        identity.delete(&hidden, "Hidden").await?;
        identity.delete(&back, "Back").await?;
        let ledger = identity.world.bus.bucket(erasure::BUCKET).await?;
        let before = ledger.stream.direct_get_last_for_subject(format!("$KV.{}.{}", erasure::BUCKET, back.id)).await?;
        identity.restore(&back).await?;

        let world = &identity.world;
        // Of a tenant that the ledger has never named there is nothing to write again.
        forge_ledger_entry(world, &kept, ErasureState::Erased).await;
        forge_ledger_entry(world, &hidden, ErasureState::Erased).await;
        identity.ledger_becomes(&hidden, ErasureState::Deleted).await;
        let mut removed = HeaderMap::new();
        removed.insert("KV-Operation", "DEL");
        publish(world, &hidden, removed, Vec::new()).await;
        identity.ledger_becomes(&hidden, ErasureState::Deleted).await;
        // It is signed, but was said before what came then.
        publish(world, &back, before.headers.clone(), before.payload.to_vec()).await;
        identity.ledger_becomes(&back, ErasureState::Restored).await;
        let mut names = identity.names(false).await?;
        names.sort();
        assert_eq!((names, identity.names(true).await?), (vec!["Back".to_owned(), "Kept".to_owned()], vec!["Hidden".to_owned()]));
        assert!(identity.login("hidden@example.com", PASSWORD).await.is_err());
        identity.restore(&hidden).await?;

        // The same while identity is away.
        let Identity { world, running, owner } = identity;
        running.stop().await?;
        forge_ledger_entry(&world, &hidden, ErasureState::Erased).await;
        publish(&world, &back, before.headers, before.payload.to_vec()).await;
        let running = serve(&world, &support::config()).await;
        let identity = Identity { world, running, owner };
        for tenant in [&hidden, &back] {
            assert_eq!(identity.ledger(tenant).await, ErasureState::Restored, "{}", tenant.name);
        }
        assert_eq!((identity.names(false).await?.len(), identity.names(true).await?.len()), (3, 0));
        for email in ["kept@example.com", "hidden@example.com", "back@example.com"] {
            identity.login(email, PASSWORD).await?;
        }
        assert_eq!(identity.audit_entries("tenant:erase").await?.len(), 0);
        identity.running.stop().await
    }

    /// Nobody has to ask for it.
    async fn a_tenant_is_erased_when_its_time_has_come(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Gone").await;
        identity.user(&tenant, "a@example.com").await;
        identity.delete(&tenant, "Gone").await?;
        let now = Timestamp::now().millis();
        let due = Erasure { state: ErasureState::Deleted.into(), deleted_at: now - 31 * DAY_MS, erase_after: now - DAY_MS, actor_id: None };
        identity.put(&tenant, &due).await;
        let deleted_at = async || Ok(answer(identity.tenants().get(identity.owner.sign(get(&tenant.id))).await)?.deleted_at);
        eventually_equal("the table follows", SOON, Some(Timestamp::from_millis(due.deleted_at)), deleted_at).await;
        // It is looked for once a minute, and at the start.
        let identity = identity.restart().await?;
        eventually_equal("it is erased", SOON, 0, async || Ok(identity.names(true).await?.len())).await;
        assert_eq!(identity.ledger(&tenant).await, ErasureState::Erased);
        identity.running.stop().await
    }

    /// A process that starts on an older state of the tables obeys the ledger before it serves; one whose ledger was lost
    /// writes what it knows.
    async fn restored_backup_applies_the_erase_ledger(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (hidden, erased) = (identity.tenant("Hidden").await, identity.tenant("Erased").await);
        identity.user(&hidden, "a@example.com").await;
        identity.user(&erased, "b@example.com").await;
        // As if both had been there when the backup was made: the ledger alone knows what came then.
        let Identity { world, running, owner } = identity;
        running.stop().await?;
        let now = Timestamp::now().millis();
        for (tenant, state) in [(&hidden, ErasureState::Deleted), (&erased, ErasureState::Erased)] {
            let entry = Erasure { state: state.into(), deleted_at: now, erase_after: now + DAY_MS, actor_id: None };
            put(&world, tenant, &entry).await;
        }
        let running = serve(&world, &support::config()).await;
        let identity = Identity { world, running, owner };
        // At once, not soon.
        for email in ["a@example.com", "b@example.com"] {
            assert!(identity.login(email, PASSWORD).await.is_err(), "{email}");
        }
        assert_eq!((identity.names(false).await?.len(), identity.names(true).await?), (0, vec!["Hidden".to_owned()]));
        assert_eq!(identity.seen(&erased).await?, (0, 0));

        let Identity { world, running, owner } = identity;
        running.stop().await?;
        world.bus.jetstream.delete_key_value(erasure::BUCKET).await?;
        let running = serve(&world, &support::config()).await;
        let identity = Identity { world, running, owner };
        assert_eq!(identity.ledger(&hidden).await, ErasureState::Deleted);
        assert_eq!(identity.names(true).await?, ["Hidden"]);
        identity.running.stop().await
    }
}

/// On PostgreSQL a function works as the owner of the audit, for identity alone.
#[tokio::test(flavor = "multi_thread")]
async fn only_identity_has_entries_erased_and_only_of_tenants_that_are_gone() -> anyhow::Result<()> {
    let identity = Identity::start(Kind::Postgres).await;
    let (kept, gone) = (identity.tenant("Kept").await, identity.tenant("Gone").await);
    identity.delete(&gone, "Gone").await?;
    let platform = || async { identity.audit_entries("tenant:delete").await };
    let entry =
        eventually("it is entered", SOON, async || Ok(platform().await?.pop().ok_or_else(Error::not_found)?)).await;
    assert_eq!(entry.tenant_id, None, "in the chain of the platform");

    let db = identity.world.database("identity").await;
    let may = "SELECT rolname::text AS name FROM pg_roles WHERE NOT rolsuper \
               AND has_function_privilege(oid, 'erase_audit(uuid, bigint, bigint)', 'EXECUTE') ORDER BY 1";
    let tx = db.read(&Scope::Platform).await?;
    let rows = tx.query_all_raw(Statement::from_string(db.backend(), may)).await?;
    let roles: Vec<String> = rows.iter().map(|row| row.try_get("", "name").unwrap()).collect();
    assert_eq!(roles, ["armada_identity", "armada_owner"]);
    drop(tx);
    for service in ["fleet", "notification", "position-ingest"] {
        let tx = identity.world.database(service).await.write(&Scope::Platform).await?;
        let refused = tx.execute_unprepared("SELECT identity.erase_audit(gen_random_uuid(), 0, 9)").await.unwrap_err();
        assert!(refused.to_string().contains("permission denied"), "{service}: {refused}");
    }

    // Neither a table of the caller's, which hides that of the tenants, nor the name of the other chain lets more in.
    let hidden = format!("CREATE TEMPORARY TABLE tenant (id uuid); SELECT erase_audit('{}', 0, 9)", kept.id);
    let tx = db.write(&Scope::Platform).await?;
    let refused = tx.execute_unprepared(&hidden).await.unwrap_err();
    assert!(refused.to_string().contains("is not gone"), "{refused}");
    drop(tx);
    let erased = format!("SELECT erase_audit('{}', 0, {}) AS n", uuid::Uuid::nil(), entry.seq);
    assert_eq!(identity.number(erased).await, 0);
    identity.running.stop().await
}
