//! Mail on behalf of other services: they say what it is about, identity whose language it speaks, and it goes out by the
//! queue that all mail goes through.

use armada_proto::{
    TenantId, Timestamp, email,
    v1::{Empty, Locale, MailStatus, MaintenanceMail, MaintenanceState, QueuedMail, mails_server},
};
use armada_runtime::{Caller, Database, Error, Result, Scope};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QueryOrder, sea_query::OnConflict,
};
use tonic::{Request, Response, Status};

use crate::{
    entity::{self, mail_request, tenant, user},
    mail::{Due, Kind, MailQueue},
};

/// For how long it is known which emails were asked for: longer than whoever asks tries again.
const RETENTION_MS: i64 = 30 * 24 * 3_600_000;

/// Emails of a day that a tenant may have sent to addresses that none of its users has: who may type an address in could
/// have anybody written to.
const TO_STRANGERS_MAX: u64 = 100;

/// The RPCs.
pub struct Mails {
    pub(crate) db: Database,
    pub(crate) mail: MailQueue,
}

impl mails_server::Mails for Mails {
    async fn queue_maintenance(&self, request: Request<MaintenanceMail>) -> Result<Response<QueuedMail>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.queue(&caller, request.into_inner()).await?))
    }

    async fn status(&self, _: Request<Empty>) -> Result<Response<MailStatus>, Status> {
        Ok(Response::new(self.mail_status().await?))
    }
}

impl Mails {
    async fn mail_status(&self) -> Result<MailStatus> {
        let tx = self.db.read(&Scope::Platform).await?;
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let failing = entity::mail::Entity::find().filter(entity::mail::Column::Failure.ne(""));
        let oldest = failing.clone().order_by_asc(entity::mail::Column::Id).one(&tx).await?;
        Ok(MailStatus {
            configured: self.mail.is_configured(),
            waiting: count(entity::mail::Entity::find().count(&tx).await?),
            failing: count(failing.count(&tx).await?),
            failing_since: oldest.as_ref().map(|email| Timestamp::from_millis(email.created_at)),
            failure: oldest.map(|email| email.failure).unwrap_or_default(),
        })
    }

    async fn queue(&self, caller: &Caller, asked: MaintenanceMail) -> Result<QueuedMail> {
        let kind = match asked.state() {
            MaintenanceState::DueSoon => Kind::MaintenanceDueSoon,
            MaintenanceState::Due => Kind::MaintenanceDue,
            MaintenanceState::Overdue => Kind::MaintenanceOverdue,
            _ => return Err(Error::field("state", "invalid")),
        };
        if asked.id.is_empty() {
            return Err(Error::field("id", "required"));
        }
        let to = email::normal(&asked.to);
        if !email::is_valid(&to) || to.len() > email::MAX {
            return Err(Error::field("to", "invalid_email"));
        }
        let id: TenantId = asked.tenant_id.parse().map_err(|_| Error::not_found())?;
        let scope = Scope::Tenant(id);
        if caller.scope().tenant().is_some_and(|own| own != id) {
            return Err(Error::not_found());
        }
        let tx = self.db.write(&scope).await?;
        let tenants = tenant::Entity::within(scope).filter(tenant::Column::Id.eq(id));
        let tenant = tenants.one(&tx).await?.ok_or_else(Error::not_found)?;
        let Reader { name, locale, is_stranger } = reader(&tx, scope, &to).await?;
        let is_too_much = is_stranger && to_strangers(&tx, id).await? >= TO_STRANGERS_MAX;
        let request = mail_request::Model {
            id: asked.id,
            created_at: Timestamp::now().millis(),
            share_of: Some(id),
            is_to_stranger: is_stranger && !is_too_much,
        };
        if !is_first(&tx, request).await? {
            return Ok(QueuedMail::default());
        }
        if is_too_much {
            tracing::warn!(tenant = %id, "an email to an address without an account is not sent: too many of them today");
            tx.commit().await?;
            return Ok(QueuedMail { is_too_much });
        }
        let due = Due {
            title: asked.title,
            vehicle: asked.vehicle,
            date: asked.due_date,
            odometer: asked.due_odometer,
            engine_hours: asked.due_engine_hours,
        };
        let about = format!("/maintenance?open={}", asked.maintenance_id);
        self.mail.send_due(&tx, kind, (to, name, locale), &tenant, due, &about).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        Ok(QueuedMail::default())
    }
}

/// Whether nobody has asked for this email before.
async fn is_first(tx: &DatabaseTransaction, request: mail_request::Model) -> Result<bool> {
    let once = OnConflict::new().do_nothing().to_owned();
    let request = request.into_active_model().reset_all();
    Ok(mail_request::Entity::insert(request).on_conflict(once).exec_without_returning(tx).await? == 1)
}

/// Emails of the last day of a tenant to addresses that none of its users has.
async fn to_strangers(tx: &DatabaseTransaction, tenant: TenantId) -> Result<u64> {
    let day_ago = Timestamp::now().millis() - 24 * 3_600_000;
    let asked = mail_request::Entity::find().filter(mail_request::Column::ShareOf.eq(tenant));
    let asked = asked.filter(mail_request::Column::IsToStranger.eq(true));
    Ok(asked.filter(mail_request::Column::CreatedAt.gt(day_ago)).count(tx).await?)
}

/// Who reads an email.
struct Reader {
    name: String,
    locale: Locale,
    /// No user of the tenant has the address.
    is_stranger: bool,
}

/// Whose address it is, and in which language they read: a user's own; of others that of whoever administers the tenant.
async fn reader(tx: &DatabaseTransaction, scope: Scope, address: &str) -> Result<Reader> {
    let users = user::Entity::within(scope).filter(user::Column::Email.eq(address));
    if let Some(user) = users.one(tx).await? {
        return Ok(Reader { name: user.name, locale: user.locale, is_stranger: false });
    }
    let admins = user::Entity::within(scope).filter(user::Column::IsTenantAdmin.eq(true));
    let admin = admins.order_by_asc(user::Column::CreatedAt).order_by_asc(user::Column::Id).one(tx).await?;
    Ok(Reader { name: String::new(), locale: admin.map_or(Locale::Id, |admin| admin.locale), is_stranger: true })
}

/// Forgets which emails were asked for long ago.
pub async fn tidy(db: &Database, now: Timestamp) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    let old = mail_request::Column::CreatedAt.lt(now.millis() - RETENTION_MS);
    mail_request::Entity::delete_many().filter(old).exec(&tx).await?;
    Ok(tx.commit().await?)
}
