//! The connection to NATS, and how streams and buckets are made and checked.

mod batches;
mod bucket;
mod follow;
mod metrics;
mod notices;
mod publish;
mod signed;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex},
    time::Duration,
};

use armada_proto::{Timestamp, gateway};
use async_nats::{
    Client, ConnectOptions, Event, ServerAddr,
    connection::State,
    jetstream::{
        self,
        context::ContextBuilder,
        kv,
        response::Response,
        stream::{Config, DiscardPolicy, StorageType, Stream},
    },
};
use bytes::Bytes;
use futures::StreamExt;
use serde::Deserialize;
use tokio::sync::watch;

use self::notices::Notices;
pub use self::{
    batches::{DurableConsumer, consume},
    bucket::{Bucket, Entry},
    follow::{All, BucketUpdate, Follower},
    metrics::register,
    publish::{Publication, PublishFailure, PublishWindow, Published},
    signed::{MessageProof, MessageSigner, with_own_key},
};
use crate::{
    error::{Error, Result},
    trust::{self, Trust},
};

/// How many entries were ignored, by their bucket.
type Refused = Arc<Mutex<BTreeMap<&'static str, u64>>>;

/// Unacknowledged JetStream publications that one connection may have under way.
const MAX_ACKS_IN_FLIGHT: usize = 1024;

/// Messages that may wait for the reader of a subscription: beyond, they are lost. The receiver reads without waiting, and
/// many thousands arrive at once.
const SUBSCRIPTION_CAPACITY: usize = 65_536;

/// A connection to NATS with JetStream. Cheap to clone.
#[derive(Clone)]
pub struct Bus {
    /// Whether its account has streams.
    has_streams: bool,
    /// Copies of each stream and bucket that it makes.
    replicas: usize,
    /// For core subjects.
    pub client: Client,
    /// For streams and buckets.
    pub jetstream: jetstream::Context,
    connections: watch::Receiver<u64>,
    /// The streams that this process has opened, those of buckets among them.
    opened: Arc<Mutex<BTreeSet<String>>>,
    refused: Refused,
    notices: Notices,
    /// The server is on this host.
    is_here: bool,
}

impl Bus {
    /// Connects to `url`, e.g. `nats://user:password@host:4222`, as `name`. Waits for the server for up to ten seconds,
    /// then reconnects by itself for ever. Answers come to subjects below [`inbox_of`] the user, which no other may hear.
    pub async fn connect(url: &str, name: &str) -> Result<Self> {
        let options = ConnectOptions::new().name(name).custom_inbox_prefix(inbox_of(url));
        // Connecting is a large future, and callers hold several.
        Box::pin(Self::connect_with(url, name, options)).await
    }

    /// The same as a user of an account that has no streams: the server's own, or that of gateways.
    pub async fn connect_without_streams(url: &str, name: &str) -> Result<Self> {
        Ok(Self { has_streams: false, ..Self::connect(url, name).await? })
    }

    /// The same connection for who makes streams and buckets: so many copies of each, 1, or more on a cluster.
    #[must_use]
    pub fn with_replicas(self, replicas: usize) -> Self {
        Self { replicas, ..self }
    }

    /// As a gateway connects: answers come below the inbox of that gateway.
    pub async fn connect_as_gateway(url: &str, gateway: &str) -> Result<Self> {
        let options = ConnectOptions::new().name(gateway).custom_inbox_prefix(gateway::inbox_of(gateway));
        Ok(Self { has_streams: false, ..Box::pin(Self::connect_with(url, gateway, options)).await? })
    }

    async fn connect_with(url: &str, name: &str, options: ConnectOptions) -> Result<Self> {
        let away = |error: &(dyn std::error::Error + 'static)| {
            Error::unavailable(format!("NATS at {}: {}", redacted(url), trust::reason(error)))
        };
        let address: ServerAddr = url.parse().map_err(|error: std::io::Error| away(&error))?;
        let options = options
            .max_reconnects(None)
            .subscription_capacity(SUBSCRIPTION_CAPACITY)
            .client_capacity(4096)
            .connection_timeout(Duration::from_secs(5))
            .tls_client_config(Trust::of_process().client_config().map_err(Error::internal)?)
            .reconnect_delay_callback(|attempt| {
                Duration::from_millis((attempt.saturating_sub(1) as u64 * 50).min(1000))
            });
        // async-nats takes no credentials out of the URL.
        let options = match (address.username(), address.password()) {
            (Some(user), Some(password)) => options.user_and_password(user.to_owned(), password.to_owned()),
            (Some(token), None) => options.token(token.to_owned()),
            _ => options,
        };
        let (count, connections) = watch::channel(0_u64);
        let (notices, named) = (Notices::default(), name.to_owned());
        let noticed = notices.clone();
        let options = options.event_callback(move |event| {
            noticed.take(&named, &event);
            if matches!(event, Event::Connected) {
                count.send_modify(|count| *count += 1);
            }
            std::future::ready(())
        });
        let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
        let client = loop {
            match options.clone().connect(address.clone()).await {
                Ok(client) => break client,
                Err(error) if tokio::time::Instant::now() > deadline => return Err(away(&error)),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        };
        let jetstream = ContextBuilder::new()
            .timeout(Duration::from_secs(10))
            .ack_timeout(Duration::from_secs(10))
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
            is_here: matches!(address.host(), "localhost" | "127.0.0.1" | "::1"),
        })
    }

    /// Changes each time the connection comes back. What reads a stream opens it anew then: a server that was restarted
    /// no longer knows its readers, and they would notice by missing heartbeats alone.
    pub fn connections(&self) -> watch::Receiver<u64> {
        let mut connections = self.connections.clone();
        connections.mark_unchanged();
        connections
    }

    /// Whether NATS answers, in words for `/readyz`.
    pub(crate) async fn check_connection(&self) -> Result<String> {
        if self.client.connection_state() != State::Connected {
            return Err(Error::unavailable("not connected"));
        }
        if !self.has_streams {
            return Ok("connected".to_owned());
        }
        self.jetstream.query_account().await.map_err(|error| Error::unavailable(format!("JetStream: {error}")))?;
        Ok("connected; JetStream answers".to_owned())
    }

    /// The clock of the server that leads one of the streams which were opened, milliseconds since 1970; none before one was. One
    /// on this host has no clock of its own, and is not asked.
    pub(crate) async fn now(&self) -> Result<Option<i64>> {
        #[derive(Deserialize)]
        struct Info {
            ts: String,
        }
        let stream = self.opened.lock().expect("no panic while held").first().cloned();
        let Some(stream) = stream.filter(|_| !self.is_here) else { return Ok(None) };
        let info = self.jetstream.request(format!("STREAM.INFO.{stream}"), &()).await;
        let Response::Ok(Info { ts }) = info.map_err(Error::unavailable)? else { return Ok(None) };
        Ok(Timestamp::parse_rfc3339(&ts).map(Timestamp::millis))
    }

    /// The streams and buckets that were opened, if all are still there.
    pub(crate) async fn check_streams(&self) -> Result<BTreeSet<String>> {
        let names = self.opened.lock().expect("no panic while held").clone();
        for name in &names {
            let found = self.jetstream.get_stream(name).await;
            found.map_err(|error| Error::unavailable(format!("stream {name}: {error}")))?;
        }
        Ok(names)
    }

    /// Shows a number for a bucket before anything in it was ignored.
    fn counts_refused(&self, bucket: &'static str) {
        self.refused.lock().expect("no panic while held").entry(bucket).or_default();
    }

    /// Counts an entry of a bucket that was ignored.
    fn refused(&self, bucket: &'static str) {
        *self.refused.lock().expect("no panic while held").entry(bucket).or_default() += 1;
    }

    fn refused_by_bucket(&self) -> BTreeMap<&'static str, u64> {
        self.refused.lock().expect("no panic while held").clone()
    }

    fn opened(&self, stream: &str) {
        self.opened.lock().expect("no panic while held").insert(stream.to_owned());
    }
}

/// Below which subjects answers come to a user: `_INBOX_fleet` for the service `fleet`. Without a user in the URL,
/// `_INBOX_armada`.
fn inbox_of(url: &str) -> String {
    let user = url.parse::<ServerAddr>().ok().and_then(|address| address.username().map(str::to_owned));
    let plain =
        |user: &String| !user.is_empty() && user.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    format!("_INBOX_{}", user.filter(plain).as_deref().unwrap_or("armada"))
}

/// `url` without its password, for messages.
fn redacted(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 < at => format!("{}{}", &url[..scheme + 3], &url[at + 1..]),
        _ => url.to_owned(),
    }
}

/// A stream as a service wants it.
pub struct StreamSpec {
    /// Its name.
    pub config: Config,
    /// What must be exactly so in a stream that exists already; written into its metadata.
    pub fixed: HashMap<String, String>,
}

impl StreamSpec {
    /// A file stream that refuses what does not fit, since dropping the oldest would drop what nobody has read.
    pub fn refusing_when_full(name: &str, subjects: &[&str], max_bytes: i64) -> Self {
        let config = Config {
            name: name.to_owned(),
            subjects: subjects.iter().map(|&subject| subject.to_owned()).collect(),
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            max_bytes,
            allow_direct: true,
            ..Config::default()
        };
        Self { config, fixed: HashMap::new() }
    }
}

impl Bus {
    /// Asks everybody who listens on a subject, and waits until so many have answered or `timeout` is over.
    pub async fn ask_all(
        &self,
        subject: &'static str,
        question: Bytes,
        listeners: usize,
        timeout: Duration,
    ) -> Result<Vec<Bytes>> {
        let inbox = self.client.new_inbox();
        let answers = self.client.subscribe(inbox.clone()).await.map_err(Error::unavailable)?;
        self.client.publish_with_reply(subject, inbox, question).await.map_err(Error::unavailable)?;
        let answers = answers.take(listeners).take_until(tokio::time::sleep(timeout));
        Ok(answers.map(|answer| answer.payload).collect().await)
    }

    /// Makes a stream, or brings one that exists to this form and number of copies. Refuses one whose fixed properties
    /// differ.
    pub async fn ensure_stream(&self, spec: StreamSpec) -> Result<()> {
        let name = spec.config.name.clone();
        if let Ok(existing) = self.jetstream.get_stream(&name).await {
            check_fixed(&name, &existing.cached_info().config, &spec.fixed)?;
        }
        let mut config = spec.config;
        config.metadata.extend(spec.fixed);
        config.num_replicas = self.replicas;
        self.jetstream
            .create_or_update_stream(config)
            .await
            .map_err(|error| Error::unavailable(format!("stream {name}: {error}")))?;
        Ok(())
    }

    /// A stream that `armada migrate` has made, if its fixed properties are as expected.
    pub async fn stream(&self, name: &str, fixed: &HashMap<String, String>) -> Result<Stream> {
        let stream = self.jetstream.get_stream(name).await.map_err(|error| {
            Error::unavailable(format!("stream {name}: {error}; `armada migrate` makes the streams"))
        })?;
        check_fixed(name, &stream.cached_info().config, fixed)?;
        self.opened(name);
        Ok(stream)
    }

    /// Makes a bucket, or brings one that exists to this form and number of copies. It is a stream as every bucket of
    /// NATS, but for one thing: no message in it removes others, since an answer of JetStream with such a header may be
    /// sent there.
    pub async fn ensure_bucket(&self, config: kv::Config) -> Result<()> {
        let name = config.bucket;
        let config = Config {
            name: format!("KV_{name}"),
            subjects: vec![format!("$KV.{name}.>")],
            max_messages_per_subject: config.history.max(1),
            max_age: config.max_age,
            max_bytes: config.max_bytes,
            max_message_size: config.max_value_size,
            storage: config.storage,
            num_replicas: self.replicas,
            discard: DiscardPolicy::New,
            allow_direct: true,
            allow_rollup: false,
            deny_delete: true,
            ..Config::default()
        };
        self.jetstream
            .create_or_update_stream(config)
            .await
            .map_err(|error| Error::unavailable(format!("bucket {name}: {error}")))?;
        Ok(())
    }

    /// A bucket that `armada migrate` has made.
    pub async fn bucket(&self, name: &str) -> Result<kv::Store> {
        let bucket = self.jetstream.get_key_value(name).await.map_err(|error| {
            Error::unavailable(format!("bucket {name}: {error}; `armada migrate` makes the buckets"))
        })?;
        self.opened(&bucket.stream_name);
        Ok(bucket)
    }
}

fn check_fixed(name: &str, config: &Config, fixed: &HashMap<String, String>) -> Result<()> {
    for (key, wanted) in fixed {
        let found = config.metadata.get(key).map_or("nothing", String::as_str);
        if found != wanted {
            return Err(Error::unavailable(format!("stream {name} has {key} = {found}, configured is {wanted}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{inbox_of, redacted};

    #[test]
    fn every_user_has_an_inbox_of_its_own() {
        assert_eq!(inbox_of("nats://position-ingest:secret@127.0.0.1:4222"), "_INBOX_position-ingest");
        assert_eq!(inbox_of("nats://127.0.0.1:4222"), "_INBOX_armada");
        assert_eq!(inbox_of("nats://a.>:secret@127.0.0.1:4222"), "_INBOX_armada");
    }

    #[test]
    fn passwords_stay_out_of_messages() {
        assert_eq!(redacted("nats://armada:secret@127.0.0.1:4222"), "nats://127.0.0.1:4222");
        assert_eq!(redacted("127.0.0.1:4222"), "127.0.0.1:4222");
    }
}
