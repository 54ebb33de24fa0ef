//! Beginnings for roles. A new tenant gets a role of each; what its admins make of them is theirs. Until then they allow what a
//! later version adds to their template (`roles/following.rs`). What a version takes out of a template they go on to allow: to
//! take something away is what people decide, or a migration.

use armada_proto::{
    access::permission as p,
    v1::{Effect, RolePermission, RoleTemplate, RoleTemplateList},
};

/// A beginning for a role.
pub struct Template {
    /// By which it is asked for; the console knows its name in every language.
    pub key: &'static str,
    /// Of the role that a new tenant gets, in the language that is spoken unless somebody chose another.
    pub name: &'static str,
    /// Of that role.
    pub description: &'static str,
    /// The permissions that it allows; of the others it says nothing.
    pub allows: &'static [&'static str],
}

impl Template {
    /// What it says of permissions, by their keys.
    pub fn effects(&self) -> impl Iterator<Item = (String, Effect)> {
        self.allows.iter().map(|key| ((*key).to_owned(), Effect::Allow))
    }
}

/// Key of the template for who watches their vehicles.
pub const VIEWER: &str = "viewer";

/// Name of the role that a new tenant gets of it.
pub const VIEWER_ROLE: &str = "Pemantau";

/// All of them, in the order in which they are offered.
pub const ALL: &[Template] = &[
    Template {
        key: "manager",
        name: "Manajer",
        description: "Mengelola kendaraan, pengguna, dan peran.",
        allows: &[
            p::ALARM_ACKNOWLEDGE,
            p::ALARM_EXPORT,
            p::ALARM_LIST,
            p::AUDIT_EXPORT,
            p::AUDIT_LIST,
            p::COMMAND_CONSENT,
            p::COMMAND_CREATE,
            p::COMMAND_ENGINE,
            p::COMMAND_EXPORT,
            p::COMMAND_LIST,
            p::COMMAND_RAW,
            p::DEVICE_CORRECT_METERS,
            p::DEVICE_CREATE,
            p::DEVICE_DELETE,
            p::DEVICE_EXPORT,
            p::DEVICE_LIST,
            p::DEVICE_UPDATE,
            p::DEVICE_MEMBER_CREATE,
            p::DEVICE_MEMBER_DELETE,
            p::DEVICE_MEMBER_EXPORT,
            p::DEVICE_MEMBER_LIST,
            p::DEVICE_MEMBER_UPDATE,
            p::DOCUMENT_CREATE,
            p::DOCUMENT_DELETE,
            p::DOCUMENT_EXPORT,
            p::DOCUMENT_LIST,
            p::DOCUMENT_UPDATE,
            p::DRIVER_CREATE,
            p::DRIVER_DELETE,
            p::DRIVER_EXPORT,
            p::DRIVER_LIST,
            p::DRIVER_UPDATE,
            p::EVENT_EXPORT,
            p::EVENT_LIST,
            p::HEARD_IMEI_LIST,
            p::MAINTENANCE_CREATE,
            p::MAINTENANCE_DELETE,
            p::MAINTENANCE_EXPORT,
            p::MAINTENANCE_LIST,
            p::MAINTENANCE_UPDATE,
            p::MAINTENANCE_LOG_CREATE,
            p::MAINTENANCE_LOG_DELETE,
            p::MAINTENANCE_LOG_EXPORT,
            p::MAINTENANCE_LOG_LIST,
            p::MAINTENANCE_LOG_UPDATE,
            p::MASTER_DATA_CREATE,
            p::MASTER_DATA_DELETE,
            p::MASTER_DATA_EXPORT,
            p::MASTER_DATA_LIST,
            p::MASTER_DATA_UPDATE,
            p::POSITION_HISTORY,
            p::POSITION_LIVE,
            p::ROLE_CREATE,
            p::ROLE_DELETE,
            p::ROLE_LIST,
            p::ROLE_UPDATE,
            p::SAVED_COMMAND_CREATE,
            p::SAVED_COMMAND_DELETE,
            p::SAVED_COMMAND_LIST,
            p::SAVED_COMMAND_UPDATE,
            p::SHARE_LINK_CREATE,
            p::SHARE_LINK_DELETE,
            p::SHARE_LINK_EXPORT,
            p::SHARE_LINK_LIST,
            p::SHARE_LINK_UPDATE,
            p::THRESHOLD_LIST,
            p::THRESHOLD_UPDATE,
            p::USER_ASSIGN_ROLES,
            p::USER_CREATE,
            p::USER_DELETE,
            p::USER_EXPORT,
            p::USER_INVITE,
            p::USER_LIST,
            p::USER_UPDATE,
        ],
    },
    Template {
        key: "dispatcher",
        name: "Dispatcher",
        description: "Memantau kendaraan dan mengubah datanya.",
        allows: &[
            p::ALARM_ACKNOWLEDGE,
            p::ALARM_LIST,
            p::COMMAND_CREATE,
            p::COMMAND_LIST,
            p::DEVICE_EXPORT,
            p::DEVICE_LIST,
            p::DEVICE_UPDATE,
            p::DEVICE_MEMBER_LIST,
            p::DOCUMENT_CREATE,
            p::DOCUMENT_EXPORT,
            p::DOCUMENT_LIST,
            p::DOCUMENT_UPDATE,
            p::DRIVER_LIST,
            p::DRIVER_UPDATE,
            p::EVENT_LIST,
            p::MAINTENANCE_CREATE,
            p::MAINTENANCE_EXPORT,
            p::MAINTENANCE_LIST,
            p::MAINTENANCE_UPDATE,
            p::MAINTENANCE_LOG_CREATE,
            p::MAINTENANCE_LOG_EXPORT,
            p::MAINTENANCE_LOG_LIST,
            p::MAINTENANCE_LOG_UPDATE,
            p::MASTER_DATA_LIST,
            p::POSITION_HISTORY,
            p::POSITION_LIVE,
            p::SAVED_COMMAND_LIST,
            p::SHARE_LINK_CREATE,
            p::SHARE_LINK_LIST,
            p::SHARE_LINK_UPDATE,
            p::THRESHOLD_LIST,
            p::USER_LIST,
        ],
    },
    Template {
        key: VIEWER,
        name: VIEWER_ROLE,
        description: "Melihat kendaraan dan perjalanannya.",
        allows: &[
            p::ALARM_LIST,
            p::DEVICE_LIST,
            p::DOCUMENT_LIST,
            p::EVENT_LIST,
            p::MAINTENANCE_LIST,
            p::MASTER_DATA_LIST,
            p::POSITION_HISTORY,
            p::POSITION_LIVE,
        ],
    },
    Template {
        key: "technician",
        name: "Teknisi",
        description: "Memasang dan merawat perangkat.",
        allows: &[
            p::COMMAND_CREATE,
            p::COMMAND_LIST,
            p::COMMAND_RAW,
            p::DEVICE_CORRECT_METERS,
            p::DEVICE_CREATE,
            p::DEVICE_LIST,
            p::DEVICE_UPDATE,
            p::DOCUMENT_CREATE,
            p::DOCUMENT_LIST,
            p::DOCUMENT_UPDATE,
            p::MAINTENANCE_CREATE,
            p::MAINTENANCE_LIST,
            p::MAINTENANCE_UPDATE,
            p::MAINTENANCE_LOG_CREATE,
            p::MAINTENANCE_LOG_LIST,
            p::MAINTENANCE_LOG_UPDATE,
            p::MASTER_DATA_LIST,
            p::POSITION_LIVE,
            p::SAVED_COMMAND_CREATE,
            p::SAVED_COMMAND_LIST,
            p::SAVED_COMMAND_UPDATE,
            p::THRESHOLD_LIST,
        ],
    },
    Template {
        key: "finance",
        name: "Keuangan",
        description: "Melihat dan mengekspor daftar kendaraan dan pengguna.",
        allows: &[
            p::DEVICE_EXPORT,
            p::DEVICE_LIST,
            p::DOCUMENT_EXPORT,
            p::DOCUMENT_LIST,
            p::MAINTENANCE_EXPORT,
            p::MAINTENANCE_LIST,
            p::MAINTENANCE_LOG_EXPORT,
            p::MAINTENANCE_LOG_LIST,
            p::MASTER_DATA_LIST,
            p::USER_EXPORT,
            p::USER_LIST,
        ],
    },
];

/// The template of a key.
pub fn find(key: &str) -> Option<&'static Template> {
    ALL.iter().find(|template| template.key == key)
}

/// All of them as clients see them.
pub fn list() -> RoleTemplateList {
    let items = ALL.iter().map(|template| RoleTemplate {
        key: template.key.to_owned(),
        items: template.allows.iter().map(|key| allowed(key)).collect(),
    });
    RoleTemplateList { items: items.collect() }
}

fn allowed(key: &str) -> RolePermission {
    RolePermission { key: key.to_owned(), effect: Effect::Allow.into() }
}
