//! Which template a role follows. Of the roles that were there before, those of which it can be told that nobody has ever
//! changed them.

use sea_orm::DbBackend;
use sea_orm_migration::{prelude::*, schema::string_null};

use crate::templates::{self, Template};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = string_null("template").to_owned();
    manager.alter_table(Table::alter().table("role").add_column(column).to_owned()).await?;
    for template in templates::ALL {
        let unedited = unedited(template);
        let sql = match manager.get_database_backend() {
            // The rules of the rows bind the tables' owner too. Statements of one text are one transaction.
            DbBackend::Postgres => format!("SELECT set_config('app.platform', 'on', true); {unedited}"),
            _ => unedited,
        };
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("role").drop_column("template").to_owned()).await
}

/// Marks the roles of a template. Every change of a role raises its version, so that one in its first version is as it was
/// made. It is of this template if it says nothing that the template does not, and either bears the template's own name and
/// description, whatever the template allowed then, or says all that it allows now. Others may be copies of a role that was
/// narrower on purpose: they stay as they are.
fn unedited(Template { key, name, description, allows }: &Template) -> String {
    let keys: Vec<_> = allows.iter().map(|key| format!("'{key}'")).collect();
    format!(
        "UPDATE role SET template = '{key}' WHERE row_version = 1 \
         AND NOT EXISTS (SELECT 1 FROM role_permission says WHERE says.role_id = role.id \
                         AND (says.effect <> 'allow' OR says.key NOT IN ({keys}))) \
         AND ((name = '{name}' AND description = '{description}') \
              OR (SELECT count(*) FROM role_permission says WHERE says.role_id = role.id) = {count})",
        keys = keys.join(", "),
        count = keys.len(),
    )
}
