//! Questions to the servers beside this one.

use std::time::Duration;

use armada_runtime::{Error, Result, https::HttpsClient, trust};
use http::{StatusCode, Uri};
use http_body_util::{BodyExt, Limited};
use tokio::time::timeout;

/// No answer takes longer, or has more bytes.
const TIMEOUT: Duration = Duration::from_secs(4);
const ANSWER_MAX: usize = 4 << 20;

/// What answers a GET of an address: the status, and the text. `Unavailable` where nothing does.
pub(crate) async fn get(client: &HttpsClient<String>, url: &str) -> Result<(StatusCode, String)> {
    let unreachable = |cause: &dyn std::fmt::Display| Error::unavailable(format!("{url}: {cause}"));
    let uri: Uri = url.parse().map_err(|error: http::uri::InvalidUri| unreachable(&error))?;
    let answered = async {
        let answer = client.get(uri).await.map_err(|error| unreachable(&trust::reason(&error)))?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, ANSWER_MAX).collect().await.map_err(|error| unreachable(&error))?;
        Ok((head.status, String::from_utf8_lossy(&body.to_bytes()).into_owned()))
    };
    timeout(TIMEOUT, answered).await.map_err(|late| unreachable(&late))?
}
