//! Who wrote an entry of a bucket. The rights of NATS alone do not say it: an answer of JetStream may be sent to any
//! subject, whatever whoever asked may publish there. So each entry, a deletion too, carries its owner's signature over
//! the bucket, the key, the value and when it was written; what is signed for one key is nothing at another.

use std::{fmt, sync::Arc};

use async_nats::HeaderMap;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    digest,
    signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey},
};
use tokio::sync::watch;

use super::secrets::{ServiceSecrets, labelled};
use crate::error::{Error, Result};

/// The header with the signature: when it was written, in milliseconds since 1970; the key's name; the signature in
/// base64url; with dots between them.
const HEADER: &str = "Armada-Signature";
/// The name of what is no key but a secret.
const MAC: &str = "mac";

/// What an entry says, as it is signed.
pub(crate) struct EntryContent<'a> {
    pub(crate) bucket: &'a str,
    pub(crate) key: &'a str,
    /// None for a deletion.
    pub(crate) value: Option<&'a [u8]>,
}

impl EntryContent<'_> {
    fn text(&self, issued: i64) -> Vec<u8> {
        let what = if self.value.is_some() { "put" } else { "delete" };
        let mut text = labelled("armada entry", &[self.bucket, self.key, what, &issued.to_string()]);
        text.extend(self.value.unwrap_or_default());
        text
    }
}

/// Signs entries.
#[derive(Clone)]
pub(crate) enum EntrySigner {
    /// As the owner of a bucket.
    Owner(EntryKey),
    /// For one reader each, whose name the key is.
    Readers(ServiceSecrets),
}

impl EntrySigner {
    /// Puts the signature into the headers.
    pub(crate) fn sign(&self, content: &EntryContent<'_>, issued: i64, headers: &mut HeaderMap) -> Result<()> {
        let text = content.text(issued);
        let (kid, signature) = match self {
            Self::Owner(key) => (key.kid.as_str(), key.pair.sign(&text).as_ref().to_vec()),
            Self::Readers(secrets) => {
                let mac = secrets.mac(content.key, &text);
                (MAC, mac.ok_or_else(|| Error::internal(format!("the secret of {} is not known", content.key)))?)
            }
        };
        headers.insert(HEADER, format!("{issued}.{kid}.{}", URL_SAFE_NO_PAD.encode(signature)));
        Ok(())
    }
}

/// The public half of a key that signs entries.
pub(crate) type EntryPublicKey = UnparsedPublicKey<Vec<u8>>;

/// Knows the keys that identity vouches for.
#[async_trait::async_trait]
pub(crate) trait EntryKeys: Send + Sync {
    /// Waits until entries of a service can be judged: its secret is known here, or identity has vouched for keys.
    async fn loaded(&self, owner: &str);
    /// Changes when other keys are believed.
    fn changes(&self) -> watch::Receiver<u64>;
    /// The key of this name, if it is one of that service.
    fn entry_key(&self, owner: &str, kid: &str) -> Option<EntryPublicKey>;
}

/// How readers tell what the owner wrote.
#[derive(Clone)]
pub(crate) enum EntryVerifier {
    /// By a key that identity vouches for.
    Owner(Arc<dyn EntryKeys>, &'static str),
    /// By the secret of the reader whose name the key is.
    Readers(ServiceSecrets),
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The owner wrote it at that time, in milliseconds since 1970.
    Valid(i64),
    /// Nobody has vouched for its key here, yet.
    UnknownKey,
    /// It is for somebody else.
    NotForUs,
    /// Somebody else wrote it.
    Forged,
}

impl EntryVerifier {
    pub(crate) fn verify(&self, content: &EntryContent<'_>, headers: Option<&HeaderMap>) -> Verdict {
        let Some((issued, kid, signature)) = headers.and_then(parse) else {
            return match self {
                Self::Readers(secrets) if secrets.mac(content.key, &[]).is_none() => Verdict::NotForUs,
                _ => Verdict::Forged,
            };
        };
        let sound = match self {
            Self::Owner(keys, owner) => match keys.entry_key(owner, kid) {
                None => return Verdict::UnknownKey,
                Some(public) => public.verify(&content.text(issued), &signature).is_ok(),
            },
            Self::Readers(secrets) => match secrets.is_mac(content.key, &content.text(issued), &signature) {
                None => return Verdict::NotForUs,
                Some(sound) => sound && kid == MAC,
            },
        };
        if sound { Verdict::Valid(issued) } else { Verdict::Forged }
    }
}

fn parse(headers: &HeaderMap) -> Option<(i64, &str, Vec<u8>)> {
    let (issued, rest) = headers.get(HEADER)?.as_str().split_once('.')?;
    let (kid, signature) = rest.split_once('.')?;
    Some((issued.parse().ok()?, kid, URL_SAFE_NO_PAD.decode(signature).ok()?))
}

/// Tells an entry that was verified before, so that the whole of a bucket costs its signatures once.
pub(crate) fn fingerprint(content: &EntryContent<'_>, headers: Option<&HeaderMap>) -> [u8; 32] {
    let signature = headers.and_then(|headers| headers.get(HEADER)).map_or("", |header| header.as_str());
    let mut text = labelled("seen", &[content.key, if content.value.is_some() { "put" } else { "delete" }, signature]);
    text.extend(content.value.unwrap_or_default());
    let mut fingerprint = [0; 32];
    fingerprint.copy_from_slice(digest::digest(&digest::SHA256, &text).as_ref());
    fingerprint
}

/// The key with which a service signs what it writes into its buckets.
#[derive(Clone)]
pub(crate) struct EntryKey {
    kid: String,
    pair: Arc<Ed25519KeyPair>,
}

impl fmt::Debug for EntryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kid)
    }
}

impl EntryKey {
    /// The one of a service whose secret is known here. Its name tells it from that of a former secret.
    pub(crate) fn of(secrets: &ServiceSecrets, service: &str) -> Result<Option<Self>> {
        secrets.entry_seed(service).map(|seed| Self::from_seed(service, &seed)).transpose()
    }

    /// From its 32 secret bytes.
    pub(crate) fn from_seed(owner: &str, seed: &[u8; 32]) -> Result<Self> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(Error::internal)?;
        let mark = digest::digest(&digest::SHA256, pair.public_key().as_ref());
        let mark: String = mark.as_ref()[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { kid: format!("{owner}-entries-{mark}"), pair: Arc::new(pair) })
    }

    /// What proves what it signed.
    pub(crate) fn verifier(&self) -> EntryPublicKey {
        UnparsedPublicKey::new(&ED25519, self.public().to_vec())
    }

    pub(crate) fn kid(&self) -> &str {
        &self.kid
    }

    pub(crate) fn public(&self) -> &[u8] {
        self.pair.public_key().as_ref()
    }
}
