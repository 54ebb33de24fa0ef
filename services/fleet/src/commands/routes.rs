//! Through which gateway a tracker is heard: position-ingest notes that in the bucket `routes`.

use std::time::Duration;

use armada_proto::{coded, route, v1::ImeiRoute};
use armada_runtime::{Context, Error, Result};

/// The service that listens.
const INGEST: &str = "position-ingest";
/// How long NATS may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// Asks the bucket. Cheap to clone.
#[derive(Clone)]
pub struct Routes(Context);

impl Routes {
    /// As this service. The bucket need not be there yet.
    pub fn new(context: Context) -> Self {
        Self(context)
    }

    /// The gateway through which an IMEI was heard last; none when it was never heard. An error when that cannot be said
    /// now.
    pub async fn gateway_of(&self, imei: &str) -> Result<Option<String>> {
        let asked = async {
            let value = self.0.bucket(route::BUCKET, INGEST).await?.get(imei).await?;
            Ok(value.and_then(|value| coded::decode::<ImeiRoute>(&value)).map(|route| route.gateway))
        };
        tokio::time::timeout(ANSWER_TIMEOUT, asked).await.map_err(|_| Error::unavailable("NATS does not answer"))?
    }
}
