//! What the users of `deploy/nats.conf` may do.

use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, ensure};
use armada_declarations::{SERVICES, nats::Account};
use armada_runtime::Bus;
use armada_testkit::eventually;
use armada_track::partition_of;
use async_nats::{ConnectOptions, Event};
use futures::StreamExt;
use http::StatusCode;
use serde_json::json;

use super::{EMAIL, IMEI, stack::Stack};
use crate::support::SOON;

/// What the server says to a client that does what it may not.
struct Watched {
    client: async_nats::Client,
    said: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    async fn connect(address: &str, user: &str, password: &str) -> Result<Self> {
        let said = Arc::new(Mutex::new(Vec::new()));
        let heard = said.clone();
        let options = ConnectOptions::with_user_and_password(user.to_owned(), password.to_owned());
        let options = options.event_callback(move |event: Event| {
            heard.lock().expect("no panic while held").push(event.to_string());
            std::future::ready(())
        });
        Ok(Self { client: options.connect(address).await?, said })
    }

    async fn is_refused(&self, kind: &str, subject: &str) {
        eventually(&format!("{kind} {subject} is refused"), SOON, async || {
            let said = self.said.lock().expect("no panic while held").clone();
            let lower = |text: &String| text.to_lowercase();
            let wanted = format!("permissions violation for {kind} to \"{subject}\"").to_lowercase();
            ensure!(said.iter().map(lower).any(|text| text.contains(&wanted)), "{said:?}");
            Ok(())
        })
        .await;
    }

    async fn may_not_publish(&self, subject: &str) -> Result<()> {
        self.client.publish(subject.to_owned(), "{}".into()).await?;
        self.client.flush().await?;
        self.is_refused("publish", subject).await;
        Ok(())
    }

    async fn may_not_subscribe(&self, subject: &str) -> Result<()> {
        let _subscription = self.client.subscribe(subject.to_owned()).await?;
        self.client.flush().await?;
        self.is_refused("subscription", subject).await;
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nats_lets_nobody_do_more_than_their_part() -> Result<()> {
    refuse_what_is_nobodys_part(Stack::new().await?).await
}

/// Tries with every login what it may not do.
pub(crate) async fn refuse_what_is_nobodys_part(mut stack: Stack) -> Result<()> {
    let _running = stack.start_everything().await?;
    let operator = &stack.variables["NATS_OPERATOR_PASSWORD"];
    let bus = Bus::connect(&stack.nats_url(&format!("armada:{operator}@")), "test").await?;
    let address = stack.address("nats", 4222);

    async_nats::connect(&address).await.err().context("nobody is let in without a name")?;
    let owner = stack.api().sign_in(EMAIL, &stack.variables["ARMADA_ADMIN_PASSWORD"]).await?;
    let made = owner.post("/api/v1/gateways", json!({ "name": "harbour" })).await?.expect(StatusCode::CREATED);
    let wrong = ConnectOptions::with_user_and_password("harbour".to_owned(), "p".to_owned());
    wrong.connect(&address).await.err().context("nor with a wrong secret")?;

    let gateway = Watched::connect(&address, "harbour", made["secret"].as_str().context("a secret")?).await?;
    gateway.client.publish(format!("gps.other.{IMEI}"), "{}".into()).await?;
    gateway.is_refused("publish", &format!("in.{}.other.{IMEI}", partition_of(IMEI.as_bytes(), 8))).await;
    for subject in [
        &format!("in.{}.other.{IMEI}", partition_of(IMEI.as_bytes(), 8)),
        "raw.0",
        "part.0",
        "receiver.handover.0",
        "live.tenant",
        &format!("command.harbour.{IMEI}"),
        &format!("command.reply.other.{IMEI}"),
        "$JS.API.STREAM.DELETE.RAW",
        "$JS.API.STREAM.PURGE.RAW",
        "$KV.keys.forged",
        "$SYS.REQ.SERVER.PING",
    ] {
        gateway.may_not_publish(subject).await?;
    }
    for subject in
        [">", "gps.>", "live.*", "command.*.*", "command.reply.*.*", "_INBOX_armada.>", "_INBOX_bff.>", "$KV.keys.>"]
    {
        gateway.may_not_subscribe(subject).await?;
    }

    commands_go_from_fleet_to_the_gateway_and_back(&stack, &gateway).await?;
    // An acknowledgement of JetStream would go to whatever reply a gateway names.
    for subject in [format!("command.harbour.{IMEI}"), format!("command.reply.harbour.{IMEI}")] {
        let captures = bus.jetstream.stream_by_subject(subject).await;
        assert!(captures.is_err(), "no stream captures commands: {captures:?}");
    }

    let service = Watched::connect(&address, "armada", operator).await?;
    service.may_not_publish("$JS.API.STREAM.DELETE.RAW").await?;
    let users = SERVICES.iter().flat_map(|service| service.users);
    for user in users.filter(|user| user.account == Account::Services) {
        let service = Watched::connect(&address, user.name, &stack.variables[&user.password()]).await?;
        for subject in ["$JS.API.STREAM.DELETE.RAW", "$JS.API.STREAM.UPDATE.RAW", "in.0.gateway.1", "ingest.seal.1"] {
            service.may_not_publish(subject).await?;
        }
        for subject in [">", "_INBOX_armada.>", "$KV.policies.>", "gps.>", "command.>", "command.reply.*.*"] {
            service.may_not_subscribe(subject).await?;
        }
        for subject in [format!("command.harbour.{IMEI}"), format!("command.reply.harbour.{IMEI}")] {
            service.may_not_publish(&subject).await?;
        }
    }
    for (user, password, subjects) in [
        ("fleet-gateways", "NATS_FLEET_PASSWORD", ["in.0.harbour.1", "part.0", "command.reply.harbour.1"]),
        (
            "receiver-gateways",
            "NATS_RECEIVER_PASSWORD",
            ["in.0.harbour.1", "command.harbour.1", "command.reply.harbour.1"],
        ),
    ] {
        let service = Watched::connect(&address, user, &stack.variables[password]).await?;
        for subject in subjects.into_iter().chain(["$JS.API.INFO"]) {
            service.may_not_publish(subject).await?;
        }
        for subject in [">", "command.>", "command.harbour.*", "_INBOX_harbour.>"] {
            service.may_not_subscribe(subject).await?;
        }
    }
    let system =
        Watched::connect(&address, "identity-system", &stack.variables["NATS_IDENTITY_SYSTEM_PASSWORD"]).await?;
    for subject in ["$SYS.REQ.SERVER.PING.VARZ", "$SYS.REQ.ACCOUNT.ARMADA.JSZ", "$SYS.REQ.CLAIMS.UPDATE"] {
        system.may_not_publish(subject).await?;
    }
    for subject in [">", "$SYS.>", "_INBOX_identity.>"] {
        system.may_not_subscribe(subject).await?;
    }
    // What the system's own account answers, it answers to no other.
    let asked = bus.client.request("$SYS.REQ.SERVER.PING", "".into()).await;
    assert!(asked.is_err(), "{asked:?}");
    Ok(())
}

async fn commands_go_from_fleet_to_the_gateway_and_back(stack: &Stack, gateway: &Watched) -> Result<()> {
    let address = stack.address("nats", 4222);
    let fleet = Watched::connect(&address, "fleet-gateways", &stack.variables["NATS_FLEET_PASSWORD"]).await?;
    let mut commands = gateway.client.subscribe("command.harbour.*").await?;
    let mut answers = fleet.client.subscribe("command.reply.*.*").await?;
    eventually("a command is answered", SOON, async || {
        fleet.client.publish(format!("command.harbour.{IMEI}"), "{}".into()).await?;
        let command = tokio::time::timeout(SOON / 20, commands.next()).await?.context("the gateway hears")?;
        ensure!(command.subject.as_str() == format!("command.harbour.{IMEI}"), "{command:?}");
        gateway.client.publish(format!("command.reply.harbour.{IMEI}"), "{}".into()).await?;
        let answer = tokio::time::timeout(SOON / 20, answers.next()).await?.context("fleet hears")?;
        ensure!(answer.subject.as_str() == format!("command.reply.harbour.{IMEI}"), "{answer:?}");
        Ok(())
    })
    .await;
    Ok(())
}
