//! Lists of more rows than are counted, on both databases: pages by number end, pages behind a row go on, and exports hold
//! all of it.

use armada_proto::{Paging, TenantId};
use armada_runtime::{
    Database, Error, Result, Scope,
    db::{Migration, tenant_policy},
    list::{List, ListQuery, Searched, Sort},
};
use armada_testkit::both_databases;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, Select};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer_null, boolean, string, uuid},
};

mod entry {
    use armada_proto::TenantId;
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "entry")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub tenant_id: TenantId,
        pub name: String,
        pub heard_at: Option<i64>,
        pub enabled: bool,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

const LIST: List<entry::Column> = List {
    sortable: &[
        ("name", Sort::Plain(entry::Column::Name)),
        ("heard_at", Sort::OrZero(entry::Column::HeardAt)),
        ("enabled", Sort::Plain(entry::Column::Enabled)),
    ],
    searched: Searched::Scanned(entry::Column::Name),
    id: entry::Column::Id,
};
/// As many as are counted, and some more.
const ROWS: usize = 10_010;
const PAGE: u32 = 500;

struct Entries;

impl MigratorTrait for Entries {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Migration {
            name: "entries",
            up: |manager| Box::pin(make_entries(manager)),
            down: |_| Box::pin(async { Ok(()) }),
            is_atomic: true,
        })]
    }
}

async fn make_entries(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("entry")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(string("name"))
        .col(big_integer_null("heard_at"))
        .col(boolean("enabled"))
        .to_owned();
    manager.create_table(table).await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("entry")).await?;
    }
    Ok(())
}

/// Rows of which several are equal in each order, and many were never heard of.
async fn fill(db: &Database, tenant: TenantId) -> anyhow::Result<()> {
    let tx = db.write(&Scope::Tenant(tenant)).await?;
    let row = |number: usize| entry::ActiveModel {
        id: Set(uuid::Uuid::now_v7()),
        tenant_id: Set(tenant),
        name: Set(format!("“Ö” {}", number / 3)),
        heard_at: Set(number.is_multiple_of(2).then_some(number as i64 % 1_000 - 10)),
        enabled: Set(number.is_multiple_of(5)),
    };
    for numbers in (0..ROWS).collect::<Vec<_>>().chunks(1_000) {
        let rows = numbers.iter().map(|number| row(*number));
        entry::Entity::insert_many(rows).exec_without_returning(&tx).await?;
    }
    Ok(tx.commit().await?)
}

fn of(tenant: TenantId) -> Select<entry::Entity> {
    entry::Entity::find().filter(entry::Column::TenantId.eq(tenant))
}

async fn page(db: &Database, tenant: TenantId, query: ListQuery<'_>) -> Result<(Vec<entry::Model>, Paging)> {
    let tx = db.read(&Scope::Tenant(tenant)).await?;
    LIST.fetch(&tx, of(tenant), ListQuery { page_size: PAGE, ..query }).await
}

/// All rows, a page behind the other.
async fn walked(db: &Database, tenant: TenantId, sort: &str) -> anyhow::Result<Vec<entry::Model>> {
    let (mut all, mut next) = (Vec::new(), Some(String::new()));
    while let Some(after) = next {
        let (rows, paging) = page(db, tenant, ListQuery { sort, after: &after, ..ListQuery::default() }).await?;
        assert_eq!((paging.total, paging.more_than_total), (10_000, true));
        all.extend(rows);
        next = paging.next;
    }
    Ok(all)
}

both_databases! {
    async fn pages_go_on_where_numbers_end(world: World) -> anyhow::Result<()> {
        let db = world.database("probe").await;
        db.migrate::<Entries>("probe").await?;
        let tenant = TenantId::new();
        fill(&db, tenant).await?;
        let numbered = |page| ListQuery { page, ..ListQuery::default() };
        for sort in ["name", "-name", "heard_at", "-heard_at", "enabled", "-enabled"] {
            let walked = walked(&db, tenant, sort).await?;
            assert_eq!(walked.len(), ROWS, "{sort}");
            let key = |row: &entry::Model| match sort.trim_start_matches('-') {
                "name" => None,
                "heard_at" => Some((row.heard_at.unwrap_or_default(), row.id)),
                _ => Some((row.enabled.into(), row.id)),
            };
            let mut keys: Vec<_> = walked.iter().filter_map(key).collect();
            if sort.starts_with('-') {
                keys.reverse();
            }
            assert!(keys.is_sorted_by(|a, b| a < b), "{sort}: each once, in order");
        }
        let by_name = walked(&db, tenant, "name").await?;
        let (last, paging) = page(&db, tenant, numbered(20)).await?;
        assert_eq!(last, by_name[9_500..10_000]);
        let next = paging.next.unwrap();
        let (rest, paging) = page(&db, tenant, ListQuery { after: &next, ..numbered(1_000_000) }).await?;
        assert_eq!((&rest[..], paging.next), (&by_name[10_000..], None));
        assert_eq!(page(&db, tenant, numbered(21)).await.unwrap_err(), Error::field("page", "too_large"));

        let other_order = page(&db, tenant, ListQuery { sort: "-heard_at", ..ListQuery::default() }).await?.1.next.unwrap();
        for after in [other_order.as_str(), "x", "bnVsbA", "WyJuYW1lIiwxLDJd", "WyJuYW1lIiwiYVx1MDAwMCIsIjAwIl0", &next[1..]] {
            let wrong = page(&db, tenant, ListQuery { after, ..ListQuery::default() }).await.unwrap_err();
            assert_eq!(wrong, Error::field("after", "unknown"), "{after}");
        }

        let mut export = LIST.export(&db, Scope::Tenant(tenant), of(tenant), numbered(0)).await?;
        assert_eq!(*export.counted(), Paging { total: 10_000, more_than_total: true, next: None });
        let mut exported = Vec::new();
        while let Some(piece) = export.next().await? {
            assert!(piece.len() <= 500);
            exported.extend(piece);
        }
        assert!(exported == by_name, "all of it, in the order of its pages");

        let tx = db.write(&Scope::Tenant(tenant)).await?;
        let surplus = by_name[10_000..].iter().map(|row| row.id);
        entry::Entity::delete_many().filter(entry::Column::Id.is_in(surplus)).exec(&tx).await?;
        tx.commit().await?;
        let (_, paging) = page(&db, tenant, numbered(20)).await?;
        assert_eq!(paging, Paging { total: 10_000, more_than_total: false, next: None });
        Ok(())
    }
}
