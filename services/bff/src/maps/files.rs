//! PMTiles files in a folder. New ones are seen when somebody asks for the list; what they say of themselves is read once.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use armada_proto::{Choice, v1::MapSourceProblem};
use armada_runtime::{Error, Result};
use axum::{
    body::Body,
    extract::{Path as UrlPath, State},
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderName, StatusCode,
    header::{
        ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE,
    },
};
use tokio::{
    io::{AsyncReadExt, AsyncSeekExt, SeekFrom},
    task::spawn_blocking,
};
use tokio_util::io::ReaderStream;

use super::{
    pmtiles::MapHeader,
    range::{Wanted, wanted},
    signature::Signatures,
};
use crate::{
    config::FILE_PREFIX,
    http::{
        failure::{Answer, Failure},
        query::Query,
    },
};

/// The folder within that of the data.
const FOLDER: &str = "maps";
const EXTENSION: &str = "pmtiles";
/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;

/// The folder. Cheap to clone.
#[derive(Clone)]
pub(crate) struct MapFiles(Option<Arc<Folder>>);

struct Folder {
    path: PathBuf,
    /// What was read, by the names of the files.
    known: Mutex<HashMap<String, (Version, MapHeader)>>,
}

/// Another content is another one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    size: u64,
    modified: SystemTime,
}

/// A file that is there.
pub(super) struct MapFile {
    pub(super) id: String,
    /// That of the file, without its ending.
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) header: MapHeader,
    path: PathBuf,
}

impl MapFiles {
    /// Within the folder of the data; none where there is no such folder.
    pub(crate) fn new(data_dir: Option<&Path>) -> Self {
        let folder = |data_dir: &Path| Arc::new(Folder { path: data_dir.join(FOLDER), known: Mutex::default() });
        Self(data_dir.map(folder))
    }

    /// All of them, by their names.
    pub(super) async fn list(&self) -> Vec<MapFile> {
        let Some(folder) = self.0.clone() else { return Vec::new() };
        spawn_blocking(move || folder.list()).await.unwrap_or_default()
    }

    /// One that can be shown.
    async fn find(&self, id: &str) -> Result<MapFile> {
        let found = self.list().await.into_iter().find(|file| file.id == id && file.header.problem.is_none());
        found.ok_or_else(Error::not_found)
    }
}

impl Folder {
    fn list(&self) -> Vec<MapFile> {
        let paths = self.paths();
        self.known().retain(|name, _| paths.contains_key(name));
        let mut ids = HashSet::new();
        let file = |(name, path): (String, PathBuf)| {
            let metadata = fs::metadata(&path).ok().filter(Metadata::is_file)?;
            let header = self.header(&name, &path, Version::of(&metadata).ok()?);
            Some(MapFile { id: new_id(&mut ids, &name), name, size: metadata.len(), header, path })
        };
        paths.into_iter().filter_map(file).collect()
    }

    /// The files, by their names without the ending. Hidden ones are those that are being copied.
    fn paths(&self) -> BTreeMap<String, PathBuf> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
        let named = files.filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)));
        named.filter(|(name, _)| !name.starts_with('.')).collect()
    }

    /// What a file says of itself, read anew when it has changed.
    fn header(&self, name: &str, path: &Path, version: Version) -> MapHeader {
        let before = self.known().get(name).cloned();
        if let Some((known, header)) = &before
            && *known == version
        {
            return header.clone();
        }
        let header = fs::File::open(path).and_then(|mut file| MapHeader::read(&mut file)).unwrap_or_else(|error| {
            tracing::debug!(file = name, %error, "a map file cannot be read");
            MapHeader::unusable(MapSourceProblem::NotPmtiles)
        });
        // Once, not with every piece of a file that is being copied.
        if let Some(problem) = header.problem
            && before.is_none_or(|(_, before)| before.problem != Some(problem))
        {
            tracing::warn!(file = name, problem = problem.name(), "a map file cannot be shown");
        }
        self.known().insert(name.to_owned(), (version, header.clone()));
        header
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, (Version, MapHeader)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Version {
    fn of(metadata: &Metadata) -> io::Result<Self> {
        Ok(Self { size: metadata.len(), modified: metadata.modified()? })
    }

    /// As an `ETag`.
    fn tag(self) -> String {
        let since = self.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        format!("\"{:x}-{:x}\"", self.size, since.as_nanos())
    }
}

/// An id that no other file has: the name in lower case, with dashes for what stands in no address.
fn new_id(ids: &mut HashSet<String>, name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let slug = if words.is_empty() { "map".to_owned() } else { words.join("-").to_ascii_lowercase() };
    let first = format!("{FILE_PREFIX}{slug}");
    let more = (2..).map(|number| format!("{FILE_PREFIX}{slug}-{number}"));
    let id = std::iter::once(first).chain(more).find(|id| !ids.contains(id)).unwrap_or_default();
    ids.insert(id.clone());
    id
}

/// A file, or the part of it that is asked for.
pub(crate) async fn file(
    State(files): State<MapFiles>,
    State(signatures): State<Signatures>,
    UrlPath(id): UrlPath<String>,
    query: Query,
    headers: HeaderMap,
) -> Answer<Response> {
    signatures.check(&id, query.text("until"), query.text("signature"))?;
    let found = files.find(&id).await?;
    let mut file = tokio::fs::File::open(&found.path).await.map_err(|_| Error::not_found())?;
    // Of what was opened: another file may have taken its place a moment ago.
    let metadata = file.metadata().await.map_err(Error::unavailable)?;
    let (size, tag) = (metadata.len(), Version::of(&metadata).map_err(Error::unavailable)?.tag());
    let head = [
        (ETAG, tag.clone()),
        (ACCEPT_RANGES, "bytes".to_owned()),
        (CACHE_CONTROL, "private, max-age=3600".to_owned()),
        (CONTENT_TYPE, "application/vnd.pmtiles".to_owned()),
    ];
    if is_known(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, head).into_response());
    }
    // A part of what the client has no other part of is of no use to it.
    let is_same = text(&headers, IF_RANGE).is_none_or(|seen| seen == tag);
    let (status, first, last) = match wanted(text(&headers, RANGE).filter(|_| is_same), size) {
        Wanted::Whole => (StatusCode::OK, 0, None),
        Wanted::Part { first, last } => (StatusCode::PARTIAL_CONTENT, first, Some(last)),
        Wanted::Nothing => {
            let refused = Failure::new(StatusCode::RANGE_NOT_SATISFIABLE, "range_not_satisfiable");
            return Ok(([(CONTENT_RANGE, format!("bytes */{size}"))], refused).into_response());
        }
    };
    file.seek(SeekFrom::Start(first)).await.map_err(Error::unavailable)?;
    let length = last.map_or(size, |last| last + 1 - first);
    let body = Body::from_stream(ReaderStream::with_capacity(file.take(length), PIECE));
    let mut response = (status, head, [(CONTENT_LENGTH, length.to_string())], body).into_response();
    if let Some(last) = last {
        let range = format!("bytes {first}-{last}/{size}").parse().map_err(Error::internal)?;
        response.headers_mut().insert(CONTENT_RANGE, range);
    }
    Ok(response)
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether the client has this version already (RFC 9110, section 13.1.2).
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let mut seen = text(headers, IF_NONE_MATCH).unwrap_or_default().split(',').map(str::trim);
    seen.any(|seen| seen == "*" || seen.strip_prefix("W/").unwrap_or(seen) == tag)
}
