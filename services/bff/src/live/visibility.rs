//! Which devices a socket may show.

use std::collections::{HashMap, HashSet};

use armada_proto::{DeviceId, TenantId};
use foldhash::fast::RandomState;

/// Whose positions come together on one subject: a tenant's, or everybody's for a platform owner.
pub(super) type TenantFilter = Option<TenantId>;
/// Devices by id.
pub(super) type ByDevice<T> = HashMap<DeviceId, T, RandomState>;
/// Some devices.
pub(super) type Devices = HashSet<DeviceId, RandomState>;

/// Which devices a socket may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visibility {
    /// All of its tenant, or of the platform.
    All,
    /// These.
    Some(Devices),
}

impl Visibility {
    /// Whether it sees a device.
    pub(super) fn has(&self, device: DeviceId) -> bool {
        match self {
            Self::All => true,
            Self::Some(devices) => devices.contains(&device),
        }
    }
}
