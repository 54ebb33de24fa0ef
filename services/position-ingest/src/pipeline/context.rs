//! What the owners of partitions have in common.

use std::sync::Arc;

use armada_runtime::{Bus, Database, bus::MessageProof, health::Health};

use super::group_commit::Writer;
use crate::{
    config::Config,
    directory::{gateways::Gateways, registry::Registry, tenants::TenantSettings},
    feeds::{heard_imeis::HeardImeis, meters::Meters, routes::Routes},
    history::context::HistoryContext,
    live::last_positions::LastPositions,
    metrics::Metrics,
    receiver::Traffic,
    rejected::set_aside::SetAside,
    storage::write_gate::WriteGate,
};

/// What the owners of all partitions of an instance share.
#[derive(Clone)]
pub struct PipelineContext {
    pub bus: Bus,
    /// Tells what receivers have written to RAW.
    pub proof: MessageProof,
    pub db: Database,
    pub gate: WriteGate,
    pub writer: Writer,
    pub registry: Registry,
    pub gateways: Gateways,
    pub settings: TenantSettings,
    pub heard_imeis: HeardImeis,
    pub routes: Routes,
    /// What comes from gateways.
    pub traffic: Traffic,
    /// What a commit batch leaves behind.
    pub aside: SetAside,
    pub meters: Meters,
    pub last: LastPositions,
    pub metrics: Metrics,
    pub config: Arc<Config>,
    pub health: Health,
    /// What sealing needs.
    pub history: HistoryContext,
}
