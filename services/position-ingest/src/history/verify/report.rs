//! What is reported of what was looked at.

use std::collections::BTreeMap;

use armada_proto::{DeviceId, TenantId};

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it is: `track_block` or `hot_frame`.
    pub table: &'static str,
    /// Whose; none of what belongs to nobody.
    pub tenant: Option<TenantId>,
    /// Of which device.
    pub device: Option<DeviceId>,
    /// First and last `recorded_at` as they stand in the row, milliseconds since 1970.
    pub span: Option<(i64, i64)>,
    /// What is wrong, in words.
    pub what: String,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Devices that have any; 0 of hot frames.
    pub devices: u64,
    /// Blocks, or hot frames.
    pub rows: u64,
    /// As the rows say.
    pub positions: u64,
    /// Bytes of the positions.
    pub bytes: u64,
    /// What was reported.
    pub problems: u64,
}

impl Totals {
    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self {
            devices: self.devices + other.devices,
            rows: self.rows + other.rows,
            positions: self.positions + other.positions,
            bytes: self.bytes + other.bytes,
            problems: self.problems + other.problems,
        }
    }
}

/// What is reported on the way.
#[derive(Debug)]
pub enum VerifyUpdate {
    /// Something is wrong.
    Problem(Problem),
    /// So many blocks have been looked at.
    Progress(u64),
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Verified {
    /// The blocks of each tenant.
    pub tenants: BTreeMap<TenantId, Totals>,
    /// Hot frames, which belong to nobody alone; none when single tenants or devices were looked at.
    pub hot: Option<Totals>,
}

impl Verified {
    /// The blocks of all tenants.
    pub fn blocks(&self) -> Totals {
        self.tenants.values().fold(Totals::default(), |sum, totals| sum.and(*totals))
    }

    /// What was reported in all.
    pub fn problems(&self) -> u64 {
        self.blocks().problems + self.hot.map_or(0, |hot| hot.problems)
    }
}
