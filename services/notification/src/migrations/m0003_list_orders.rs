//! The orders and filters that the lists of events and alarms offer have indexes, each with the id at its end, so that a page
//! is read behind the row before it. Of what is narrowed by, each is in the usual order.

use sea_orm_migration::prelude::*;

const INDEXES: [(&str, &str); 8] = [
    ("event_recorded", "event (tenant_id, recorded_at, id)"),
    ("event_kind", "event (tenant_id, kind, occurred_at, id)"),
    ("alarm_first", "alarm (tenant_id, first_at, id)"),
    ("alarm_count", "alarm (tenant_id, count, id)"),
    ("alarm_acknowledged", "alarm (tenant_id, COALESCE(acknowledged_at, 0), id)"),
    ("alarm_severity", "alarm (tenant_id, severity, last_at, id)"),
    ("alarm_kind", "alarm (tenant_id, kind, last_at, id)"),
    ("alarm_standing", "alarm (tenant_id, last_at, id) WHERE acknowledged_at IS NULL"),
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (name, columns) in INDEXES {
        manager.get_connection().execute_unprepared(&format!("CREATE INDEX {name} ON {columns}")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (name, _) in INDEXES {
        manager.get_connection().execute_unprepared(&format!("DROP INDEX {name}")).await?;
    }
    Ok(())
}
