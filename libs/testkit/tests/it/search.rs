//! Lists are searched by an index, on both databases, and find the same.

use armada_proto::TenantId;
use armada_runtime::{
    Database, Scope,
    db::{self, Migration, folded, search, tenant_policy},
    list::{List, ListQuery, Searched, Sort},
    text,
};
use armada_testkit::{Kind, World, both_databases};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, DbBackend, EntityTrait, QueryFilter,
    QueryTrait, Select, Statement,
};
use sea_orm_migration::{
    prelude::*,
    schema::{string, text as long_text, uuid},
};

pub(crate) mod thing {
    use armada_proto::TenantId;
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "thing")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub tenant_id: TenantId,
        pub name: String,
        pub search: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

const LIST: List<thing::Column> = List {
    sortable: &[("name", Sort::Plain(thing::Column::Name))],
    searched: Searched::Indexed(thing::Column::Search),
    id: thing::Column::Id,
};

pub(crate) struct Things;

impl MigratorTrait for Things {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Migration {
            name: "things",
            up: |manager| Box::pin(make_things(manager)),
            down: |manager| Box::pin(drop_search(manager)),
            is_atomic: true,
        })]
    }
}

struct RenewedThings;

impl MigratorTrait for RenewedThings {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let renew = Migration {
            name: "renew_things",
            up: |manager| Box::pin(folded::renew(manager, "thing", &["name"])),
            down: |manager| Box::pin(drop_search(manager)),
            is_atomic: true,
        };
        let mut migrations = Things::migrations();
        migrations.push(Box::new(renew));
        migrations
    }
}

async fn make_things(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("thing")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(string("name"))
        .col(long_text("search"))
        .to_owned();
    manager.create_table(table).await?;
    let by_tenant = Index::create().name("thing_tenant").table("thing").col("tenant_id").to_owned();
    manager.create_index(by_tenant).await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("thing")).await?;
    }
    search::create_index(manager, "thing", "tenant_id").await
}

async fn drop_search(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    search::drop_index(manager, "thing").await
}

/// What there is to find, and many others.
pub(crate) async fn fill(
    db: &Database,
    tenant: TenantId,
    names: impl IntoIterator<Item = String>,
) -> anyhow::Result<()> {
    let tx = db.write(&Scope::Tenant(tenant)).await?;
    let things: Vec<_> = names
        .into_iter()
        .map(|name| thing::ActiveModel {
            id: Set(uuid::Uuid::now_v7()),
            tenant_id: Set(tenant),
            search: Set(text::search_key(&name)),
            name: Set(name),
        })
        .collect();
    for piece in things.chunks(1_000) {
        thing::Entity::insert_many(piece.to_vec()).exec_without_returning(&tx).await?;
    }
    Ok(tx.commit().await?)
}

pub(crate) async fn found(db: &Database, scope: Scope, q: &str) -> anyhow::Result<Vec<String>> {
    let tx = db.read(&scope).await?;
    let (rows, total) = LIST.fetch(&tx, within(scope), ListQuery { q, ..ListQuery::default() }).await?;
    assert_eq!(rows.len(), total.total as usize);
    Ok(rows.into_iter().map(|row| row.name).collect())
}

fn within(scope: Scope) -> Select<thing::Entity> {
    match scope {
        Scope::Tenant(tenant) => thing::Entity::find().filter(thing::Column::TenantId.eq(tenant)),
        Scope::Platform => thing::Entity::find(),
    }
}

/// Whether a search goes by the index: on PostgreSQL by what the statement itself has scanned, function and all; SQLite
/// says how it would go about it.
async fn reads_by_index(db: &Database, scope: Scope) -> anyhow::Result<bool> {
    let query = ListQuery { q: "needle", ..ListQuery::default() };
    let tx = db.read(&scope).await?;
    let rows = LIST.matching(&tx, within(scope), query).await?;
    match db.backend() {
        DbBackend::Postgres => {
            let scans = "SELECT pg_stat_get_xact_numscans(to_regclass('thing_search'))::bigint AS n";
            let scans = Statement::from_string(DbBackend::Postgres, scans);
            // Those of transactions before are counted with it for a second.
            let made = async || -> anyhow::Result<i64> {
                Ok(tx.query_one_raw(scans.clone()).await?.unwrap().try_get("", "n")?)
            };
            let before = made().await?;
            rows.all(&tx).await?;
            Ok(made().await? > before)
        }
        _ => {
            let mut statement = rows.build(DbBackend::Sqlite);
            statement.sql = format!("EXPLAIN QUERY PLAN {}", statement.sql);
            let plan = tx.query_all_raw(statement).await?;
            let lines: Vec<String> = plan.iter().map(|row| row.try_get("", "detail")).collect::<Result<_, _>>()?;
            Ok(lines.iter().any(|line| line.contains("thing_search") && line.contains("VIRTUAL TABLE INDEX"))
                && !lines.iter().any(|line| line.starts_with("SCAN thing") && !line.contains("VIRTUAL")))
        }
    }
}

both_databases! {
    async fn searches_read_an_index(world: World) -> anyhow::Result<()> {
        let db = world.database("probe").await;
        db.migrate::<Things>("probe").await?;
        let (own, foreign) = (TenantId::new(), TenantId::new());
        fill(&db, own, ["A needle", "Ein NADELÖHR", "nadelo\u{308}hr 2", "雅加达快递", "50% \"off\""].map(str::to_owned)).await?;
        fill(&db, own, (0..20_000).map(|number| format!("Truck {number}"))).await?;
        fill(&db, foreign, ["Their needle".to_owned()]).await?;
        analyze(&world).await?;

        for (scope, by_index) in [(Scope::Tenant(own), true), (Scope::Platform, true), (Scope::Tenant(foreign), false)] {
            assert_eq!(reads_by_index(&db, scope).await?, by_index, "{scope:?}");
        }
        let mine = Scope::Tenant(own);
        for (q, names) in [
            ("NEEDLE", &["A needle"][..]),
            ("nadelöhr", &["Ein NADELÖHR", "nadelo\u{308}hr 2"]),
            ("nadelohr", &["Ein NADELÖHR", "nadelo\u{308}hr 2"]),
            ("delO\u{308}", &["Ein NADELÖHR", "nadelo\u{308}hr 2"]),
            ("加达快", &["雅加达快递"]),
            ("快递", &["雅加达快递"]),
            ("雅", &["雅加达快递"]),
            ("% \"o", &["50% \"off\""]),
            ("0%", &["50% \"off\""]),
            ("truck 19999", &["Truck 19999"]),
            ("needle needle", &[]),
            ("%%%", &[]),
            ("___", &[]),
            ("needle*", &[]),
            ("needle OR truck", &[]),
        ] {
            assert_eq!(found(&db, mine, q).await?, names, "{q}");
        }
        assert_eq!(found(&db, Scope::Platform, "needle").await?, ["A needle", "Their needle"]);
        assert_eq!(found(&db, Scope::Tenant(TenantId::new()), "needle").await?, Vec::<String>::new());
        Ok(())
    }

    /// What was stored folded is brought to the present form, what has it already stays, and the index follows.
    async fn texts_of_an_older_schema_are_renewed(world: World) -> anyhow::Result<()> {
        let db = world.database("probe").await;
        db.migrate::<Things>("probe").await?;
        let own = TenantId::new();
        let names = ["truk 2", "truk 010", "sūrabaya", "plain"];
        let present = text::sort_key("Truk 7");
        fill(&db, own, names.into_iter().chain([present.as_str()]).map(str::to_owned)).await?;
        let tx = db.write(&Scope::Tenant(own)).await?;
        tx.execute_unprepared("UPDATE thing SET search = name WHERE name = 'sūrabaya'").await?;
        tx.commit().await?;
        db.migrate::<RenewedThings>("probe").await?;
        let all = found(&db, Scope::Tenant(own), "").await?;
        assert_eq!(all, ["plain", "sūrabaya", "truk 2", "truk 7", "truk 010"].map(text::sort_key));
        assert_eq!(found(&db, Scope::Tenant(own), "surabaya").await?, ["sūrabaya"]);
        Ok(())
    }

    /// The index follows what is changed and removed.
    async fn the_index_follows_the_rows(world: World) -> anyhow::Result<()> {
        let db = world.database("probe").await;
        db.migrate::<Things>("probe").await?;
        let own = TenantId::new();
        let mine = Scope::Tenant(own);
        fill(&db, own, ["Alpha", "Bravo"].map(str::to_owned)).await?;
        for sql in [
            "UPDATE thing SET name = 'Charlie', search = 'charlie' WHERE name = 'Alpha'",
            "DELETE FROM thing WHERE name = 'Bravo'",
        ] {
            let tx = db.write(&mine).await?;
            tx.execute_unprepared(sql).await?;
            tx.commit().await?;
        }
        for (q, names) in [("alpha", &[][..]), ("bravo", &[]), ("charlie", &["Charlie"])] {
            assert_eq!(found(&db, mine, q).await?, names, "{q}");
        }
        Ok(())
    }
}

/// A program that starts waits for nobody who writes, and nobody who writes waits for it: each would wait for the other.
#[tokio::test]
async fn indexes_that_are_there_are_not_made_again() -> anyhow::Result<()> {
    let world = World::start(Kind::Postgres).await;
    let db = world.database("probe").await;
    db.migrate::<Things>("probe").await?;
    let mine = Scope::Tenant(TenantId::new());
    let tx = db.write(&mine).await?;
    tx.execute_unprepared("UPDATE thing SET name = 'Charlie'").await?;
    db.migrate::<Things>("probe").await?;
    tx.commit().await?;
    Ok(())
}

/// Lets PostgreSQL know how many rows there are, as it learns by itself in time.
async fn analyze(world: &World) -> anyhow::Result<()> {
    let Some(owner) = owner(world).await? else { return Ok(()) };
    owner.execute_unprepared("ANALYZE probe.thing").await?;
    Ok(owner.close().await?)
}

/// A connection of whom the tables belong to; none on SQLite.
pub(crate) async fn owner(world: &World) -> anyhow::Result<Option<DatabaseConnection>> {
    match &world.location {
        db::Location::Sqlite(_) => Ok(None),
        db::Location::Postgres(logins) => match &logins.owner {
            db::Owner::Url(url) => Ok(Some(sea_orm::Database::connect(url.clone()).await?)),
            _ => anyhow::bail!("the owner is another login"),
        },
    }
}
