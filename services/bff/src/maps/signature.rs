//! Signed addresses. What stands in one is good for one map and for a day or two, and tells nothing of who asked for it.

use armada_proto::Timestamp;
use armada_runtime::{Error, Result, ServiceKey};
use data_encoding::HEXLOWER;
use ring::hmac;

/// What the key is derived for.
const PURPOSE: &str = "addresses of street maps";
const DAY: i64 = 24 * 3600;

/// Signs addresses, and tells whether one is signed. All instances of the edge have the same key. Cheap to clone.
#[derive(Clone)]
pub struct Signatures(hmac::Key);

impl Signatures {
    /// Under a key that is derived from the service's secret.
    pub fn new(key: &ServiceKey) -> Result<Self> {
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &key.derived(PURPOSE)?)))
    }

    /// The query of the address of a map. It is the same for a whole day (UTC), so that browsers find in their cache what they
    /// have loaded, and good until the end of the next one.
    pub fn query(&self, id: &str, now: Timestamp) -> String {
        let today = seconds(now).div_euclid(DAY);
        let until = ((today + 2) * DAY).to_string();
        let signature = HEXLOWER.encode(hmac::sign(&self.0, &signed_text(id, &until)).as_ref());
        format!("until={until}&signature={signature}")
    }

    /// An error unless the query is one that was signed for this map and is still good.
    pub(super) fn check(&self, id: &str, until: Option<String>, signature: Option<String>) -> Result<()> {
        let (until, signature) = until.zip(signature).ok_or_else(Error::forbidden)?;
        let signature = HEXLOWER.decode(signature.as_bytes()).map_err(|_| Error::forbidden())?;
        hmac::verify(&self.0, &signed_text(id, &until), &signature).map_err(|_| Error::forbidden())?;
        let is_good = until.parse::<i64>().is_ok_and(|until| seconds(Timestamp::now()) < until);
        if is_good { Ok(()) } else { Err(Error::forbidden()) }
    }
}

fn seconds(time: Timestamp) -> i64 {
    time.millis().div_euclid(1000)
}

/// What is signed. No id has a space in it.
fn signed_text(id: &str, until: &str) -> Vec<u8> {
    format!("{id} {until}").into_bytes()
}
