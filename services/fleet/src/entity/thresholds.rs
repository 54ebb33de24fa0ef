use armada_proto::{TenantId, Timestamp, v1};
use armada_track::DeviceThresholds;
use sea_orm::entity::prelude::*;

/// The thresholds of a tenant that has changed them.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "thresholds")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    /// km/h.
    pub moving_speed: i32,
    pub stop_seconds: i32,
    /// Metres.
    pub min_trip_distance: i32,
    pub min_trip_seconds: i32,
    pub idle_seconds: i32,
    pub idle_alert_seconds: i32,
    pub gap_seconds: i32,
    pub stale_seconds: i32,
    pub offline_seconds: i32,
    /// Metres.
    pub tow_distance: i32,
    /// 0 for what is not stored.
    pub row_version: i32,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// What is done with each of them.
macro_rules! each {
    ($($field:ident)*) => {
        impl Model {
            /// Those of a tenant that has said nothing.
            pub fn usual(tenant_id: TenantId) -> Self {
                let usual = DeviceThresholds::DEFAULT;
                Self { tenant_id, $($field: column(usual.$field),)* row_version: 0, updated_at: 0 }
            }

            /// As they hold for its devices.
            pub fn values(&self) -> DeviceThresholds {
                DeviceThresholds { $($field: count(self.$field),)* ..DeviceThresholds::DEFAULT }
            }

            /// The same where a request says nothing else.
            pub fn changed(&self, input: &v1::TenantThresholdsInput) -> Self {
                Self { $($field: input.$field.map_or(self.$field, column),)* ..self.clone() }
            }
        }

        impl From<Model> for v1::TenantThresholds {
            fn from(row: Model) -> Self {
                Self {
                    tenant_id: row.tenant_id.to_string(),
                    $($field: count(row.$field),)*
                    row_version: row.row_version,
                    updated_at: (row.row_version > 0).then(|| Timestamp::from_millis(row.updated_at)),
                    defaults: Some(DeviceThresholds::DEFAULT.into()),
                }
            }
        }

        impl super::device::Model {
            /// What holds for it where others hold for its tenant.
            pub fn thresholds(&self, of_tenant: DeviceThresholds) -> DeviceThresholds {
                DeviceThresholds {
                    $($field: self.$field.map_or(of_tenant.$field, count),)*
                    ignition_wire: self.ignition_wire,
                    ..of_tenant
                }
            }
        }
    };
}

each!(
    moving_speed stop_seconds min_trip_distance min_trip_seconds idle_seconds idle_alert_seconds gap_seconds stale_seconds
    offline_seconds tow_distance
);

fn count(column: i32) -> u32 {
    u32::try_from(column).unwrap_or_default()
}

fn column(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
