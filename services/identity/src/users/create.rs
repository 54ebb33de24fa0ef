//! New users.

use armada_proto::{
    access::permission,
    v1::{User, UserInput},
};
use armada_runtime::{Caller, Error, Fields, Result, audit};
use sea_orm::{ActiveModelTrait, IntoActiveModel};

use super::{Users, input, record, told_one};
use crate::{entity::user::Model, limits, policy, random, roles::tenant_of_new};

impl Users {
    /// They have no roles yet, and may do nothing until they are given some.
    pub(super) async fn make(&self, caller: &Caller, mut input: UserInput) -> Result<User> {
        let mut fields = Fields::default();
        let tenant = tenant_of_new(caller, input.tenant_id.as_deref(), &mut fields);
        input::check(&mut input, true, fields)?;
        let tenant = tenant.ok_or_else(Error::not_found)?;
        let password = input.password.take().filter(|password| !password.is_empty());
        // What nobody knows: who is invited chooses a password of their own.
        let secret = format!("{:x}", u128::from_ne_bytes(random()?));
        let mut user = Model::new(Some(tenant));
        user.is_pending = password.is_none();
        user.password_hash = self.passwords.hash(password.unwrap_or(secret)).await?;
        input::refuse_flags(caller, &user, &input)?;
        input::apply(input, &mut user);
        let tx = self.db.write(&caller.scope()).await?;
        let tenant = limits::lock(&tx, tenant).await?.ok_or_else(|| Error::field("tenant_id", "unknown"))?;
        limits::one_more_user(&tx, &tenant).await?;
        let user = user.into_active_model().insert(&tx).await.map_err(input::taken)?;
        policy::mark(&tx, &[user.id]).await?;
        let user = told_one(&tx, user).await?;
        let change = audit::changes(None, Some(&user));
        record(&tx, caller, permission::USER_CREATE, &user, change).await?;
        tx.commit().await?;
        self.bell.ring().await;
        Ok(user)
    }
}
