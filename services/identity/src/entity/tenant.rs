use armada_proto::{
    TenantId, Timestamp,
    v1::{self, BillingPeriod, CostModel, SubscriptionStatus},
};
use armada_runtime::{Scope, folded_columns, row};
use sea_orm::{QuerySelect, QueryTrait, entity::prelude::*, sea_query::SelectStatement};

/// Of a new tenant that names none.
const TIME_ZONE: &str = "Asia/Jakarta";
const CURRENCY: &str = "IDR";
const STORAGE_LIMIT_MB: i32 = 10_240;

/// A customer of the platform.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TenantId,
    pub name: String,
    /// What it is sorted by: the name as [`armada_runtime::text::sort_key`] makes it.
    pub name_folded: String,
    pub description: String,
    /// IANA name.
    pub time_zone: String,
    pub active: bool,
    /// Made by `armada seed --demo`.
    pub is_demo: bool,
    /// What a search looks in: name and description, folded.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
    pub cost_model: CostModel,
    /// In the currency's minor unit.
    pub cost_per_device: i64,
    /// In the currency's minor unit.
    pub cost_bundle: i64,
    /// ISO 4217.
    pub currency: String,
    /// 0 for no limit.
    pub device_limit: i64,
    /// 0 for no limit.
    pub user_limit: i64,
    /// As fleet counts them; no request sets it.
    pub used_devices: i64,
    pub billing_period: BillingPeriod,
    /// Day of the month, 1 to 28.
    pub billing_day: i32,
    /// Days after an invoice's date.
    pub due_day: i32,
    pub subscription_status: SubscriptionStatus,
    /// NPWP, digits alone; empty for none.
    pub tax_number: String,
    /// When it was deleted: from then on it is hidden.
    pub deleted_at: Option<i64>,
    /// When a deleted one is erased, as the erase ledger has it.
    pub erase_after: Option<i64>,
    /// A platform owner made it or vouches for it; false for one that registered itself.
    pub confirmed: bool,
    /// Megabytes of files, as fleet counts them; 0 for no limit.
    pub storage_limit_mb: i32,
    /// A second person must agree before an engine is stopped.
    pub engine_stop_consent: bool,
    /// Days for which positions are kept; 0 for ever.
    pub history_days: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(ActiveModel; folded: name => name_folded; search: name, description);

// Without the number of its users, which are counted.
row! {
    Model as v1::Tenant, v1::TenantInput, tenant: |_row| None;
    made: id, created_at, updated_at, is_demo, used_devices, deleted_at, erase_after;
    given: name, description, time_zone, active, cost_model, cost_per_device, cost_bundle, currency, device_limit,
        user_limit, billing_period, billing_day, due_day, subscription_status, tax_number, confirmed, storage_limit_mb,
        engine_stop_consent, history_days;
}

impl Entity {
    /// The tenants of a scope, which is one or all: how every query of this table begins. Deleted ones are not among
    /// them.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = match scope {
            Scope::Tenant(tenant) => Self::find_by_id(tenant),
            Scope::Platform => Self::find(),
        };
        rows.filter(Column::DeletedAt.is_null())
    }

    /// The ids of deleted tenants, for what belongs to them and is hidden with them.
    pub fn deleted() -> SelectStatement {
        Self::find().select_only().column(Column::Id).filter(Column::DeletedAt.is_not_null()).into_query()
    }
}

impl Model {
    /// A tenant as it begins: free, nameless, and without limits but that of its files.
    pub fn new() -> Self {
        let now = Timestamp::now().millis();
        Self {
            id: TenantId::new(),
            time_zone: TIME_ZONE.to_owned(),
            active: true,
            row_version: 1,
            created_at: now,
            updated_at: now,
            cost_model: CostModel::Free,
            currency: CURRENCY.to_owned(),
            billing_period: BillingPeriod::Monthly,
            billing_day: 1,
            due_day: 14,
            subscription_status: SubscriptionStatus::Active,
            confirmed: true,
            storage_limit_mb: STORAGE_LIMIT_MB,
            ..Self::default()
        }
    }

    /// Whether its users may be signed in.
    pub fn is_open(&self) -> bool {
        self.active && self.deleted_at.is_none()
    }
}
