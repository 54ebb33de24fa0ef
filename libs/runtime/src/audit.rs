//! What was done, and what was refused, on its way to the audit. An act that changes rows is [`record`]ed in the same
//! transaction, in a table of the service's own, so that neither is there without the other; a [`Relay`] carries it to
//! the stream [`STREAM`], from where identity appends it to the chain. What changes no rows, a refusal above all, is
//! told by [`Audit::note`].

mod change;
mod notes;
mod own_acts;
mod relay;

use std::net::IpAddr;

use armada_proto::{TenantId, Timestamp, UserId, v1::AuditEvent};
use async_nats::jetstream::stream::RetentionPolicy;
use prost::Message;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    DatabaseTransaction, DbErr, EntityTrait,
};
use sea_orm_migration::{
    SchemaManager,
    prelude::Table,
    schema::{big_integer, big_pk_auto, binary, string_null},
};
use uuid::Uuid;

pub use self::{
    change::{Change, changes, taken_away},
    notes::Audit,
    own_acts::{is_own, services},
    relay::Relay,
};

use crate::{
    auth::{
        Caller, ServiceSecrets,
        entry::{EntryKey, EntrySigner},
    },
    bus::{Bus, MessageSigner, StreamSpec},
    error::{Error, Result},
    idempotency,
    jobs::current::{self, Decided, Place},
    stream_outbox,
    telemetry::propagation,
};

/// The stream of [`AuditEvent`]s that identity has not entered yet.
pub const STREAM: &str = "AUDIT";
/// Its subjects as metrics and traces name them.
pub const SUBJECT_TEMPLATE: &str = "audit.{service}";
/// Bytes that may wait for identity. More stays in the tables of the services.
const MAX_BYTES: i64 = 256 * 1024 * 1024;
/// The act of what was refused.
pub const DENIED: &str = "access:denied";
/// Characters of a name, or of an id that need not be one.
const TEXT_MAX: usize = 500;

/// What an act was done to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object {
    /// What kind of thing, e.g. `device`; empty for none.
    pub kind: &'static str,
    /// Which one.
    pub id: String,
    /// Its name now.
    pub name: String,
}

impl Object {
    /// A thing by its id and name.
    pub fn new(kind: &'static str, id: impl ToString, name: impl Into<String>) -> Self {
        Self { kind, id: id.to_string(), name: name.into() }
    }
}

/// Something that was done, or refused.
#[derive(Debug, Clone, Default)]
pub struct Act {
    /// `<module>:<act>`; the permission's key where there is one.
    pub act: &'static str,
    /// In whose chain it is entered; none for the platform's.
    pub tenant: Option<TenantId>,
    /// What it was done to.
    pub object: Object,
    /// What it changed. Nothing secret.
    pub change: Change,
}

/// Who did it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Actor {
    /// The user, if it was one.
    pub id: Option<UserId>,
    /// Their name, or that of the service. May be empty where there is an id: identity knows the name.
    pub name: String,
    /// From where, if known.
    pub address: Option<IpAddr>,
}

impl From<&Caller> for Actor {
    fn from(caller: &Caller) -> Self {
        let id = caller.grant.as_ref().map(|grant| grant.user_id);
        let name = match id {
            Some(_) => String::new(),
            None => caller.service.clone().unwrap_or_default(),
        };
        Self { id, name, address: caller.address() }
    }
}

mod entity {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit_outbox")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        /// When it was recorded, in milliseconds since 1970.
        pub recorded_at: i64,
        /// The `AuditEvent`.
        pub event: Vec<u8>,
        /// The trace of the request that did it, if somebody collects it.
        pub traceparent: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Makes the stream. What identity has entered leaves it; what does not fit is refused and waits in the tables.
pub async fn migrate(bus: &Bus) -> Result<()> {
    let mut spec = StreamSpec::refusing_when_full(STREAM, &["audit.*"], MAX_BYTES);
    spec.config.retention = RetentionPolicy::WorkQueue;
    bus.ensure_signed_stream(spec).await
}

/// Signs as a service whose secret is known here.
fn signer(secrets: &ServiceSecrets, service: &str) -> Result<MessageSigner> {
    let key = EntryKey::of(secrets, service)?;
    let key = key.ok_or_else(|| Error::unavailable(format!("the secret of {service} is not known")))?;
    Ok(MessageSigner::new(STREAM, EntrySigner::Owner(key)))
}

/// Makes the table `audit_outbox`, in a migration of a service.
pub async fn create_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    let table = Table::create()
        .table("audit_outbox")
        .col(big_pk_auto("id"))
        .col(big_integer("recorded_at"))
        .col(binary("event"))
        .col(string_null("traceparent"))
        .to_owned();
    manager.create_table(table).await?;
    stream_outbox::protect(manager, "audit_outbox").await
}

/// Removes the table.
pub async fn drop_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    manager.drop_table(Table::drop().table("audit_outbox").to_owned()).await
}

/// Records an act in the transaction that does it. Whoever is no [`Caller`], somebody who signs in for one, is named as
/// an [`Actor`]. If the act is an item of a job, or is to be done once, it is done with this transaction.
pub async fn record(tx: &DatabaseTransaction, actor: impl Into<Actor>, act: Act) -> Result<()> {
    let before = whole_before(&act);
    let event = event(actor.into(), act);
    // Returning the row would be to read it.
    entity::Entity::insert(row(&event)).exec_without_returning(tx).await?;
    idempotency::record(tx).await?;
    current::decide(tx, &event.object_kind, &event.object_id, before.as_deref()).await
}

/// Records acts that are one request together, in the transaction that does them all.
pub async fn record_all(tx: &DatabaseTransaction, caller: &Caller, acts: Vec<Act>) -> Result<()> {
    let rows: Vec<_> = acts.into_iter().map(|act| row(&event(Actor::from(caller), act))).collect();
    if !rows.is_empty() {
        entity::Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    idempotency::record(tx).await
}

/// Records acts each of which is an item of one job, in the transaction that does them all.
pub(crate) async fn record_items(tx: &DatabaseTransaction, caller: &Caller, acts: Vec<(Place, Act)>) -> Result<()> {
    let (mut all, mut rows) = (Vec::with_capacity(acts.len()), Vec::with_capacity(acts.len()));
    for (place, act) in acts {
        let before = whole_before(&act);
        let event = event(Actor::from(caller), act);
        rows.push(row(&event));
        all.push(Decided { place, done_to: event.object_id, before });
    }
    entity::Entity::insert_many(rows).exec_without_returning(tx).await?;
    current::decide_all(tx, &all).await
}

/// How the fields were that an act changed, as JSON, however long they are: a job takes them back with that, where the
/// audit says of a long text how long it is.
fn whole_before(act: &Act) -> Option<String> {
    act.change.before.as_ref().map(ToString::to_string)
}

fn row(event: &AuditEvent) -> entity::ActiveModel {
    entity::ActiveModel {
        id: NotSet,
        recorded_at: Set(event.at),
        event: Set(event.encode_to_vec()),
        traceparent: Set(propagation::current()),
    }
}

/// The message that identity enters. Its id makes it enter once.
fn event(actor: Actor, act: Act) -> AuditEvent {
    let Change { before, after } = act.change.bounded();
    AuditEvent {
        id: Uuid::now_v7().to_string(),
        at: Timestamp::now().millis(),
        tenant_id: act.tenant.map(|id| id.to_string()),
        actor_id: actor.id.map(|id| id.to_string()),
        actor_name: bounded(actor.name),
        address: actor.address.map(|address| address.to_string()).unwrap_or_default(),
        act: act.act.to_owned(),
        object_kind: act.object.kind.to_owned(),
        object_id: bounded(act.object.id),
        object_name: bounded(act.object.name),
        before: before.map(|fields| fields.to_string()),
        after: after.map(|fields| fields.to_string()),
    }
}

/// What may have been made up by somebody who is not signed in, a name to sign in with for one.
fn bounded(text: String) -> String {
    match text.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Where a service tells its acts.
fn subject(service: &str) -> String {
    format!("audit.{service}")
}
