//! What tenants pay and may have, roles and what they say, and the marks of what others cache.

use armada_proto::{TenantId, Timestamp, UserId};
use armada_runtime::{db::tenant_policy, outbox};
use sea_orm::{ConnectionTrait, DbBackend};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, boolean, integer, string, text, uuid},
};

use crate::templates;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // One statement a column: SQLite takes no more.
    for (table, column) in columns() {
        manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
    }
    for table in [role(), role_permission(), user_role(), permission()] {
        manager.create_table(table).await?;
    }
    outbox::create_table(manager).await?;
    let indexes = [
        Index::create().name("role_permission_key").table("role_permission").col("key").to_owned(),
        Index::create().name("user_role_role").table("user_role").col("role_id").to_owned(),
    ];
    for index in indexes {
        manager.create_index(index).await?;
    }
    let connection = manager.get_connection();
    connection.execute_unprepared("CREATE UNIQUE INDEX role_name ON role (tenant_id, lower(name))").await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        // `permission` has no tenant: the catalogue is the same for all.
        for table in ["role", "role_permission", "user_role"] {
            connection.execute_unprepared(&tenant_policy(table)).await?;
        }
        // Row-level security binds the owner of the tables too.
        connection.execute_unprepared("SELECT set_config('app.platform', 'on', false)").await?;
    }
    connection.execute_unprepared("UPDATE tenant SET search = search || '\n' || lower(description)").await?;
    connection.execute_unprepared("UPDATE \"user\" SET search = search || '\n' || lower(phone)").await?;
    give_roles(connection).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    outbox::drop_table(manager).await?;
    for table in ["permission", "user_role", "role_permission", "role"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    for (table, column) in columns() {
        let name = column.get_column_name();
        manager.alter_table(Table::alter().table(table).drop_column(name).to_owned()).await?;
    }
    Ok(())
}

fn columns() -> [(&'static str, ColumnDef); 14] {
    [
        ("tenant", string("cost_model").default("free").to_owned()),
        ("tenant", big_integer("cost_per_device").default(0).to_owned()),
        ("tenant", big_integer("cost_bundle").default(0).to_owned()),
        ("tenant", string("currency").default("IDR").to_owned()),
        ("tenant", big_integer("device_limit").default(0).to_owned()),
        ("tenant", big_integer("user_limit").default(0).to_owned()),
        ("tenant", big_integer("used_devices").default(0).to_owned()),
        ("tenant", string("billing_period").default("monthly").to_owned()),
        ("tenant", integer("billing_day").default(1).to_owned()),
        ("tenant", integer("due_day").default(14).to_owned()),
        ("tenant", string("subscription_status").default("active").to_owned()),
        ("user", boolean("is_subscription_active").default(true).to_owned()),
        ("user", string("locale").default("id").to_owned()),
        ("user", boolean("is_pending").default(false).to_owned()),
    ]
}

fn role() -> TableCreateStatement {
    Table::create()
        .table("role")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(string("name"))
        .col(text("description"))
        .col(text("search"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .foreign_key(ForeignKey::create().from("role", "tenant_id").to("tenant", "id"))
        .to_owned()
}

fn role_permission() -> TableCreateStatement {
    Table::create()
        .table("role_permission")
        .col(uuid("role_id"))
        .col(string("key"))
        .col(uuid("tenant_id"))
        .col(string("effect"))
        .primary_key(Index::create().col("role_id").col("key"))
        .foreign_key(&mut with_role("role_permission"))
        .to_owned()
}

fn user_role() -> TableCreateStatement {
    let with_user = ForeignKey::create()
        .from("user_role", "user_id")
        .to("user", "id")
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned();
    Table::create()
        .table("user_role")
        .col(uuid("user_id"))
        .col(uuid("role_id"))
        .col(uuid("tenant_id"))
        .primary_key(Index::create().col("user_id").col("role_id"))
        .foreign_key(&mut with_role("user_role"))
        .foreign_key(&mut with_user.clone())
        .to_owned()
}

fn with_role(table: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, "role_id").to("role", "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}

fn permission() -> TableCreateStatement {
    Table::create()
        .table("permission")
        .col(string("key").primary_key())
        .col(text("description"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

/// Until now everybody saw the vehicles that are theirs: who is no admin keeps that by the role of viewers.
async fn give_roles(connection: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let tenants = Query::select().column("id").from("tenant").to_owned();
    for row in connection.query_all(&tenants).await? {
        let tenant: TenantId = row.try_get("", "id")?;
        let viewers = make_roles(connection, tenant).await?;
        let ordinary = Query::select()
            .column("id")
            .from("user")
            .and_where(Expr::col("tenant_id").eq(tenant))
            .and_where(Expr::col("is_tenant_admin").eq(false))
            .to_owned();
        for row in connection.query_all(&ordinary).await? {
            let user: UserId = row.try_get("", "id")?;
            let mut insert = Query::insert();
            insert.into_table("user_role").columns(["user_id", "role_id", "tenant_id"]);
            insert.values_panic([user.into(), viewers.into(), tenant.into()]);
            connection.execute(&insert).await?;
        }
    }
    Ok(())
}

/// Makes the roles that new tenants get, and returns that of viewers.
async fn make_roles(connection: &SchemaManagerConnection<'_>, tenant: TenantId) -> Result<uuid::Uuid, DbErr> {
    let now = Timestamp::now().millis();
    let mut viewers = uuid::Uuid::nil();
    for template in templates::ALL {
        let id = uuid::Uuid::now_v7();
        let mut role = Query::insert();
        role.into_table("role");
        role.columns(["id", "tenant_id", "name", "description", "search", "row_version", "created_at", "updated_at"]);
        let search = format!("{}\n{}", template.name, template.description).to_lowercase();
        role.values_panic([
            id.into(),
            tenant.into(),
            template.name.into(),
            template.description.into(),
            search.into(),
            1.into(),
            now.into(),
            now.into(),
        ]);
        connection.execute(&role).await?;
        for key in template.allows {
            let mut permissions = Query::insert();
            permissions.into_table("role_permission").columns(["role_id", "key", "tenant_id", "effect"]);
            permissions.values_panic([id.into(), (*key).into(), tenant.into(), "allow".into()]);
            connection.execute(&permissions).await?;
        }
        if template.key == templates::VIEWER {
            viewers = id;
        }
    }
    Ok(viewers)
}
