//! Which acts are a service's own to name. What one service enters in the name of another is believed by nobody: whoever
//! has taken over the edge cannot say that a tenant was erased.

use armada_proto::TenantId;

use super::DENIED;

/// What one service enters.
struct Own {
    service: &'static str,
    /// Modules of which it names every act, in any chain.
    modules: &'static [&'static str],
    /// Acts of another's modules of which it tells its own part, in the chain of the platform alone.
    parts: &'static [&'static str],
}

/// All services. Each of them may say besides that it refused something.
const SERVICES: [Own; 5] = [
    Own { service: "bff", modules: &[], parts: &[] },
    Own {
        service: "fleet",
        modules: &[
            "command",
            "device",
            "device_member",
            "document",
            "driver",
            "imei",
            "imei_claim",
            "maintenance",
            "maintenance_log",
            "master_data",
            "saved_command",
            "share_link",
            "threshold",
        ],
        parts: &["tenant:delete", "tenant:restore", "tenant:erase"],
    },
    Own {
        service: "identity",
        modules: &["account", "audit", "gateway", "permission", "role", "saved_view", "session", "tenant", "user"],
        parts: &[],
    },
    Own { service: "notification", modules: &["alarm", "event"], parts: &["tenant:erase"] },
    Own { service: "position-ingest", modules: &[], parts: &["tenant:erase"] },
];

/// The services that enter acts.
pub fn services() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().map(|own| own.service)
}

/// Whether a service may enter an act in the chain of a tenant, or in that of the platform.
pub fn is_own(service: &str, act: &str, tenant: Option<TenantId>) -> bool {
    let Some(own) = SERVICES.iter().find(|own| own.service == service) else { return false };
    let module = act.split_once(':').map_or("", |(module, _)| module);
    act == DENIED || own.modules.contains(&module) || (tenant.is_none() && own.parts.contains(&act))
}
