//! What has happened and others act on, on its way to the stream [`STREAM`]: an event is [`record`]ed in the transaction
//! in which it is noticed, so that neither is there without the other, and a [`Relay`] publishes it. docs/EVENTS.md has
//! the rules for whoever reads the stream.

mod relay;

use std::time::Duration;

use armada_proto::{Timestamp, v1::Event};
use async_nats::jetstream::stream::DiscardPolicy;
use prost::Message;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    DatabaseTransaction, DbErr, EntityTrait,
};
use sea_orm_migration::{
    SchemaManager,
    prelude::Table,
    schema::{big_integer, big_pk_auto, binary, string, string_null},
};

pub use self::relay::Relay;

use crate::{
    bus::{Bus, StreamSpec},
    error::Result,
    stream_outbox,
    telemetry::propagation,
};

/// The stream of [`Event`]s.
pub const STREAM: &str = "EVENTS";
/// Its subjects as metrics and traces name them.
pub const SUBJECT_TEMPLATE: &str = "event.{tenant}.{kind}";
/// Bytes of the stream; then the oldest go, which by then everybody has read or nobody will.
const MAX_BYTES: i64 = 256 * 1024 * 1024;
/// Nobody acts any more on what is older.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Rows of one statement: databases bound its values.
const ROWS_AT_ONCE: usize = 500;
/// For how long the server knows the ids of events, so that one that is published again is not there twice. A relay that
/// died between publishing and noting that comes back sooner; whoever reads keeps ids unique all the same.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(3600);

mod entity {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "event_outbox")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        /// That of the event.
        pub event_id: String,
        pub subject: String,
        /// When it was recorded, in milliseconds since 1970.
        pub recorded_at: i64,
        /// The `Event`.
        pub event: Vec<u8>,
        /// The trace of the request that it was noticed in, if somebody collects it.
        pub traceparent: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Makes the stream.
pub async fn migrate(bus: &Bus) -> Result<()> {
    let mut spec = StreamSpec::refusing_when_full(STREAM, &["event.>"], MAX_BYTES);
    spec.config.discard = DiscardPolicy::Old;
    spec.config.max_age = MAX_AGE;
    spec.config.duplicate_window = DUPLICATE_WINDOW;
    bus.ensure_stream(spec).await
}

/// Makes the table `event_outbox`, in a migration of a service.
pub async fn create_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    let table = Table::create()
        .table("event_outbox")
        .col(big_pk_auto("id"))
        .col(string("event_id"))
        .col(string("subject"))
        .col(big_integer("recorded_at"))
        .col(binary("event"))
        .col(string_null("traceparent"))
        .to_owned();
    manager.create_table(table).await?;
    stream_outbox::protect(manager, "event_outbox").await
}

/// Removes the table.
pub async fn drop_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    manager.drop_table(Table::drop().table("event_outbox").to_owned()).await
}

/// The id of what has happened: the first half of the SHA-256 over the parts that make it this one happening, its kind,
/// what it is about and its time among them. Whoever notices it again, after a restart or elsewhere, gives it the same.
pub fn id(parts: &[&str]) -> String {
    let mut digest = ring::digest::Context::new(&ring::digest::SHA256);
    for part in parts {
        // With its length, or two lists of parts could be one text.
        digest.update(&(part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    }
    data_encoding::HEXLOWER.encode(&digest.finish().as_ref()[..16])
}

/// Records an event in the transaction in which it is noticed; its id is made by [`id`]. When it was recorded is entered
/// here.
pub async fn record(tx: &DatabaseTransaction, event: Event) -> Result<()> {
    record_all(tx, vec![event]).await
}

/// The same of some that are noticed together.
pub async fn record_all(tx: &DatabaseTransaction, events: Vec<Event>) -> Result<()> {
    let now = Timestamp::now();
    let traceparent = propagation::current();
    let row = |mut event: Event| {
        event.recorded_at = Some(now);
        entity::ActiveModel {
            id: NotSet,
            event_id: Set(event.id.clone()),
            subject: Set(format!("event.{}.{}", event.tenant_id, event.kind)),
            recorded_at: Set(now.millis()),
            event: Set(event.encode_to_vec()),
            traceparent: Set(traceparent.clone()),
        }
    };
    let mut rows = events.into_iter().map(row).peekable();
    while rows.peek().is_some() {
        // Returning the rows would be to read them.
        let rows = rows.by_ref().take(ROWS_AT_ONCE);
        entity::Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::id;

    #[test]
    fn event_ids_differ_by_occurrence() {
        assert_eq!(id(&["a", "b"]), id(&["a", "b"]));
        assert_eq!(id(&["a", "b"]).len(), 32);
        assert_ne!(id(&["a", "b"]), id(&["ab", ""]));
        assert_ne!(id(&["a", "b"]), id(&["b", "a"]));
    }
}
