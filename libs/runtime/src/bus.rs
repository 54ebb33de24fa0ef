//! The connection to NATS, and how streams and buckets are made and checked.

mod addresses;
mod batches;
mod bucket;
mod connect;
mod follow;
mod greeting;
mod metrics;
mod notices;
mod publish;
mod signed;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use armada_proto::Timestamp;
use async_nats::{
    Client,
    connection::State,
    jetstream::{
        self,
        context::{CreateStreamError, CreateStreamErrorKind},
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
    addresses::{AddressError, Addresses},
    batches::{DurableConsumer, consume},
    bucket::{Bucket, Entry},
    follow::{All, BucketUpdate, Follower},
    metrics::register,
    publish::{Publication, PublishFailure, PublishWindow, Published},
    signed::{MessageProof, MessageSigner, with_own_key},
};
use crate::{
    error::{Error, Result},
    health::Name,
};

/// What a readiness check needs that asks streams: the connection, and that JetStream answers.
pub const JETSTREAM: [Name; 2] = [CONNECTION, Cow::Borrowed("jetstream")];
/// What one needs that asks no streams.
pub const CONNECTION: Name = Cow::Borrowed("nats");

/// How many entries were ignored, by their bucket.
type Refused = Arc<Mutex<BTreeMap<&'static str, u64>>>;

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
    /// Its servers, and its login.
    at: Addresses,
}

impl Bus {
    /// The same connection for who makes streams and buckets: so many copies of each, 1, or more on a cluster.
    #[must_use]
    pub fn with_replicas(self, replicas: usize) -> Self {
        Self { replicas, ..self }
    }

    /// Changes each time the connection comes back. What reads a stream opens it anew then: a server that was restarted
    /// no longer knows its readers, and they would notice by missing heartbeats alone.
    pub fn connections(&self) -> watch::Receiver<u64> {
        let mut connections = self.connections.clone();
        connections.mark_unchanged();
        connections
    }

    /// Whether a server lets this connection in, in words for `/readyz`.
    pub(crate) fn check_connection(&self) -> Result<String> {
        match self.client.connection_state() {
            State::Connected => Ok("connected".to_owned()),
            _ => Err(Error::unavailable("not connected")),
        }
    }

    /// Whether a server lets this connection in that is there, in words for `/readyz`; nothing to be said while none is there.
    pub(crate) async fn check_login(&self) -> Result<Option<String>> {
        if self.client.connection_state() == State::Connected {
            return Ok(Some("accepted".to_owned()));
        }
        match greeting::first_that_greets(self.at.servers()).await {
            Some(server) => {
                let (name, at) = (self.notices.name(), server.as_url_str());
                Err(Error::unavailable(format!("{at} answers, and does not let in {name}")))
            }
            None => Ok(None),
        }
    }

    /// Whether everything that was subscribed to is heard, in the same words.
    pub(crate) fn check_hearing(&self) -> Result<String> {
        self.notices.check_hearing()
    }

    /// Whether the streams behind it answer, in the same words; nothing to be said where there are none.
    pub(crate) async fn check_jetstream(&self) -> Result<Option<String>> {
        if !self.has_streams {
            return Ok(None);
        }
        self.jetstream.query_account().await.map_err(Error::unavailable)?;
        Ok(Some("answers".to_owned()))
    }

    /// The clock of the server that leads one of the streams which were opened, milliseconds since 1970; none before one was. One
    /// on this host has no clock of its own, and is not asked.
    pub(crate) async fn now(&self) -> Result<Option<i64>> {
        #[derive(Deserialize)]
        struct Info {
            ts: String,
        }
        let stream = self.opened.lock().expect("no panic while held").first().cloned();
        let Some(stream) = stream.filter(|_| !self.at.are_here()) else { return Ok(None) };
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
        self.make(config).await.map_err(|error| Error::unavailable(format!("stream {name}: {error}")))
    }

    /// Once more when nobody has answered: a cluster may have made the stream all the same, and finds it then.
    async fn make(&self, config: Config) -> std::result::Result<(), CreateStreamError> {
        let made = self.jetstream.create_or_update_stream(config.clone()).await;
        match made {
            Err(error) if error.kind() == CreateStreamErrorKind::TimedOut => {
                self.jetstream.create_or_update_stream(config).await.map(drop)
            }
            made => made.map(drop),
        }
    }

    /// A stream that `armada migrate` has made, if its fixed properties are as expected.
    pub async fn stream(&self, name: &str, fixed: &HashMap<String, String>) -> Result<Stream> {
        let asked = self.jetstream.get_stream(name);
        let stream = self.unless_denied(name, asked).await?.map_err(|error| {
            Error::unavailable(format!("stream {name}: {error}; `armada migrate` makes the streams"))
        })?;
        check_fixed(name, &stream.cached_info().config, fixed)?;
        self.opened(name);
        Ok(stream)
    }

    /// Refuses a deployment in which one of these streams is still to be made, those of buckets among them.
    pub async fn has_streams(&self, names: impl Iterator<Item = String>) -> Result<()> {
        for name in names {
            self.stream(&name, &HashMap::new()).await?;
        }
        Ok(())
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
        self.make(config).await.map_err(|error| Error::unavailable(format!("bucket {name}: {error}")))
    }

    /// A bucket that `armada migrate` has made.
    pub async fn bucket(&self, name: &str) -> Result<kv::Store> {
        let asked = self.jetstream.get_key_value(name);
        let bucket = self.unless_denied(&format!("KV_{name}"), asked).await?.map_err(|error| {
            Error::unavailable(format!("bucket {name}: {error}; `armada migrate` makes the buckets"))
        })?;
        self.opened(&bucket.stream_name);
        Ok(bucket)
    }

    /// What is asked of a stream, unless the user of this connection may not ask: the server says so, and answers nothing.
    async fn unless_denied<T>(&self, stream: &str, asked: impl Future<Output = T>) -> Result<T> {
        let subject = format!("$JS.API.STREAM.INFO.{stream}");
        tokio::select! {
            answer = asked => Ok(answer),
            () = self.notices.denied(&subject, Instant::now()) => {
                let name = self.notices.name();
                Err(Error::unavailable(format!("stream {stream}: the NATS user of {name} may not read it")))
            }
        }
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
