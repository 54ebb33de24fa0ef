//! Messages of a stream with one owner, outside of any bucket: what the owner publishes is signed, and nothing else is read.

use std::sync::Arc;

use armada_proto::Timestamp;
use async_nats::HeaderMap;

use super::Bus;
use crate::{
    auth::entry::{EntryContent, EntryKeys, EntrySigner, EntryVerifier, Verdict},
    error::Result,
};

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
    pub(crate) fn sign(&self, subject: &str, payload: &[u8], headers: &mut HeaderMap) -> Result<()> {
        let issued = Timestamp::now().millis();
        self.signer.sign(&content(&place(self.stream), subject, payload), issued, headers)
    }
}

/// Tells what the owner of a stream published. Cheap to clone.
#[derive(Clone)]
pub struct MessageProof {
    stream: &'static str,
    bus: Bus,
    keys: Arc<dyn EntryKeys>,
    owner: &'static str,
}

impl MessageProof {
    pub(crate) fn new(bus: &Bus, stream: &'static str, keys: Arc<dyn EntryKeys>, owner: &'static str) -> Self {
        bus.counts_refused(stream);
        Self { stream, bus: bus.clone(), keys, owner }
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
