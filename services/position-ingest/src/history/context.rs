//! What sealing, compaction and retention need of the service.

use std::sync::Arc;

use armada_runtime::{Bus, Database};
use tokio::sync::Semaphore;

use crate::{
    directory::{registry::Registry, tenants::TenantSettings},
    metrics::Metrics,
    storage::write_gate::WriteGate,
};

/// What history of all partitions of an instance shares. Cheap to clone.
#[derive(Clone)]
pub struct HistoryContext {
    pub bus: Bus,
    pub db: Database,
    pub gate: WriteGate,
    pub registry: Registry,
    pub settings: TenantSettings,
    pub metrics: Metrics,
    /// One partition seals at a time: it holds its positions in memory.
    pub sealing: Arc<Semaphore>,
    /// One device is derived anew at a time: it takes the time of a processor.
    pub deriving: Arc<Semaphore>,
}
