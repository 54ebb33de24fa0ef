//! Files of users.

use armada_proto::v1::{ListUsersRequest, User};
use axum::{extract::State, response::Response};
use futures::TryStreamExt;

use crate::{
    caller::By,
    edge::Edge,
    export::{self, Column, Export},
    failure::Answer,
    language::Language,
    query::Query,
};

/// The columns of a file of users.
const COLUMNS: &[Column<User>] = &[
    Column::text("name", 28.0, |user| &user.name),
    Column::text("email", 32.0, |user| &user.email),
    Column::text("phone", 18.0, |user| &user.phone),
    Column::made("roles", 32.0, |user| user.roles.iter().map(|role| role.name.as_str()).collect::<Vec<_>>().join(", ")),
    Column::choice("status", 12.0, |user| export::choice(user.status())),
    Column::choice("is_tenant_admin", 14.0, |user| export::flag(user.is_tenant_admin)),
    Column::choice("is_subscription_active", 14.0, |user| export::flag(user.is_subscription_active)),
    Column::choice("has_totp", 14.0, |user| export::flag(user.has_totp)),
    Column::time("last_login", |user| user.last_login),
    Column::time("created_at", |user| user.created_at),
    Column::unusual(Column::text("tenant_name", 28.0, |user| user.tenant_name.as_deref().unwrap_or_default())),
    Column::unusual(Column::time("updated_at", |user| user.updated_at)),
    Column::unusual(Column::text("id", 38.0, |user| &user.id)),
    Column::unusual(Column::text("tenant_id", 38.0, |user| user.tenant_id.as_deref().unwrap_or_default())),
];

/// All entries of a list as a file, whatever the page.
pub(crate) async fn export(
    State(edge): State<Edge>,
    By(caller): By,
    language: Language,
    mut query: Query,
) -> Answer<Response> {
    let request: ListUsersRequest = query.message();
    let export = Export::asked(&mut query, "users", COLUMNS, language);
    query.check()?;
    let pieces = edge.users().export(caller.sign(request)).await?.into_inner();
    Ok(export.respond(pieces.map_ok(|piece| piece.items)))
}

#[cfg(test)]
mod tests {
    use armada_proto::v1::UserStatus;

    use super::*;

    #[test]
    fn a_file_has_words_in_every_language() {
        let statuses = [UserStatus::Active, UserStatus::Inactive, UserStatus::Invited];
        let users = statuses.map(|status| User { status: status.into(), ..User::default() });
        export::assert_words("users", COLUMNS, &users);
    }
}
