//! What the fields of devices choose from, with what the platform has for all tenants.

use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, double, double_null, integer, string, text, uuid, uuid_null},
};

use crate::master_data::seed;

/// Columns of devices that name an entry.
const REFERENCES: [&str; 11] = [
    "gps_brand_id",
    "gps_model_id",
    "gps_protocol_id",
    "vehicle_brand_id",
    "vehicle_model_id",
    "vehicle_status_id",
    "vehicle_type_id",
    "device_category_id",
    "cargo_category_id",
    "temperature_range_id",
    "warehouse_id",
];
const TEXTS: [&str; 7] = [
    "tracker_serial_number",
    "engine_number",
    "chassis_number",
    "license_expiry",
    "maintenance_status",
    "wms_routing_profile",
    "allowed_zones",
];
/// Whoever sees rows of a tenant sees those of the platform.
const PLATFORM_POLICY: &str = "CREATE POLICY of_platform ON master_data FOR SELECT USING (tenant_id IS NULL)";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let typed = Query::select().column("id").from("device").and_where(Expr::col("vehicle_type").ne("")).to_owned();
    if connection.query_one(&typed).await?.is_some() {
        return Err(DbErr::Migration(
            "the data is of an older state, in which vehicle types were texts: start anew".into(),
        ));
    }
    manager.create_table(entries()).await?;
    manager.create_table(members()).await?;
    for index in indexes(manager.get_database_backend()) {
        connection.execute_unprepared(&index).await?;
    }
    if manager.get_database_backend() == DbBackend::Postgres {
        for sql in [tenant_policy("master_data").as_str(), PLATFORM_POLICY, &tenant_policy("device_group_member")] {
            connection.execute_unprepared(sql).await?;
        }
    }
    alter_devices(manager).await?;
    seed::insert(connection).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in ["device_group_member", "master_data"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    for name in REFERENCES {
        manager.drop_index(Index::drop().table("device").name(format!("device_{name}")).to_owned()).await?;
    }
    let numbers = ["capacity_volume", "capacity_weight", "has_hazmat_certificate", "fuel_capacity", "password"];
    for name in REFERENCES.into_iter().chain(TEXTS).chain(numbers) {
        manager.alter_table(Table::alter().table("device").drop_column(name).to_owned()).await?;
    }
    manager.alter_table(Table::alter().table("device").add_column(string("vehicle_type").default("")).to_owned()).await
}

fn entries() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("master_data").col(uuid("id").primary_key()).col(uuid_null("tenant_id"));
    for name in
        ["kind", "name", "name_folded", "label", "label_folded", "reports", "icon_type", "address", "description"]
    {
        table.col(string(name));
    }
    for name in ["parent_id", "protocol_id", "vehicle_type_id"] {
        table.col(uuid_null(name));
    }
    for name in ["port", "fuel_capacity", "row_version"] {
        table.col(integer(name));
    }
    table.col(double("min_temperature")).col(double("max_temperature")).col(double_null("lat")).col(double_null("lng"));
    table.col(text("search")).col(big_integer("created_at")).col(big_integer("updated_at")).to_owned()
}

fn members() -> TableCreateStatement {
    Table::create()
        .table("device_group_member")
        .col(uuid("device_id"))
        .col(uuid("group_id"))
        .col(uuid("tenant_id"))
        .primary_key(Index::create().col("device_id").col("group_id"))
        .to_owned()
}

/// Of the entries of a tenant, or of the platform, one at most has a name among those of its kind and parent.
fn indexes(backend: DbBackend) -> Vec<String> {
    let nobody = match backend {
        DbBackend::Postgres => "'00000000-0000-0000-0000-000000000000'::uuid",
        _ => "x''",
    };
    let unique = format!(
        "CREATE UNIQUE INDEX master_data_name ON master_data \
         (COALESCE(tenant_id, {nobody}), kind, COALESCE(parent_id, {nobody}), name_folded)"
    );
    let others = [
        "CREATE INDEX master_data_kind ON master_data (kind, label_folded)",
        "CREATE INDEX master_data_parent ON master_data (parent_id)",
        "CREATE INDEX device_group_member_group ON device_group_member (group_id)",
    ];
    [unique].into_iter().chain(others.map(str::to_owned)).collect()
}

async fn alter_devices(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut columns: Vec<ColumnDef> = REFERENCES.map(uuid_null).into();
    columns.extend(TEXTS.map(|name| string(name).default("").take()));
    columns.push(double("capacity_volume").default(0).take());
    columns.extend(["capacity_weight", "fuel_capacity"].map(|name| integer(name).default(0).take()));
    columns.push(ColumnDef::new("has_hazmat_certificate").boolean().not_null().default(false).take());
    columns.push(ColumnDef::new("password").blob().null().take());
    for column in columns {
        manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await?;
    }
    manager.alter_table(Table::alter().table("device").drop_column("vehicle_type").to_owned()).await?;
    for name in REFERENCES {
        let sql = format!("CREATE INDEX device_{name} ON device ({name}) WHERE {name} IS NOT NULL");
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}
