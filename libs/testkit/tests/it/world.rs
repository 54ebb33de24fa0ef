//! The harness itself.

use std::time::{Duration, Instant};

use armada_proto::{TenantId, Timestamp};
use armada_runtime::{
    Scope, Service,
    auth::Grant,
    db::{Location, Logins},
    serve::Limits,
};
use armada_testkit::{Api, Durability, Kind, Postgres, Socket, World, both_databases, eventually, eventually_equal};
use sea_orm::{ConnectionTrait, Statement};

const SOON: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn starts_within_two_seconds() {
    let started = Instant::now();
    let _world = World::start(Kind::Sqlite).await;
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

/// How many connections there are to the databases of a World, besides the one that asks.
async fn connections(world: &World) -> anyhow::Result<i64> {
    if world.kind == Kind::Sqlite {
        let files = std::fs::read_dir("/proc/self/fd")?.filter_map(|fd| std::fs::read_link(fd.ok()?.path()).ok());
        return Ok(files.filter(|file| file.starts_with(world.folder())).count() as i64);
    }
    let database = world.database("probe").await;
    let tx = database.read(&Scope::Platform).await?;
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let row = tx.query_one_raw(Statement::from_string(database.backend(), sql)).await?.expect("a row");
    tx.commit().await?;
    database.close().await?;
    Ok(row.try_get_by_index(0)?)
}

both_databases! {
    async fn runs_services(world: World) -> anyhow::Result<()> {
        let context = world.context(&["probe"]).await;
        let tx = context.database("probe")?.write(&Scope::Platform).await?;
        tx.execute_unprepared("CREATE TEMPORARY TABLE probe (id BIGINT)").await?;
        tx.commit().await?;

        let mut process = world.process(&context);
        let token = context.shutdown.clone();
        let routes = axum::Router::new().route("/hello", axum::routing::get(async || "hello"));
        let service = Service::new("probe").http(routes, Limits::default()).task("wait", async move {
            token.cancelled().await;
            Ok(())
        });
        process.add(service);
        let running = world.run(process).await;
        assert_eq!(running.api().get("/hello").await?.text, "hello");
        Socket::open(&running.api().url("/hello")).await.err().expect("it is no socket");
        running.stop().await
    }

    /// Not even those whose connections are yet to be opened.
    async fn readers_do_not_wait_for_a_writer(world: World) -> anyhow::Result<()> {
        let mut world = world;
        // Of the few that tests have, they would wait for one.
        if let Location::Postgres(logins) = &mut world.location {
            logins.max_connections = Logins::MAX_CONNECTIONS;
        }
        let database = world.database("probe").await;
        let writing = database.write(&Scope::Platform).await?;
        let mut reading = Vec::new();
        for _ in 0..4 {
            let tx = tokio::time::timeout(SOON / 2, database.read(&Scope::Platform)).await??;
            tx.execute_unprepared("SELECT 1").await?;
            reading.push(tx);
        }
        writing.rollback().await?;
        Ok(())
    }

    /// A process that stands still keeps nothing from the others.
    async fn stalled_writer_releases_its_lock(kind: Kind) -> anyhow::Result<()> {
        // SQLite's lock is the process's until it ends, whatever anybody else does.
        if kind == Kind::Sqlite {
            return Ok(());
        }
        let world = World::start(kind).await;
        let database = world.database("probe").await;
        let still = database.write(&Scope::Platform).await?;
        still.execute_unprepared("SELECT pg_advisory_xact_lock(1)").await?;
        let other = database.write(&Scope::Platform).await?;
        other.execute_unprepared("SELECT pg_advisory_xact_lock(1)").await?;
        other.commit().await?;
        let refused = armada_runtime::Error::from(still.execute_unprepared("SELECT 1").await.expect_err("it has ended"));
        assert_eq!(refused.class, armada_runtime::Code::Unavailable, "{refused}");
        Ok(())
    }

    /// However it ends: all tests share the server's connections.
    async fn killed_process_releases_its_database(world: World) -> anyhow::Result<()> {
        let context = world.context(&["probe"]).await;
        context.database("probe")?.read(&Scope::Platform).await?.commit().await?;
        let process = world.process(&context);
        let running = world.run(process).await;
        drop(context);
        assert!(connections(&world).await? > 0);
        running.abort().await;
        eventually_equal("nobody is connected any more", SOON, 0, async || connections(&world).await).await;
        Ok(())
    }

    /// Whoever services are must be bound by row-level security.
    async fn is_no_superuser(kind: Kind) -> anyhow::Result<()> {
        let world = World::start(kind).await;
        if kind == Kind::Postgres {
            let tx = world.database("probe").await.write(&Scope::Platform).await?;
            let denied = tx.execute_unprepared("CREATE ROLE another").await;
            assert!(denied.is_err());
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn issues_tokens_for_callers() -> anyhow::Result<()> {
    let world = World::start(Kind::Sqlite).await;
    let (tenant, context) = (TenantId::new(), world.context(&[]).await);
    let admin = world.tenant_admin(tenant).await;
    assert!(admin.is_admin() && !admin.is_platform_owner());
    assert_eq!(admin.scope(), Scope::Tenant(tenant));
    assert!(world.platform_owner().await.is_platform_owner());
    assert!(!world.user(tenant).await.is_admin());

    let verified = context.verifier().caller(&admin.token).await?;
    assert_eq!(verified.grant, Some(admin.grant.clone()));
    let grant: Grant = admin.grant.clone();
    let expired = world.token(&grant, Timestamp::from_millis(1_000));
    assert!(context.verifier().caller(&expired).await.is_err());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn nats_comes_back_after_a_kill() {
    let mut world = World::start(Kind::Sqlite).await;
    let jetstream = world.bus.jetstream.clone();
    world.nats.kill();
    eventually("answers after kill -9", SOON, async || Ok(jetstream.query_account().await?)).await;
    world.nats.stop();
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", world.nats.port())).await.is_err());
    world.nats.start_again();
    eventually("answers after a restart", SOON, async || Ok(jetstream.query_account().await?)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_can_be_stopped() -> anyhow::Result<()> {
    let world = World::start_with_own_postgres(Kind::Postgres, Durability::Fsync).await;
    let database = world.database("probe").await;
    let ask = async || {
        let tx = database.read(&Scope::Platform).await?;
        Ok(tx.execute_unprepared("SELECT 1").await?.rows_affected())
    };
    ask().await?;
    world.postgres().stop();
    ask().await.expect_err("PostgreSQL is away");
    world.postgres().start_again();
    eventually_equal("answers again", SOON, 1, ask).await;
    world.postgres().pause();
    world.postgres().resume();
    ask().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn shares_one_postgres() {
    let (one, two) = (Postgres::shared().await, Postgres::shared().await);
    assert_eq!(one.pids().last(), two.pids().last());
    assert_ne!(one.create_database().await.services, two.create_database().await.services);
}

#[tokio::test]
async fn refused_connections_are_errors() {
    let port = armada_testkit::free_port();
    Api::new(&format!("http://127.0.0.1:{port}")).get("/").await.expect_err("nobody listens");
}
