//! Street maps: tiles of configured sources, which are fetched and kept here, and PMTiles files. Browsers load pictures
//! without a token, so that addresses are signed; keys of sources stay here.

pub(crate) mod cache;
pub(crate) mod catalogue;
pub(crate) mod files;
mod metrics;
pub(crate) mod pmtiles;
pub(crate) mod range;
pub(crate) mod signature;
mod sources;
mod tile;
pub(crate) mod tiles;
