//! Through which gateway a tracker is heard: position-ingest notes that in the bucket `routes`.

use armada_proto::{coded, route, v1::ImeiRoute};
use armada_runtime::{Context, Result};

use crate::bucket_lookup::BucketLookup;

/// The service that listens.
const INGEST: &str = "position-ingest";

/// Asks the bucket. Cheap to clone.
#[derive(Clone)]
pub struct Routes(BucketLookup);

impl Routes {
    /// As this service. The bucket need not be there yet.
    pub fn new(context: Context) -> Self {
        Self(BucketLookup::new(context, route::BUCKET, INGEST))
    }

    /// The gateway through which an IMEI was heard last; none when it was never heard. An error when that cannot be said
    /// now.
    pub async fn gateway_of(&self, imei: &str) -> Result<Option<String>> {
        let value = self.0.ask(|bucket| async move { bucket.get(imei).await }).await?;
        Ok(value.and_then(|value| coded::decode::<ImeiRoute>(&value)).map(|route| route.gateway))
    }
}
