//! New users.

use armada_proto::{
    access::permission,
    v1::{User, UserInput},
};
use armada_runtime::{Caller, Error, Fields, Result, audit};
use sea_orm::{ActiveModelTrait, IntoActiveModel};

use super::{Users, input, password_of_another, record, told_one};
use crate::{entity::user::Model, limits, policy, roles::tenant_of_new};

impl Users {
    /// They have no roles yet, and may do nothing until they are given some.
    pub(super) async fn make(&self, caller: &Caller, mut input: UserInput) -> Result<User> {
        let mut fields = Fields::default();
        let tenant = tenant_of_new(caller, input.tenant_id.as_deref(), &mut fields);
        input::check(&mut input, true, fields)?;
        let tenant = tenant.ok_or_else(Error::not_found)?;
        let password = input.password.take().filter(|password| !password.is_empty());
        let mut user = Model::new(Some(tenant));
        match password {
            // Who is invited chooses a password of their own.
            None => user.is_pending = true,
            Some(password) => password_of_another(&mut user, caller, self.passwords.hash(password).await?),
        }
        input::refuse_flags(caller, &user, &input)?;
        input::apply(input, &mut user);
        user.is_address_elsewhere = self.is_elsewhere(caller, &user.email, user.tenant_id).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let tenant = limits::lock(&tx, tenant).await?.ok_or_else(|| Error::field("tenant_id", "unknown"))?;
        limits::one_more_user(&tx, &tenant).await?;
        input::must_be_free(&tx, &user).await?;
        let user = user.into_active_model().insert(&tx).await.map_err(input::taken)?;
        policy::mark(&tx, &[user.id]).await?;
        let user = told_one(&tx, user).await?;
        let change = audit::changes(None, Some(&user));
        record(&tx, caller, permission::USER_CREATE, &user, change).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        Ok(user)
    }
}
