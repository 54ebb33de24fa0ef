//! Links by which somebody proves that an address is theirs: who has one may choose the password of its user. Each holds
//! once and for a while, and a new one takes the place of earlier ones of its purpose. Of the token only a hash is stored,
//! and it stands in the fragment of the address, which browsers send to nobody.

use std::{sync::Arc, time::Duration};

use armada_proto::{
    Choice, Timestamp, UserId,
    access::permission,
    v1::{LinkPurpose, SendLinkRequest, SentLink},
};
use armada_runtime::{
    Caller, Code, Database, Error, Result, Scope,
    audit::{self, Act, Object},
    random::random_text,
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect,
    sea_query::Expr,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    config::Config,
    entity::{
        link::{ActiveModel, Column, Entity, Model},
        tenant, user,
    },
    mail::{Kind, MailQueue},
    policy,
};

const HOUR: u32 = 3600;
const DAY: u32 = 24 * HOUR;

/// The page behind a link.
fn path(purpose: LinkPurpose) -> &'static str {
    match purpose {
        LinkPurpose::Invitation => "/auth/invitation",
        LinkPurpose::PasswordReset => "/auth/reset",
        LinkPurpose::EmailVerification | LinkPurpose::Unspecified => "/auth/verify",
    }
}

/// How long a link holds: so many times so many seconds. The mails speak in the same units.
fn life(purpose: LinkPurpose) -> (u32, u32) {
    match purpose {
        LinkPurpose::Invitation => (7, DAY),
        LinkPurpose::PasswordReset => (2, HOUR),
        LinkPurpose::EmailVerification | LinkPurpose::Unspecified => (48, HOUR),
    }
}

fn kind_of_email(purpose: LinkPurpose) -> Kind {
    match purpose {
        LinkPurpose::Invitation => Kind::Invitation,
        LinkPurpose::PasswordReset => Kind::PasswordReset,
        LinkPurpose::EmailVerification | LinkPurpose::Unspecified => Kind::EmailVerification,
    }
}

/// A new link.
pub struct NewLink {
    purpose: LinkPurpose,
    token: String,
    /// Until when it holds.
    pub expires_at: Timestamp,
}

impl NewLink {
    /// The address to open.
    pub fn address(&self, config: &Config) -> String {
        format!("{}#{}", config.page(path(self.purpose)), self.token)
    }

    /// How long it holds, in the unit of its email.
    pub fn count(&self) -> u32 {
        life(self.purpose).0
    }
}

/// Makes a link for a user in place of earlier ones of its purpose; `shown_to` is who gets to see it without being its
/// user, see [`Model`].
pub async fn make(
    tx: &DatabaseTransaction,
    user: &user::Model,
    purpose: LinkPurpose,
    shown_to: Option<UserId>,
) -> Result<NewLink> {
    forget(tx, user.id, Some(purpose)).await?;
    let now = Timestamp::now();
    let (count, unit) = life(purpose);
    let expires_at = now + Duration::from_secs(u64::from(count * unit));
    let token = random_text()?;
    let link = ActiveModel {
        id: Set(Uuid::now_v7()),
        user_id: Set(user.id),
        tenant_id: Set(user.tenant_id),
        purpose: Set(purpose),
        hash: Set(hash(&token)),
        created_at: Set(now.millis()),
        expires_at: Set(expires_at.millis()),
        shown_to: Set(shown_to),
    };
    link.insert(tx).await?;
    Ok(NewLink { purpose, token, expires_at })
}

/// The links of a user do not hold any more: those of a purpose, or all.
pub async fn forget(tx: &DatabaseTransaction, user: UserId, purpose: Option<LinkPurpose>) -> Result<()> {
    let mut links = Entity::delete_many().filter(Column::UserId.eq(user));
    if let Some(purpose) = purpose {
        links = links.filter(Column::Purpose.eq(purpose));
    }
    links.exec(tx).await?;
    Ok(())
}

/// A link that holds, and whose it is.
pub struct OpenedLink {
    /// The link.
    pub link: Model,
    /// Its user.
    pub user: user::Model,
    /// The user's tenant.
    pub tenant: Option<tenant::Model>,
}

/// An error unless a token opens something: whoever makes tokens up is told so without a lock, of which SQLite has one.
pub async fn must_exist(db: &Database, token: &str) -> Result<()> {
    let tx = db.read(&Scope::Platform).await?;
    let found = Entity::find().filter(Column::Hash.eq(hash(token))).one(&tx).await?;
    found.map(|_| ()).ok_or_else(invalid)
}

/// What a token opens. One that was used, has run out, or never was, opens nothing; the answer is the same.
pub async fn open(tx: &DatabaseTransaction, token: &str) -> Result<OpenedLink> {
    let live = Entity::find().filter(Column::Hash.eq(hash(token)));
    let live = live.filter(Column::ExpiresAt.gt(Timestamp::now().millis()));
    let link = live.lock_exclusive().one(tx).await?.ok_or_else(invalid)?;
    let found = user::Entity::find_by_id(link.user_id).find_also_related(tenant::Entity).one(tx).await?;
    let (user, tenant) = found.filter(|(user, tenant)| may_use(user, tenant.as_ref())).ok_or_else(invalid)?;
    Ok(OpenedLink { link, user, tenant })
}

/// Links of somebody who is barred do not hold while they are.
pub fn may_use(user: &user::Model, tenant: Option<&tenant::Model>) -> bool {
    user.is_active && tenant.map_or(user.is_platform_owner, tenant::Model::is_open)
}

fn invalid() -> Error {
    Error::new(Code::NotFound, "link_invalid", "this link was used, has run out, or was replaced by a newer one")
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token).to_vec()
}

/// Makes links for users at the wish of those who manage them. Cheap to clone.
#[derive(Clone)]
pub struct Links {
    pub(crate) db: Database,
    pub(crate) mail: MailQueue,
    pub(crate) config: Arc<Config>,
}

impl Links {
    /// Mails a link to a user; without a mail server it is told to the caller, who hands it over. Whoever has it becomes
    /// that user, so that only those get it who may do as much anyhow.
    pub async fn send(&self, caller: &Caller, request: SendLinkRequest) -> Result<SentLink> {
        let purpose = LinkPurpose::specified(request.purpose);
        let purpose = purpose.ok_or_else(|| Error::field("purpose", "unknown"))?;
        let id: UserId = request.id.parse()?;
        let tx = self.db.write(&caller.scope()).await?;
        let rows = user::Entity::within(caller.scope()).filter(user::Column::Id.eq(id));
        let found = rows.find_also_related(tenant::Entity).one(&tx).await?;
        let (user, tenant) = found.ok_or_else(Error::not_found)?;
        policy::must_cover(&tx, caller, &user).await?;
        fits(purpose, &user, tenant.as_ref())?;
        let own = caller.grant.as_ref().map(|grant| grant.user_id);
        if user.email_set_by.is_some() && user.email_set_by != own {
            // Whoever may do as much as the user says that the address is theirs.
            let vouched = user::Entity::update_many().col_expr(user::Column::EmailSetBy, Expr::val(None::<UserId>));
            vouched.filter(user::Column::Id.eq(user.id)).exec(&tx).await?;
        }
        let shown_to = own.filter(|_| !self.mail.is_configured() && !caller.is_platform_owner());
        let made = make(&tx, &user, purpose, shown_to).await?;
        let address = made.address(&self.config);
        if user.is_address_elsewhere {
            // Whose address it is has an account already, and hears that instead.
            self.mail.notify(&tx, Kind::AccountExists, &user).await?;
        } else {
            let link = (address.clone(), made.count());
            self.mail.send(&tx, kind_of_email(purpose), &user, tenant.as_ref(), link).await?;
        }
        let object = Object::new("user", user.id, &user.name);
        let act = Act { act: permission::USER_INVITE, tenant: user.tenant_id, object, ..Act::default() };
        audit::record(&tx, caller, act).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        let mailed = self.mail.is_configured();
        Ok(SentLink {
            mailed_to: mailed.then(|| user.email.clone()),
            link: (!mailed).then_some(address),
            expires_at: Some(made.expires_at),
        })
    }
}

/// An error when a link of this purpose makes no sense for a user.
fn fits(purpose: LinkPurpose, user: &user::Model, tenant: Option<&tenant::Model>) -> Result<()> {
    if !may_use(user, tenant) {
        return Err(Error::field("user_id", "user_is_inactive"));
    }
    match (purpose, user.is_pending) {
        (LinkPurpose::Invitation | LinkPurpose::EmailVerification, false) => {
            Err(Error::field("purpose", "user_is_in_already"))
        }
        _ => Ok(()),
    }
}

/// Removes links that have run out.
pub async fn tidy(db: &Database, now: Timestamp) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    Entity::delete_many().filter(Column::ExpiresAt.lte(now.millis())).exec(&tx).await?;
    Ok(tx.commit().await?)
}
