//! The service's name, and what can be configured of it.

use armada_runtime::{Error, Result, Secret};
use serde::Deserialize;

/// Name of the service.
pub const NAME: &str = "fleet";
/// Its user in the account of gateways, to whom it sends commands.
pub const GATEWAYS_USER: &str = "fleet-gateways";

/// Megabytes that one file may have at most: a call to another service carries it whole.
const MAX_MB: u32 = 30;

/// Section `fleet` of the configuration.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// What passwords of trackers are sealed with in the database: the secret of this service, unless told.
    pub secret_key: Option<Secret>,
    /// The key before it: the one that follows from the former secret key, unless told.
    pub secret_key_former: Option<Secret>,
    /// Where files are kept.
    pub files: Files,
}

/// Section `fleet.files`: where the files of documents are kept, and how large one may be.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Files {
    /// `file:///folder`, or `s3://bucket` or `s3://bucket/prefix`; the folder `files` in the data folder, where
    /// there is one, unless told. Without any, no file is taken in.
    pub url: Option<String>,
    /// Of a store that is not Amazon's: `https://minio.example.com`.
    pub endpoint: Option<String>,
    /// Of the bucket.
    pub region: String,
    /// The id of the key that the store is asked with.
    pub access_key: Option<String>,
    /// The key itself.
    pub secret_key: Option<Secret>,
    /// Megabytes (of 1,048,576 bytes) that one file may have, at most 30.
    pub max_mb: u32,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            url: None,
            endpoint: None,
            region: "us-east-1".to_owned(),
            access_key: None,
            secret_key: None,
            max_mb: 10,
        }
    }
}

impl Files {
    /// Bytes that one file may have; `unavailable` when it says more than a call to another service may carry.
    pub(crate) fn max_bytes(&self) -> Result<u64> {
        if self.max_mb > MAX_MB {
            return Err(Error::unavailable(format!("fleet.files.max_mb: {} is more than {MAX_MB}", self.max_mb)));
        }
        Ok(u64::from(self.max_mb) << 20)
    }
}
