//! The audit: what is entered, who sees it, and how tampering shows.

use std::time::Duration;

use armada_proto::{
    TenantId, Timestamp, UserId,
    access::permission::AUDIT_LIST,
    v1::{
        AuditDefect, AuditEntry, AuditEvent, AuditList, AuditVerification, ListAuditRequest, VerifyAuditRequest,
        audit_client::AuditClient,
    },
};
use armada_runtime::{
    Caller, Error, Result, Scope, Transport,
    audit::{self, Act, Actor, Object, STREAM},
    bus::{MessageSigner, Publication},
    db::{Location, Owner},
};
use armada_testkit::{Kind, both_databases, eventually_equal};
use async_nats::HeaderMap;
use futures::TryStreamExt;
use prost::Message;
use sea_orm::{ConnectOptions, ConnectionTrait};

use crate::support::{Identity, answer, config, world};

/// How long what is published may take to be entered on a busy machine.
const SOON: Duration = Duration::from_secs(20);

impl Identity {
    fn audit(&self) -> AuditClient<Transport> {
        AuditClient::new(self.running.context.peers.transport("identity").unwrap())
    }

    async fn entries(&self, caller: &Caller, request: ListAuditRequest) -> Result<(Vec<AuditEntry>, u32)> {
        let list = answer(self.audit().list(caller.sign(request)).await)?;
        Ok((list.items, list.total))
    }

    /// The ids of the objects of what is listed.
    async fn objects(&self, caller: &Caller, request: ListAuditRequest) -> Vec<String> {
        let (entries, _) = self.entries(caller, request).await.unwrap();
        entries.into_iter().map(|entry| entry.object_id).collect()
    }

    async fn verify(&self, caller: &Caller, tenant: Option<TenantId>) -> Result<AuditVerification> {
        let request =
            VerifyAuditRequest { tenant_id: tenant.map(|id| id.to_string()), ..VerifyAuditRequest::default() };
        self.verify_from(caller, request).await
    }

    async fn verify_from(&self, caller: &Caller, request: VerifyAuditRequest) -> Result<AuditVerification> {
        answer(self.audit().verify(caller.sign(request)).await)
    }

    /// How many entries there are, what is wrong with them, and where.
    async fn found(&self, caller: &Caller, tenant: TenantId) -> (i64, Option<AuditDefect>, Option<i64>) {
        let AuditVerification { checked, defect, defect_seq, .. } = self.verify(caller, Some(tenant)).await.unwrap();
        (checked, defect.map(|defect| defect.try_into().unwrap()), defect_seq)
    }

    /// Publishes as fleet does.
    async fn publish(&self, events: impl IntoIterator<Item = AuditEvent>) {
        let fleet = self.signer("fleet").await;
        for event in events {
            self.say("fleet", Some(&fleet), event.encode_to_vec()).await;
        }
    }

    async fn signer(&self, service: &'static str) -> MessageSigner {
        self.world.context(&[]).await.of(service).unwrap().message_signer(STREAM).unwrap()
    }

    /// Publishes on the subject of a service, signed as some service or not at all.
    async fn say(&self, service: &str, signer: Option<&MessageSigner>, body: Vec<u8>) {
        let subject = format!("audit.{service}");
        let headers = signer.map_or_else(HeaderMap::new, |signer| signer.headers(&subject, &body).unwrap());
        self.world.bus.publish(Publication { subject, headers, body: body.into() }).await.unwrap();
    }

    async fn wait_for_entries(&self, caller: &Caller, count: u32) {
        let count_of = async || Ok(self.entries(caller, only("test")).await?.1);
        eventually_equal("entered", SOON, count, count_of).await;
    }

    /// Writes to the tables as somebody does who owns them.
    async fn tamper(&self, sql: &str) {
        match &self.world.location {
            Location::Sqlite(_) => {
                let db = self.world.database("identity").await;
                let tx = db.write(&Scope::Platform).await.unwrap();
                let drop = "DROP TRIGGER IF EXISTS audit_entry_no_update; DROP TRIGGER IF EXISTS audit_entry_no_delete";
                tx.execute_unprepared(drop).await.unwrap();
                assert!(tx.execute_unprepared(sql).await.unwrap().rows_affected() > 0, "{sql}");
                tx.commit().await.unwrap();
            }
            Location::Postgres(logins) => {
                let Owner::Url(url) = &logins.owner else { panic!("the owner is another login") };
                let mut options = ConnectOptions::new(url);
                options.max_connections(1).sqlx_logging(false).set_schema_search_path("identity");
                let owner = sea_orm::Database::connect(options).await.unwrap();
                owner.execute_unprepared("SELECT set_config('app.platform', 'on', false)").await.unwrap();
                assert!(owner.execute_unprepared(sql).await.unwrap().rows_affected() > 0, "{sql}");
            }
        }
    }
}

/// Something that was done to the thing `object` of kind `test`.
fn event(tenant: Option<TenantId>, object: &str) -> AuditEvent {
    AuditEvent {
        id: UserId::new().to_string(),
        at: 1_000,
        tenant_id: tenant.map(|id| id.to_string()),
        actor_name: "Budi".to_owned(),
        act: "driver:update".to_owned(),
        object_kind: "test".to_owned(),
        object_id: object.to_owned(),
        ..AuditEvent::default()
    }
}

fn only(kind: &str) -> ListAuditRequest {
    ListAuditRequest { object_kind: kind.to_owned(), sort: "at".to_owned(), ..ListAuditRequest::default() }
}

both_databases! {
    async fn what_is_published_is_entered_once(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = TenantId::new();
        let admin = identity.world.tenant_admin(tenant).await;
        let first = AuditEvent {
            actor_id: Some(UserId::new().to_string()),
            address: "192.0.2.1".to_owned(),
            object_name: "a\0b".to_owned(),
            before: Some(r#"{"name":"a"}"#.to_owned()),
            after: Some(r#"{"name":"b"}"#.to_owned()),
            ..event(Some(tenant), "1")
        };
        let second = AuditEvent { at: 2_000, ..event(Some(tenant), "2") };
        identity.publish([first.clone(), first.clone(), second.clone(), first.clone()]).await;
        identity.say("fleet", Some(&identity.signer("fleet").await), b"no event".to_vec()).await;
        identity.publish([second, AuditEvent { at: 3_000, ..event(Some(tenant), "3") }]).await;
        identity.wait_for_entries(&admin, 3).await;

        let (entries, total) = identity.entries(&admin, only("test")).await?;
        assert_eq!((total, entries.iter().map(|entry| entry.seq).collect::<Vec<_>>()), (3, vec![1, 2, 3]));
        let entry = &entries[0];
        assert_eq!((&entry.id, &entry.actor_id, &entry.address), (&first.id, &first.actor_id, &first.address));
        assert_eq!((entry.object_name.as_str(), &entry.before, &entry.after), ("a\u{fffd}b", &first.before, &first.after));
        assert_eq!((entry.at.unwrap().millis(), entry.hash.len()), (1_000, 64));
        assert_eq!(identity.found(&admin, tenant).await, (3, None, None));
        identity.running.stop().await
    }

    async fn entries_are_found(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (tenant, foreign, actor) = (TenantId::new(), TenantId::new(), UserId::new());
        let admin = identity.world.tenant_admin(tenant).await;
        let siti = AuditEvent {
            at: 2_000,
            actor_id: Some(actor.to_string()),
            actor_name: "Siti ÉCOLE".to_owned(),
            act: "device:update".to_owned(),
            ..event(Some(tenant), "2")
        };
        let named = AuditEvent {
            at: 3_000,
            act: "device_member:update".to_owned(),
            object_name: "B 1234 100%".to_owned(),
            address: "2001:db8::7".to_owned(),
            ..event(Some(tenant), "3")
        };
        let platform = AuditEvent { at: 5_000, ..event(None, "5") };
        let others = AuditEvent { at: 4_000, ..event(Some(foreign), "4") };
        identity.publish([event(Some(tenant), "1"), siti, named, others, platform]).await;
        identity.wait_for_entries(&identity.owner, 5).await;

        let at = |millis| Some(Timestamp::from_millis(millis));
        let all = || only("test");
        let searched = |q: &str| ListAuditRequest { q: q.to_owned(), ..all() };
        let acts = |acts: &[&str]| ListAuditRequest { acts: acts.iter().map(ToString::to_string).collect(), ..all() };
        let by = |id: String| ListAuditRequest { actor_ids: vec![id], ..all() };
        for (request, expected) in [
            (all(), &["1", "2", "3"][..]),
            (ListAuditRequest { sort: String::new(), ..all() }, &["3", "2", "1"]),
            (ListAuditRequest { page: 2, page_size: 2, ..all() }, &["3"]),
            (searched("école"), &["2"]),
            (searched("1234"), &["3"]),
            (searched("DB8::7"), &["3"]),
            (searched("100%"), &["3"]),
            (searched("driver:"), &["1"]),
            (acts(&["device:*"]), &["2"]),
            (acts(&["device:*", "driver:update"]), &["1", "2"]),
            (acts(&["device%*"]), &[]),
            (by(actor.to_string()), &["2"]),
            (by("nobody".to_owned()), &[]),
            (ListAuditRequest { object_id: "3".to_owned(), ..all() }, &["3"]),
            (ListAuditRequest { from: at(2_000), to: at(3_000), ..all() }, &["2"]),
            (ListAuditRequest { tenant_id: Some(tenant.to_string()), ..all() }, &["1", "2", "3"]),
        ] {
            assert_eq!(identity.objects(&admin, request.clone()).await, expected, "{request:?}");
        }
        assert_eq!(identity.objects(&identity.owner, all()).await, ["1", "2", "3", "4", "5"]);
        let narrowed = ListAuditRequest { tenant_id: Some(foreign.to_string()), ..all() };
        assert_eq!(identity.objects(&identity.owner, narrowed.clone()).await, ["4"]);
        assert_eq!(identity.entries(&admin, narrowed).await.unwrap_err(), Error::not_found());
        let unsorted = ListAuditRequest { sort: "hash".to_owned(), ..all() };
        assert_eq!(identity.entries(&admin, unsorted).await.unwrap_err(), Error::field("sort", "unknown"));
        let many = ListAuditRequest { acts: vec!["x:y".to_owned(); 501], ..all() };
        assert_eq!(identity.entries(&admin, many).await.unwrap_err(), Error::field("act", "too_many"));
        identity.running.stop().await
    }

    async fn nobody_else_sees_them(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (tenant, foreign) = (TenantId::new(), TenantId::new());
        let admin = identity.world.tenant_admin(tenant).await;
        identity.publish([event(Some(tenant), "1"), event(Some(foreign), "2"), event(None, "3")]).await;
        identity.wait_for_entries(&identity.owner, 3).await;

        let auditor = identity.world.user_who_can(tenant, &[AUDIT_LIST]).await;
        assert_eq!(identity.objects(&auditor, only("test")).await, ["1"]);
        assert_eq!(identity.verify(&auditor, None).await?.checked, 1);
        assert_eq!(identity.verify(&auditor, Some(foreign)).await.unwrap_err(), Error::not_found());
        let export = answer(identity.audit().export(auditor.sign(only("test"))).await);
        assert_eq!(export.unwrap_err(), Error::forbidden());
        let user = identity.world.user(tenant).await;
        assert_eq!(identity.entries(&user, only("test")).await.unwrap_err(), Error::forbidden());
        assert_eq!(identity.verify(&user, None).await.unwrap_err(), Error::forbidden());
        let anonymous = answer(identity.audit().list(only("test")).await);
        assert_eq!(anonymous.unwrap_err(), Error::unauthenticated());

        let export = answer(identity.audit().export(admin.sign(only("test"))).await)?;
        let pieces: Vec<AuditList> = export.try_collect().await?;
        let exported: Vec<_> = pieces.into_iter().flat_map(|piece| piece.items).map(|entry| entry.object_id).collect();
        assert_eq!(exported, ["1"]);
        let request = ListAuditRequest { acts: vec!["audit:export".to_owned()], ..ListAuditRequest::default() };
        let recorded = async || {
            let (entries, _) = identity.entries(&admin, request.clone()).await?;
            Ok(entries.into_iter().map(|entry| (entry.actor_id, entry.after)).collect::<Vec<_>>())
        };
        let expected = vec![(Some(admin.grant.user_id.to_string()), Some(r#"{"count":1}"#.to_owned()))];
        eventually_equal("the export is an act", SOON, expected, recorded).await;
        identity.running.stop().await
    }

    async fn tampering_shows(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let names = ["whole", "changed", "hidden", "removed", "beheaded", "shortened", "emptied", "lengthened"];
        let tenants = names.map(|name| (name, TenantId::new()));
        for (name, tenant) in tenants {
            identity.publish((1..=4).map(|number| event(Some(tenant), &format!("{name} {number}")))).await;
        }
        identity.wait_for_entries(&identity.owner, 32).await;
        for (name, tenant) in tenants {
            assert_eq!(identity.found(&identity.owner, tenant).await, (4, None, None), "{name}");
        }
        for sql in [
            "UPDATE audit_entry SET actor_name = 'Siti' WHERE object_id = 'changed 3'",
            "UPDATE audit_entry SET search = '' WHERE object_id = 'hidden 2'",
            "DELETE FROM audit_entry WHERE object_id = 'removed 3'",
            "DELETE FROM audit_entry WHERE object_id = 'beheaded 1'",
            "DELETE FROM audit_entry WHERE object_id = 'shortened 4'",
            "DELETE FROM audit_entry WHERE object_id LIKE 'emptied %'",
            "UPDATE audit_head SET seq = 3 WHERE chain = (SELECT chain FROM audit_entry WHERE object_id = 'lengthened 1')",
        ] {
            identity.tamper(sql).await;
        }
        let expected = [
            (4, None, None),
            (3, Some(AuditDefect::Changed), Some(3)),
            (2, Some(AuditDefect::Changed), Some(2)),
            (3, Some(AuditDefect::Missing), Some(3)),
            (1, Some(AuditDefect::Missing), Some(1)),
            (3, Some(AuditDefect::CutOff), Some(4)),
            (0, Some(AuditDefect::CutOff), Some(1)),
            (4, Some(AuditDefect::Changed), Some(4)),
        ];
        for ((name, tenant), expected) in tenants.into_iter().zip(expected) {
            assert_eq!(identity.found(&identity.owner, tenant).await, expected, "{name}");
        }
        identity.running.stop().await
    }

    async fn a_chain_is_verified_in_pieces(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = TenantId::new();
        identity.publish((1..=7).map(|number| event(Some(tenant), &number.to_string()))).await;
        identity.wait_for_entries(&identity.owner, 7).await;
        let admin = identity.world.tenant_admin(tenant).await;
        let begin = VerifyAuditRequest { limit: 3, ..VerifyAuditRequest::default() };
        let on = |answer: &AuditVerification| VerifyAuditRequest {
            after_seq: answer.checked,
            after_hash: answer.next_hash.clone().unwrap_or_default(),
            ..begin.clone()
        };

        let first = identity.verify_from(&admin, begin.clone()).await?;
        let second = identity.verify_from(&admin, on(&first)).await?;
        let third = identity.verify_from(&admin, on(&second)).await?;
        let summary = |answer: &AuditVerification| (answer.checked, answer.last_seq, answer.defect, answer.next_hash.is_some());
        assert_eq!(
            [&first, &second, &third].map(summary),
            [(3, 7, None, true), (6, 7, None, true), (7, 7, None, false)]
        );

        // What was read is not read again, and what was changed behind it shows.
        identity.tamper("UPDATE audit_entry SET actor_name = 'Siti' WHERE object_id = '5'").await;
        let second = identity.verify_from(&admin, on(&first)).await?;
        assert_eq!((second.checked, second.defect_seq, second.next_hash), (5, Some(5), None));
        let third = VerifyAuditRequest { after_hash: "00".repeat(32), after_seq: 6, ..begin.clone() };
        let third = identity.verify_from(&admin, third).await?;
        assert_eq!(third.defect_seq, Some(6), "the entry after it remembers another hash");

        for (wrong, field) in [
            (VerifyAuditRequest { after_seq: 3, ..begin.clone() }, "after_hash"),
            (VerifyAuditRequest { after_hash: "00".repeat(32), ..begin.clone() }, "after_hash"),
            (VerifyAuditRequest { after_seq: -1, after_hash: "00".repeat(32), ..begin.clone() }, "after_hash"),
            (VerifyAuditRequest { after_seq: 3, after_hash: "é".repeat(32), ..begin.clone() }, "after_hash"),
            (VerifyAuditRequest { limit: 10_001, ..begin.clone() }, "limit"),
        ] {
            let error = identity.verify_from(&admin, wrong).await.unwrap_err();
            assert_eq!(error.fields.keys().collect::<Vec<_>>(), [field]);
        }
        identity.running.stop().await
    }

    async fn failed_sign_ins_in_a_row_are_one_entry(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        for _ in 0..4 {
            identity.login("nobody@example.org", "wrong password").await.unwrap_err();
        }
        let failed = ListAuditRequest { acts: vec!["session:login_failed".to_owned()], ..ListAuditRequest::default() };
        let count_of = async || Ok(identity.entries(&identity.owner, failed.clone()).await?.1);
        eventually_equal("the first one is entered", SOON, 1, count_of).await;
        // Acts that are recorded one by one are carried in order. What came after them is there, and they are not.
        identity.publish([event(None, "afterwards")]).await;
        identity.wait_for_entries(&identity.owner, 1).await;
        assert_eq!(count_of().await?, 1);
        identity.running.stop().await
    }

    async fn services_speak_for_themselves_alone(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = TenantId::new();
        let (fleet, edge) = (identity.signer("fleet").await, identity.signer("bff").await);
        let acted = |act: &str, tenant, object: &str| {
            AuditEvent { act: act.to_owned(), ..event(tenant, object) }.encode_to_vec()
        };
        let erasure = |tenant| acted("tenant:erase", tenant, "erased");
        let forged = [
            ("bff", Some(&edge), erasure(Some(tenant)), "foreign_act"),
            ("bff", Some(&edge), erasure(None), "foreign_act"),
            ("fleet", Some(&fleet), erasure(Some(tenant)), "foreign_act"),
            ("fleet", Some(&fleet), acted("session:login", None, "in"), "foreign_act"),
            ("fleet", Some(&edge), acted("device:delete", Some(tenant), "gone"), "not_signed"),
            ("fleet", None, acted("device:delete", Some(tenant), "gone"), "not_signed"),
            ("billing", Some(&fleet), acted("access:denied", None, "x"), "no_service"),
            ("fleet", Some(&fleet), b"no event".to_vec(), "no_event"),
        ];
        for (service, signer, body, _) in &forged {
            identity.say(service, *signer, body.clone()).await;
        }
        // The same again is set aside once.
        identity.say("fleet", Some(&edge), forged[4].2.clone()).await;
        identity.say("fleet", Some(&fleet), erasure(None)).await;
        identity.say("bff", Some(&edge), acted("access:denied", Some(tenant), "denied")).await;
        identity.wait_for_entries(&identity.owner, 2).await;

        let mut believed = identity.objects(&identity.owner, only("test")).await;
        believed.sort();
        assert_eq!(believed, ["denied", "erased"], "nothing else is in any chain");
        let aside = ListAuditRequest { acts: vec!["audit:refused".to_owned()], sort: "at".to_owned(), ..only("audit") };
        let (entries, _) = identity.entries(&identity.owner, aside.clone()).await?;
        let told = |entry: &AuditEntry| {
            let after: serde_json::Value = serde_json::from_str(entry.after.as_deref().unwrap()).unwrap();
            (entry.actor_name.clone(), after["reason"].as_str().unwrap().to_owned())
        };
        let mut found: Vec<_> = entries.iter().map(told).collect();
        let mut expected: Vec<_> = forged.iter().map(|(by, .., why)| ((*by).to_owned(), (*why).to_owned())).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        assert!(entries.iter().any(|entry| entry.object_name == "tenant:erase"), "it tells what was said");
        let admin = identity.world.tenant_admin(tenant).await;
        assert_eq!(identity.entries(&admin, aside).await?.1, 0);
        assert_eq!(identity.found(&admin, tenant).await, (1, None, None));
        identity.running.stop().await
    }

    /// What a version that did not sign has published, or still does while the others are upgraded.
    async fn unsigned_entries_of_before_an_upgrade_are_entered(kind: Kind) -> anyhow::Result<()> {
        let world = world(kind).await;
        let mut former = world.bus.jetstream.get_stream(STREAM).await?.cached_info().config.clone();
        former.metadata.clear();
        world.bus.jetstream.update_stream(former).await?;
        audit::migrate(&world.bus).await?;
        let since = world.bus.signed_since(STREAM).await?;
        audit::migrate(&world.bus).await?;
        assert_eq!(world.bus.signed_since(STREAM).await?, since, "the time does not move with the next upgrade");
        let identity = Identity::start_in(world, config()).await;
        identity.say("fleet", None, event(None, "former").encode_to_vec()).await;
        let foreign = AuditEvent { act: "session:login".to_owned(), ..event(None, "foreign") };
        identity.say("fleet", None, foreign.encode_to_vec()).await;
        identity.publish([event(None, "signed")]).await;
        identity.wait_for_entries(&identity.owner, 2).await;
        assert_eq!(identity.objects(&identity.owner, only("test")).await, ["former", "signed"]);
        identity.running.stop().await
    }

    async fn services_change_and_remove_nothing(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        identity.publish([event(None, "1")]).await;
        identity.wait_for_entries(&identity.owner, 1).await;
        let db = identity.world.database("identity").await;
        for migrations in 1..=2 {
            for sql in ["UPDATE audit_entry SET actor_name = 'Siti'", "DELETE FROM audit_entry"] {
                let tx = db.write(&Scope::Platform).await?;
                let refused = tx.execute_unprepared(sql).await.unwrap_err().to_string();
                let why = match kind {
                    Kind::Sqlite => "rows of audit_entry are only added",
                    Kind::Postgres => "permission denied for table audit_entry",
                };
                assert!(refused.contains(why), "after {migrations}: {refused}");
            }
            let config = armada_identity::Config::default();
            armada_identity::migrate(&identity.world.bus, &db, &config).await?;
        }
        identity.running.stop().await
    }

    async fn a_flood_of_notes_is_two_entries(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let context = identity.world.context(&[]).await;
        let other = identity.world.run(identity.world.process(&context)).await;
        let tenant = TenantId::new();
        let (budi, siti) = (Some(UserId::new()), Some(UserId::new()));
        let deny = |id, object: i32| {
            let act = Act {
                act: "access:denied",
                tenant: Some(tenant),
                object: Object::new("test", object, ""),
                ..Act::default()
            };
            context.audit.note("bff", Actor { id, ..Actor::default() }, act);
        };
        (1..=50).for_each(|object| deny(budi, object));
        deny(siti, 51);
        let admin = identity.world.tenant_admin(tenant).await;
        identity.wait_for_entries(&admin, 2).await;
        other.stop().await?;
        identity.wait_for_entries(&admin, 3).await;
        let (entries, _) = identity.entries(&admin, only("test")).await?;
        let summary: Vec<_> = entries.iter().map(|entry| (&*entry.object_id, entry.after.as_deref())).collect();
        assert_eq!(summary, [("1", None), ("51", None), ("50", Some(r#"{"count":49}"#))]);
        identity.running.stop().await
    }
}
