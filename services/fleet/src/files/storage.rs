//! Where the content of files is: a folder, or a bucket of any store that speaks S3. What is known of them stands in the
//! table; an object's name is `<tenant>/<file>`.

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use armada_proto::{FileId, TenantId};
use armada_runtime::{Code, Error, Result};
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    ObjectStore, ObjectStoreExt, aws::AmazonS3Builder, buffered::BufWriter, local::LocalFileSystem, path::Path,
    prefix::PrefixStore,
};
use tokio::io::AsyncWriteExt;

use super::http::HyperConnector;
use crate::config;

/// What is written at once: S3 takes no smaller parts.
const PART: usize = 5 << 20;
/// What an upload that died has left in a folder is older.
const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 3600);

/// A store of files. Cheap to clone.
#[derive(Clone)]
pub struct Storage {
    objects: Option<Arc<dyn ObjectStore>>,
    /// If it is one.
    folder: Option<PathBuf>,
}

impl Storage {
    /// Opens what is configured. A folder is made; whether a bucket answers shows when it is first asked.
    pub fn open(files: &config::Files) -> Result<Self> {
        let Some(url) = files.url.as_deref().filter(|url| !url.is_empty()) else {
            tracing::info!("no place for files is configured (fleet.files.url): none are taken in");
            return Ok(Self { objects: None, folder: None });
        };
        if let Some(folder) = url.strip_prefix("file://").filter(|folder| folder.starts_with('/')) {
            let folder = PathBuf::from(folder);
            let wrong = |error: &dyn std::fmt::Display| Error::unavailable(format!("files in {url}: {error}"));
            std::fs::create_dir_all(&folder).map_err(|error| wrong(&error))?;
            let objects = LocalFileSystem::new_with_prefix(&folder).map_err(|error| wrong(&error))?;
            return Ok(Self { objects: Some(Arc::new(objects.with_fsync(true))), folder: Some(folder) });
        }
        let place = url.strip_prefix("s3://").filter(|place| !place.is_empty());
        let place =
            place.ok_or_else(|| Error::unavailable(format!("fleet.files.url: neither file:/// nor s3://: {url}")))?;
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let bucket = bucket_of(files, bucket)?;
        let objects: Arc<dyn ObjectStore> = match prefix.trim_matches('/') {
            "" => Arc::new(bucket),
            prefix => Arc::new(PrefixStore::new(bucket, prefix)),
        };
        Ok(Self { objects: Some(objects), folder: None })
    }

    /// Begins to write a file.
    pub fn writer(&self, tenant: TenantId, file: FileId) -> Result<Writer> {
        let objects = self.objects()?.clone();
        Ok(Writer(BufWriter::with_capacity(objects, name(tenant, file), PART).with_max_concurrency(1)))
    }

    /// The content of a file, in pieces; none when there is no such object.
    pub async fn read(&self, tenant: TenantId, file: FileId) -> Result<Option<BoxStream<'static, Result<Bytes>>>> {
        match self.objects()?.get(&name(tenant, file)).await {
            Ok(found) => Ok(Some(found.into_stream().map_err(storage_error).boxed())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(storage_error(error)),
        }
    }

    /// Removes a file; one that is not there is removed already.
    pub async fn remove(&self, tenant: TenantId, file: FileId) -> Result<()> {
        match self.objects()?.delete(&name(tenant, file)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(storage_error(error)),
        }
    }

    /// Removes what uploads have left in a folder that died with their process. In a bucket such parts are nobody's
    /// objects: a rule of the bucket removes them (docs/OPERATIONS.md).
    pub async fn remove_leftovers(&self) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut tenants = tokio::fs::read_dir(folder).await?;
        while let Some(tenant) = tenants.next_entry().await? {
            if !tenant.file_type().await?.is_dir() {
                continue;
            }
            let mut files = tokio::fs::read_dir(tenant.path()).await?;
            while let Some(file) = files.next_entry().await? {
                // What is complete has the name of an id.
                let is_part = file.file_name().to_string_lossy().contains('#');
                let age = file.metadata().await?.modified()?.elapsed().unwrap_or_default();
                if is_part && age > LEFTOVER_AGE {
                    tokio::fs::remove_file(file.path()).await?;
                }
            }
        }
        Ok(())
    }

    fn objects(&self) -> Result<&Arc<dyn ObjectStore>> {
        let none = || Error::new(Code::Unavailable, "files_unavailable", "no place for files is configured");
        self.objects.as_ref().ok_or_else(none)
    }
}

/// A file that is being written. It is there when it is finished, and not before.
pub struct Writer(BufWriter);

impl Writer {
    /// Adds a part.
    pub async fn write(&mut self, part: Bytes) -> Result<()> {
        self.0.put(part).await.map_err(storage_error)
    }

    /// Ends it: the file is on the disk, or in the bucket, as a whole.
    pub async fn finish(mut self) -> Result<()> {
        self.0.shutdown().await.map_err(storage_error)
    }

    /// Gives it up.
    pub async fn abort(mut self) -> Result<()> {
        self.0.abort().await.map_err(storage_error)
    }
}

fn bucket_of(files: &config::Files, name: &str) -> Result<object_store::aws::AmazonS3> {
    let mut bucket = AmazonS3Builder::new()
        .with_bucket_name(name)
        .with_region(&files.region)
        // Not every store knows how to remove many at once, and one is removed at a time.
        .with_disable_bulk_delete(true)
        .with_http_connector(HyperConnector);
    if let Some(endpoint) = &files.endpoint {
        bucket = bucket.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
    }
    // Without a key, that of the machine: its role, or the web identity of its pod.
    if let (Some(access_key), Some(secret_key)) = (&files.access_key, &files.secret_key) {
        bucket = bucket.with_access_key_id(access_key).with_secret_access_key(secret_key.reveal());
    }
    bucket.build().map_err(|error| Error::unavailable(format!("fleet.files: {error}")))
}

fn name(tenant: TenantId, file: FileId) -> Path {
    Path::from(format!("{tenant}/{file}"))
}

fn storage_error(error: impl std::fmt::Display) -> Error {
    tracing::warn!(%error, "the store of files does not do what it is asked");
    Error::new(Code::Unavailable, "files_unavailable", "the store of files is away")
}
