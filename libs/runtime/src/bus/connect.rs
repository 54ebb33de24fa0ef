//! How a connection is made, noticed to be dead, and made anew.

use std::{sync::Arc, time::Duration};

use armada_proto::gateway;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, jetstream::context::ContextBuilder};
use bytes::Bytes;
use futures::StreamExt;
use tokio::{
    sync::watch,
    time::{Instant, timeout},
};

use super::{Addresses, Bus, Refused, notices::Notices};
use crate::{
    error::{Error, Result},
    random::random,
    trust::{self, Trust},
};

/// How long the first connection is tried unless somebody says otherwise.
const FIRST_CONNECTION: Duration = Duration::from_secs(10);
/// Between two rounds of that.
const ROUND_PAUSE: Duration = Duration::from_millis(50);
/// How long one server may take to let somebody in; a hanging one takes connections and says nothing.
const ADMISSION_TIMEOUT: Duration = Duration::from_secs(2);
/// A server that has said nothing for so long is pinged. async-nats gives a connection up when a third ping would follow two
/// without an answer: three times as long after the last word, 4.5 s. A connection on which something comes is never pinged.
const PING_INTERVAL: Duration = Duration::from_millis(1_500);
/// What is added to the longest wait before another attempt to reconnect, up to [`DELAY_MAX`].
const DELAY_STEP: Duration = Duration::from_millis(50);
const DELAY_MAX: Duration = Duration::from_secs(1);
/// How long JetStream may take for an answer, and for the acknowledgement of what is published.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Unacknowledged JetStream publications that one connection may have under way.
const MAX_ACKS_IN_FLIGHT: usize = 1024;
/// Messages that may wait for the reader of a subscription: beyond, they are lost. The receiver reads without waiting, and
/// many thousands arrive at once.
const SUBSCRIPTION_CAPACITY: usize = 65_536;

impl Bus {
    /// Connects as `name` to one of the servers `at`, [`Addresses`] or their text. Waits for them for up to ten seconds,
    /// then reconnects by itself for ever, to any of them. Answers come to subjects below [`inbox_of`] the user, which no
    /// other may hear.
    pub async fn connect<A>(at: A, name: &str) -> Result<Self>
    where
        A: TryInto<Addresses, Error: Into<Error>>,
    {
        Self::connect_within(FIRST_CONNECTION, at, name).await
    }

    /// The same for who waits for so long. Every server is asked once at least, which takes two seconds where one hangs.
    pub async fn connect_within<A>(patience: Duration, at: A, name: &str) -> Result<Self>
    where
        A: TryInto<Addresses, Error: Into<Error>>,
    {
        let at = at.try_into().map_err(Into::<Error>::into)?;
        let options = ConnectOptions::new().custom_inbox_prefix(inbox_of(&at));
        // Connecting is a large future, and callers hold several.
        Box::pin(Self::connect_with(at, name, options, patience)).await
    }

    /// The same as a user of an account that has no streams: the server's own, or that of gateways.
    pub async fn connect_without_streams<A>(at: A, name: &str) -> Result<Self>
    where
        A: TryInto<Addresses, Error: Into<Error>>,
    {
        Ok(Self { has_streams: false, ..Self::connect(at, name).await? })
    }

    /// As a gateway connects: answers come below the inbox of that gateway.
    pub async fn connect_as_gateway<A>(at: A, gateway: &str) -> Result<Self>
    where
        A: TryInto<Addresses, Error: Into<Error>>,
    {
        let at = at.try_into().map_err(Into::<Error>::into)?;
        let options = ConnectOptions::new().custom_inbox_prefix(gateway::inbox_of(gateway));
        Ok(Self { has_streams: false, ..Box::pin(Self::connect_with(at, gateway, options, FIRST_CONNECTION)).await? })
    }

    /// Whether a server of the same list lets in who comes with this login, and may speak in its own inbox alone; an error while
    /// nobody says.
    pub async fn lets_in(&self, user: &str, password: &str) -> Result<bool> {
        let name = format!("{} (tries a login)", self.notices.name());
        let options = self.at.demanding_tls(ConnectOptions::new());
        let options = options
            .user_and_password(user.to_owned(), password.to_owned())
            .name(name)
            .custom_inbox_prefix(gateway::inbox_of(user))
            .max_reconnects(self.at.servers().len())
            .connection_timeout(ADMISSION_TIMEOUT)
            .tls_client_config(Trust::of_process().client_config().map_err(Error::internal)?);
        match Box::pin(options.connect(self.at.servers())).await {
            // The library may take something else that the server says for admission.
            Ok(client) => hears_itself(&client).await.map(|()| true),
            Err(error) if error.kind() == ConnectErrorKind::AuthorizationViolation => Ok(false),
            Err(error) => Err(Error::unavailable(trust::reason(&error))),
        }
    }

    async fn connect_with(at: Addresses, name: &str, options: ConnectOptions, patience: Duration) -> Result<Self> {
        let (count, connections) = watch::channel(0_u64);
        let (notices, made) = (Notices::of(name), connections.clone());
        let noticed = notices.clone();
        let options = at
            .applied_to(options)
            .name(name)
            .max_reconnects(None)
            .subscription_capacity(SUBSCRIPTION_CAPACITY)
            .client_capacity(4096)
            .connection_timeout(ADMISSION_TIMEOUT)
            .ping_interval(PING_INTERVAL)
            .tls_client_config(Trust::of_process().client_config().map_err(Error::internal)?)
            .reconnect_delay_callback(move |attempt| delay_before(attempt, *made.borrow() > 0))
            .event_callback(move |event| {
                noticed.take(&event);
                if matches!(event, Event::Connected) {
                    count.send_modify(|count| *count += 1);
                }
                std::future::ready(())
            });
        let deadline = Instant::now() + patience;
        let client = loop {
            match options.clone().connect(at.servers()).await {
                Ok(client) => break client,
                Err(error) if Instant::now() >= deadline => {
                    return Err(Error::unavailable(format!("NATS at {at}: {}", trust::reason(&error))));
                }
                Err(_) => tokio::time::sleep(ROUND_PAUSE).await,
            }
        };
        let jetstream = ContextBuilder::new()
            .timeout(ANSWER_TIMEOUT)
            .ack_timeout(ANSWER_TIMEOUT)
            .max_ack_inflight(MAX_ACKS_IN_FLIGHT)
            .build(client.clone());
        Ok(Self {
            has_streams: true,
            replicas: 1,
            client,
            jetstream,
            connections,
            opened: Arc::default(),
            refused: Refused::default(),
            notices,
            at,
        })
    }
}

/// Whether a message comes back from the server.
async fn hears_itself(client: &Client) -> Result<()> {
    let inbox = client.new_inbox();
    let mut heard = client.subscribe(inbox.clone()).await.map_err(Error::unavailable)?;
    client.publish(inbox, Bytes::new()).await.map_err(Error::unavailable)?;
    let message = timeout(ADMISSION_TIMEOUT, heard.next()).await.map_err(Error::unavailable)?;
    message.map(drop).ok_or_else(|| Error::unavailable("the connection has ended"))
}

/// Below which subjects answers come to a user: `_INBOX_fleet` for the service `fleet`. Without a user in the addresses,
/// `_INBOX_armada`.
fn inbox_of(at: &Addresses) -> String {
    let plain = |user: &&str| user.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    format!("_INBOX_{}", at.user().filter(plain).unwrap_or("armada"))
}

/// How long to wait before this attempt, from 1, at a server. The first connection begins at once. Whoever loses one waits
/// for a random part of what may be waited, so that not all clients of a server that died come to the next at once.
fn delay_before(attempt: usize, was_connected: bool) -> Duration {
    let steps = attempt.saturating_sub(usize::from(!was_connected));
    let most = DELAY_STEP.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX)).min(DELAY_MAX);
    let part = random().map_or(u32::MAX, u32::from_le_bytes);
    most.mul_f64(f64::from(part) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::{DELAY_MAX, DELAY_STEP, delay_before, inbox_of};

    #[test]
    fn every_user_has_an_inbox_of_its_own() {
        let inbox = |text: &str| inbox_of(&text.parse().expect("an address"));
        assert_eq!(inbox("nats://position-ingest:secret@127.0.0.1:4222"), "_INBOX_position-ingest");
        assert_eq!(inbox("nats://one,nats://fleet:secret@two"), "_INBOX_fleet");
        assert_eq!(inbox("nats://127.0.0.1:4222"), "_INBOX_armada");
        assert_eq!(inbox("nats://a.>:secret@127.0.0.1:4222"), "_INBOX_armada");
    }

    #[test]
    fn reconnecting_waits_for_a_bounded_random_time() {
        assert!(delay_before(1, false).is_zero(), "the first connection begins at once");
        assert!((0..100).all(|_| delay_before(1, true) <= DELAY_STEP));
        let waits: Vec<_> = (0..100).map(|_| delay_before(usize::MAX, true)).collect();
        assert!(waits.iter().all(|wait| *wait <= DELAY_MAX));
        assert!(waits.iter().any(|wait| *wait != waits[0]), "they are all alike");
    }
}
