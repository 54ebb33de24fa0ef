//! Typed identifiers: a device cannot be passed where a user is meant. The default of each is nil, which names nothing.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A text that should have been a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidId;

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an id")
    }
}

impl std::error::Error for InvalidId {}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new one, ordered by the time of its making (UUID version 7).
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Uuid::try_parse(text).map(Self).map_err(|_| InvalidId)
            }
        }
    };
}

id!(
    /// A vehicle with its tracker.
    DeviceId
);
id!(
    /// A customer of the platform.
    TenantId
);
id!(
    /// A person who drives vehicles.
    DriverId
);
id!(
    /// That a user is linked to a device.
    DeviceMemberId
);
id!(
    /// A person who signs in.
    UserId
);
id!(
    /// An entry of the master data: what the fields of devices choose from.
    MasterDataId
);
id!(
    /// What trackers call an alarm.
    AlarmNameId
);
id!(
    /// What publishes positions.
    GatewayId
);
id!(
    /// That somebody said what the meters of a device showed.
    MeterCorrectionId
);
id!(
    /// That the tracker of a device was replaced.
    TrackerReplacementId
);
id!(
    /// A document of a vehicle or driver.
    DocumentId
);
id!(
    /// A file that is kept.
    FileId
);
id!(
    /// An address at which people without an account see vehicles for a while.
    ShareLinkId
);
id!(
    /// A command to a device.
    CommandId
);
id!(
    /// A command that is kept to be sent again.
    SavedCommandId
);
id!(
    /// A maintenance of a vehicle.
    MaintenanceId
);
id!(
    /// That a maintenance was completed once.
    MaintenanceLogId
);
