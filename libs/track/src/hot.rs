//! The enriched frame of one round: many devices, arrival order.

use std::marker::PhantomData;

use armada_proto::{DeviceId, TenantId};

use crate::{error::CodecError, position::Position};

/// Collects the positions of one round.
#[derive(Default)]
pub struct HotBuilder {}

impl HotBuilder {
    /// Adds a position.
    pub fn push(&mut self, _tenant: TenantId, _device: DeviceId, _position: &Position) {}

    /// Positions so far.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// Smallest and largest `recorded_at`; `None` when empty.
    pub fn time_range(&self) -> Option<(i64, i64)> {
        None
    }

    /// The frame's bytes; the builder starts anew and keeps its buffers.
    pub fn finish(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// A frame whose header and devices have been read, its rows not yet.
#[derive(Debug)]
pub struct HotFrame<'a> {
    bytes: PhantomData<&'a [u8]>,
}

impl<'a> HotFrame<'a> {
    /// Reads header and devices.
    pub fn parse(_bytes: &'a [u8]) -> Result<Self, CodecError> {
        Err(CodecError::Truncated)
    }

    /// Rows.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// Smallest and largest `recorded_at`.
    pub fn time_range(&self) -> (i64, i64) {
        (0, 0)
    }

    /// The devices of the frame, in order of their first row.
    pub fn devices(&self) -> &[(TenantId, DeviceId)] {
        &[]
    }

    /// Whether the device has a row.
    pub fn contains(&self, _device: DeviceId) -> bool {
        false
    }

    /// All rows in arrival order.
    pub fn rows(&self) -> Result<HotRows, CodecError> {
        Err(CodecError::Truncated)
    }

    /// The rows of one device in arrival order; the others are skipped cheaply.
    pub fn rows_of(&self, _tenant: TenantId, _device: DeviceId) -> Result<Vec<Position>, CodecError> {
        Err(CodecError::Truncated)
    }
}

/// Rows of a frame.
#[derive(Debug)]
pub struct HotRows {}

impl Iterator for HotRows {
    type Item = (TenantId, DeviceId, Position);

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}
