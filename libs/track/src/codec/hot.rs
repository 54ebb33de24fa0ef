//! The enriched frame of one round: many devices of many tenants, in the order of arrival. It is written once, stored
//! and published as the same bytes, and sealed into blocks soon after, so it is made to be quick rather than smallest.
//!
//! ```text
//! codec: 1 byte
//! checksum of all that follows: 4 bytes
//! n: varint · t_min: signed varint · t_max − t_min: varint
//! tenants: ids · devices: ids, in the order of their first row · tenant of each device: planes, if there are several
//! body, compressed as one:
//!     device of each row: planes of (devices seen before − number of the device), so 0 for one that is new
//!     bits of each row (`position/present.rs`): palette and a byte a row, or planes
//!     the 11 terms (`predict.rs`) of the rows that are the first of their device: 11 planes
//!     the 11 terms of the other rows, each predicted from the row before of its device: 11 planes
//!     optional columns that have values, in the order of their bits: planes
//!     texts
//! ```

use std::collections::HashMap;

use armada_proto::{DeviceId, TenantId};
use foldhash::fast::RandomState;

use crate::{
    codec::{
        columns::{Columns, Cursor},
        hot_body::{self, Scratch},
    },
    position::{enriched::Position, geodesy::Place, report::Report},
    wire::{
        bytes::{Reader, checksum, put_signed, put_varint},
        error::CodecError,
        ids, planes, zip,
    },
};

const CODEC: u8 = 1;
/// Where the part under the checksum begins.
const CHECKED: usize = 5;

/// Collects the positions of one round. Its buffers are kept from frame to frame.
#[derive(Default)]
pub struct HotBuilder {
    devices: Vec<(TenantId, DeviceId)>,
    index: HashMap<(TenantId, DeviceId), u32, RandomState>,
    of_row: Vec<u32>,
    columns: Columns,
    t_min: i64,
    t_max: i64,
    /// Of the texts of its rows.
    text_bytes: usize,
    scratch: Scratch,
}

/// The most that the numbers of a row take before they are compressed, with its device.
pub const HOT_ROW_BYTES: usize = 120;

impl HotBuilder {
    /// Adds a position.
    pub fn push(&mut self, tenant: TenantId, device: DeviceId, position: &Position) {
        let recorded_at = position.recorded_at();
        if self.is_empty() {
            (self.t_min, self.t_max) = (recorded_at, recorded_at);
        }
        self.t_min = self.t_min.min(recorded_at);
        self.t_max = self.t_max.max(recorded_at);
        let number = self.number_of((tenant, device));
        self.of_row.push(number);
        self.text_bytes += position.report.text_bytes();
        self.columns.push(position);
    }

    /// The most that its frame can have. It has fewer when texts or numbers repeat.
    pub fn bytes(&self) -> usize {
        self.len() * HOT_ROW_BYTES + self.text_bytes
    }

    /// Positions so far.
    pub fn len(&self) -> usize {
        self.of_row.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.of_row.is_empty()
    }

    /// Smallest and largest `recorded_at`; `None` when empty.
    pub fn time_range(&self) -> Option<(i64, i64)> {
        (!self.is_empty()).then_some((self.t_min, self.t_max))
    }

    /// The frame's bytes; the builder starts anew.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + self.devices.len() * 16 + self.len() * 32);
        out.push(CODEC);
        out.extend_from_slice(&[0; CHECKED - 1]);
        put_varint(&mut out, self.len() as u64);
        put_signed(&mut out, self.t_min);
        put_varint(&mut out, self.t_max.wrapping_sub(self.t_min) as u64);
        self.put_devices(&mut out);
        let raw = hot_body::encode(&self.of_row, self.devices.len(), &self.columns, &mut self.scratch);
        zip::put(&mut out, raw);
        let sum = checksum(&out[CHECKED..]);
        out[1..CHECKED].copy_from_slice(&sum.to_le_bytes());
        self.clear();
        out
    }

    fn number_of(&mut self, key: (TenantId, DeviceId)) -> u32 {
        // A tracker that sends a backlog has many rows on end.
        if let Some(&last) = self.of_row.last()
            && self.devices.get(last as usize) == Some(&key)
        {
            return last;
        }
        let devices = &mut self.devices;
        *self.index.entry(key).or_insert_with(|| {
            devices.push(key);
            devices.len() as u32 - 1
        })
    }

    fn put_devices(&self, out: &mut Vec<u8>) {
        let mut tenants: Vec<TenantId> = Vec::new();
        let mut tenant_of = Vec::with_capacity(self.devices.len());
        let mut index: HashMap<TenantId, i64, RandomState> = HashMap::default();
        for (tenant, _) in &self.devices {
            tenant_of.push(*index.entry(*tenant).or_insert_with(|| {
                tenants.push(*tenant);
                tenants.len() as i64 - 1
            }));
        }
        ids::put(out, tenants.iter().map(|tenant| tenant.0));
        ids::put(out, self.devices.iter().map(|(_, device)| device.0));
        if tenants.len() > 1 {
            planes::put(out, &tenant_of, &mut Vec::new());
        }
    }

    fn clear(&mut self) {
        self.devices.clear();
        self.index.clear();
        self.of_row.clear();
        self.columns.clear();
        (self.t_min, self.t_max) = (0, 0);
        self.text_bytes = 0;
    }
}

/// A frame whose header and devices have been read, its rows not yet: a reader can pass by a frame that does not
/// concern it.
#[derive(Debug)]
pub struct HotFrame<'a> {
    n: usize,
    time_range: (i64, i64),
    devices: Vec<(TenantId, DeviceId)>,
    body: &'a [u8],
}

impl<'a> HotFrame<'a> {
    /// Checks the whole and reads header and devices.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, CodecError> {
        let mut reader = Reader::of_codec(bytes, CODEC)?;
        if u32::from_le_bytes(reader.array()?) != checksum(reader.rest()) {
            return Err(CodecError::Corrupt("checksum"));
        }
        Self::parse_checked(reader)
    }

    fn parse_checked(mut reader: Reader<'a>) -> Result<Self, CodecError> {
        let n = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
        let t_min = reader.signed()?;
        let t_max = t_min.wrapping_add(reader.varint()? as i64);
        let limit = reader.rest().len();
        let tenants = ids::get(&mut reader, limit)?;
        let devices = ids::get(&mut reader, limit)?;
        let tenant_of =
            if tenants.len() > 1 { planes::get(&mut reader, devices.len())? } else { vec![0; devices.len()] };
        let pairs = devices.into_iter().zip(tenant_of).map(|(device, tenant)| {
            let tenant = usize::try_from(tenant).ok().and_then(|tenant| tenants.get(tenant));
            tenant.map(|tenant| (TenantId(*tenant), DeviceId(device))).ok_or(CodecError::Corrupt("no such tenant"))
        });
        let devices = pairs.collect::<Result<Vec<_>, _>>()?;
        Ok(Self { n, time_range: (t_min, t_max), devices, body: reader.rest() })
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Smallest and largest `recorded_at`; 0 and 0 when empty.
    pub fn time_range(&self) -> (i64, i64) {
        self.time_range
    }

    /// The devices of the frame, in the order of their first row.
    pub fn devices(&self) -> &[(TenantId, DeviceId)] {
        &self.devices
    }

    /// Whether the device has a row.
    pub fn contains(&self, device: DeviceId) -> bool {
        self.devices.iter().any(|(_, other)| *other == device)
    }

    /// All rows in the order of arrival.
    pub fn rows(&self) -> Result<HotRows, CodecError> {
        let (of_row, columns) = hot_body::decode(self.body, self.n, self.devices.len(), None)?;
        Ok(HotRows { devices: self.devices.clone(), of_row, columns, cursor: Cursor::default(), row: 0 })
    }

    /// The rows of one device in the order of arrival; the others are passed over.
    pub fn rows_of(&self, tenant: TenantId, device: DeviceId) -> Result<Vec<Position>, CodecError> {
        let Some(wanted) = self.devices.iter().position(|other| *other == (tenant, device)) else {
            return Ok(Vec::new());
        };
        let (of_row, columns) = hot_body::decode(self.body, self.n, self.devices.len(), Some(wanted as u32))?;
        let mut cursor = Cursor::default();
        let mut positions = Vec::new();
        for (number, bits) in of_row.iter().zip(&columns.present) {
            if *number as usize == wanted {
                positions.extend(columns.read(&mut cursor));
            } else {
                cursor.skip(*bits);
            }
        }
        Ok(positions)
    }
}

/// The rows of a frame in the order of arrival.
#[derive(Debug)]
pub struct HotRows {
    devices: Vec<(TenantId, DeviceId)>,
    of_row: Vec<u32>,
    columns: Columns,
    cursor: Cursor,
    row: usize,
}

impl HotRows {
    /// The devices of the frame, in the order of their first row.
    pub fn devices(&self) -> &[(TenantId, DeviceId)] {
        &self.devices
    }

    /// Shows the rest of the rows, each with the number of its device in [`Self::devices`]. Faster than iterating: one
    /// position is overwritten again and again.
    pub fn visit(mut self, mut each: impl FnMut(usize, &Position)) {
        let mut position = Position::late(Report::new(0, 0, 0));
        while let Some(number) = self.of_row.get(self.row)
            && self.columns.read_into(&mut self.cursor, &mut position)
        {
            each(*number as usize, &position);
            self.row += 1;
        }
    }

    /// Where the rows lie, in order, without making positions of them.
    pub fn places(&self) -> impl Iterator<Item = (TenantId, DeviceId, Place)> + '_ {
        let places = self.columns.lat.iter().zip(&self.columns.lng).map(|(&lat, &lng)| Place { lat, lng });
        self.of_row.iter().zip(places).filter_map(|(number, place)| {
            let (tenant, device) = *self.devices.get(*number as usize)?;
            Some((tenant, device, place))
        })
    }
}

impl Iterator for HotRows {
    type Item = (TenantId, DeviceId, Position);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let number = *self.of_row.get(self.row)?;
        let (tenant, device) = *self.devices.get(number as usize)?;
        self.row += 1;
        Some((tenant, device, self.columns.read(&mut self.cursor)?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.of_row.len() - self.row;
        (left, Some(left))
    }
}

impl ExactSizeIterator for HotRows {}
