use armada_proto::{
    CommandId, DeviceId, TenantId, UserId,
    v1::{self, CommandKind, CommandReason, CommandState},
};
use armada_runtime::{Caller, Scope, folded_columns, row};
use sea_orm::{QuerySelect, QueryTrait, entity::prelude::*};

use super::device;
use crate::members;

/// A command to a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "command")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: CommandId,
    pub tenant_id: TenantId,
    /// May be gone since.
    pub device_id: DeviceId,
    /// Of the device, when the command was made.
    pub name: String,
    pub name_folded: String,
    /// Of the device; once it is sent, the one that it was sent to.
    pub imei: String,
    pub kind: CommandKind,
    pub interval_seconds: i32,
    pub output: i32,
    pub output_on: bool,
    pub text: String,
    pub reason: String,
    pub state: CommandState,
    /// `unspecified` for none.
    pub state_reason: CommandReason,
    pub answer: String,
    pub user_id: UserId,
    pub decided_by: Option<UserId>,
    pub repeats: Option<CommandId>,
    /// By which whoever asks again gets this one: once for a device and a user.
    pub request_id: Option<Uuid>,
    /// Empty until it is sent.
    pub gateway: String,
    pub expires_at: i64,
    /// A queued one is not tried before, unless the device is heard of.
    pub next_try_at: i64,
    pub sent_at: Option<i64>,
    /// When nothing has been heard until then, nobody knows what became of it.
    pub answer_by: Option<i64>,
    pub answered_at: Option<i64>,
    /// What a search looks in, folded.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(ActiveModel; folded: name => name_folded; search: name, imei, reason, text);

row! {
    Model as v1::Command, v1::CommandInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, device_id, name, imei, state, state_reason, answer, user_id, decided_by, repeats, gateway,
        expires_at, sent_at, answered_at, created_at, updated_at;
    given: kind, interval_seconds, output, output_on, text, reason;
    new: state = CommandState::Queued;
}

impl Entity {
    /// The commands of a scope, but for those of deleted tenants.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = Self::find().filter(Column::DeviceId.not_in_subquery(device::Entity::hidden()));
        scope.tenant().map_or(rows.clone(), |tenant| rows.filter(Column::TenantId.eq(tenant)))
    }

    /// What a caller sees of a scope, which must be theirs: admins everything, others what was sent to devices that they
    /// are linked to.
    pub fn visible_to(caller: &Caller, scope: Scope) -> Select<Self> {
        let rows = Self::within(scope);
        if members::limited_user(caller).is_none() {
            return rows;
        }
        let devices = device::Entity::visible_to(caller, scope).select_only().column(device::Column::Id);
        rows.filter(Column::DeviceId.in_subquery(devices.into_query()))
    }
}
