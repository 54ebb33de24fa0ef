//! Reading files, which takes seconds and much memory: off the threads that answer, one at a time of each tenant, and few
//! in all. And making what is missing, one file of a tenant after the other.

use std::{sync::Arc, time::Duration};

use armada_proto::TenantId;
use armada_runtime::{Caller, Error, Result};
use armada_tables::read::Sheet;
use axum::body::Bytes;
use tokio::task::spawn_blocking;

use super::file;
use crate::{
    http::failure::Failure,
    limits::heavy::{HeavyLimiter, HeavyPermit, SharedTurns},
};

/// Files that are read at a time.
const AT_ONCE: usize = 2;
/// How long a file waits for its turn.
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a file waits until what another one misses is made.
const MAKING_TIMEOUT: Duration = Duration::from_secs(20);

/// Whose turn it is. Cheap to clone.
#[derive(Clone)]
pub(crate) struct FileReaders {
    reading: Arc<SharedTurns>,
    making: Arc<HeavyLimiter>,
}

impl Default for FileReaders {
    fn default() -> Self {
        Self {
            reading: Arc::new(SharedTurns::new(AT_ONCE, WAIT_TIMEOUT)),
            making: Arc::new(HeavyLimiter::new(1, MAKING_TIMEOUT)),
        }
    }
}

impl FileReaders {
    /// The table of a file; an error that says why it is none, or that too many are being read.
    pub(super) async fn read(&self, caller: &Caller, file: Bytes, sheet: Option<String>) -> Result<Sheet, Failure> {
        let turn = self.reading.turn(caller.scope().tenant()).await?;
        let reading = spawn_blocking(move || {
            // Whoever goes away meanwhile does not end it: the turn is over when it is.
            let _turn = turn;
            file::read(&file, sheet.as_deref())
        });
        reading.await.map_err(Error::internal)?
    }

    /// The turn to make what is missing of a tenant.
    pub(super) async fn turn_to_make(&self, tenant: Option<TenantId>) -> Result<HeavyPermit> {
        self.making.turn(tenant).await
    }
}
