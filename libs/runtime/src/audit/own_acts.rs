//! Which acts are a service's own to name. What one service enters in the name of another is believed by nobody: whoever
//! has taken over the edge cannot say that a tenant was erased.

use armada_declarations::SERVICES;
use armada_proto::TenantId;

use super::DENIED;

/// The services that enter acts.
pub fn services() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().map(|service| service.name)
}

/// Whether a service may enter an act in the chain of a tenant, or in that of the platform. Each of them may say that it
/// refused something.
pub fn is_own(service: &str, act: &str, tenant: Option<TenantId>) -> bool {
    let Some(service) = armada_declarations::of(service) else { return false };
    let module = act.split_once(':').map_or("", |(module, _)| module);
    let own = service.acts;
    act == DENIED || own.modules.contains(&module) || (tenant.is_none() && own.parts.contains(&act))
}
