//! A tile: its place on the map, and the picture.

use axum::body::Bytes;

/// The kinds of pictures that are passed on. Anything else that a source sends could be a page of somebody's.
pub(super) const KINDS: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/avif"];

/// A place in the usual scheme of tiles: `2^z` columns from the west, and as many rows from the north.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) z: u8,
    pub(super) x: u32,
    pub(super) y: u32,
}

impl Place {
    /// From the parts of a path; none of what is no place down to this zoom.
    pub(super) fn read(z: &str, x: &str, y: &str, max_zoom: u8) -> Option<Self> {
        let place = Self { z: z.parse().ok()?, x: x.parse().ok()?, y: y.parse().ok()? };
        let side = 1_u32.checked_shl(place.z.into())?;
        (place.z <= max_zoom && place.x < side && place.y < side).then_some(place)
    }
}

/// A picture.
#[derive(Debug, Clone)]
pub(super) struct Tile {
    /// One of [`KINDS`].
    pub(super) kind: &'static str,
    pub(super) content: Bytes,
}

/// The kind of picture that a content type says, if it is one of those.
pub(super) fn kind_of(content_type: &str) -> Option<&'static str> {
    let named = content_type.split(';').next().unwrap_or_default().trim();
    KINDS.into_iter().find(|kind| kind.eq_ignore_ascii_case(named))
}
