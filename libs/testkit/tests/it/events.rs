//! How events reach their stream: once each, whatever dies in between.

use std::time::Duration;

use armada_proto::v1::Event;
use armada_runtime::{
    Database, Scope,
    db::Migration,
    events::{self, Relay, STREAM},
};
use armada_testkit::{World, both_databases, eventually_equal};
use prost::Message;
use sea_orm::{ConnectionTrait, Statement};
use sea_orm_migration::{MigrationTrait, MigratorTrait};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const SOON: Duration = Duration::from_secs(20);
const TENANT: &str = "01900000-0000-7000-8000-000000000001";

struct Outbox;

impl MigratorTrait for Outbox {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Migration {
            name: "events",
            up: |manager| Box::pin(events::create_table(manager)),
            down: |_| Box::pin(async { Ok(()) }),
            is_atomic: true,
        })]
    }
}

async fn tables(world: &World) -> anyhow::Result<Database> {
    let db = world.database("probe").await;
    db.migrate::<Outbox>("probe").await?;
    Ok(db)
}

/// A relay that dies when its handle is told to.
fn relay(world: &World, db: &Database) -> JoinHandle<armada_runtime::Result<()>> {
    tokio::spawn(Relay { db: db.clone(), bus: world.bus.clone() }.run(CancellationToken::new()))
}

async fn record(db: &Database, what: &str) -> anyhow::Result<()> {
    let event = Event {
        id: events::id(&[TENANT, "document.expiring", what]),
        tenant_id: TENANT.to_owned(),
        kind: "document.expiring".to_owned(),
        subject_id: what.to_owned(),
        ..Event::default()
    };
    let tx = db.write(&Scope::Platform).await?;
    events::record(&tx, event).await?;
    Ok(tx.commit().await?)
}

async fn waiting(db: &Database) -> anyhow::Result<i64> {
    let tx = db.read(&Scope::Platform).await?;
    let sql = Statement::from_string(db.backend(), "SELECT count(*) AS n FROM event_outbox");
    Ok(tx.query_one_raw(sql).await?.expect("a row").try_get("", "n")?)
}

async fn in_stream(world: &World) -> anyhow::Result<u64> {
    Ok(world.bus.jetstream.get_stream(STREAM).await?.cached_info().state.messages)
}

both_databases! {
    async fn events_arrive_in_order_with_their_ids(world: World) -> anyhow::Result<()> {
        let db = tables(&world).await?;
        for number in 0..450 {
            record(&db, &number.to_string()).await?;
        }
        let relay = relay(&world, &db);
        eventually_equal("all have gone", SOON, 0, async || waiting(&db).await).await;
        assert_eq!(in_stream(&world).await?, 450);
        let stream = world.bus.jetstream.get_stream(STREAM).await?;
        let message = stream.direct_get(7).await?;
        assert_eq!(message.subject.as_str(), format!("event.{TENANT}.document.expiring"));
        let event = Event::decode(message.payload)?;
        assert_eq!(event.subject_id, "6");
        assert!(event.recorded_at.is_some());
        let id = message.headers.get("Nats-Msg-Id").map(|id| id.as_str().to_owned());
        assert_eq!(id, Some(event.id));
        relay.abort();
        Ok(())
    }

    /// The relay dies when its event is in the stream and the row is still there.
    async fn republished_event_is_stored_once(world: World) -> anyhow::Result<()> {
        let db = tables(&world).await?;
        record(&db, "once").await?;
        // Whoever holds the row keeps the relay from removing it.
        let holding = db.write(&Scope::Platform).await?;
        holding.execute_unprepared("UPDATE event_outbox SET recorded_at = recorded_at").await?;
        let dying = relay(&world, &db);
        eventually_equal("it is published", SOON, 1, async || in_stream(&world).await).await;
        dying.abort();
        let _ = dying.await;
        holding.rollback().await?;
        assert_eq!(waiting(&db).await?, 1, "nobody has noted that it is there");

        record(&db, "after").await?;
        let living = relay(&world, &db);
        eventually_equal("both have gone", SOON, 0, async || waiting(&db).await).await;
        assert_eq!(in_stream(&world).await?, 2);
        // The same happening, noticed once more.
        record(&db, "once").await?;
        eventually_equal("it has gone", SOON, 0, async || waiting(&db).await).await;
        assert_eq!(in_stream(&world).await?, 2);
        living.abort();
        Ok(())
    }
}
