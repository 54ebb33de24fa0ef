//! SIGINT and SIGTERM.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Exit code of a process that was told twice, as shells report SIGINT.
const INTERRUPTED: i32 = 130;

/// A token that the first signal cancels; the second one ends the process on the spot.
pub(super) fn shutdown() -> io::Result<CancellationToken> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let token = CancellationToken::new();
    let signalled = token.clone();
    tokio::spawn(async move {
        any_of(&mut interrupt, &mut terminate).await;
        signalled.cancel();
        any_of(&mut interrupt, &mut terminate).await;
        std::process::exit(INTERRUPTED);
    });
    Ok(token)
}

async fn any_of(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}
