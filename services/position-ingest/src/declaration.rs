//! What position-ingest needs of the deployment around it. `libs/declarations` reads it.

use crate::{
    Acts, Declaration, Scales, Setting, Told,
    nats::{Access, Account, Bucket, Consumer, Reads, Stream, User},
};

/// What gateways publish, taken in, shown live and kept as history.
pub const DECLARATION: Declaration = Declaration {
    name: "position-ingest",
    about: "Takes in what gateways publish, onto the live map and into history; addresses of positions.",
    stores: true,
    calls: &["fleet"],
    users: &[SERVICE, RECEIVER, RECEIVER_GATEWAYS],
    settings: &[
        Setting::value("partitions").told(Told::Both),
        Setting::value("raw_max_bytes").told(Told::Migrate),
        Setting::value("positions_max_bytes").told(Told::Migrate),
        Setting::value("dead_letters_max_bytes").told(Told::Migrate),
        Setting::value("held_max_bytes").told(Told::Migrate),
        Setting::value("refused_max_bytes").told(Told::Migrate),
        Setting::value("commit_linger_ms"),
        Setting::value("seal_seconds"),
        Setting::value("seal_positions"),
        Setting::value("geocoder.kind").told(Told::Added),
        Setting::text("geocoder.url").told(Told::Added),
        Setting::secret("geocoder.key").told(Told::Added),
        Setting::value("geocoder.requests_per_second").told(Told::Added),
        Setting::value("geocoder.cache_days").told(Told::Added),
        Setting::text("geocoder.user_agent").told(Told::Added),
    ],
    shared: &[],
    outside: None,
    serves_http: false,
    keeps_files: false,
    scales: Scales::Partitions,
    memory_mb: 2048,
    acts: Acts { modules: &[], parts: &["tenant:erase"] },
};

const SERVICE: User = User {
    name: "position-ingest",
    about: "Reads what gateways publish, writes positions and dead letters, tells what happens to vehicles, and removes what is stored. Answers the tools.",
    account: Account::Services,
    login: "position-ingest",
    publishes: &[
        "audit.position-ingest",
        "gateways.traffic",
        "gateways.messages",
        "positions.*",
        "dlq.*",
        "held.*.*",
        "refused.*.*",
        "live.*",
        "meters.*",
        "event.*.device.>",
        "event.*.vehicle.>",
        "event.*.fuel.>",
        "event.*.alarm.>",
        "ingest.corrected",
        "_INBOX_armada.>",
        "_INBOX_position-ingest.>",
    ],
    never_publishes: &[],
    hears: &["ingest.seal.*", "ingest.corrected", "gateways.messages"],
    buckets: &[
        Bucket::writes("heard", "*", Reads::Entries),
        Bucket::writes("routes", "*", Reads::Entries),
        Bucket::follows("keys"),
        Bucket::follows("policies"),
        Bucket::follows("devices"),
        Bucket::follows("device_erasures"),
        Bucket::follows("erasures"),
        Bucket::follows("alarms"),
        Bucket::follows("watermarks"),
        Bucket::follows("gateways"),
        Bucket::follows("tenants"),
    ],
    streams: &[
        Stream {
            name: "RAW",
            consumer: Consumer::Ordered,
            more: &[Access::Get, Access::DirectGet, Access::DirectGetLast, Access::Purge],
        },
        Stream {
            name: "POSITIONS",
            consumer: Consumer::Ordered,
            more: &[Access::DirectGet, Access::DirectGetLast, Access::Purge],
        },
        Stream { name: "DLQ", consumer: Consumer::None, more: &[Access::Get, Access::DirectGet] },
        Stream { name: "HELD", consumer: Consumer::None, more: &[Access::Get, Access::DirectGet, Access::Purge] },
        Stream { name: "REFUSED", consumer: Consumer::None, more: &[Access::DirectGet, Access::Purge] },
    ],
};

const RECEIVER: User = User {
    name: "receiver",
    about: "The receiver, a part of position-ingest, writes RAW as this user.",
    account: Account::Services,
    login: "receiver",
    publishes: &["raw.*"],
    never_publishes: &[],
    hears: &[],
    buckets: &[],
    streams: &[],
};

const RECEIVER_GATEWAYS: User = User {
    name: "receiver-gateways",
    about: "Takes in what gateways publish, and answers to their inboxes. Those have any name, so it is said what it may not write: everything that is somebody else's.",
    account: Account::Gateways,
    login: "receiver",
    publishes: &[],
    never_publishes: &["gps.>", "in.>", "command.>", "$JS.>", "$SYS.>", "_INBOX_fleet-gateways.>"],
    hears: &["in.*.*.*", "gps.*.*", "part.*", "receiver.handover.*"],
    buckets: &[],
    streams: &[],
};
