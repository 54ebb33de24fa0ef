//! The orders and filters that lists offer have indexes, each with the id at its end: a page is read behind the row before it,
//! and a count ends after some, without a look at the other rows. Platform owners, who see the rows of all tenants, have one
//! for the usual order of each list.

use sea_orm_migration::prelude::*;

const IS_SHOWN: &str = "hidden_at IS NULL";
const IS_THERE: &str = "hidden_at IS NULL AND deleted_at IS NULL";

/// A table with lists.
struct Listed {
    table: &'static str,
    /// The usual order.
    usual: &'static str,
    /// Whether a tenant's rows have an index in that order.
    has_usual: bool,
    /// The other orders that have no index yet.
    sorted: &'static [&'static str],
    /// What is narrowed by, and read in the usual order then.
    filtered: &'static [&'static str],
    /// What holds of the rows that are listed.
    shown: Option<&'static str>,
}

const LISTED: [Listed; 7] = [
    Listed {
        table: "device",
        usual: "name_folded",
        has_usual: true,
        sorted: &["created_at"],
        filtered: &[],
        shown: Some(IS_THERE),
    },
    Listed {
        table: "driver",
        usual: "name_folded",
        has_usual: false,
        sorted: &["license_plate_folded", "license_expiry", "home_base_folded", "created_at", "updated_at"],
        filtered: &["status"],
        shown: Some(IS_SHOWN),
    },
    Listed {
        table: "document",
        usual: "expiry_order",
        has_usual: false,
        sorted: &["name_folded", "number_folded", "subject_name_folded", "created_at", "updated_at"],
        filtered: &["kind"],
        shown: Some(IS_SHOWN),
    },
    Listed {
        table: "maintenance",
        usual: "expected_on",
        has_usual: false,
        sorted: &["name_folded", "device_name_folded", "due_on", "due_m", "created_at", "updated_at"],
        filtered: &["status_folded", "priority_folded"],
        shown: Some(IS_SHOWN),
    },
    Listed {
        table: "maintenance_log",
        usual: "done_on",
        has_usual: false,
        sorted: &["name_folded", "device_name_folded", "vendor_folded", "cost", "created_at", "updated_at"],
        filtered: &["is_late"],
        shown: Some(IS_SHOWN),
    },
    Listed {
        table: "device_member",
        usual: "device_name_folded",
        has_usual: true,
        sorted: &["ends_on", "updated_at"],
        filtered: &["role"],
        shown: None,
    },
    Listed {
        table: "command",
        usual: "created_at",
        has_usual: true,
        sorted: &["expires_at", "name_folded"],
        filtered: &["kind", "state", "user_id"],
        shown: None,
    },
];

/// Those that end without the id, or have rows that no list shows.
const REPLACED: [(&str, &str, &str); 4] = [
    ("document", "document_expiry", "tenant_id, expiry_order"),
    ("maintenance", "maintenance_expected", "tenant_id, expected_on"),
    ("maintenance", "maintenance_created", "tenant_id, created_at"),
    ("maintenance_log", "maintenance_log_done", "tenant_id, done_on"),
];
/// What belongs to such a device is left out of lists.
const HIDDEN: &str = "CREATE INDEX device_hidden ON device (id) WHERE hidden_at IS NOT NULL OR deleted_at IS NOT NULL";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    for listed in LISTED {
        for (name, columns) in indexes(&listed) {
            let shown = listed.shown.map(|shown| format!(" WHERE {shown}")).unwrap_or_default();
            let sql = format!("CREATE INDEX {name} ON {} ({columns}, id){shown}", listed.table);
            connection.execute_unprepared(&sql).await?;
        }
    }
    connection.execute_unprepared(HIDDEN).await?;
    for (table, name, _) in REPLACED {
        manager.drop_index(Index::drop().table(table).name(name).to_owned()).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    for (table, name, columns) in REPLACED {
        connection.execute_unprepared(&format!("CREATE INDEX {name} ON {table} ({columns})")).await?;
    }
    manager.drop_index(Index::drop().table("device").name("device_hidden").to_owned()).await?;
    for listed in LISTED {
        for (name, _) in indexes(&listed) {
            manager.drop_index(Index::drop().table(listed.table).name(name).to_owned()).await?;
        }
    }
    Ok(())
}

/// The name of each, and its columns before the id.
fn indexes(listed: &Listed) -> Vec<(String, String)> {
    let Listed { table, usual, has_usual, sorted, filtered, .. } = listed;
    let mut indexes = vec![(format!("{table}_of_all"), (*usual).to_owned())];
    let usual_of_tenant = (!has_usual).then_some(usual);
    let sorted = usual_of_tenant.into_iter().chain(*sorted);
    indexes.extend(sorted.map(|column| (format!("{table}_by_{column}"), format!("tenant_id, {column}"))));
    let filtered = filtered.iter();
    indexes.extend(filtered.map(|column| (format!("{table}_by_{column}"), format!("tenant_id, {column}, {usual}"))));
    indexes
}
