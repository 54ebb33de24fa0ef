//! Signing in by the word of a provider of identities.

use armada_proto::v1::{OidcFinishRequest, Session};
use armada_runtime::{Code, Error, Result, Scope, audit, auth::Client};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, sea_query::Expr};

use super::{Sessions, actor, of_user};
use crate::{email, entity::user, links};

impl Sessions {
    /// The provider vouches for the address; who has it here must be somebody who may sign in. Who was invited comes in
    /// this way as well, and has no password then.
    pub(super) async fn sign_in_by_provider(&self, request: OidcFinishRequest, client: &Client) -> Result<Session> {
        let oidc = self.oidc.as_ref().ok_or_else(Error::not_found)?;
        let email = email::normal(&oidc.finish(request).await?);
        let found = self.find(&email).await?;
        let Some((mut user, tenant)) = found.clone().filter(|(user, tenant)| user.is_admitted(tenant.as_ref())) else {
            self.note_failure(&email, found.as_ref(), client).await?;
            return Err(Error::new(Code::Unauthenticated, "oidc_no_account", "no active user here has this address"));
        };
        if user.is_pending {
            self.accept(&mut user, client).await?;
        }
        let hash = user.password_hash.clone();
        self.begin((user, tenant), hash, client).await
    }

    /// Whose address it is, is known now. Whoever chose a password before, at a registration that nobody confirmed, may
    /// have been somebody else.
    async fn accept(&self, user: &mut user::Model, client: &Client) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        user::Entity::update_many()
            .col_expr(user::Column::IsPending, Expr::val(false))
            .col_expr(user::Column::PasswordHash, Expr::val(""))
            .filter(user::Column::Id.eq(user.id))
            .filter(user::Column::IsPending.eq(true))
            .exec(&tx)
            .await?;
        links::forget(&tx, user.id, None).await?;
        audit::record(&tx, actor(Some(user.id), client), of_user("account:invitation_accept", user)).await?;
        tx.commit().await?;
        user.is_pending = false;
        user.password_hash.clear();
        Ok(())
    }
}
