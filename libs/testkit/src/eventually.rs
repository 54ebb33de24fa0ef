//! Waiting for what will be so, without sleeping longer than needed.

use std::{
    fmt::Debug,
    time::{Duration, Instant},
};

const PAUSE: Duration = Duration::from_millis(20);

/// Asks until the answer is there, and panics with the last reason at the deadline. A question that takes a third of
/// the time is asked anew: what was sent to a server that then died is never answered.
pub async fn eventually<T, F>(what: &str, deadline: Duration, mut ask: F) -> T
where
    F: AsyncFnMut() -> anyhow::Result<T>,
{
    let started = Instant::now();
    let mut reason = "no answer in time".to_owned();
    loop {
        let left = deadline.saturating_sub(started.elapsed()).min(deadline / 3).max(PAUSE);
        match tokio::time::timeout(left, ask()).await {
            Ok(Ok(answer)) => return answer,
            Ok(Err(error)) => reason = format!("{error:#}"),
            // What was said before tells more: the last question has next to no time.
            Err(_) => {}
        }
        assert!(started.elapsed() < deadline, "not within {deadline:?}: {what}: {reason}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// Asks until the answer equals `wanted`.
pub async fn eventually_equal<T, F>(what: &str, deadline: Duration, wanted: T, mut ask: F)
where
    T: PartialEq + Debug,
    F: AsyncFnMut() -> anyhow::Result<T>,
{
    eventually(what, deadline, async || {
        let found = ask().await?;
        anyhow::ensure!(found == wanted, "found {found:?}, wanted {wanted:?}");
        Ok(())
    })
    .await;
}
