//! A GPS gateway as others write one: it publishes on NATS and waits for the acknowledgement of JetStream.

use armada_runtime::Bus;
use serde_json::Value;

use crate::nats::NatsServer;

/// A connection of a gateway.
pub struct Gateway {
    bus: Bus,
    name: String,
}

impl Gateway {
    /// Connects without credentials: single devices only.
    pub async fn connect(nats: &NatsServer, name: &str) -> Self {
        Self::connect_to(&nats.anonymous_url(), name).await
    }

    /// Connects with the services' credentials: frames too.
    pub async fn connect_trusted(nats: &NatsServer, name: &str) -> Self {
        Self::connect_to(&nats.url(), name).await
    }

    /// Connects to the server at `url`.
    pub async fn connect_to(url: &str, name: &str) -> Self {
        let bus = Bus::connect_as_gateway(url, name).await.expect("nats-server accepts gateways");
        Self { bus, name: name.to_owned() }
    }

    /// Publishes one object or an array of them on `gps.<gateway>.<imei>`; the sequence it has in the stream.
    pub async fn report(&self, imei: &str, body: &Value) -> anyhow::Result<u64> {
        self.publish(imei, body.to_string().into_bytes()).await
    }

    /// Publishes a `PositionFrame` on `gps.<gateway>.frame.<partition>`.
    pub async fn frame(&self, partition: u32, body: Vec<u8>) -> anyhow::Result<u64> {
        self.publish(&format!("frame.{partition}"), body).await
    }

    /// Publishes any bytes below `gps.<gateway>.`.
    pub async fn publish(&self, rest_of_subject: &str, body: Vec<u8>) -> anyhow::Result<u64> {
        let subject = format!("gps.{}.{rest_of_subject}", self.name);
        let acknowledged = self.bus.jetstream.publish(subject, body.into()).await?.await?;
        Ok(acknowledged.sequence)
    }
}
