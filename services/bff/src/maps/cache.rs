//! Fetched tiles on the disk, as `<source>/<z>/<x>/<y>`. A file begins with a line that says what picture it is and how
//! long: one that was cut off by a crash is seen by that, and counts as absent.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use axum::body::Bytes;
use tokio::{sync::Notify, task::spawn_blocking};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::tile::{Place, Tile, kind_of};

/// How often it is looked at how large the cache is,
const CHECK_INTERVAL: Duration = Duration::from_secs(3600);
/// and after how many tiles, if that is earlier.
const CHECK_AFTER_TILES: u64 = 1_000;

pub(super) struct TileCache {
    folder: PathBuf,
    max_bytes: u64,
    max_age: Duration,
    /// Tiles that were stored since the start.
    stored: AtomicU64,
    is_due: Notify,
}

/// A tile that was found.
pub(super) struct CachedTile {
    pub(super) tile: Tile,
    /// Whether it is young enough to be shown without a question.
    pub(super) is_fresh: bool,
}

impl TileCache {
    pub(super) fn new(folder: PathBuf, max_bytes: u64, max_age: Duration) -> Self {
        Self { folder, max_bytes, max_age, stored: AtomicU64::new(0), is_due: Notify::new() }
    }

    /// What is there of a place, however old.
    pub(super) async fn get(&self, source: &str, place: Place) -> Option<CachedTile> {
        let (path, max_age) = (self.path(source, place), self.max_age);
        spawn_blocking(move || read(&path, max_age)).await.ok().flatten()
    }

    /// Keeps a tile. One that cannot be kept is fetched again another time.
    pub(super) async fn put(&self, source: &str, place: Place, tile: Tile) {
        let path = self.path(source, place);
        match spawn_blocking(move || write(&path, &tile)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(source, %error, "a tile was not kept"),
            Err(error) => tracing::debug!(source, %error, "a tile was not kept"),
        }
        let stored = self.stored.fetch_add(1, Ordering::Relaxed) + 1;
        if stored.is_multiple_of(CHECK_AFTER_TILES) {
            self.is_due.notify_one();
        }
    }

    /// Removes the oldest tiles whenever there are too many, until shutdown.
    pub(super) async fn tidy(&self, shutdown: &CancellationToken) {
        loop {
            let (folder, max_bytes) = (self.folder.clone(), self.max_bytes);
            match spawn_blocking(move || shrink(&folder, max_bytes)).await {
                Ok(0) | Err(_) => {}
                Ok(removed) => tracing::debug!(removed, "the oldest tiles of the cache are gone"),
            }
            let due = tokio::time::timeout(CHECK_INTERVAL, self.is_due.notified());
            if shutdown.run_until_cancelled(due).await.is_none() {
                return;
            }
        }
    }

    fn path(&self, source: &str, Place { z, x, y }: Place) -> PathBuf {
        self.folder.join(source).join(z.to_string()).join(x.to_string()).join(y.to_string())
    }
}

fn read(path: &Path, max_age: Duration) -> Option<CachedTile> {
    let mut file = File::open(path).ok()?;
    let modified = file.metadata().ok()?.modified().ok()?;
    let mut content = Vec::new();
    file.read_to_end(&mut content).ok()?;
    let is_fresh = modified.elapsed().unwrap_or_default() <= max_age;
    Some(CachedTile { tile: unpacked(content)?, is_fresh })
}

/// None of what is not whole.
fn unpacked(content: Vec<u8>) -> Option<Tile> {
    let end = content.iter().position(|byte| *byte == b'\n')?;
    let (kind, length) = std::str::from_utf8(&content[..end]).ok()?.split_once(' ')?;
    let (kind, length) = (kind_of(kind)?, length.parse::<usize>().ok()?);
    let content = Bytes::from(content).slice(end + 1..);
    (content.len() == length).then_some(Tile { kind, content })
}

/// Whole or not at all: it gets its name when it is written.
fn write(path: &Path, tile: &Tile) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let new = path.with_extension(format!("{}.new", Uuid::now_v7()));
    let written = write_new(&new, tile).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

fn write_new(path: &Path, tile: &Tile) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(format!("{} {}\n", tile.kind, tile.content.len()).as_bytes())?;
    file.write_all(&tile.content)
}

/// Removes the oldest files below a folder until the others are no larger than that together; how many.
pub fn shrink(folder: &Path, max_bytes: u64) -> u64 {
    let mut files = Vec::new();
    each_file(folder, &mut |_, metadata| files.push((written(metadata), metadata.len())));
    files.sort_unstable_by(|a, b| b.cmp(a));
    let mut bytes: u64 = 0;
    let newest_to_go = files.iter().find(|(_, size)| {
        bytes += size;
        bytes > max_bytes
    });
    let Some((newest_to_go, _)) = newest_to_go else { return 0 };
    let mut removed = 0;
    each_file(folder, &mut |path, metadata| {
        if written(metadata) <= *newest_to_go && fs::remove_file(path).is_ok() {
            removed += 1;
            // Of a column with nothing left in it.
            let _ = path.parent().map(fs::remove_dir);
        }
    });
    removed
}

fn written(metadata: &Metadata) -> SystemTime {
    metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)
}

fn each_file(folder: &Path, each: &mut impl FnMut(&Path, &Metadata)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() {
            each_file(&entry.path(), each);
        } else {
            each(&entry.path(), &metadata);
        }
    }
}
