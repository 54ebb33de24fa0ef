//! What a service may do in NATS: what it publishes and hears, which buckets it owns or follows, which streams it reads. From
//! that come the subjects that its user may write and subscribe to.

use crate::variables::in_variables;

/// A user of NATS.
#[derive(Debug, Clone, Copy)]
pub struct User {
    /// Its name.
    pub name: &'static str,
    /// What it is for, in sentences.
    pub about: &'static str,
    /// Where it is.
    pub account: Account,
    /// Whose password it has: two users of one service, in two accounts, may share one.
    pub login: &'static str,
    /// Subjects that it publishes on.
    pub publishes: &'static [&'static str],
    /// Subjects that it never publishes on, where it may on all others: whose inboxes it answers to, have any name.
    pub never_publishes: &'static [&'static str],
    /// Subjects that it subscribes to, beside its own inbox.
    pub hears: &'static [&'static str],
    /// Buckets that it writes or reads.
    pub buckets: &'static [Bucket],
    /// Streams that it reads.
    pub streams: &'static [Stream],
}

/// An account of the NATS server. None takes anything from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    /// With the streams: services, and whoever runs the machine.
    Services,
    /// Gateways, and those who speak with them.
    Gateways,
    /// The server's own.
    System,
}

/// A bucket, and what a user does with it.
#[derive(Debug, Clone, Copy)]
pub struct Bucket {
    /// Its name.
    pub name: &'static str,
    /// The keys that it writes, as a subject.
    pub writes: Option<&'static str>,
    /// How it reads.
    pub reads: Reads,
}

/// How a bucket is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Not at all; that it is there is seen.
    Nothing,
    /// Entry by entry.
    Entries,
    /// By a consumer, which hears of every change.
    Changes,
}

/// A stream that is read.
#[derive(Debug, Clone, Copy)]
pub struct Stream {
    /// Its name.
    pub name: &'static str,
    /// How it is read.
    pub consumer: Consumer,
    /// What is done with it besides.
    pub more: &'static [Access],
}

/// By whom a stream is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consumer {
    /// Nobody.
    None,
    /// Consumers that begin where the reader says, and forget.
    Ordered,
    /// One that remembers what was acknowledged.
    Durable {
        /// Its name.
        name: &'static str,
        /// What the subjects of the stream begin with.
        subjects: &'static str,
    },
}

/// What is done with a stream beside consuming it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Messages are read by number.
    Get,
    /// The same, from any copy of the stream.
    DirectGet,
    /// The last message of a subject is read, from any copy of the stream.
    DirectGetLast,
    /// What is not needed any more is removed.
    Purge,
}

impl Consumer {
    /// One of this name, of the stream whose subjects begin so.
    pub const fn durable(name: &'static str, subjects: &'static str) -> Self {
        Self::Durable { name, subjects }
    }

    /// What the subjects begin with that are read and acknowledged.
    pub const fn subjects(&self) -> Option<&'static str> {
        match self {
            Self::Durable { subjects, .. } => Some(subjects),
            Self::None | Self::Ordered => None,
        }
    }
}

impl Bucket {
    /// One that it alone writes, and follows.
    pub const fn owns(name: &'static str, keys: &'static str) -> Self {
        Self { name, writes: Some(keys), reads: Reads::Changes }
    }

    /// One whose changes it hears.
    pub const fn follows(name: &'static str) -> Self {
        Self { name, writes: None, reads: Reads::Changes }
    }

    /// One of which it reads entries.
    pub const fn gets(name: &'static str) -> Self {
        Self { name, writes: None, reads: Reads::Entries }
    }

    /// One that it writes, and reads as is said.
    pub const fn writes(name: &'static str, keys: &'static str, reads: Reads) -> Self {
        Self { name, writes: Some(keys), reads }
    }
}

impl User {
    /// The variable with its password.
    pub fn password(&self) -> String {
        format!("NATS_{}_PASSWORD", in_variables(self.login))
    }

    /// The streams that it reads or writes, those of its buckets among them.
    pub fn needs_streams(&self) -> impl Iterator<Item = String> {
        let buckets = self.buckets.iter().map(|bucket| format!("KV_{}", bucket.name));
        buckets.chain(self.streams.iter().map(|stream| stream.name.to_owned()))
    }

    /// Where the answers to its questions come: no other user hears them.
    pub fn inbox(&self) -> String {
        format!("_INBOX_{}.>", self.name)
    }

    /// The subjects that it may publish on, in lines: what it tells, what it asks of JetStream, bucket by bucket and stream
    /// by stream.
    pub fn may_publish(&self) -> Vec<Vec<String>> {
        let mut told: Vec<String> = self.publishes.iter().map(|subject| (*subject).to_owned()).collect();
        let written = self.buckets.iter().filter_map(|bucket| Some(format!("$KV.{}.{}", bucket.name, bucket.writes?)));
        told.extend(written);
        if self.account == Account::Services {
            told.push("$JS.API.INFO".to_owned());
        }
        let buckets = self.buckets.iter().map(Bucket::asks);
        let streams = self.streams.iter().map(Stream::asks);
        [told].into_iter().chain(buckets).chain(streams).collect()
    }

    /// The subjects that it may subscribe to.
    pub fn may_hear(&self) -> Vec<String> {
        [self.inbox()].into_iter().chain(self.hears.iter().map(|subject| (*subject).to_owned())).collect()
    }
}

impl Bucket {
    /// The questions to JetStream by which it is read.
    fn asks(&self) -> Vec<String> {
        let stream = format!("KV_{}", self.name);
        let mut asks = vec![format!("$JS.API.STREAM.INFO.{stream}")];
        if self.reads != Reads::Nothing {
            asks.push(format!("$JS.API.DIRECT.GET.{stream}.>"));
        }
        if self.reads == Reads::Changes {
            asks.extend(consumer(&stream));
            // So that one who reads slowly is not given everything at once.
            asks.push(format!("$JS.FC.{stream}.>"));
        }
        asks
    }
}

impl Stream {
    /// The questions to JetStream by which it is read.
    fn asks(&self) -> Vec<String> {
        let name = self.name;
        let mut asks = vec![format!("$JS.API.STREAM.INFO.{name}")];
        if self.consumer != Consumer::None {
            asks.extend(consumer(name));
            asks.push(format!("$JS.API.CONSUMER.MSG.NEXT.{name}.*"));
        }
        if matches!(self.consumer, Consumer::Durable { .. }) {
            asks.push(format!("$JS.ACK.{name}.>"));
        }
        asks.extend(self.more.iter().map(|access| match access {
            Access::Get => format!("$JS.API.STREAM.MSG.GET.{name}"),
            Access::DirectGet => format!("$JS.API.DIRECT.GET.{name}"),
            Access::DirectGetLast => format!("$JS.API.DIRECT.GET.{name}.>"),
            Access::Purge => format!("$JS.API.STREAM.PURGE.{name}"),
        }));
        asks
    }
}

/// What whoever makes a consumer asks.
fn consumer(stream: &str) -> [String; 4] {
    [
        format!("$JS.API.CONSUMER.CREATE.{stream}"),
        format!("$JS.API.CONSUMER.CREATE.{stream}.>"),
        format!("$JS.API.CONSUMER.INFO.{stream}.*"),
        format!("$JS.API.CONSUMER.DELETE.{stream}.*"),
    ]
}
