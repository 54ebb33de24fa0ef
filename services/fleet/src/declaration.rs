//! What fleet needs of the deployment around it. `libs/declarations` reads it.

use crate::{
    Acts, Declaration, Scales, Setting, Told,
    nats::{Account, Bucket, Consumer, Stream, User},
};

/// Devices, who may see them, and what belongs to a fleet.
pub const DECLARATION: Declaration = Declaration {
    name: "fleet",
    about: "Devices and who may see them, drivers, documents, maintenance, commands, share links.",
    stores: true,
    calls: &["identity"],
    users: &[SERVICE, GATEWAYS],
    settings: &[
        Setting::text("files.url").in_containers("file:///files"),
        Setting::text("files.endpoint"),
        Setting::text("files.region"),
        Setting::text("files.access_key"),
        Setting::secret("files.secret_key"),
        Setting::value("files.max_mb"),
        Setting::secret("secret_key").told(Told::Both),
        Setting::secret("secret_key_former").told(Told::Both),
    ],
    shared: &[],
    outside: Some("the bucket of files"),
    serves_http: false,
    keeps_files: true,
    scales: Scales::Cpu,
    memory_mb: 512,
    acts: Acts {
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
};

const SERVICE: User = User {
    name: "fleet",
    about: "Owns to whom an IMEI belongs, how many devices a tenant has and which are erased; tells the edge of changes, and of events of documents and maintenance. Hears where the vehicles are that have commands waiting. Keeps what position-ingest reads of meters.",
    account: Account::Services,
    login: "fleet",
    publishes: &["audit.fleet", "event.*.document.>", "event.*.maintenance.>", "changed.*.devices", "changed.*.commands"],
    never_publishes: &[],
    hears: &["live.*"],
    buckets: &[
        Bucket::owns("devices", "imei.*"),
        Bucket::owns("device_counts", "*"),
        Bucket::owns("device_erasures", "*"),
        Bucket::follows("keys"),
        Bucket::follows("policies"),
        Bucket::follows("erasures"),
        Bucket::follows("heard"),
        Bucket::gets("routes"),
        Bucket::gets("gateways"),
    ],
    streams: &[Stream { name: "METERS", consumer: Consumer::durable("fleet", "meters."), more: &[] }],
};

const GATEWAYS: User = User {
    name: "fleet-gateways",
    about: "Sends commands to gateways and hears what became of them.",
    account: Account::Gateways,
    login: "fleet",
    publishes: &["command.*.*"],
    never_publishes: &[],
    hears: &["command.reply.*.*"],
    buckets: &[],
    streams: &[],
};
