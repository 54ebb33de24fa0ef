//! Who set a password or an address, who has proved an address, and whom a provider signs in.

use armada_runtime::db::tenant_policy;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, boolean, string, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // One statement a column: SQLite takes no more.
    for (table, column) in columns() {
        manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
    }
    // An address signs in to one account, but who makes a user is not told that it is another tenant's.
    manager.drop_index(Index::drop().name("user_email").table("user").to_owned()).await?;
    // The index of the tenant comes first: PostgreSQL names the older one of two that are violated.
    let mut of_tenant = Index::create().name("user_tenant_email").table("user").unique().to_owned();
    manager.create_index(of_tenant.col("tenant_id").col("email").to_owned()).await?;
    let connection = manager.get_connection();
    let of_sign_in = "CREATE UNIQUE INDEX user_email ON \"user\" (email) WHERE NOT is_address_elsewhere";
    connection.execute_unprepared(of_sign_in).await?;
    manager.create_table(provider_identity()).await?;
    let mut of_user = Index::create().name("provider_identity_user").table("provider_identity").to_owned();
    manager.create_index(of_user.col("user_id").col("issuer").unique().to_owned()).await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy("provider_identity")).await?;
        // Row-level security binds the owner of the tables too.
        connection.execute_unprepared("SELECT set_config('app.platform', 'on', false)").await?;
    }
    connection.execute_unprepared("UPDATE session SET authenticated_at = created_at").await?;
    // Whoever runs the machine vouches for platform owners. Of everybody else it is not known whether they proved
    // their address, but for those who came in by the provider and have no password.
    let verified = "UPDATE \"user\" SET is_email_verified = (1 = 1) WHERE is_platform_owner \
                    OR (password_hash = '' AND NOT is_pending)";
    connection.execute_unprepared(verified).await?;
    // Of the links that are open it is not known who has seen them.
    connection.execute_unprepared("DELETE FROM link").await?;
    // Whoever confirms a registration chooses the password: those of before were chosen by anybody.
    connection.execute_unprepared("UPDATE \"user\" SET password_hash = '' WHERE is_pending").await?;
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.drop_table(Table::drop().table("provider_identity").to_owned()).await?;
    for index in ["user_tenant_email", "user_email"] {
        manager.drop_index(Index::drop().name(index).table("user").to_owned()).await?;
    }
    for (table, column) in columns() {
        let name = column.get_column_name();
        manager.alter_table(Table::alter().table(table).drop_column(name).to_owned()).await?;
    }
    let unique = Index::create().name("user_email").table("user").col("email").unique().to_owned();
    manager.create_index(unique).await
}

fn columns() -> [(&'static str, ColumnDef); 8] {
    [
        ("user", boolean("must_change_password").default(false).to_owned()),
        ("user", uuid_null("password_set_by").to_owned()),
        ("user", uuid_null("email_set_by").to_owned()),
        ("user", boolean("is_email_verified").default(false).to_owned()),
        ("user", big_integer_null("registration_expires_at").to_owned()),
        ("user", boolean("is_address_elsewhere").default(false).to_owned()),
        ("link", uuid_null("shown_to").to_owned()),
        ("session", big_integer("authenticated_at").default(0).to_owned()),
    ]
}

fn provider_identity() -> TableCreateStatement {
    let with_user = ForeignKey::create()
        .from("provider_identity", "user_id")
        .to("user", "id")
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned();
    Table::create()
        .table("provider_identity")
        .col(string("issuer"))
        .col(string("subject"))
        .col(uuid("user_id"))
        .col(uuid_null("tenant_id"))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("issuer").col("subject"))
        .foreign_key(&mut with_user.clone())
        .to_owned()
}
