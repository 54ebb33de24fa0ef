//! Which roles a user has.

use armada_proto::{
    TenantId, Timestamp, UserId,
    access::permission,
    v1::{Effect, User, UserRolesInput},
};
use armada_runtime::{
    Caller, Result,
    audit::{self, Act, Object},
    resource,
};
use sea_orm::{ActiveModelTrait, IntoActiveModel};
use uuid::Uuid;

use super::{
    Users,
    input::is_own,
    roles::{chosen, keys_with_effect, present, store},
};
use crate::{policy, widening};

impl Users {
    pub(super) async fn set_roles(&self, caller: &Caller, input: &UserRolesInput) -> Result<User> {
        let tx = self.db.write(&caller.scope()).await?;
        let id: UserId = input.id.parse()?;
        let mut user = resource::locked(self, &tx, caller, id.into(), input.row_version).await?;
        if is_own(caller, &user) && !caller.is_admin() {
            return Err(policy::exceeds_own_rights("role_ids"));
        }
        policy::must_cover(&tx, caller, &user).await?;
        let wanted = chosen(&tx, &user, &input.role_ids).await?;
        let before = resource::message(self, &tx, user.clone()).await?;
        let present = present(&tx, &user).await?;
        let added: Vec<Uuid> = wanted.difference(&present).copied().collect();
        let removed: Vec<Uuid> = present.difference(&wanted).copied().collect();
        if added.is_empty() && removed.is_empty() {
            return Ok(before);
        }
        // A role that goes takes with it what it denied.
        let wider =
            [keys_with_effect(&tx, &added, Effect::Allow).await?, keys_with_effect(&tx, &removed, Effect::Deny).await?]
                .concat();
        policy::must_hold(caller, "role_ids", wider.iter().map(String::as_str))?;
        store(&tx, &user, &added, &removed).await?;
        user.policy_version += 1;
        user.row_version += 1;
        user.updated_at = Timestamp::now().millis();
        policy::mark(&tx, &[user.id]).await?;
        let user = user.into_active_model().reset_all().update(&tx).await?;
        let ended = match wider.is_empty() || user.is_admin() {
            true => Vec::new(),
            false => widening::end(&tx, &self.links.mail, &[user.id]).await?,
        };
        let user = resource::message(self, &tx, user).await?;
        let change = audit::changes(Some(&before), Some(&user));
        let tenant = user.tenant_id.as_deref().map(str::parse::<TenantId>).transpose()?;
        let object = Object::new("user", &user.id, &user.name);
        audit::record(&tx, caller, Act { act: permission::USER_ASSIGN_ROLES, tenant, object, change }).await?;
        tx.commit().await?;
        self.links.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        Ok(user)
    }
}
