//! Changing users and removing them.

use armada_proto::{
    Timestamp,
    access::permission,
    v1::{DeleteRequest, User, UserInput},
};
use armada_runtime::{Caller, Error, Fields, Result, audit};
use sea_orm::{ActiveModelTrait, ColumnTrait, IntoActiveModel, ModelTrait};
use serde_json::Value;

use super::{Users, input, is_own, locked, manager, one, password_of_another, record, told_one};
use crate::{
    ended,
    entity::{session, user::Model},
    limits, links, policy, widening,
};

impl Users {
    pub(super) async fn change(&self, caller: &Caller, mut input: UserInput) -> Result<User> {
        let tx = self.db.read(&caller.scope()).await?;
        let before = one(&tx, caller, &input.id).await?;
        drop(tx);
        let mut fields = Fields::default();
        input::refuse_changes_of_place(caller, &before, &input, &mut fields);
        input::check(&mut input, false, fields)?;
        let password_hash = match input.password.take().filter(|password| !password.is_empty()) {
            Some(password) => Some(self.passwords.hash(password).await?),
            None => None,
        };
        let is_elsewhere = match &input.email {
            Some(email) if *email != before.email => Some(self.is_elsewhere(caller, email, before.tenant_id).await?),
            _ => None,
        };
        let tx = self.db.write(&caller.scope()).await?;
        let user = locked(&tx, caller, &input.id, input.row_version).await?;
        policy::must_cover(&tx, caller, &user).await?;
        input::refuse_flags(caller, &user, &input)?;
        if input.is_tenant_admin == Some(false) {
            limits::another_admin(&tx, &user, "is_tenant_admin").await?;
        }
        if input.is_active == Some(false) {
            limits::another_admin(&tx, &user, "is_active").await?;
        }
        let sets_password = password_hash.is_some();
        let ends_sessions = sets_password || (user.is_active && input.is_active == Some(false));
        let before = told_one(&tx, user.clone()).await?;
        let was_admin = user.is_tenant_admin;
        let was_active = user.is_active;
        let mut user = changed(user, input);
        if let Some(hash) = password_hash {
            password_of_another(&mut user, caller, hash);
            user.policy_version += 1;
        }
        if user.email != before.email {
            user.is_email_verified = false;
            user.is_address_elsewhere = is_elsewhere.unwrap_or(user.is_address_elsewhere);
            user.email_set_by = manager(caller);
        }
        input::must_be_free(&tx, &user).await?;
        let widens = user.is_tenant_admin && !was_admin;
        let mut ended = match ends_sessions {
            true => ended::end(&tx, session::Column::UserId.eq(user.id)).await?,
            false => Vec::new(),
        };
        if sets_password || user.email != before.email || (user.is_active && !was_active) {
            // Whoever has one might have it from an address that is no longer the user's, or from before they were barred.
            links::forget(&tx, user.id, None).await?;
        }
        policy::mark(&tx, &[user.id]).await?;
        let user = user.into_active_model().reset_all().update(&tx).await.map_err(input::taken)?;
        if widens {
            ended.extend(widening::end(&tx, &self.links.mail, &[user.id]).await?);
        }
        let user = told_one(&tx, user).await?;
        let mut change = audit::changes(Some(&before), Some(&user));
        if let Some(Value::Object(after)) = change.after.as_mut().filter(|_| sets_password) {
            after.insert("password_changed".to_owned(), true.into());
        }
        record(&tx, caller, permission::USER_UPDATE, &user, change).await?;
        tx.commit().await?;
        self.links.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.tell(ended).await;
        Ok(user)
    }

    /// What they did stays in the audit.
    pub(super) async fn remove(&self, caller: &Caller, request: &DeleteRequest) -> Result<()> {
        let tx = self.db.write(&caller.scope()).await?;
        let user = locked(&tx, caller, &request.id, request.row_version).await?;
        if is_own(caller, &user) {
            return Err(Error::field("id", "own_account"));
        }
        policy::must_cover(&tx, caller, &user).await?;
        limits::another_admin(&tx, &user, "id").await?;
        let ended = ended::end(&tx, session::Column::UserId.eq(user.id)).await?;
        policy::mark(&tx, &[user.id]).await?;
        let told = told_one(&tx, user.clone()).await?;
        record(&tx, caller, permission::USER_DELETE, &told, audit::changes(Some(&told), None)).await?;
        user.delete(&tx).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        self.ended.tell(ended).await;
        Ok(())
    }
}

/// The next version of a user.
fn changed(mut user: Model, input: UserInput) -> Model {
    let rights = |user: &Model| (user.is_tenant_admin, user.is_active, user.is_subscription_active);
    let rights_before = rights(&user);
    input::apply(input, &mut user);
    user.policy_version += i32::from(rights(&user) != rights_before);
    user.row_version += 1;
    user.updated_at = Timestamp::now().millis();
    user
}
