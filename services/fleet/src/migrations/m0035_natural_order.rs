//! Names sort by the numbers in them, and a search passes over accents: what is stored for both is brought to that form.

use armada_runtime::db::folded;
use sea_orm_migration::prelude::*;

/// Tables, and the columns that they are sorted by.
const NAMED: [(&str, &[&str]); 11] = [
    ("device", &["name_folded", "vehicle_code_folded", "primary_driver_folded"]),
    ("driver", &["name_folded", "license_plate_folded", "home_base_folded"]),
    ("document", &["name_folded", "number_folded", "subject_name_folded"]),
    ("maintenance", &["name_folded", "status_folded", "priority_folded", "device_name_folded"]),
    ("maintenance_log", &["name_folded", "vendor_folded", "device_name_folded"]),
    ("device_member", &["device_name_folded"]),
    ("imei_claim", &["device_name_folded"]),
    ("command", &["name_folded"]),
    ("saved_command", &["name_folded"]),
    ("share_link", &["name_folded"]),
    ("master_data", &["name_folded", "label_folded"]),
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (table, sorted) in NAMED {
        folded::renew(manager, table, sorted).await?;
    }
    Ok(())
}

/// Nothing is there that was not before.
pub(super) async fn down(_: &SchemaManager<'_>) -> Result<(), DbErr> {
    Ok(())
}
