//! Reading files, which takes seconds and much memory: off the threads that answer, one at a time of each tenant, and few
//! in all.

use std::{sync::Arc, time::Duration};

use armada_runtime::{Caller, Error};
use armada_tables::read::Sheet;
use axum::body::Bytes;
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use super::file;
use crate::{
    http::failure::Failure,
    limits::heavy::{HeavyLimiter, RETRY},
};

/// Files that are read at a time.
const AT_ONCE: usize = 2;
/// How long a file waits for its turn.
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Whose turn it is. Cheap to clone.
#[derive(Clone)]
pub(crate) struct FileReaders {
    tenants: Arc<HeavyLimiter>,
    all: Arc<Semaphore>,
}

impl Default for FileReaders {
    fn default() -> Self {
        Self { tenants: Arc::new(HeavyLimiter::new(1, WAIT_TIMEOUT)), all: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl FileReaders {
    /// The table of a file; an error that says why it is none, or that too many are being read.
    pub(super) async fn read(&self, caller: &Caller, file: Bytes, sheet: Option<String>) -> Result<Sheet, Failure> {
        let of_tenant = self.tenants.turn(caller.scope().tenant()).await?;
        let of_all = timeout(WAIT_TIMEOUT, self.all.clone().acquire_owned()).await;
        let of_all = of_all.map_err(|_| Error::too_many_requests(RETRY))?.map_err(Error::internal)?;
        let reading = spawn_blocking(move || {
            // Whoever goes away meanwhile does not end it: the turn is over when it is.
            let _turns = (of_tenant, of_all);
            file::read(&file, sheet.as_deref())
        });
        reading.await.map_err(Error::internal)?
    }
}
