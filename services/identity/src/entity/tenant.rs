use armada_proto::{TenantId, Timestamp, v1};
use armada_runtime::{Scope, text};
use sea_orm::{ActiveValue::Set, QuerySelect, QueryTrait, entity::prelude::*, sea_query::SelectStatement};

/// Of a new tenant that names none.
const TIME_ZONE: &str = "Asia/Jakarta";
const CURRENCY: &str = "IDR";

/// A customer of the platform.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TenantId,
    pub name: String,
    /// What it is sorted by: the name as [`text::fold`] makes it.
    pub name_folded: String,
    pub description: String,
    /// IANA name.
    pub time_zone: String,
    pub active: bool,
    /// Made by `armada seed --demo`.
    pub is_demo: bool,
    /// What a search looks in: see [`Model::searched`].
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
}

/// How a tenant is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)", rename_all = "snake_case")]
pub enum CostModel {
    Free,
    PerDevice,
    Bundle,
    Paid,
}

/// How often a tenant is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)", rename_all = "snake_case")]
pub enum BillingPeriod {
    Monthly,
    Yearly,
}

/// How the subscription of a tenant stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)", rename_all = "snake_case")]
pub enum SubscriptionStatus {
    Inactive,
    Active,
    PastDue,
    Canceled,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

#[async_trait::async_trait]
impl ActiveModelBehavior for ActiveModel {
    /// Whoever writes a row, what is folded follows what it was made of. The values of a new row may be `Unchanged`.
    async fn before_save<C: ConnectionTrait>(mut self, _: &C, _: bool) -> Result<Self, DbErr> {
        if let Some(name) = self.name.try_as_ref() {
            self.name_folded = Set(text::fold(name));
        }
        Ok(self)
    }
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
    /// A tenant as it begins: free, without limits, and nameless.
    pub fn new() -> Self {
        let now = Timestamp::now().millis();
        Self {
            id: TenantId::new(),
            name: String::new(),
            name_folded: String::new(),
            description: String::new(),
            time_zone: TIME_ZONE.to_owned(),
            active: true,
            is_demo: false,
            search: String::new(),
            row_version: 1,
            created_at: now,
            updated_at: now,
            cost_model: CostModel::Free,
            cost_per_device: 0,
            cost_bundle: 0,
            currency: CURRENCY.to_owned(),
            device_limit: 0,
            user_limit: 0,
            used_devices: 0,
            billing_period: BillingPeriod::Monthly,
            billing_day: 1,
            due_day: 14,
            subscription_status: SubscriptionStatus::Active,
            tax_number: String::new(),
            deleted_at: None,
            erase_after: None,
            confirmed: true,
        }
    }

    /// Whether its users may be signed in.
    pub fn is_open(&self) -> bool {
        self.active && self.deleted_at.is_none()
    }

    /// What a search looks in: name and description, folded.
    pub fn searched(&self) -> String {
        text::fold(&format!("{}\n{}", self.name, self.description))
    }
}

/// Two enums of the same variants, one as it is stored and one of the contract, whose additional variant says nothing.
macro_rules! told_as {
    ($name:ident: $($variant:ident)*) => {
        impl From<$name> for v1::$name {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant,)* }
            }
        }

        impl $name {
            /// The one that a request names by its number, if any; an error when there is none of that number.
            pub fn named(number: i32) -> Result<Option<Self>, prost::UnknownEnumValue> {
                Ok(match v1::$name::try_from(number)? {
                    v1::$name::Unspecified => None,
                    $(v1::$name::$variant => Some(Self::$variant),)*
                })
            }
        }
    };
}
pub(super) use told_as;

told_as!(CostModel: Free PerDevice Bundle Paid);
told_as!(BillingPeriod: Monthly Yearly);
told_as!(SubscriptionStatus: Inactive Active PastDue Canceled);

/// Without the number of its users, which are counted.
impl From<Model> for v1::Tenant {
    fn from(row: Model) -> Self {
        let count = |number: i64| u32::try_from(number).unwrap_or_default();
        let days = |number: i32| u32::try_from(number).unwrap_or_default();
        Self {
            id: row.id.to_string(),
            name: row.name,
            description: row.description,
            time_zone: row.time_zone,
            active: row.active,
            row_version: row.row_version,
            created_at: Some(Timestamp::from_millis(row.created_at)),
            updated_at: Some(Timestamp::from_millis(row.updated_at)),
            is_demo: row.is_demo,
            cost_model: v1::CostModel::from(row.cost_model).into(),
            cost_per_device: row.cost_per_device,
            cost_bundle: row.cost_bundle,
            currency: row.currency,
            device_limit: count(row.device_limit),
            user_limit: count(row.user_limit),
            used_devices: count(row.used_devices),
            used_users: 0,
            billing_period: v1::BillingPeriod::from(row.billing_period).into(),
            billing_day: days(row.billing_day),
            due_day: days(row.due_day),
            subscription_status: v1::SubscriptionStatus::from(row.subscription_status).into(),
            deleted_at: row.deleted_at.map(Timestamp::from_millis),
            erase_after: row.erase_after.map(Timestamp::from_millis),
            confirmed: row.confirmed,
            tax_number: row.tax_number,
        }
    }
}
