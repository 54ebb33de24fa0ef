use armada_proto::{
    DeviceId, MasterDataId, ShareLinkId, TenantId, Timestamp, UserId,
    v1::{self, ShareLinkStatus},
};
use armada_runtime::{Caller, Scope, folded_columns, row};
use sea_orm::entity::prelude::*;

use crate::members;

/// An address at which people without an account see vehicles for a while.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "share_link")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ShareLinkId,
    pub tenant_id: TenantId,
    /// Who made it: it shows no more than what they may see and share.
    pub user_id: UserId,
    pub name: String,
    pub name_folded: String,
    /// The device, or [`Model::device_group_id`].
    pub device_id: Option<DeviceId>,
    pub device_group_id: Option<MasterDataId>,
    pub expires_at: i64,
    pub revoked_at: Option<i64>,
    /// SHA-256 of the last part of its address.
    pub token_hash: Vec<u8>,
    /// In PHC form; none without a PIN.
    pub pin_hash: Option<String>,
    /// Grows when the address or the PIN changes.
    pub ticket_version: i32,
    pub opened_count: i64,
    pub last_opened_at: Option<i64>,
    /// What a search looks in, folded.
    pub search: String,
    /// Since when it is hidden, because its tenant is deleted.
    pub hidden_at: Option<i64>,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(ActiveModel; folded: name => name_folded; search: name);

// Without what it shows is called, whether it has a PIN and how it stands, and without its address, which nobody knows any
// more.
row! {
    Model as v1::ShareLink, v1::ShareLinkInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, user_id, device_id, device_group_id, expires_at, opened_count, last_opened_at, created_at,
        updated_at;
    given: name;
    new: ticket_version = 1;
}

impl Entity {
    /// The links of a scope, but for those of deleted tenants: how every query of this table begins.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = scope.tenant().map_or(Self::find(), |tenant| Self::find().filter(Column::TenantId.eq(tenant)));
        rows.filter(Column::HiddenAt.is_null())
    }

    /// What a caller sees of a scope, which must be theirs: admins everything, others what they have made.
    pub fn visible_to(caller: &Caller, scope: Scope) -> Select<Self> {
        let rows = Self::within(scope);
        members::limited_user(caller).map_or(rows.clone(), |user| rows.filter(Column::UserId.eq(user)))
    }
}

impl Model {
    /// How it stands at an instant by itself, whoever may share what it shows.
    pub fn status(&self, now: Timestamp) -> ShareLinkStatus {
        match self.revoked_at {
            Some(_) => ShareLinkStatus::Revoked,
            None if self.expires_at <= now.millis() => ShareLinkStatus::Expired,
            None => ShareLinkStatus::Active,
        }
    }
}
