//! Messages of a stream with one owner, outside of any bucket: what the owner publishes is signed, and nothing else is read.

use std::{collections::HashMap, sync::Arc, time::Duration};

use armada_proto::Timestamp;
use async_nats::{HeaderMap, jetstream};
use tokio::sync::watch;

use super::{Bus, StreamSpec};
use crate::{
    auth::entry::{EntryContent, EntryKey, EntryKeys, EntryPublicKey, EntrySigner, EntryVerifier, Verdict},
    error::Result,
};

/// What a stream says of itself: since when nothing unsigned is believed, in milliseconds since 1970.
const SIGNED_SINCE: &str = "signed_since";
/// How long after its upgrade an installation may still have processes that do not sign.
const UPGRADING: Duration = Duration::from_secs(3600);

impl Bus {
    /// [`Self::ensure_stream`] of one whose messages are signed. It remembers when it was first that: what is in an older
    /// one was not.
    pub async fn ensure_signed_stream(&self, mut spec: StreamSpec) -> Result<()> {
        let now = Timestamp::now();
        let since = match self.jetstream.get_stream(&spec.config.name).await {
            Ok(existing) => existing.cached_info().config.metadata.get(SIGNED_SINCE).cloned(),
            Err(_) => Some(now.millis().to_string()),
        };
        let since = since.unwrap_or_else(|| (now + UPGRADING).millis().to_string());
        spec.config.metadata.insert(SIGNED_SINCE.to_owned(), since);
        self.ensure_stream(spec).await
    }

    /// Since when nothing unsigned is believed of a stream. What a version that did not sign published before is believed as
    /// it was then.
    pub async fn signed_since(&self, stream: &str) -> Result<Timestamp> {
        let stream = self.stream(stream, &HashMap::new()).await?;
        let since = stream.cached_info().config.metadata.get(SIGNED_SINCE).and_then(|since| since.parse().ok());
        Ok(since.map_or(Timestamp::from_millis(0), Timestamp::from_millis))
    }
}

/// Signs what the owner of a stream publishes. Cheap to clone.
#[derive(Clone)]
pub struct MessageSigner {
    stream: &'static str,
    signer: EntrySigner,
}

impl MessageSigner {
    pub(crate) fn new(stream: &'static str, signer: EntrySigner) -> Self {
        Self { stream, signer }
    }

    /// The headers of a message that goes to a subject.
    pub fn headers(&self, subject: &str, payload: &[u8]) -> Result<HeaderMap> {
        let mut headers = HeaderMap::new();
        self.sign(subject, payload, &mut headers)?;
        Ok(headers)
    }

    /// Adds the signature to headers.
    pub fn sign(&self, subject: &str, payload: &[u8], headers: &mut HeaderMap) -> Result<()> {
        let issued = Timestamp::now().millis();
        self.signer.sign(&content(&place(self.stream), subject, payload), issued, headers)
    }
}

/// What signs and what proves the messages of a stream that one service alone writes and reads, with a key of 32 secret bytes
/// that it keeps itself.
pub fn with_own_key(bus: &Bus, stream: &'static str, seed: &[u8; 32]) -> Result<(MessageSigner, MessageProof)> {
    let key = EntryKey::from_seed(stream, seed)?;
    let proof = MessageProof::new(bus, stream, Arc::new(OnlyKey(key.clone())), stream);
    Ok((MessageSigner::new(stream, EntrySigner::Owner(key)), proof))
}

/// Nobody vouches for it but whoever holds it.
struct OnlyKey(EntryKey);

#[async_trait::async_trait]
impl EntryKeys for OnlyKey {
    async fn loaded(&self, _: &str) {}

    fn changes(&self) -> watch::Receiver<u64> {
        watch::Sender::new(0).subscribe()
    }

    fn entry_key(&self, _: &str, kid: &str) -> Option<EntryPublicKey> {
        (kid == self.0.kid()).then(|| self.0.verifier())
    }
}

/// Tells what the owner of a stream published. Cheap to clone.
#[derive(Clone)]
pub struct MessageProof {
    stream: &'static str,
    bus: Bus,
    keys: Arc<dyn EntryKeys>,
    owner: &'static str,
    signed_since: Timestamp,
}

impl MessageProof {
    pub(crate) fn new(bus: &Bus, stream: &'static str, keys: Arc<dyn EntryKeys>, owner: &'static str) -> Self {
        bus.counts_refused(stream);
        Self { stream, bus: bus.clone(), keys, owner, signed_since: Timestamp::from_millis(0) }
    }

    /// The same, of a stream that was not always signed, by its [`Bus::signed_since`].
    #[must_use]
    pub fn since(self, signed_since: Timestamp) -> Self {
        Self { signed_since, ..self }
    }

    /// Waits until messages can be judged.
    pub async fn loaded(&self) {
        self.keys.loaded(self.owner).await;
    }

    /// Whether the owner published this, there; what nobody believes is counted. An old message is one of the owner's too.
    pub fn is_sound(&self, subject: &str, payload: &[u8], headers: Option<&HeaderMap>) -> bool {
        let proof = EntryVerifier::Owner(self.keys.clone(), self.owner);
        let verdict = proof.verify(&content(&place(self.stream), subject, payload), headers);
        let sound = matches!(verdict, Verdict::Valid(_));
        if !sound {
            self.refuse(subject, &format!("{verdict:?}"));
        }
        sound
    }

    /// The same of a message of the stream. One of before there were signatures needs none.
    pub fn is_sound_message(&self, message: &jetstream::Message) -> bool {
        let published = message.info().map_or(i128::MAX, |info| info.published.unix_timestamp_nanos() / 1_000_000);
        published < i128::from(self.signed_since.millis())
            || self.is_sound(&message.subject, &message.payload, message.headers.as_ref())
    }

    /// Counts a message that nobody believes, for a reason.
    pub fn refuse(&self, subject: &str, reason: &str) {
        tracing::warn!(stream = self.stream, subject, reason, "nobody believes a message");
        self.bus.refused(self.stream);
    }
}

/// No bucket has such a name, so that what was signed for the one is nothing in the other.
fn place(stream: &str) -> String {
    format!("stream {stream}")
}

fn content<'a>(place: &'a str, subject: &'a str, payload: &'a [u8]) -> EntryContent<'a> {
    EntryContent { bucket: place, key: subject, value: Some(payload) }
}
