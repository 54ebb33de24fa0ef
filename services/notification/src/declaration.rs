//! What notification needs of the deployment around it. `libs/declarations` reads it.

use crate::{
    Acts, Declaration, Scales, Setting,
    nats::{Account, Bucket, Consumer, Stream, User},
};

/// What has happened, and the alarms that stand.
pub const DECLARATION: Declaration = Declaration {
    name: "notification",
    about: "What has happened, for whoever may see it, and the alarms that stand.",
    stores: true,
    calls: &["fleet"],
    users: &[SERVICE],
    settings: &[Setting::value("event_days")],
    shared: &[],
    outside: None,
    serves_http: false,
    keeps_files: false,
    scales: Scales::Cpu,
    memory_mb: 256,
    acts: Acts { modules: &["alarm", "alarm_name", "event"], parts: &["tenant:erase"] },
};

const SERVICE: User = User {
    name: "notification",
    about: "Keeps what has happened, and tells the edge that there is news; owns which alarms stand. Writes no event itself.",
    account: Account::Services,
    login: "notification",
    publishes: &["audit.notification", "changed.*.events"],
    never_publishes: &[],
    hears: &[],
    buckets: &[
        Bucket::owns("alarms", "*"),
        Bucket::follows("keys"),
        Bucket::follows("policies"),
        Bucket::follows("device_erasures"),
        Bucket::follows("erasures"),
    ],
    streams: &[Stream { name: "EVENTS", consumer: Consumer::durable("notification", "event."), more: &[] }],
};
