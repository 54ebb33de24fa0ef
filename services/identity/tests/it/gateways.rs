//! Gateways: who keeps them, and which of them the NATS server lets in.

use std::{num::NonZeroU32, time::Duration};

use armada_proto::{
    TenantId, Timestamp,
    gateway::{ANONYMOUS, TRAFFIC},
    v1::{
        DeleteRequest, DeleteTenantInput, Gateway, GatewayConnectionList, GatewayInput, GatewayRejection,
        GatewaySecretRequest, GatewayState, GatewayTraffic, GetRequest, ListGatewayConnectionsRequest,
        ListGatewaysRequest, gateway_traffic::Count,
    },
};
use armada_runtime::{Bus, Code, Error, Result};
use armada_testkit::{Api, Gateway as Connection, Signed, both_databases, eventually};
use futures::StreamExt;
use prost::Message;

use crate::support::{Identity, SOON, answer};

/// How long a secret may be believed that has ended: the issue of it is cut off within five seconds.
const CUT_OFF: Duration = Duration::from_secs(5);

const IMEI: &str = "356307042441013";

fn named(name: &str) -> GatewayInput {
    GatewayInput { name: Some(name.to_owned()), ..GatewayInput::default() }
}

fn of(tenant: TenantId, name: &str) -> GatewayInput {
    GatewayInput { tenant_id: Some(tenant.to_string()), ..named(name) }
}

fn change(gateway: &Gateway) -> GatewayInput {
    GatewayInput { id: gateway.id.clone(), ..GatewayInput::default() }
}

impl Identity {
    async fn new_tenant(&self, name: &str) -> TenantId {
        self.tenant(name).await.id.parse().unwrap()
    }

    async fn make_gateway(&self, caller: &Signed, input: GatewayInput) -> Result<Gateway> {
        answer(self.gateways().create(caller.sign(input)).await)
    }

    async fn change_gateway(&self, caller: &Signed, input: GatewayInput) -> Result<Gateway> {
        answer(self.gateways().update(caller.sign(input)).await)
    }

    async fn read_gateway(&self, caller: &Signed, id: &str) -> Result<Gateway> {
        answer(self.gateways().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    async fn remove_gateway(&self, caller: &Signed, id: &str) -> Result<()> {
        let request = DeleteRequest { id: id.to_owned(), row_version: None };
        answer(self.gateways().delete(caller.sign(request)).await).map(drop)
    }

    async fn gateway_names(&self, caller: &Signed, request: ListGatewaysRequest) -> Result<Vec<String>> {
        let list = answer(self.gateways().list(caller.sign(request)).await)?;
        Ok(list.items.into_iter().map(|gateway| gateway.name).collect())
    }

    async fn rotate(&self, gateway: &Gateway) -> Result<Gateway> {
        let request = GatewaySecretRequest { id: gateway.id.clone(), row_version: None };
        answer(self.gateways().rotate_secret(self.owner.sign(request)).await)
    }

    async fn retire(&self, gateway: &Gateway) -> Result<Gateway> {
        let request = GatewaySecretRequest { id: gateway.id.clone(), row_version: None };
        answer(self.gateways().retire_secret(self.owner.sign(request)).await)
    }

    async fn connections(&self, gateway: &Gateway) -> Result<GatewayConnectionList> {
        let request = ListGatewayConnectionsRequest { id: gateway.id.clone(), page: 1, page_size: 2 };
        answer(self.gateways().list_connections(self.owner.sign(request)).await)
    }

    async fn anonymous(&self) -> Gateway {
        let request = ListGatewaysRequest { q: ANONYMOUS.to_owned(), ..ListGatewaysRequest::default() };
        let list = answer(self.gateways().list(self.owner.sign(request)).await).unwrap();
        list.items.into_iter().find(|gateway| gateway.is_anonymous).expect("it is there")
    }

    async fn can_connect(&self, name: &str, secret: &str) -> bool {
        Connection::try_connect(&self.world.nats, name, secret).await.is_ok()
    }

    /// Connects, as soon as the services know the gateway.
    async fn connect(&self, gateway: &Gateway) -> Connection {
        let secret = gateway.secret.as_deref().unwrap_or_default();
        eventually("the gateway connects", SOON, async || {
            Connection::try_connect(&self.world.nats, &gateway.name, secret).await
        })
        .await
    }
}

async fn wait_for_disconnect(connection: &Connection) {
    eventually("the gateway is cut off", CUT_OFF, async || {
        anyhow::ensure!(!connection.is_connected());
        Ok(())
    })
    .await;
}

both_databases! {
    async fn gateways_have_the_usual_operations(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (one, two) = (identity.new_tenant("One").await, identity.new_tenant("Two").await);
        let (admin, other) = (identity.world.tenant_admin(one).await, identity.world.tenant_admin(two).await);
        let made = identity.make_gateway(&admin, named("depot-1")).await?;
        assert_eq!(made.tenant_id, Some(one.to_string()), "an admin's gateway is their tenant's");
        assert_eq!((made.state(), made.enabled, made.row_version), (GatewayState::New, true, 1));
        let secret = made.secret.clone().expect("it is shown");
        assert_eq!(secret.len(), 43, "256 bits");
        assert_eq!(identity.read_gateway(&admin, &made.id).await?.secret, None, "once");
        let platforms = identity.make_gateway(&identity.owner, named("open")).await?;
        assert_eq!(platforms.tenant_id, None);
        identity.make_gateway(&identity.owner, of(two, "theirs")).await?;

        assert_eq!(identity.gateway_names(&admin, ListGatewaysRequest::default()).await?, ["depot-1"]);
        let mine = ListGatewaysRequest { tenant_id: Some(two.to_string()), ..Default::default() };
        assert_eq!(identity.gateway_names(&identity.owner, mine).await?, ["theirs"]);
        let sorted = ListGatewaysRequest { sort: "-name".to_owned(), ..Default::default() };
        assert_eq!(identity.gateway_names(&identity.owner, sorted).await?, ["theirs", "open", ANONYMOUS, "depot-1"]);
        for (who, id) in [(&other, &made.id), (&admin, &platforms.id)] {
            assert_eq!(identity.read_gateway(who, id).await.unwrap_err(), Error::not_found());
            assert_eq!(identity.remove_gateway(who, id).await.unwrap_err(), Error::not_found());
            let off = GatewayInput { enabled: Some(false), id: id.clone(), ..GatewayInput::default() };
            assert_eq!(identity.change_gateway(who, off).await.unwrap_err(), Error::not_found());
        }

        let late = GatewayInput { row_version: Some(7), notes: Some("x".to_owned()), ..change(&made) };
        assert_eq!(identity.change_gateway(&admin, late).await.unwrap_err(), Error::version_mismatch());
        let input = GatewayInput { allowed_addresses: Some("10.1.2.3/8 ::1".to_owned()), enabled: Some(false), ..change(&made) };
        let changed = identity.change_gateway(&admin, input).await?;
        assert_eq!((changed.allowed_addresses.as_str(), changed.state()), ("10.0.0.0/8\n::1/128", GatewayState::Off));
        let off = ListGatewaysRequest { enabled: Some(false), q: "DEPOT".to_owned(), ..Default::default() };
        assert_eq!(identity.gateway_names(&identity.owner, off).await?, ["depot-1"]);
        identity.running.stop().await
    }

    async fn gateway_names_are_never_reused(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.new_tenant("One").await;
        let admin = identity.world.tenant_admin(tenant).await;
        for (name, code) in [
            ("", "required"),
            ("a.b", "invalid_gateway"),
            ("*", "invalid_gateway"),
            ("gt 06", "invalid_gateway"),
            ("reply", "reserved"),
            ("Fleet", "reserved"),
            ("position-ingest", "reserved"),
            ("frame", "reserved"),
            ("local", "reserved"),
        ] {
            let refused = identity.make_gateway(&identity.owner, named(name)).await.unwrap_err();
            assert_eq!(refused.fields.get("name").map(String::as_str), Some(code), "{name}: {refused:?}");
        }
        let made = identity.make_gateway(&identity.owner, named("GT06")).await?;
        let again = async |caller: &Signed| identity.make_gateway(caller, named("gt06")).await.unwrap_err();
        assert_eq!(again(&admin).await, Error::taken("name"));
        let renamed = GatewayInput { name: Some("other".to_owned()), ..change(&made) };
        let refused = identity.change_gateway(&identity.owner, renamed).await.unwrap_err();
        assert_eq!(refused.fields["name"], "not_changeable");
        identity.remove_gateway(&identity.owner, &made.id).await?;
        assert_eq!(again(&admin).await, Error::taken("name"), "what it sent may still wait");
        assert_eq!(again(&identity.owner).await, Error::taken("name"));

        let nobodys = identity.make_gateway(&identity.owner, of(TenantId::new(), "nobodys")).await.unwrap_err();
        assert_eq!(nobodys, Error::field("tenant_id", "unknown"));
        for number in 1..=100 {
            identity.make_gateway(&admin, named(&format!("g{number}"))).await?;
        }
        let refused = identity.make_gateway(&admin, named("g101")).await.unwrap_err();
        let reached = (refused.class, refused.code.as_str(), refused.limit.map(NonZeroU32::get));
        assert_eq!(reached, (Code::Conflict, "gateway_limit_reached", Some(100)));

        let anonymous = identity.anonymous().await;
        assert!(!anonymous.enabled, "only where it is wanted");
        let kept = identity.remove_gateway(&identity.owner, &anonymous.id).await.unwrap_err();
        assert_eq!((kept.class, kept.code.as_str()), (Code::Conflict, "gateway_is_built_in"));
        assert_eq!(identity.rotate(&anonymous).await.unwrap_err().code, "gateway_is_built_in");
        let addresses = GatewayInput { allowed_addresses: Some("depot".to_owned()), ..named("x") };
        let refused = identity.make_gateway(&identity.owner, addresses).await.unwrap_err();
        assert_eq!(refused.fields["allowed_addresses"], "invalid_address");
        identity.running.stop().await
    }

    async fn gateway_connects_only_with_its_secret(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start_asked(kind).await;
        let made = identity.make_gateway(&identity.owner, named("depot")).await?;
        let depot = identity.connect(&made).await;
        let secret = made.secret.clone().unwrap();
        for (name, secret) in [("depot", "x"), ("Depot", &*secret), ("other", &*secret), ("depot", ""), ("identity", "x")] {
            assert!(!identity.can_connect(name, secret).await, "{name} {secret}");
        }
        let second = identity.connect(&made).await;
        let connections = eventually("both are seen", SOON, async || {
            let list = identity.connections(&made).await?;
            anyhow::ensure!(list.total == 2, "{list:?}");
            Ok(list)
        })
        .await;
        assert!(connections.items.iter().all(|connection| connection.program == "test" && connection.address == "127.0.0.1"));
        let read = identity.read_gateway(&identity.owner, &made.id).await?;
        assert_eq!((read.state(), read.connections), (GatewayState::Connected, Some(2)));
        assert!(read.secret_used_at.is_some());

        let elsewhere = GatewayInput { allowed_addresses: Some("203.0.113.0/24".to_owned()), ..change(&made) };
        identity.change_gateway(&identity.owner, elsewhere).await?;
        wait_for_disconnect(&depot).await;
        wait_for_disconnect(&second).await;
        assert!(!identity.can_connect("depot", &secret).await);
        let here = GatewayInput { allowed_addresses: Some("127.0.0.1".to_owned()), ..change(&made) };
        identity.change_gateway(&identity.owner, here).await?;
        eventually("it is let in again", SOON, async || {
            anyhow::ensure!(depot.is_connected());
            Ok(())
        })
        .await;

        identity.change_gateway(&identity.owner, GatewayInput { enabled: Some(false), ..change(&made) }).await?;
        wait_for_disconnect(&depot).await;
        assert!(!identity.can_connect("depot", &secret).await);
        identity.change_gateway(&identity.owner, GatewayInput { enabled: Some(true), ..change(&made) }).await?;
        let depot = identity.connect(&made).await;
        identity.remove_gateway(&identity.owner, &made.id).await?;
        wait_for_disconnect(&depot).await;
        assert!(!identity.can_connect("depot", &secret).await);
        identity.running.stop().await
    }

    async fn commands_come_to_the_gateway_that_they_name(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start_asked(kind).await;
        let operator = &identity.world.gateways_bus().await.client;
        let depot = identity.connect(&identity.make_gateway(&identity.owner, named("depot")).await?).await;
        identity.make_gateway(&identity.owner, named("other")).await?;
        for (gateway, name) in [(depot, "depot"), (Connection::anonymous(&identity.world.nats).await, ANONYMOUS)] {
            let client = gateway.client();
            // The server refuses the others, and closes nothing.
            let mut received = Vec::new();
            for subject in ["command.other.*", "command.*.*", "command.reply.*.*", &format!("command.{name}.*")] {
                received.push(client.subscribe(subject.to_owned()).await?);
            }
            let mut received = futures::stream::select_all(received);
            let mut answers = operator.subscribe("command.reply.*.*").await?;
            let command = eventually("the command is heard", SOON, async || {
                for gateway in ["other", "reply.other", name] {
                    operator.publish(format!("command.{gateway}.{IMEI}"), "x".into()).await?;
                }
                let received = tokio::time::timeout(Duration::from_millis(200), received.next()).await;
                received?.ok_or_else(|| anyhow::anyhow!("the subscription has ended"))
            })
            .await;
            assert_eq!(command.subject.as_str(), format!("command.{name}.{IMEI}"));

            // One connection's messages come in their order, so those before are not heard at all.
            for forged in ["command.reply.other", "command.other", &format!("command.{name}"), "command.reply"] {
                client.publish(format!("{forged}.{IMEI}"), "forged".into()).await?;
            }
            client.publish(format!("command.reply.{name}.{IMEI}"), "own".into()).await?;
            let answer = loop {
                let answer = tokio::time::timeout(SOON, answers.next()).await?.expect("it is subscribed");
                if &*answer.payload != b"x" {
                    break answer;
                }
            };
            assert_eq!((answer.subject.as_str(), &*answer.payload), (&*format!("command.reply.{name}.{IMEI}"), &b"own"[..]));
        }
        for name in ["reply", "Reply"] {
            let refused = identity.make_gateway(&identity.owner, named(name)).await.unwrap_err();
            assert_eq!(refused, Error::field("name", "reserved"), "its commands would be the answers of others");
        }
        identity.running.stop().await
    }

    async fn two_secrets_are_valid_until_the_former_is_retired(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start_asked(kind).await;
        let first = identity.make_gateway(&identity.owner, named("depot")).await?;
        let old = identity.connect(&first).await;
        let second = identity.rotate(&first).await?;
        assert!(second.has_previous_secret && second.secret.is_some() && second.secret != first.secret);
        let new = identity.connect(&second).await;
        identity.connect(&first).await;
        let read = identity.read_gateway(&identity.owner, &first.id).await?;
        assert!(read.previous_secret_used_at.is_some() && read.secret_used_at.is_some(), "{read:?}");
        let retired = identity.retire(&first).await?;
        assert!(!retired.has_previous_secret && retired.secret.is_none());
        wait_for_disconnect(&old).await;
        assert!(!identity.can_connect("depot", first.secret.as_ref().unwrap()).await);
        eventually("the new one comes back", SOON, async || {
            anyhow::ensure!(new.is_connected());
            Ok(())
        })
        .await;
        let third = identity.rotate(&first).await?;
        identity.rotate(&first).await?;
        assert!(!identity.can_connect("depot", second.secret.as_ref().unwrap()).await, "the one before the former");
        // What cuts off the others may still be on its way, and cut this one off once.
        identity.connect(&third).await;
        wait_for_disconnect(&new).await;
        identity.running.stop().await
    }

    async fn anonymous_gateways_can_be_disabled(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start_asked(kind).await;
        let local = identity.anonymous().await;
        let nobody = identity.connect(&local).await;
        identity.change_gateway(&identity.owner, GatewayInput { enabled: Some(false), ..change(&local) }).await?;
        wait_for_disconnect(&nobody).await;
        assert!(!identity.can_connect(ANONYMOUS, "").await);
        identity.change_gateway(&identity.owner, GatewayInput { enabled: Some(true), ..change(&local) }).await?;
        identity.connect(&local).await;
        identity.running.stop().await
    }

    async fn the_gateways_of_a_deleted_tenant_are_cut_off(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start_asked(kind).await;
        let tenant = identity.new_tenant("One").await;
        let made = identity.make_gateway(&identity.owner, of(tenant, "theirs")).await?;
        let depot = identity.connect(&made).await;
        let request = DeleteTenantInput { id: tenant.to_string(), name: "One".to_owned(), ..Default::default() };
        answer(identity.tenants().delete(identity.owner.sign(request)).await)?;
        wait_for_disconnect(&depot).await;
        assert!(!identity.can_connect("theirs", made.secret.as_ref().unwrap()).await);
        identity.running.stop().await
    }

    async fn while_identity_is_away_connections_go_on(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start_asked(kind).await;
        let made = identity.make_gateway(&identity.owner, named("depot")).await?;
        let depot = identity.connect(&made).await;
        let Identity { world, running, .. } = identity;
        running.stop().await?;
        // The client may take the server's first PING for its admission: what counts is whom the server has let in.
        let _nobody = Connection::try_connect(&world.nats, "depot", made.secret.as_ref().unwrap()).await;
        let system = Bus::connect_without_streams(&world.nats.url_of("identity-system"), "test").await?;
        let asked = r#"{"user":"depot","auth":true}"#;
        let answer = system.client.request("$SYS.REQ.SERVER.PING.CONNZ", asked.into()).await?;
        let answer: serde_json::Value = serde_json::from_slice(&answer.payload)?;
        let connections = answer["data"]["connections"].as_array().expect("a list");
        let let_in = connections.iter().filter(|connection| connection["account"] == "GATEWAYS").count();
        assert_eq!(let_in, 1, "new ones wait: {answer}");
        assert!(depot.is_connected());
        Ok(())
    }

    async fn what_gateways_publish_is_counted(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let made = identity.make_gateway(&identity.owner, named("depot")).await?;
        let rejected = |count| vec![GatewayRejection { reason: "null_island".to_owned(), count }];
        let received = Timestamp::now();
        for (fixes, refused) in [(60, 2), (60, 3)] {
            let counts = ["depot", "nobodys"].map(|name| Count {
                gateway: name.to_owned(),
                fixes,
                rejected: rejected(refused),
                last_heard: received.millis(),
            });
            let body = GatewayTraffic { counts: counts.into() }.encode_to_vec();
            identity.world.bus.client.publish(TRAFFIC, body.into()).await?;
        }
        let read = eventually("both are counted", SOON, async || {
            let read = identity.read_gateway(&identity.owner, &made.id).await?;
            anyhow::ensure!(read.rejected == 5, "{read:?}");
            Ok(read)
        })
        .await;
        assert_eq!((read.rejections.clone(), read.last_heard_at), (rejected(5), Some(received)));
        assert!(read.fixes_per_second > 0.0 && read.fixes_per_second <= 2.0, "{}", read.fixes_per_second);
        assert_eq!((read.row_version, read.state()), (1, GatewayState::Disconnected));
        identity.running.stop().await
    }
}

/// What `/readyz` says of a part of the process; none while it is not listed.
async fn part(identity: &Identity, name: &str) -> Option<bool> {
    let health = &identity.running.context.health;
    health.run_checks().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let admin = Api::new(&format!("http://{}", listener.local_addr().unwrap()));
    let router = health.router();
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    let body = admin.get("/readyz").await.unwrap().json();
    serving.abort();
    let mut checks = body["checks"].as_array().unwrap().iter();
    checks.find(|check| check["name"] == name).and_then(|check| check["ok"].as_bool())
}

both_databases! {
    async fn whose_answers_the_server_does_not_believe_says_so(kind: Kind) -> anyhow::Result<()> {
        let believed = Identity::start_asked(kind).await;
        eventually("the trial has shown it", SOON, async || match part(&believed, "gateway logins").await {
            Some(true) => Ok(()),
            other => anyhow::bail!("{other:?}"),
        })
        .await;

        let another = armada_runtime::nkey::AccountKey::generate().unwrap().seed();
        let refused = Identity::start_signing_as(kind, &another).await;
        eventually("the trial has shown it", SOON, async || match part(&refused, "gateway logins").await {
            Some(false) => Ok(()),
            other => anyhow::bail!("{other:?}"),
        })
        .await;
        Ok(())
    }
}
