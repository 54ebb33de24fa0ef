//! A GPS gateway as others write one: it publishes on NATS, keeps what was not answered, and sends it again.

use std::time::Duration;

use armada_proto::gateway::{ANONYMOUS, inbox_of};
use armada_runtime::Bus;
use async_nats::{Client, ConnectOptions, Request, connection::State};
use serde_json::Value;

use crate::{eventually::eventually, nats::NatsServer};

/// How long it may take until somebody receives.
const SOON: Duration = Duration::from_secs(20);
/// How long one answer may take before the message is sent again.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// A connection of a gateway.
pub struct Gateway {
    client: Client,
    name: String,
}

impl Gateway {
    /// Connects without credentials, as the gateway `local`.
    pub async fn anonymous(nats: &NatsServer) -> Self {
        Self::connect_to(&nats.anonymous_url(), ANONYMOUS).await
    }

    /// Connects as a gateway of that name, with the credentials of whoever runs the machine.
    pub async fn connect_trusted(nats: &NatsServer, name: &str) -> Self {
        Self::connect_to(&nats.gateways_url(), name).await
    }

    /// Connects as a gateway that identity keeps, with its secret, if it may; once.
    pub async fn try_connect(nats: &NatsServer, name: &str, secret: &str) -> anyhow::Result<Self> {
        let options = ConnectOptions::new().custom_inbox_prefix(inbox_of(name)).name("test");
        let options =
            if name == ANONYMOUS { options } else { options.user_and_password(name.to_owned(), secret.to_owned()) };
        let client = options.connect(nats.anonymous_url()).await?;
        Ok(Self { client, name: name.to_owned() })
    }

    /// Its connection, to publish and hear what no other method does.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Whether the connection is open now.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Connects to the server at `url` as the gateway of that name.
    pub async fn connect_to(url: &str, name: &str) -> Self {
        let bus = Bus::connect_as_gateway(url, name).await.expect("nats-server accepts gateways");
        Self { client: bus.client, name: name.to_owned() }
    }

    /// Publishes one object or an array of them on `gps.<gateway>.<imei>`, which must be taken in; the sequence that it
    /// has in the stream.
    pub async fn report(&self, imei: &str, body: &Value) -> anyhow::Result<u64> {
        self.publish(imei, body.to_string().into_bytes()).await
    }

    /// Publishes a `PositionFrame` on `gps.<gateway>.frame`, which must be taken in.
    pub async fn frame(&self, body: Vec<u8>) -> anyhow::Result<u64> {
        self.publish("frame", body).await
    }

    /// Publishes any bytes on `gps.<gateway>.<device>`, which must be taken in.
    pub async fn publish(&self, device: &str, body: Vec<u8>) -> anyhow::Result<u64> {
        let answer = self.send(device, body).await;
        anyhow::ensure!(answer["error"].is_null(), "{answer}");
        answer["seq"].as_u64().ok_or_else(|| anyhow::anyhow!("no sequence: {answer}"))
    }

    /// Publishes any bytes on `gps.<gateway>.<device>`, again until somebody says what became of them.
    pub async fn send(&self, device: &str, body: Vec<u8>) -> Value {
        eventually("the gateway is answered", SOON, async || {
            let answer = self.try_send(device, body.clone()).await?;
            anyhow::ensure!(answer["retry_after_ms"].is_null(), "{answer}");
            Ok(answer)
        })
        .await
    }

    /// Publishes any bytes on `gps.<gateway>.<device>` once.
    pub async fn try_send(&self, device: &str, body: Vec<u8>) -> anyhow::Result<Value> {
        let request = Request::new().payload(body.into()).timeout(Some(ANSWER_TIMEOUT));
        let answer = self.client.send_request(format!("gps.{}.{device}", self.name), request).await?;
        Ok(serde_json::from_slice(&answer.payload)?)
    }
}
