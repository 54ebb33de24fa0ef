//! Platform owners by hand of whoever runs the machine: no request makes one, and nobody else could let one in again who
//! has lost the password or the second factor.

use armada_proto::{Timestamp, access::permission, email, v1::UserInput};
use armada_runtime::{
    Context, Database, Error, Result, Scope, Validate,
    audit::{self, Act, Actor, Object},
    auth::IDENTITY,
};
use sea_orm::{ActiveModelTrait, ColumnTrait, IntoActiveModel, QueryFilter, QuerySelect};

use crate::{
    ended::{self, EndedSessions},
    entity::{
        session,
        user::{Column, Entity, Model},
    },
    first_sign_in::{self, generated_password},
    links, migrations,
    passwords::Passwords,
    policy, totp,
};

/// Makes another platform owner and returns their password, which is stored nowhere and must be changed at the first
/// sign-in.
pub async fn add_owner(db: &Database, email: &str, name: Option<&str>) -> Result<String> {
    db.verify::<migrations::Migrator>(IDENTITY).await?;
    let name = name.unwrap_or(first_sign_in::NAME).to_owned();
    let mut input = UserInput { email: Some(email.to_owned()), name: Some(name), ..UserInput::default() };
    input.validate().check()?;
    let password = generated_password()?;
    let password_hash = Passwords::new(1).hash(password.clone()).await?;
    let owner = first_sign_in::owner(input.name.unwrap_or_default(), input.email.unwrap_or_default(), password_hash);
    let owner = Model { must_change_password: true, ..owner };
    let tx = db.write(&Scope::Platform).await?;
    let owner = owner.into_active_model().insert(&tx).await;
    let owner = owner.map_err(|error| Error::on_unique(error, &[("email", "email")]))?;
    policy::mark(&tx, &[owner.id]).await?;
    audit::record(&tx, operator(), act(permission::USER_CREATE, &owner)).await?;
    tx.commit().await?;
    Ok(password)
}

/// Lets a platform owner in again and returns their new password, which is stored nowhere and must be changed: their sessions end, their
/// second factor and the links that were sent to them are gone, and they are not barred any more.
pub async fn reset_owner(context: &Context, email: &str) -> Result<String> {
    let context = context.of(IDENTITY)?;
    let db = context.database(IDENTITY)?;
    db.verify::<migrations::Migrator>(IDENTITY).await?;
    let password = generated_password()?;
    let password_hash = Passwords::new(1).hash(password.clone()).await?;
    let tx = db.write(&Scope::Platform).await?;
    let owners = Entity::within(Scope::Platform).filter(Column::IsPlatformOwner.eq(true));
    let owner = owners.filter(Column::Email.eq(email::normal(email))).lock_exclusive().one(&tx).await?;
    let mut owner = owner.ok_or_else(|| Error::field("email", "unknown"))?;
    totp::remove(&tx, owner.id).await?;
    links::forget(&tx, owner.id, None).await?;
    let ended = ended::end(&tx, session::Column::UserId.eq(owner.id)).await?;
    owner.password_hash = password_hash;
    owner.must_change_password = true;
    owner.has_totp = false;
    owner.is_active = true;
    owner.is_pending = false;
    owner.policy_version += 1;
    owner.row_version += 1;
    owner.updated_at = Timestamp::now().millis();
    let owner = owner.into_active_model().reset_all().update(&tx).await?;
    policy::mark(&tx, &[owner.id]).await?;
    audit::record(&tx, operator(), act("account:password_reset", &owner)).await?;
    tx.commit().await?;
    EndedSessions::open(&context).await?.announce(ended).await;
    Ok(password)
}

fn operator() -> Actor {
    Actor { name: "armada owner".to_owned(), ..Actor::default() }
}

fn act(act: &'static str, owner: &Model) -> Act {
    Act { act, object: Object::new("user", owner.id, &owner.name), ..Act::default() }
}
