//! What identity needs of the deployment around it. `libs/declarations` reads it.

use crate::{
    Acts, Declaration, InContainers, Scales, Setting, Shared,
    nats::{Account, Bucket, Consumer, Stream, User},
};

/// Tenants, users, sessions, gateways, and the audit.
pub const DECLARATION: Declaration = Declaration {
    name: "identity",
    about: "Tenants, users and their rights, sessions, the keys that are believed, gateways, and the audit.",
    stores: true,
    calls: &[],
    users: &[SERVICE, SYSTEM],
    settings: &[
        Setting::secret("gateway_issuer_seed"),
        Setting::secret("mail.smtp_url"),
        Setting::text("mail.from"),
        Setting::value("registration"),
        Setting::value("registration_days"),
        Setting::value("terms_url"),
        Setting::value("free_device_limit"),
        Setting::value("free_user_limit"),
        Setting::value("free_storage_limit_mb"),
        Setting::value("session_days"),
        Setting::value("session_idle_days"),
        Setting::value("access_token_seconds"),
        Setting::value("refresh_grace_seconds"),
        Setting::value("signing_key_seconds"),
        Setting::value("hashes_at_once"),
        Setting::value("require_totp_for_admins"),
        Setting::text("oidc.issuer"),
        Setting::text("oidc.client_id"),
        Setting::secret("oidc.client_secret"),
        Setting::text("oidc.name"),
        Setting::value("oidc.multi_factor"),
    ],
    shared: &[
        Shared::new("ARMADA_ADMIN_EMAIL", InContainers::Default("")),
        Shared::secret("ARMADA_ADMIN_PASSWORD", InContainers::Default("")),
        Shared::new("ARMADA_PUBLIC_URL", InContainers::Asked),
        Shared::secret("ARMADA_SECRET_KEY", InContainers::Asked),
        Shared::secret("ARMADA_SECRET_KEY_FORMER", InContainers::Default("")),
    ],
    outside: Some("the mail server and the provider of sign-ins"),
    serves_http: false,
    keeps_files: false,
    scales: Scales::Cpu,
    memory_mb: 512,
    acts: Acts {
        modules: &["account", "audit", "gateway", "permission", "role", "saved_view", "session", "tenant", "user"],
        parts: &[],
    },
};

const SERVICE: User = User {
    name: "identity",
    about: "Owns what users may do, which sessions have ended, and which keys are believed; enters the audit; says which gateways may connect.",
    account: Account::Services,
    login: "identity",
    // Answers to the server's questions go to its own inboxes.
    publishes: &["audit.identity", "$SYS._INBOX.>"],
    never_publishes: &[],
    hears: &["$SYS.REQ.USER.AUTH", "gateways.traffic"],
    buckets: &[
        Bucket::owns("gateways", "*"),
        Bucket::owns("policies", "*"),
        Bucket::owns("ended_sessions", "*"),
        Bucket::owns("keys", "*"),
        Bucket::owns("erasures", "*"),
        Bucket::owns("tenants", "*"),
        Bucket::follows("device_counts"),
    ],
    streams: &[Stream { name: "AUDIT", consumer: Consumer::durable("identity", "audit."), more: &[] }],
};

const SYSTEM: User = User {
    name: "identity-system",
    about: "Asks which connections a gateway has, and ends those of one that may no longer connect.",
    account: Account::System,
    login: "identity-system",
    publishes: &["$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.SERVER.PING.STATSZ", "$SYS.REQ.SERVER.*.KICK"],
    never_publishes: &[],
    hears: &[],
    buckets: &[],
    streams: &[],
};
