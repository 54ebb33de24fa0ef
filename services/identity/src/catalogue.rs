//! The permissions that can be allowed or denied: those that services guard, and those that stand for several of them,
//! built into the program; and those that platform owners have added for systems of their own.

use armada_proto::{
    access::{MANAGE_INVOICES, MANAGE_ROLES, MANAGE_USERS, built_in_keys, permission as p},
    v1::Permission,
};
use armada_runtime::Result;
use sea_orm::{DatabaseTransaction, EntityTrait, QueryOrder, QuerySelect};

use crate::entity::permission::{Column, Entity};

/// Whether a permission is part of the program.
pub fn is_built_in(key: &str) -> bool {
    built_in_keys().contains(&key)
}

/// All keys, sorted.
pub async fn keys(tx: &DatabaseTransaction) -> Result<Vec<String>> {
    let added: Vec<String> = Entity::find().select_only().column(Column::Key).into_tuple().all(tx).await?;
    let mut keys: Vec<String> = built_in_keys().into_iter().map(str::to_owned).chain(added).collect();
    keys.sort_unstable();
    Ok(keys)
}

/// All of them, sorted by their keys.
pub async fn list(tx: &DatabaseTransaction) -> Result<Vec<Permission>> {
    let built_in = built_in_keys().into_iter().map(|key| Permission {
        key: key.to_owned(),
        description: description(key).to_owned(),
        is_built_in: true,
        row_version: 1,
    });
    let added = Entity::find().order_by_asc(Column::Key).all(tx).await?;
    let mut all: Vec<Permission> = built_in.chain(added.into_iter().map(Permission::from)).collect();
    all.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    Ok(all)
}

/// What a built-in permission lets one do.
pub fn description(key: &str) -> &'static str {
    match key {
        MANAGE_INVOICES => "Everything about invoices",
        MANAGE_ROLES => "Everything about roles and what they allow",
        MANAGE_USERS => "Everything about users",
        p::ALARM_ACKNOWLEDGE => "Acknowledge alarms of vehicles",
        p::ALARM_EXPORT => "Save the list of alarms to a file",
        p::ALARM_LIST => "See alarms of vehicles, and who acknowledged them",
        p::AUDIT_EXPORT => "Save the audit to a file",
        p::AUDIT_LIST => "Read the audit, and check that nobody has tampered with it",
        p::COMMAND_CONSENT => "Agree to stopping an engine that somebody else wants to stop, or refuse it",
        p::COMMAND_CREATE => "Send commands to trackers",
        p::COMMAND_ENGINE => "Stop engines, and let them run again",
        p::COMMAND_EXPORT => "Save the list of commands to a file",
        p::COMMAND_LIST => "See commands to trackers and what became of them",
        p::COMMAND_RAW => "Send trackers a text of one's own",
        p::DEVICE_CORRECT_METERS => "Correct odometer and engine hours of devices",
        p::DEVICE_CREATE => "Add devices",
        p::DEVICE_DELETE => "Remove devices",
        p::DEVICE_EXPORT => "Save the list of devices to a file",
        p::DEVICE_LIST => "See devices",
        p::DEVICE_MEMBER_CREATE => "Share devices with users",
        p::DEVICE_MEMBER_DELETE => "Take links between users and devices away",
        p::DEVICE_MEMBER_EXPORT => "Save the list of device members to a file",
        p::DEVICE_MEMBER_LIST => "See who is linked to which device, and why somebody sees one",
        p::DEVICE_MEMBER_UPDATE => "Change what members of a device are, and until when",
        p::DEVICE_UPDATE => "Change devices",
        p::DOCUMENT_CREATE => "Add documents of vehicles and drivers",
        p::DOCUMENT_DELETE => "Remove documents",
        p::DOCUMENT_EXPORT => "Save the list of documents to a file",
        p::DOCUMENT_LIST => "See documents and their files",
        p::DOCUMENT_UPDATE => "Change documents",
        p::DRIVER_CREATE => "Add drivers",
        p::DRIVER_DELETE => "Remove drivers",
        p::DRIVER_EXPORT => "Save the list of drivers to a file",
        p::DRIVER_LIST => "See drivers, and who drives which vehicle",
        p::DRIVER_UPDATE => "Change drivers",
        p::EVENT_EXPORT => "Save the list of events to a file",
        p::EVENT_LIST => "See what has happened to vehicles, documents and maintenance",
        p::GATEWAY_CREATE => "Add gateways",
        p::GATEWAY_DELETE => "Remove gateways",
        p::GATEWAY_EXPORT => "Save the list of gateways to a file",
        p::GATEWAY_LIST => "See gateways and what they send",
        p::GATEWAY_UPDATE => "Change gateways and their secrets",
        p::HEARD_IMEI_LIST => "See trackers that came through own gateways and that nobody has",
        p::MAINTENANCE_CREATE => "Plan maintenance of vehicles",
        p::MAINTENANCE_DELETE => "Remove maintenance",
        p::MAINTENANCE_EXPORT => "Save the list of maintenance to a file",
        p::MAINTENANCE_LIST => "See maintenance and when it is due",
        p::MAINTENANCE_LOG_CREATE => "Complete maintenance",
        p::MAINTENANCE_LOG_DELETE => "Remove what was completed, with its files",
        p::MAINTENANCE_LOG_EXPORT => "Save the list of completed maintenance to a file",
        p::MAINTENANCE_LOG_LIST => "See completed maintenance, its papers and its costs",
        p::MAINTENANCE_LOG_UPDATE => "Change what was written down of completed maintenance",
        p::MAINTENANCE_UPDATE => "Change and pause maintenance",
        p::MASTER_DATA_CREATE => "Add brands, models, groups, warehouses and other master data",
        p::MASTER_DATA_DELETE => "Remove master data, and put others in its place",
        p::MASTER_DATA_EXPORT => "Save master data to a file",
        p::MASTER_DATA_LIST => "See master data",
        p::MASTER_DATA_UPDATE => "Change master data",
        p::POSITION_HISTORY => "See where vehicles have been",
        p::POSITION_LIVE => "See where vehicles are",
        p::ROLE_CREATE => "Add roles",
        p::ROLE_DELETE => "Remove roles",
        p::ROLE_LIST => "See roles and what they allow",
        p::ROLE_UPDATE => "Change roles and what they allow",
        p::SHARE_LINK_CREATE => "Share vehicles by a link with people without an account",
        p::SHARE_LINK_DELETE => "Remove share links",
        p::SHARE_LINK_EXPORT => "Save the list of share links to a file",
        p::SHARE_LINK_LIST => "See share links",
        p::SHARE_LINK_UPDATE => "Change and revoke share links",
        p::SAVED_COMMAND_CREATE => "Keep commands to send them again",
        p::SAVED_COMMAND_DELETE => "Remove saved commands",
        p::SAVED_COMMAND_LIST => "See saved commands",
        p::SAVED_COMMAND_UPDATE => "Change saved commands",
        p::THRESHOLD_LIST => "See from when on a vehicle moves, has stopped, idles or is offline",
        p::THRESHOLD_UPDATE => "Change from when on a vehicle moves, has stopped, idles or is offline",
        p::USER_ASSIGN_ROLES => "Give roles to users",
        p::USER_CREATE => "Add users",
        p::USER_DELETE => "Remove users",
        p::USER_EXPORT => "Save the list of users to a file",
        p::USER_INVITE => "Send invitations and links for new passwords",
        p::USER_LIST => "See users",
        p::USER_UPDATE => "Change users",
        _ => "",
    }
}
