//! SIGINT and SIGTERM.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Exit code of a process that was told twice, as shells report SIGINT.
const TOLD_TWICE: i32 = 130;

/// A token that the first signal cancels; the second one ends the process on the spot.
pub(super) fn shutdown() -> io::Result<CancellationToken> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let token = CancellationToken::new();
    let told = token.clone();
    tokio::spawn(async move {
        either(&mut interrupt, &mut terminate).await;
        told.cancel();
        either(&mut interrupt, &mut terminate).await;
        std::process::exit(TOLD_TWICE);
    });
    Ok(token)
}

async fn either(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
