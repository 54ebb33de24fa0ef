//! What ends when somebody's rights widen, so that nobody else gets in with what they were given, or took, while the rights
//! were narrower: links, sessions, and a password that another person knows.
//!
//! A password that somebody else has set stays theirs as well until its user has chosen one behind a link that went to
//! their own address: whoever knew it could have changed it themselves. As long as that person could set it anew anyhow,
//! because their own rights cover the user's, it goes on working. The same holds for whoever changed the address, since a
//! new password goes there.

use armada_proto::UserId;
use armada_runtime::{Result, Scope};
use sea_orm::{ColumnTrait, Condition, DatabaseTransaction, EntityTrait, QueryFilter, sea_query::Expr};
use uuid::Uuid;

use crate::{
    ended,
    entity::{
        link, provider_identity, session,
        user::{Column, Entity, Model},
    },
    mail::MailQueue,
    policy,
};

/// Users that are looked at at a time.
const CHUNK: usize = 500;

/// Ends what these users' rights have outgrown, in the transaction that has widened them; returns the sessions whose end
/// is to be told once it is committed. Their policies are marked by whoever calls this.
pub async fn end(tx: &DatabaseTransaction, mail: &MailQueue, users: &[UserId]) -> Result<Vec<Uuid>> {
    let mut ended = Vec::new();
    for chunk in users.chunks(CHUNK) {
        let ids = || chunk.iter().copied();
        link::Entity::delete_many().filter(link::Column::UserId.is_in(ids())).exec(tx).await?;
        ended.extend(ended::end(tx, session::Column::UserId.is_in(ids())).await?);
        let set_by_others =
            Condition::any().add(Column::PasswordSetBy.is_not_null()).add(Column::EmailSetBy.is_not_null());
        let rows = Entity::within(Scope::Platform).filter(Column::Id.is_in(ids())).filter(set_by_others);
        for user in rows.all(tx).await? {
            withdraw(tx, mail, &user).await?;
        }
    }
    Ok(ended)
}

/// Whether somebody else could read what is mailed to the user, who may do more than they.
pub async fn is_address_doubtful(tx: &DatabaseTransaction, user: &Model) -> Result<bool> {
    is_doubtful(tx, user.email_set_by, user).await
}

async fn is_doubtful(tx: &DatabaseTransaction, set_by: Option<UserId>, user: &Model) -> Result<bool> {
    match set_by {
        Some(set_by) => Ok(!policy::covers(tx, set_by, user).await?),
        None => Ok(false),
    }
}

/// The password stops working; a link to a new one goes to the user's address, unless that is the other person's as well:
/// then somebody who may has to send it.
async fn withdraw(tx: &DatabaseTransaction, mail: &MailQueue, user: &Model) -> Result<()> {
    let address = is_address_doubtful(tx, user).await?;
    if !address && !is_doubtful(tx, user.password_set_by, user).await? {
        return Ok(());
    }
    let mut without = Entity::update_many()
        .col_expr(Column::PasswordHash, Expr::val(""))
        .col_expr(Column::MustChangePassword, Expr::val(false));
    if address {
        without = without.col_expr(Column::IsEmailVerified, Expr::val(false));
        let bound = provider_identity::Entity::delete_many().filter(provider_identity::Column::UserId.eq(user.id));
        bound.exec(tx).await?;
    }
    without.filter(Column::Id.eq(user.id)).exec(tx).await?;
    if !address {
        mail.queue_password_reset(tx, &user.email).await?;
    }
    Ok(())
}
