//! Tenants, users and roles are sorted, and roles told apart, by names that the program has folded; they and the audit
//! are found by an index.

use std::collections::HashSet;

use armada_proto::TenantId;
use armada_runtime::{
    db::{folded, make_append_only, search},
    outbox, text,
};
use sea_orm::{ConnectionTrait, DbBackend, ExprTrait, entity::prelude::Uuid};
use sea_orm_migration::{prelude::*, schema::string};

/// Tables that are searched, and where the tenant of a row stands.
const SEARCHED: [(&str, &str); 4] =
    [("tenant", "id"), ("user", "tenant_id"), ("role", "tenant_id"), ("audit_entry", "tenant_id")];
const NAMED: [&str; 3] = ["tenant", "user", "role"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_index(Index::drop().table("role").name("role_name").to_owned()).await?;
    for table in NAMED {
        let added = Table::alter().table(table).add_column(string("name_folded").default("")).to_owned();
        manager.alter_table(added).await?;
        folded::fill(manager, table, &[("name", "name_folded"), ("search", "search")]).await?;
    }
    rename_doubles(manager.get_connection()).await?;
    let by_name = Index::create().name("role_name").table("role").to_owned();
    manager.create_index(by_name.clone().col("tenant_id").col("name_folded").unique().to_owned()).await?;
    fold_audit(manager).await?;
    for (table, tenant) in SEARCHED {
        search::create_index(manager, table, tenant).await?;
    }
    outbox::upgrade_table(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (table, _) in SEARCHED {
        search::drop_index(manager, table).await?;
    }
    manager.drop_index(Index::drop().table("role").name("role_name").to_owned()).await?;
    let sql = "CREATE UNIQUE INDEX role_name ON role (tenant_id, lower(name))";
    manager.get_connection().execute_unprepared(sql).await?;
    for table in NAMED {
        manager.alter_table(Table::alter().table(table).drop_column("name_folded").to_owned()).await?;
    }
    Ok(())
}

/// Entries are only added, by services. What is searched in them is not what their hashes are of.
async fn fold_audit(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Sqlite {
        let allow = "DROP TRIGGER audit_entry_no_update; DROP TRIGGER audit_entry_no_delete";
        manager.get_connection().execute_unprepared(allow).await?;
    }
    folded::fill(manager, "audit_entry", &[("search", "search")]).await?;
    make_append_only(manager, "audit_entry").await
}

/// Two roles of a tenant may have had names that SQLite told apart and people do not: the younger one gets a number.
async fn rename_doubles(connection: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let mut rows = Query::select();
    rows.columns(["id", "tenant_id", "name", "name_folded"]).from("role");
    rows.order_by("created_at", Order::Asc).order_by("id", Order::Asc);
    let mut taken = HashSet::<(TenantId, String)>::new();
    let mut doubles = Vec::new();
    for row in connection.query_all(&rows).await? {
        let id: Uuid = row.try_get("", "id")?;
        let tenant: TenantId = row.try_get("", "tenant_id")?;
        if !taken.insert((tenant, row.try_get("", "name_folded")?)) {
            doubles.push((id, tenant, row.try_get::<String>("", "name")?));
        }
    }
    for (id, tenant, name) in doubles {
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let Some(name) = numbered.into_iter().find(|name| taken.insert((tenant, text::fold(name)))) else { continue };
        let mut update = Query::update();
        update.table("role").and_where(Expr::col("id").eq(id));
        update.value("name_folded", text::fold(&name)).value("name", name);
        connection.execute(&update).await?;
    }
    Ok(())
}
