//! Room on the disk of a folder.

use std::path::Path;

use nix::sys::statvfs::statvfs;

/// Free bytes below which a disk counts as full: more than anything writes at once.
pub const FULL: u64 = 8 << 20;
/// Free bytes from which on a disk that was full has room again.
pub const ROOM: u64 = 32 << 20;

/// Bytes that are free where a folder is, for whoever is not root; none where that cannot be seen.
pub fn free(folder: &Path) -> Option<u64> {
    let disk = statvfs(folder).ok()?;
    Some(disk.blocks_available().saturating_mul(disk.fragment_size()))
}
