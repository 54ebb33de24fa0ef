//! What the edge needs of the deployment around it. `libs/declarations` reads it.

use crate::{
    Acts, Declaration, InContainers, Scales, Setting, Shared, Told,
    nats::{Account, Bucket, Reads, User},
};

/// The edge: browsers and clients of the API come here.
pub const DECLARATION: Declaration = Declaration {
    name: "bff",
    about: "The edge: the console, REST and WebSockets. It stores nothing: it reaches the other services and NATS, not the database.",
    stores: false,
    calls: &["identity", "fleet", "notification", "position-ingest"],
    users: &[SERVICE],
    settings: &[
        Setting::value("trusted_proxies").in_containers("[\"172.30.91.0/24\"]"),
        Setting::value("hsts_subdomains"),
        Setting::value("ticket_seconds"),
        Setting::value("ping_seconds"),
        Setting::value("silence_seconds"),
        Setting::value("stuck_seconds"),
        Setting::value("visibility_seconds"),
        Setting::value("flush_ms"),
        Setting::value("limits.header_seconds"),
        Setting::value("limits.body_seconds"),
        Setting::value("limits.idle_seconds"),
        Setting::value("limits.stalled_seconds"),
        Setting::value("limits.connections"),
        Setting::value("limits.connections_per_address"),
        Setting::value("limits.sockets_per_user"),
        Setting::value("limits.sockets_per_link"),
        Setting::value("limits.address_rate"),
        Setting::value("limits.address_burst"),
        Setting::value("limits.user_rate"),
        Setting::value("limits.user_burst"),
        Setting::value("limits.tenant_rate"),
        Setting::value("limits.tenant_burst"),
        Setting::value("limits.tile_rate"),
        Setting::value("limits.tile_burst"),
        Setting::value("limits.heavy_per_tenant"),
        Setting::value("limits.heavy_seconds"),
        Setting::text("maps.data_dir").told(Told::Added),
        Setting::value("maps.cache_mb").told(Told::Added),
        Setting::value("maps.cache_days").told(Told::Added),
        Setting::value("maps.renew_seconds").told(Told::Added),
        Setting::secret_value("maps.sources").told(Told::Added),
    ],
    shared: &[
        Shared::new("ARMADA_HTTP_ADDR", InContainers::Always("0.0.0.0:8080")),
        Shared::new("ARMADA_PUBLIC_URL", InContainers::Asked),
        // While /readyz says no already: until the proxy has asked.
        Shared::new("ARMADA_SHUTDOWN_DELAY_SECONDS", InContainers::Default("5")),
    ],
    outside: Some("the sources of street maps"),
    serves_http: true,
    keeps_files: false,
    scales: Scales::Cpu,
    memory_mb: 1024,
    acts: Acts { modules: &[], parts: &[] },
};

const SERVICE: User = User {
    name: "bff",
    about: "The edge: hears live positions, and owns nothing but which tickets are spent. It speaks to itself once for each feed.",
    account: Account::Services,
    login: "bff",
    publishes: &["audit.bff", "_INBOX_bff.>"],
    never_publishes: &[],
    hears: &["live.*", "changed.*.devices", "changed.*.commands", "changed.*.events"],
    buckets: &[
        Bucket::writes("tickets", "*", Reads::Nothing),
        Bucket::follows("keys"),
        Bucket::follows("policies"),
        Bucket::follows("ended_sessions"),
        Bucket::follows("devices"),
        Bucket::follows("alarms"),
    ],
    streams: &[],
};
