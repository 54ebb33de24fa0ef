//! Registrations that were asked for: who has asked has their answer already, so that it takes as long for an address that
//! somebody has as for a new one.

use std::{net::IpAddr, sync::Arc, time::Duration};

use armada_proto::{
    Choice, Timestamp,
    v1::{LinkPurpose, Locale, RegistrationInput, SubscriptionStatus},
};
use armada_runtime::{
    Code, Database, Error, Result, Scope,
    audit::{self, Act, Actor, Object},
    auth::Client,
    outbox::OutboxHandle,
};
use prost::Message;
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, LockBehavior, LockType},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    config::Config,
    entity::{
        registration_request::{ActiveModel, Column, Entity, Model},
        tenant, user,
    },
    links,
    mail::{Kind, MailQueue},
    policy, tenants,
};

/// How long a request may lie when nobody woke the task, and until one that failed is tried again.
const POLL: Duration = Duration::from_secs(5);
/// What could not be done for so long is dropped.
const MAX_AGE: Duration = Duration::from_secs(24 * 3600);

/// Notes and does what was asked for. Cheap to clone.
#[derive(Clone)]
pub struct Opening {
    pub(crate) db: Database,
    pub(crate) mail: MailQueue,
    pub(crate) outbox: OutboxHandle,
    pub(crate) config: Arc<Config>,
    /// Wakes the task.
    pub(crate) asked: Arc<Notify>,
}

impl Opening {
    /// Notes a request that was checked.
    pub(super) async fn ask(&self, input: &RegistrationInput, may_tell: bool, client: &Client) -> Result<()> {
        let now = Timestamp::now().millis();
        let row = ActiveModel {
            id: NotSet,
            input: Set(input.encode_to_vec()),
            may_tell: Set(may_tell),
            address: Set(client.address.map(|address| address.to_string()).unwrap_or_default()),
            created_at: Set(now),
            next_at: Set(now),
        };
        let tx = self.db.write(&Scope::Platform).await?;
        row.insert(&tx).await?;
        tx.commit().await?;
        self.asked.notify_one();
        Ok(())
    }

    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        while !shutdown.is_cancelled() {
            match self.do_next().await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "cannot look at registrations; will try again"),
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = self.asked.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
        Ok(())
    }

    /// Does the next one, in one transaction with forgetting it; false when there is none.
    async fn do_next(&self) -> Result<bool> {
        let tx = self.db.write(&Scope::Platform).await?;
        let due = Entity::find().filter(Column::NextAt.lte(Timestamp::now().millis())).order_by_asc(Column::Id);
        let due = due.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked).one(&tx).await?;
        let Some(row) = due else { return Ok(false) };
        match self.register(&tx, &row).await {
            Ok(()) => {
                Entity::delete_by_id(row.id).exec(&tx).await?;
                tx.commit().await?;
                self.mail.wake_relay();
                self.outbox.flush().await;
            }
            Err(error) => {
                drop(tx);
                self.put_off(&row, &error).await?;
            }
        }
        Ok(true)
    }

    async fn put_off(&self, row: &Model, error: &Error) -> Result<()> {
        tracing::warn!(registration = row.id, %error, "a registration is put off");
        let now = Timestamp::now();
        let tx = self.db.write(&Scope::Platform).await?;
        if now.millis() - row.created_at > MAX_AGE.as_millis() as i64 {
            Entity::delete_by_id(row.id).exec(&tx).await?;
        } else {
            let later = Entity::update_many().col_expr(Column::NextAt, Expr::val((now + POLL).millis()));
            later.filter(Column::Id.eq(row.id)).exec(&tx).await?;
        }
        Ok(tx.commit().await?)
    }

    async fn register(&self, tx: &DatabaseTransaction, row: &Model) -> Result<()> {
        let input = RegistrationInput::decode(row.input.as_slice()).map_err(Error::internal)?;
        let locale = Locale::specified(input.locale).unwrap_or(Locale::Id);
        // An address in a deleted tenant is not free: the deletion can be undone.
        match user::Entity::of_address(&input.email).one(tx).await? {
            Some(_) if !row.may_tell => Ok(()),
            // Their email got lost, or a stranger was first. Nobody has confirmed what was said before: this counts.
            Some(user) if user.registration_expires_at.is_some() => self.replace(tx, user, input, locale).await,
            Some(user) if user.is_pending => self.mail.queue_password_reset(tx, &user.email).await,
            Some(user) => self.mail.notify(tx, Kind::AccountExists, &user).await,
            None => self.open(tx, input, locale, row.address.parse().ok()).await,
        }
    }

    async fn open(
        &self,
        tx: &DatabaseTransaction,
        input: RegistrationInput,
        locale: Locale,
        address: Option<IpAddr>,
    ) -> Result<()> {
        let tenant = tenant::Model {
            name: input.company,
            tax_number: input.tax_number,
            device_limit: i64::from(self.config.free_device_limit),
            user_limit: i64::from(self.config.free_user_limit),
            storage_limit_mb: i32::try_from(self.config.free_storage_limit_mb).unwrap_or(i32::MAX),
            subscription_status: SubscriptionStatus::Inactive,
            confirmed: false,
            ..tenant::Model::new()
        };
        let tenant = tenants::open(tx, tenant).await?;
        let user = user::Model {
            name: input.name,
            email: input.email,
            phone: input.phone,
            is_tenant_admin: true,
            is_subscription_active: false,
            locale,
            is_pending: true,
            registration_expires_at: Some(self.expires_at()),
            ..user::Model::new(Some(tenant.id))
        };
        // Of two who register one address at once, one is told to try again, and then that there is an account.
        let user = user.into_active_model().insert(tx).await.map_err(|error| {
            match Error::on_unique(error, &[("email", "email")]) {
                error if error.class == Code::Conflict => {
                    Error::unavailable("somebody registers this address right now")
                }
                error => error,
            }
        })?;
        policy::mark(tx, &[user.id]).await?;
        self.ask_to_confirm(tx, &user).await?;
        let object = Object::new("tenant", tenant.id, &tenant.name);
        let act = Act { act: "tenant:register", tenant: Some(tenant.id), object, ..Act::default() };
        audit::record(tx, Actor { id: Some(user.id), name: user.name, address }, act).await
    }

    /// Takes what is said now in the place of what was said before and not confirmed; the link of before does not hold.
    async fn replace(
        &self,
        tx: &DatabaseTransaction,
        mut user: user::Model,
        input: RegistrationInput,
        locale: Locale,
    ) -> Result<()> {
        let Some(tenant) = user.tenant_id else { return Ok(()) };
        let found = tenant::Entity::within(Scope::Platform).filter(tenant::Column::Id.eq(tenant)).one(tx).await?;
        let mut tenant = found.ok_or_else(Error::not_found)?;
        tenant.name = input.company;
        tenant.tax_number = input.tax_number;
        tenant.row_version += 1;
        tenant.into_active_model().reset_all().update(tx).await?;
        user.name = input.name;
        user.phone = input.phone;
        user.locale = locale;
        user.registration_expires_at = Some(self.expires_at());
        user.row_version += 1;
        let user = user.into_active_model().reset_all().update(tx).await?;
        links::forget(tx, user.id, None).await?;
        self.ask_to_confirm(tx, &user).await
    }

    /// The email with the link that confirms a registration.
    async fn ask_to_confirm(&self, tx: &DatabaseTransaction, user: &user::Model) -> Result<()> {
        if !self.mail.is_configured() {
            return Ok(());
        }
        let made = links::make(tx, user, LinkPurpose::EmailVerification, None).await?;
        let link = (made.address(&self.config), made.count());
        self.mail.send(tx, Kind::EmailVerification, user, None, link).await
    }

    fn expires_at(&self) -> i64 {
        (Timestamp::now() + Duration::from_secs(self.config.registration_days * 24 * 3600)).millis()
    }
}
