//! Reading files, which takes seconds and much memory: off the threads that answer, one at a time of each tenant, and few
//! in all.

use std::{sync::Arc, time::Duration};

use armada_runtime::{Caller, Error};
use armada_tables::read::Sheet;
use axum::body::Bytes;
use tokio::task::spawn_blocking;

use super::file;
use crate::{http::failure::Failure, limits::heavy::SharedTurns};

/// Files that are read at a time.
const AT_ONCE: usize = 2;
/// How long a file waits for its turn.
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Whose turn it is. Cheap to clone.
#[derive(Clone)]
pub(crate) struct FileReaders(Arc<SharedTurns>);

impl Default for FileReaders {
    fn default() -> Self {
        Self(Arc::new(SharedTurns::new(AT_ONCE, WAIT_TIMEOUT)))
    }
}

impl FileReaders {
    /// The table of a file; an error that says why it is none, or that too many are being read.
    pub(super) async fn read(&self, caller: &Caller, file: Bytes, sheet: Option<String>) -> Result<Sheet, Failure> {
        let turn = self.0.turn(caller.scope().tenant()).await?;
        let reading = spawn_blocking(move || {
            // Whoever goes away meanwhile does not end it: the turn is over when it is.
            let _turn = turn;
            file::read(&file, sheet.as_deref())
        });
        reading.await.map_err(Error::internal)?
    }
}
