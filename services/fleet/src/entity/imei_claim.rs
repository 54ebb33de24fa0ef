use armada_proto::{
    DeviceId, TenantId, Timestamp, UserId,
    v1::{self, ImeiClaimStatus},
};
use armada_runtime::Scope;
use sea_orm::entity::prelude::*;

/// What a tenant said of whose tracker it is, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "imei_claim")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: TenantId,
    /// While it waits, a device of this id is there and names the IMEI.
    pub device_id: DeviceId,
    /// Its name when the claim was made.
    pub device_name: String,
    /// What it is sorted by: the name as [`armada_runtime::text::sort_key`] makes it.
    pub device_name_folded: String,
    pub imei: String,
    pub status: ImeiClaimStatus,
    /// Why it was rejected; empty for none.
    pub reason: String,
    pub claimed_by: Option<UserId>,
    pub claimed_at: i64,
    pub decided_by: Option<UserId>,
    pub decided_at: Option<i64>,
    /// What a search looks in: IMEI and name, folded.
    pub search: String,
    pub row_version: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The claims of a scope.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }
}

/// Without what is known of the IMEI now.
impl From<Model> for v1::ImeiClaim {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.to_string(),
            check_digit_ok: row.imei.parse().ok().is_none_or(armada_track::Imei::check_digit_ok),
            imei: row.imei,
            tenant_id: row.tenant_id.to_string(),
            device_id: row.device_id.to_string(),
            device_name: row.device_name,
            status: row.status.into(),
            reason: row.reason,
            claimed_at: Some(Timestamp::from_millis(row.claimed_at)),
            decided_at: row.decided_at.map(Timestamp::from_millis),
            claimed_by: row.claimed_by.map(|id| id.to_string()),
            decided_by: row.decided_by.map(|id| id.to_string()),
            row_version: row.row_version,
            holder: None,
            assigned_tenant_id: None,
            heard: None,
            heard_known: false,
        }
    }
}
