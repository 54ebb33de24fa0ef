//! The password of one service gives nobody more than that service may. What JetStream is made to send into a foreign
//! bucket is ignored, reported, and replaced by what the owner's tables say.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use armada_proto::{
    Timestamp, UserId, coded,
    v1::{AuditEvent, Policy, ReceivedFrame, SentRows},
};
use armada_runtime::{
    Bus,
    auth::{Grant, Signer},
    nats_server,
};
use armada_testkit::{Api, Gateway, both_databases, eventually};
use armada_track::{FrameBuilder, TrackerId, decode_message, partition_of};
use async_nats::{HeaderMap, Request};
use futures::{FutureExt, StreamExt};
use http::StatusCode;
use prost::Message as _;
use serde_json::{Value, json};
use tokio_util::bytes::Bytes;

use crate::support::{
    SOON, services,
    site::{Armada, Site},
};

const IMEI: &str = "356307042441013";
/// The public half of the Ed25519 key whose seed is seven 32 times, in base64url.
const FORGED: &str = "6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw";
const PASSWORD: &str = "another horse battery";

/// A running Armada with a tenant, a device and a user.
struct Scene {
    site: Site,
    _armada: Armada,
    owner: Api,
    owner_id: String,
    user: Api,
    user_id: String,
    /// As whoever runs the machine sees the buckets.
    operator: Bus,
}

impl Scene {
    async fn new(kind: armada_testkit::Kind) -> Result<Self> {
        let site = Site::new(kind).await;
        let armada = site.run().await;
        let owner = site.owner().await?;
        let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
        let device = json!({ "tenant_id": tenant["id"], "imei": IMEI, "name": "Truck 1" });
        owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
        let admin = json!({
            "tenant_id": tenant["id"], "email": "admin@example.com", "name": "Admin", "is_tenant_admin": true,
        });
        site.invited(&owner, admin, PASSWORD).await?;
        let user = site.sign_in("admin@example.com", PASSWORD).await?;
        let id = async |api: &Api| {
            Ok::<_, anyhow::Error>(text(&api.get("/api/v1/auth/me").await?.expect(StatusCode::OK), "id"))
        };
        let (owner_id, user_id) = (id(&owner).await?, id(&user).await?);
        let url = nats_server::url_of(&site.data().join("nats"), site.nats_port).context("a password")?;
        let operator = Bus::connect(&url, "test").await?;
        Ok(Self { site, _armada: armada, owner, owner_id, user, user_id, operator })
    }

    async fn service(&self, name: &str) -> Result<Bus> {
        let folder = self.site.data().join("nats");
        let url = nats_server::url_of_service(&folder, self.site.nats_port, name).context("a user of its own")?;
        Ok(Bus::connect(&url, "attacker").await?)
    }

    /// What stands at a key, with its number in the bucket.
    async fn entry(&self, bucket: &str, key: &str) -> Result<(u64, HeaderMap, Bytes)> {
        let stream = self.operator.jetstream.get_stream(format!("KV_{bucket}")).await?;
        let found = stream.direct_get_last_for_subject(format!("$KV.{bucket}.{key}")).await?;
        Ok((found.sequence, found.headers, found.payload))
    }

    /// Waits until the owner has written a key anew after `attack`, as it was before. The attack is made again if nothing
    /// of it arrives: an owner that has mended its own entry meanwhile has written on a condition, which an answer carries.
    async fn is_restored_after(
        &self,
        bucket: &str,
        key: &str,
        before: &Bytes,
        attack: impl AsyncFn() -> Result<()>,
    ) -> Result<()> {
        let (revision, ..) = self.entry(bucket, key).await?;
        eventually(&format!("something arrives at {bucket} {key}"), SOON, async || {
            attack().await?;
            eventually_moved(async || Ok(self.entry(bucket, key).await?.0 > revision)).await
        })
        .await;
        eventually(&format!("{bucket} {key} is restored"), SOON, async || {
            let (now, headers, value) = self.entry(bucket, key).await?;
            // What was put there has a number of its own.
            ensure!(now >= revision + 2, "number {now} after {revision}");
            ensure!(value == *before && headers.get("Armada-Signature").is_some(), "{value:?} {headers:?}");
            Ok(())
        })
        .await;
        Ok(())
    }

    /// Both are still in, with the rights that they had.
    async fn nothing_has_changed(&self) -> Result<()> {
        self.owner.get("/api/v1/tenants").await?.expect(StatusCode::OK);
        self.user.get("/api/v1/tenants").await?.expect(StatusCode::FORBIDDEN);
        let devices = self.user.get("/api/v1/devices").await?.expect(StatusCode::OK);
        ensure!(devices["total"] == 1, "{devices}");
        Ok(())
    }

    async fn refused(&self, bucket: &str) -> Result<f64> {
        let metrics = Api::new(&format!("http://{}", self.site.admin)).get("/metrics").await?.text;
        let lines = metrics.lines().filter(|line| line.starts_with("armada_bucket_refused_entries_total"));
        let of_bucket = lines.filter(|line| line.contains(&format!("bucket=\"{bucket}\"")));
        Ok(of_bucket.filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok()).sum())
    }
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// Has JetStream's answer to something that the service may ask sent to a subject that it may not write.
/// Fails unless something has moved within a second.
async fn eventually_moved(moved: impl AsyncFn() -> Result<bool>) -> Result<()> {
    let started = Instant::now();
    while !moved().await? {
        ensure!(started.elapsed() < Duration::from_secs(1), "nothing arrives");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

async fn send_answer_to(bus: &Bus, question: String, body: &'static str, subject: &str) -> Result<()> {
    bus.client.publish_with_reply(question, subject.to_owned(), body.into()).await?;
    Ok(bus.client.flush().await?)
}

/// The last message at a subject of a stream that the service reads.
fn last_of(stream: &str, subject: &str) -> String {
    format!("$JS.API.DIRECT.GET.{stream}.{subject}")
}

both_databases! {
    async fn answers_sent_to_foreign_buckets_are_ignored_and_replaced(kind: Kind) -> Result<()> {
        let scene = Scene::new(kind).await?;
        let device = format!("imei.{IMEI}");
        let targets = [
            ("policies", scene.owner_id.clone()),
            ("policies", scene.user_id.clone()),
            ("keys", "bff".to_owned()),
            ("keys", "identity".to_owned()),
            ("devices", device),
        ];
        for name in services() {
            let service = scene.service(name).await?;
            for (bucket, key) in &targets {
                let (_, _, before) = scene.entry(bucket, key).await?;
                scene
                    .is_restored_after(bucket, key, &before, async || {
                        // What stands at the key itself would be what stands there already.
                        let other = if key == "bff" { "fleet" } else { "bff" };
                        let (question, target) = (last_of("KV_keys", &format!("$KV.keys.{other}")), format!("$KV.{bucket}.{key}"));
                        send_answer_to(&service, question, "", &target).await?;
                        // That may have been written on a condition, which comes with it; this has none.
                        send_answer_to(&service, "$JS.API.STREAM.INFO.KV_keys".to_owned(), "", &target).await
                    })
                    .await?;
            }
            scene.nothing_has_changed().await?;
        }
        for bucket in ["policies", "keys", "devices"] {
            assert!(scene.refused(bucket).await? > 0.0, "{bucket} is reported");
        }
        Ok(())
    }

    /// Fleet writes a bucket and reads it, so that it can have any body and any header sent anywhere.
    async fn forged_auth_replies_have_no_effect(kind: Kind) -> Result<()> {
        let scene = Scene::new(kind).await?;
        let fleet = scene.service("fleet").await?;
        let chosen = "$KV.devices.imei.111111111111119";
        let signer = Signer::from_seed("identity-forged".to_owned(), &[7; 32])?;
        let everything = coded::encode(&Policy { version: 99, is_platform_owner: true, ..Policy::default() });
        let deletion = HeaderMap::from_iter([("KV-Operation".parse()?, "DEL".parse()?)]);
        let keys = json!({ "keys": [{ "kid": signer.kid, "service": "identity", "use": "user", "x": FORGED, "exp": i64::MAX }] });
        for (bucket, key, headers, body) in [
            ("policies", scene.user_id.clone(), HeaderMap::new(), everything),
            ("policies", scene.owner_id.clone(), deletion.clone(), Vec::new()),
            ("policies", scene.owner_id.clone(), HeaderMap::new(), b"nonsense".to_vec()),
            ("keys", "bff".to_owned(), HeaderMap::new(), keys.to_string().into_bytes()),
            ("keys", "identity".to_owned(), HeaderMap::new(), keys.to_string().into_bytes()),
            ("keys", "fleet".to_owned(), HeaderMap::new(), b"{\"keys\":[{\"x\":\"\"}]}".to_vec()),
            ("keys", "position-ingest".to_owned(), deletion, Vec::new()),
        ] {
            let (_, _, before) = scene.entry(bucket, &key).await?;
            scene
                .is_restored_after(bucket, &key, &before, async || {
                    #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
                    let put = fleet.jetstream.publish_with_headers(chosen, headers.clone(), body.clone().into()).await?.await?;
                    ensure!(put.sequence > 0);
                    send_answer_to(&fleet, last_of("KV_devices", chosen), "", &format!("$KV.{bucket}.{key}")).await
                })
                .await?;
            scene.nothing_has_changed().await?;
        }
        let grant = Grant {
            user_id: scene.owner_id.parse()?,
            tenant_id: None,
            is_platform_owner: true,
            is_tenant_admin: false,
            is_subscription_user: false,
            policy_version: 1,
            sid: None,
        };
        let token = signer.access_token(&grant, Timestamp::now(), Duration::from_secs(60))?;
        let forged = Api::new(&format!("http://{}", scene.site.http)).with_token(&token);
        forged.get("/api/v1/tenants").await?.expect(StatusCode::UNAUTHORIZED);
        // Whoever runs the machine cannot vouch for it either.
        let store = scene.operator.bucket("keys").await?;
        for reader in services() {
            store.put(reader, keys.to_string().into()).await?;
            forged.get("/api/v1/tenants").await?.expect(StatusCode::UNAUTHORIZED);
        }
        scene.nothing_has_changed().await?;
        let admin = Api::new(&format!("http://{}", scene.site.admin));
        assert!(admin.get("/healthz").await?.status.is_success(), "no entry ends the process");
        Ok(())
    }

    /// A service asks for what it has put into its own bucket, and names as reply where a command, a fix or an act goes.
    async fn answers_are_no_commands_fixes_or_acts(kind: Kind) -> Result<()> {
        let scene = Scene::new(kind).await?;
        let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", scene.site.nats_port), "local").await;
        let begun = Timestamp::now().millis();
        let fix = |number: i64, lng: f64| {
            let at = Timestamp::from_millis(begun + number * 5_000).to_rfc3339();
            json!({ "recorded_at": at, "lat": -6.2, "lng": lng })
        };
        gateway.report(IMEI, &fix(0, 106.8)).await?;
        let mut commands = gateway.client().subscribe(format!("command.local.{IMEI}")).await?;
        // Once it is answered, the server knows of the subscription.
        gateway.report(IMEI, &fix(1, 106.8)).await?;

        let fleet = scene.service("fleet").await?;
        let partition = partition_of(IMEI.as_bytes(), 8);
        let forged = fix(2, 120.5).to_string().into_bytes();
        let mut rows = FrameBuilder::default();
        for report in decode_message(&forged).ok().context("a fix")? {
            rows.push(IMEI.parse::<TrackerId>().ok().context("an IMEI")?, &report.ok().context("a fix")?);
        }
        let frame = rows.take();
        let senders = vec![SentRows { gateway: "local".to_owned(), rows: 1 }];
        let received = ReceivedFrame { fixes: Some(frame.clone()), senders, refused: Vec::new(), received_at: begun };
        let erasure = AuditEvent {
            id: UserId::new().to_string(),
            at: begun,
            act: "tenant:erase".to_owned(),
            ..AuditEvent::default()
        };
        let stop = json!({ "id": "1", "imei": IMEI, "kind": "engine_stop" }).to_string().into_bytes();
        for (target, body) in [
            (format!("command.local.{IMEI}"), stop.clone()),
            (format!("in.{partition}.local.{IMEI}"), forged.clone()),
            (format!("gps.local.{IMEI}"), forged.clone()),
            (format!("part.{partition}"), frame.encode_to_vec()),
            (format!("raw.{partition}"), received.encode_to_vec()),
            ("audit.identity".to_owned(), erasure.encode_to_vec()),
        ] {
            let mut sent = scene.operator.client.subscribe(target.clone()).await?;
            scene.operator.client.request("$JS.API.INFO", "".into()).await?;
            eventually(&format!("the answer is sent to {target}"), SOON, async || {
                let chosen = "$KV.devices.imei.111111111111119";
                let headers = HeaderMap::from_iter([("Armada-Gateway".parse()?, "local".parse()?)]);
                #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
                let put = fleet.jetstream.publish_with_headers(chosen, headers, body.clone().into()).await?.await?;
                ensure!(put.sequence > 0);
                send_answer_to(&fleet, last_of("KV_devices", chosen), "", &target).await?;
                let sent = tokio::time::timeout(Duration::from_secs(1), sent.next()).await?.context("it goes on")?;
                ensure!(sent.payload == body, "{sent:?}");
                Ok(())
            })
            .await;
        }
        // What fleet sends as itself is the first that the gateway hears.
        let speaking = scene.service("fleet-gateways").await?;
        speaking.client.publish(format!("command.local.{IMEI}"), "fleet's own".into()).await?;
        let heard = tokio::time::timeout(SOON, commands.next()).await?.context("it listens")?;
        assert_eq!(&*heard.payload, b"fleet's own");
        for stream in ["RAW", "AUDIT"] {
            eventually(stream, SOON, async || {
                ensure!(scene.refused(stream).await? > 0.0);
                Ok(())
            })
            .await;
        }
        gateway.report(IMEI, &fix(3, 106.9)).await?;
        let device = text(&scene.owner.get("/api/v1/devices").await?.expect(StatusCode::OK)["items"][0], "id");
        eventually("what the gateway sent is stored, and nothing else", SOON, async || {
            let to = Timestamp::from_millis(begun + 3_600_000).to_rfc3339();
            let path = format!("/api/v1/devices/{device}/track?from=2020-01-01T00:00:00Z&to={to}");
            let track = scene.owner.get(&path).await?.text;
            assert!(!track.contains("120.5"), "{track}");
            ensure!(track.contains("106.9"), "{track}");
            Ok(())
        })
        .await;
        eventually("it is told", SOON, async || {
            let entries = scene.owner.get("/api/v1/audit?act=audit:refused").await?.expect(StatusCode::OK);
            ensure!(entries["items"][0]["object_name"] == "tenant:erase", "{entries}");
            Ok(())
        })
        .await;
        Ok(())
    }

    async fn edge_password_is_only_for_the_edge(kind: Kind) -> Result<()> {
        let scene = Scene::new(kind).await?;
        let edge = scene.service("bff").await?;
        // Once a question is answered, what the same connection sent before is through.
        let through = async |bus: &Bus| bus.client.request("$JS.API.INFO", "".into()).await;
        // Services write to some of these meanwhile.
        let arrives = async |subject: &str| {
            let mut subscription = scene.operator.client.subscribe(subject.to_owned()).await?;
            through(&scene.operator).await?;
            edge.client.publish(subject.to_owned(), "x".into()).await?;
            through(&edge).await?;
            through(&scene.operator).await?;
            let mut found = false;
            while let Some(Some(message)) = subscription.next().now_or_never() {
                found |= message.payload == "x";
            }
            anyhow::Ok(found)
        };
        assert!(arrives("_INBOX_bff.own").await?, "what it may write is heard");
        for subject in [
            "$KV.keys.bff".to_owned(),
            format!("$KV.policies.{}", scene.user_id),
            format!("$KV.devices.imei.{IMEI}"),
            "positions.0".to_owned(),
            "audit.identity".to_owned(),
            "raw.0".to_owned(),
            "held.0.1".to_owned(),
        ] {
            scene.operator.jetstream.stream_by_subject(subject.clone()).await?;
            assert!(!arrives(&subject).await?, "{subject}");
        }
        for request in ["$JS.API.STREAM.PURGE.KV_policies", "$JS.API.STREAM.DELETE.RAW", "$JS.API.STREAM.INFO.RAW"] {
            let asked = Request::new().timeout(Some(Duration::from_secs(1)));
            assert!(edge.client.send_request(request, asked).await.is_err(), "{request}");
        }
        let mut foreign = edge.client.subscribe("_INBOX_identity.>").await?;
        edge.client.flush().await?;
        scene.operator.client.publish("_INBOX_identity.secret", "x".into()).await?;
        scene.operator.client.flush().await?;
        let subscription = tokio::time::timeout(Duration::from_millis(500), foreign.next()).await;
        assert!(!matches!(subscription, Ok(Some(_))), "{subscription:?}");
        scene.nothing_has_changed().await
    }

    /// What a service signed with is replaced again and again; a peer that begins long after the others believes them,
    /// and is believed.
    async fn signing_keys_keep_rotating(kind: Kind) -> Result<()> {
        let mut site = Site::new(kind).await;
        site.set("ARMADA_SERVICE_KEY_SECONDS", "4");
        let armada = site.run().await;
        let owner = site.owner().await?;
        let url = nats_server::url_of(&site.data().join("nats"), site.nats_port).context("a password")?;
        let operator = Bus::connect(&url, "test").await?;
        let oldest = async || {
            let value = operator.bucket("keys").await?.get("bff").await?.context("a set of keys")?;
            let set: Value = serde_json::from_slice(&value)?;
            let keys = set["keys"].as_array().context("keys")?.clone();
            let epochs = keys.iter().filter(|key| key["use"] == "service" && key["service"] == "fleet");
            let epochs = epochs.filter_map(|key| key["kid"].as_str()?.rsplit_once('-')?.1.parse::<i64>().ok());
            epochs.min().context("a key of fleet")
        };
        let first = oldest().await?;
        eventually("no key of the beginning is left", SOON, async || {
            // Calls between services are believed all the while.
            owner.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
            ensure!(oldest().await? > first + 3);
            Ok(())
        })
        .await;
        let made = owner.post("/api/v1/tenants", json!({ "name": "Late" })).await?.expect(StatusCode::CREATED);
        let device = json!({ "tenant_id": made["id"], "imei": IMEI, "name": "Truck 1" });
        owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
        armada.stop(nix::sys::signal::Signal::SIGTERM).await?;
        let _armada = site.run().await;
        let devices = site.owner().await?.get("/api/v1/devices").await?.expect(StatusCode::OK);
        assert_eq!(devices["total"], 1);
        Ok(())
    }
}
