//! The two tables.

use armada_proto::{
    TenantId, Timestamp, UserId, bulk,
    v1::{self, ErrorDetail, JobItemStatus, JobStatus},
};
use prost::Message;
use sea_orm::{Select, entity::prelude::*};

use crate::{auth::Caller, error::Error};

pub(super) mod job {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "job")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        /// Of who started it; none for platform owners.
        pub tenant_id: Option<TenantId>,
        /// Of one lane one job runs at a time: the tenant, or nil.
        pub lane: Uuid,
        pub kind: String,
        pub resource: String,
        pub action: String,
        /// The path of the method that does one item.
        pub method: String,
        /// Its request without the id of an item. Empty once the job is over.
        pub request: Vec<u8>,
        pub status: JobStatus,
        pub total: i32,
        pub done: i32,
        pub failed: i32,
        pub created_by: UserId,
        /// From where it was started, if known.
        pub address: Option<String>,
        pub created_at: i64,
        pub started_at: Option<i64>,
        pub finished_at: Option<i64>,
        /// Somebody wants it to stop.
        pub cancel_requested: bool,
        /// Why it could not go on: an `ErrorDetail`.
        pub error: Option<Vec<u8>>,
        /// Grows with everyone who takes it up.
        pub epoch: i32,
        /// Until when it is theirs, by the database's clock.
        pub lease_until: i64,
        /// Its items are tried as long as it is there.
        pub trial: Option<Trial>,
        /// When it gave way to others last, or was over; 0 for one that was not worked on yet.
        pub worked_at: i64,
        /// The one that took back what it did.
        pub undo_id: Option<Uuid>,
        /// All of its items are there.
        pub is_filled: bool,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Why items are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Trial {
    /// It is all that is wanted.
    #[sea_orm(string_value = "alone")]
    Alone,
    /// They are done when nothing is wrong with any of them.
    #[sea_orm(string_value = "first")]
    First,
}

pub(super) mod item {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "job_item")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub job_id: Uuid,
        /// From 0.
        #[sea_orm(primary_key, auto_increment = false)]
        pub position: i32,
        /// Whose it is.
        pub tenant_id: Option<TenantId>,
        pub item_id: String,
        pub name: String,
        pub status: JobItemStatus,
        /// The path of the method that does it, where that is not the job's.
        pub method: Option<String>,
        /// Its request, where it has one of its own. None once it is done or the job is over: it may tell of people.
        pub request: Option<Vec<u8>>,
        /// The fields that it changed, as they were, as JSON; none for what was made.
        pub before: Option<String>,
        /// The epoch of the job in which it was decided.
        pub decided_in: Option<i32>,
        /// An `ErrorDetail`.
        pub error: Option<Vec<u8>>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl item::Model {
    /// The path of the method that does it.
    pub(super) fn method<'a>(&'a self, job: &'a job::Model) -> &'a str {
        self.method.as_ref().unwrap_or(&job.method)
    }

    /// Its request.
    pub(super) fn body(&self, job: &job::Model) -> Vec<u8> {
        self.request.clone().unwrap_or_else(|| bulk::with_id(&job.request, &self.item_id))
    }
}

impl job::Entity {
    /// The jobs that a caller sees: their own, admins those of their tenant, platform owners all.
    pub(super) fn visible_to(caller: &Caller) -> Select<Self> {
        let rows = match caller.scope().tenant() {
            Some(tenant) => Self::find().filter(job::Column::TenantId.eq(tenant)),
            None => Self::find(),
        };
        let rows = rows.filter(job::Column::IsFilled.eq(true));
        match &caller.grant {
            Some(grant) if !caller.is_admin() => rows.filter(job::Column::CreatedBy.eq(grant.user_id)),
            _ => rows,
        }
    }
}

impl job::Model {
    /// Whether something came of it that stays.
    pub(super) fn has_done(&self) -> bool {
        self.finished_at.is_some() && self.trial.is_none() && self.done > 0
    }

    /// As it is answered; `service` runs it, and says whether it can take back what such jobs do.
    pub(super) fn into_message(self, service: &str, can_undo: bool) -> v1::Job {
        let can_be_undone = can_undo && self.undo_id.is_none() && self.has_done();
        let count = |number: i32| u32::try_from(number).unwrap_or_default();
        let error = self.error.as_deref().map(detail);
        let status = match self.status {
            // Between its turns.
            JobStatus::Queued if self.started_at.is_some() => JobStatus::Running,
            status => status,
        };
        v1::Job {
            id: self.id.to_string(),
            tenant_id: self.tenant_id.map(|id| id.to_string()),
            service: service.to_owned(),
            kind: self.kind,
            resource: self.resource,
            action: self.action,
            status: status.into(),
            total: count(self.total),
            done: count(self.done),
            failed: count(self.failed),
            created_by: self.created_by.to_string(),
            created_at: Some(Timestamp::from_millis(self.created_at)),
            started_at: self.started_at.map(Timestamp::from_millis),
            finished_at: self.finished_at.map(Timestamp::from_millis),
            error: error.as_ref().map(|error| error.code.clone()),
            message: error.map(|error| error.message),
            is_trial: self.trial.is_some(),
            can_be_undone,
            undone_by: self.undo_id.map(|id| id.to_string()),
            missing: Vec::new(),
        }
    }
}

impl item::Model {
    /// What went wrong with it, if anything did.
    pub(super) fn detail(&self) -> Option<ErrorDetail> {
        self.error.as_deref().map(detail)
    }

    /// As it is answered.
    pub(super) fn into_message(self) -> v1::JobItem {
        let row = self;
        let error = row.detail();
        let code = error.as_ref().map(|error| error.code.clone());
        let ErrorDetail { message, fields, conflicting, limit, .. } = error.unwrap_or_default();
        v1::JobItem {
            item_id: row.item_id,
            name: row.name,
            status: row.status.into(),
            message: code.is_some().then_some(message),
            error: code,
            fields,
            conflicting,
            limit,
        }
    }
}

/// An error as it is stored.
pub(super) fn stored(error: Error) -> Vec<u8> {
    ErrorDetail::from(error).encode_to_vec()
}

fn detail(bytes: &[u8]) -> ErrorDetail {
    ErrorDetail::decode(bytes).unwrap_or_default()
}
