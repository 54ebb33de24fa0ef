//! Ids and enums of the contract as columns of a table, so that an entity has the same types as the message: ids as UUIDs,
//! enums as their names in JSON.

use sea_orm::{
    ColIdx, ColumnType, DbErr, IntoActiveValue, QueryResult, TryFromU64, TryGetError, TryGetable, Value,
    sea_query::{ArrayType, Nullable, ValueType, ValueTypeErr},
};
use uuid::Uuid;

use crate::{
    AlarmNameId, Choice, CommandId, DeviceId, DeviceMemberId, DocumentId, DriverId, FileId, GatewayId, MaintenanceId,
    MaintenanceLogId, MasterDataId, MeterCorrectionId, SavedCommandId, ShareLinkId, TenantId, TrackerReplacementId,
    UserId, v1,
};

/// A type that a table stores as another one.
macro_rules! stored_as {
    ($stored:ty, $array:ident: $($name:ty)*; $to:expr, $from:expr) => {$(
        impl From<$name> for Value {
            fn from(value: $name) -> Self {
                $to(value).into()
            }
        }

        impl TryGetable for $name {
            fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Self, TryGetError> {
                let stored = <$stored>::try_get_by(row, index)?;
                let unknown = || DbErr::Type(format!("{stored:?} is no {}", stringify!($name)));
                $from(&stored).ok_or_else(|| TryGetError::DbErr(unknown()))
            }
        }

        impl ValueType for $name {
            fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
                $from(&<$stored as ValueType>::try_from(value)?).ok_or(ValueTypeErr)
            }

            fn type_name() -> String {
                stringify!($name).to_owned()
            }

            fn array_type() -> ArrayType {
                ArrayType::$array
            }

            fn column_type() -> ColumnType {
                <$stored as ValueType>::column_type()
            }
        }

        impl Nullable for $name {
            fn null() -> Value {
                <$stored as Nullable>::null()
            }
        }

        impl IntoActiveValue<$name> for $name {
            fn into_active_value(self) -> sea_orm::ActiveValue<$name> {
                sea_orm::ActiveValue::Set(self)
            }
        }
    )*};
}

macro_rules! ids {
    ($($name:ident)*) => {$(
        stored_as!(Uuid, Uuid: $name; |id: $name| id.0, |id: &Uuid| Some($name(*id)));

        impl TryFromU64 for $name {
            fn try_from_u64(_: u64) -> Result<Self, DbErr> {
                Err(DbErr::ConvertFromU64(stringify!($name)))
            }
        }
    )*};
}

macro_rules! choices {
    ($($name:ty)*) => {$(
        stored_as!(String, String: $name; |choice: $name| choice.name(), |name: &String| <$name>::named(name));
    )*};
}

ids!(AlarmNameId CommandId DeviceId DeviceMemberId DocumentId DriverId FileId GatewayId MaintenanceId MaintenanceLogId MasterDataId MeterCorrectionId SavedCommandId ShareLinkId TenantId TrackerReplacementId UserId);
include!(concat!(env!("OUT_DIR"), "/stored_choices.rs"));
