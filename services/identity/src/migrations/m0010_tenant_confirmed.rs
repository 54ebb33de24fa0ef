//! Which tenants a platform owner made or vouches for. Those that registered themselves are known from the audit.

use sea_orm_migration::{prelude::*, schema::boolean, sea_orm::DbBackend};

const REGISTERED: &str = "UPDATE tenant SET confirmed = FALSE WHERE id IN \
                          (SELECT tenant_id FROM audit_entry WHERE act = 'tenant:register')";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let added = Table::alter().table("tenant").add_column(boolean("confirmed").default(true)).to_owned();
    manager.alter_table(added).await?;
    let registered = match manager.get_database_backend() {
        // The rules of the rows bind the tables' owner too. Statements of one text are one transaction.
        DbBackend::Postgres => format!("SELECT set_config('app.platform', 'on', true); {REGISTERED}"),
        _ => REGISTERED.to_owned(),
    };
    manager.get_connection().execute_unprepared(&registered).await.map(drop)
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("tenant").drop_column("confirmed").to_owned()).await
}
