//! Who may change what decides who owns a thing, who sees it, or who pays: each such field of the contract by itself. The
//! rest of the thing they may all change who are linked to it and hold the permission.

use serde_json::{Value, json};

use super::{ABSENT, Row, Statuses, platform, send, within};

/// Owners alone, and nobody else who is linked to a device.
const OF_OWNER: Statuses = [401, 404, 403, 404, 403, 403, 200, 200, 200];
/// Of a link: whose device it is.
const OF_LINK: Statuses = [401, 404, 403, 404, 404, 404, 200, 200, 200];
/// Of a link, as it is made: it stays that of this user to this device.
const STAYS_LINK: Statuses = [401, 404, 403, 404, 404, 404, 422, 422, 422];
/// Whose it is, it stays: nobody may change it, and who does not see it hears no more than that.
const STAYS: Statuses = [401, 404, 403, 404, 422, 422, 422, 422, 422];
/// Who made it, and admins.
const OF_MAKER: Statuses = [401, 404, 403, 404, 404, 404, 200, 200, 200];
/// What a link shows, it shows until it ends.
const STAYS_SHARED: Statuses = [401, 404, 403, 404, 404, 404, 422, 422, 422];
/// Admins: what they are, they alone may make others.
const OF_ADMIN: Statuses = [401, 404, 403, 403, 403, 403, 403, 200, 200];

/// A row for each field of these operations.
pub(super) fn rows() -> Vec<Row> {
    let (day, tomorrow) = ("2099-12-31", "{tomorrow}");
    let tables = [
        ("update_device", OF_OWNER, json!({ "user_id": "{user}", "imei": "{imei}" })),
        ("update_device_member", OF_LINK, json!({ "role": "viewer", "ends_on": day })),
        ("update_device_member", STAYS_LINK, json!({ "device_id": ABSENT, "user_id": "{user}" })),
        ("update_document", STAYS, json!({ "device_id": ABSENT, "driver_id": ABSENT })),
        ("update_maintenance", STAYS, json!({ "device_id": ABSENT })),
        ("update_gateway", within(200), json!({ "enabled": false, "allowed_addresses": "10.0.0.0/8" })),
        ("update_saved_view", [401, 404, 403, 403, 403, 403, 200, 200, 404], json!({ "is_shared": false })),
        ("update_share_link", OF_MAKER, json!({ "expires_at": tomorrow, "pin": "482913" })),
        ("update_share_link", STAYS_SHARED, json!({ "device_id": ABSENT, "device_group_id": ABSENT })),
        ("set_role_permissions", within(200), json!({ "items": [{ "key": "user:list", "effect": "none" }] })),
        ("set_user_roles", within(200), json!({ "role_ids": ["{role}"] })),
        ("update_user", within(200), json!({ "email": "other-{n}@example.com", "password": "another long one {n}" })),
        ("update_user", within(422), json!({ "role_ids": ["{role}"] })),
        ("update_user", OF_ADMIN, json!({ "is_tenant_admin": true })),
        ("update_user", within(200), json!({ "is_active": false, "is_subscription_active": true })),
        (
            "update_tenant",
            platform(200),
            json!({
                "active": true, "cost_model": "per_device", "cost_per_device": 1, "cost_bundle": 1, "currency": "IDR",
                "device_limit": 1_000, "user_limit": 1_000, "billing_period": "monthly", "billing_day": 1, "due_day": 1,
                "subscription_status": "active", "confirmed": true, "storage_limit_mb": 1_000, "history_days": 1_000,
            }),
        ),
    ];
    let mut rows = Vec::new();
    for (operation, statuses, fields) in tables {
        let Value::Object(fields) = fields else { continue };
        rows.extend(fields.into_iter().map(|(name, value)| send(operation, json!({ name: value }), statuses)));
    }
    rows
}
