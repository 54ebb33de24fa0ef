//! Where certificates of authorities are on this machine, and what was read there last.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::{OsStr, OsString},
    fs::{self, File, Metadata},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustls::{
    RootCertStore,
    pki_types::{
        CertificateDer,
        pem::{self, PemObject},
    },
};

use crate::error::{Error, Result};

/// Bytes of the largest file that is read. The public authorities together have a quarter of a megabyte.
const FILE_MAX: u64 = 16 << 20;

/// The variable that names a file.
const FILE: &str = "SSL_CERT_FILE";
/// The one that names folders, with colons between them.
const FOLDERS: &str = "SSL_CERT_DIR";
/// What editors on other systems begin a text with.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Where to look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// A file with certificates in PEM, however many.
    pub file: Option<PathBuf>,
    /// Folders with such files in them.
    pub folders: Vec<PathBuf>,
}

impl Places {
    /// Those of `SSL_CERT_FILE` and `SSL_CERT_DIR` (several, with colons between them); the system's where both are
    /// absent or empty.
    pub fn of_process() -> Self {
        let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
        match (variable(FILE), variable(FOLDERS)) {
            (None, None) => {
                let system = openssl_probe::probe();
                Self { file: system.cert_file, folders: system.cert_dir }
            }
            (file, folders) => {
                let folders = folders.iter().flat_map(env::split_paths);
                let folders = folders.filter(|folder| !folder.as_os_str().is_empty());
                Self { file: file.map(PathBuf::from), folders: folders.collect() }
            }
        }
    }
}

impl Places {
    /// Refuses to read what is no file of certificates: a pipe or a device may have no end.
    pub fn check(&self) -> Result<()> {
        let Some((file, metadata)) = self.file.as_ref().and_then(|file| Some((file, fs::metadata(file).ok()?))) else {
            return Ok(());
        };
        match metadata {
            metadata if !metadata.is_file() => Err(Error::unavailable(format!("{}: it is no file", file.display()))),
            metadata if metadata.len() > FILE_MAX => {
                Err(Error::unavailable(format!("{}: {}", file.display(), too_large())))
            }
            _ => Ok(()),
        }
    }
}

/// Takes out of the variables what says nothing, for libraries that read them by themselves: empty ones, and folders that are
/// missing beside others that are there.
#[allow(unsafe_code, reason = "the variables of a process can be changed in no other way")]
pub(super) fn tidy_variables() {
    // SAFETY: the caller vouches that there is no other thread.
    unsafe {
        for name in [FILE, FOLDERS] {
            if env::var_os(name).is_some_and(|value| value.is_empty()) {
                env::remove_var(name);
            }
        }
        let there = env::var_os(FOLDERS).and_then(|folders| those_there(&folders));
        if let Some(there) = there {
            env::set_var(FOLDERS, there);
        }
    }
}

/// The folders of a list that are there; none when none is.
fn those_there(folders: &OsStr) -> Option<OsString> {
    let there: Vec<_> = env::split_paths(folders).filter(|folder| folder.is_dir()).collect();
    if there.is_empty() { None } else { env::join_paths(there).ok() }
}

/// What there is in some places. A file that is missing, cannot be read, is broken or has become empty keeps the
/// certificates that it had; one that is taken out of a folder loses them.
pub(super) struct Files {
    places: Places,
    read: BTreeMap<PathBuf, ReadFile>,
    /// What was wrong the last time, by path: it is told once.
    troubles: BTreeMap<PathBuf, String>,
}

struct ReadFile {
    stamp: Stamp,
    certificates: Vec<CertificateDer<'static>>,
}

/// What changes when somebody writes a file or puts another one in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// The files that one look has found; without a stamp where it stays as it was.
#[derive(Default)]
struct Found {
    stamps: BTreeMap<PathBuf, Option<Stamp>>,
    /// Device and inode of each: stores name one file many times.
    seen: BTreeSet<(u64, u64)>,
    troubles: BTreeMap<PathBuf, String>,
}

impl Files {
    /// Nothing was read yet.
    pub(super) fn new(places: Places) -> Self {
        Self { places, read: BTreeMap::new(), troubles: BTreeMap::new() }
    }

    /// Reads what is new or was changed; whether there are other certificates now. Blocks.
    pub(super) fn look(&mut self) -> bool {
        let Found { stamps, mut troubles, .. } = self.find();
        let gone = self.read.extract_if(.., |path, _| !stamps.contains_key(path));
        let mut is_changed = gone.fold(false, |had_some, (_, file)| had_some || !file.certificates.is_empty());
        for (path, stamp) in stamps {
            let Some(stamp) = stamp else { continue };
            if self.read.get(&path).is_some_and(|file| file.stamp == stamp) {
                let trouble = self.troubles.get(&path).cloned();
                troubles.extend(trouble.map(|trouble| (path, trouble)));
                continue;
            }
            let former = self.read.remove(&path).map(|file| file.certificates).unwrap_or_default();
            let is_named = self.places.file.as_ref() == Some(&path);
            let (certificates, trouble) = read_or_keep(&path, stamp.bytes, &former, is_named);
            troubles.extend(trouble.map(|trouble| (path.clone(), trouble)));
            is_changed |= certificates != former;
            self.read.insert(path, ReadFile { stamp, certificates });
        }
        self.tell(troubles);
        is_changed
    }

    /// All certificates, each once.
    pub(super) fn certificates(&self) -> Vec<CertificateDer<'static>> {
        let mut all: Vec<_> = self.read.values().flat_map(|file| &file.certificates).cloned().collect();
        all.sort_unstable_by(|one, other| one.as_ref().cmp(other.as_ref()));
        all.dedup();
        all
    }

    fn find(&self) -> Found {
        let mut found = Found::default();
        if let Some(file) = &self.places.file {
            match fs::metadata(file) {
                Ok(metadata) if metadata.is_file() => found.add(file, &metadata),
                Ok(_) => found.add_unread(file, &"it is no file"),
                Err(error) => found.add_unread(file, &error),
            }
        }
        for folder in &self.places.folders {
            if let Err(error) = found.add_folder(folder) {
                let known = self.read.keys().filter(|path| path.parent() == Some(folder));
                found.stamps.extend(known.map(|path| (path.clone(), None)));
                found.troubles.insert(folder.clone(), error.to_string());
            }
        }
        found
    }

    fn tell(&mut self, troubles: BTreeMap<PathBuf, String>) {
        for (path, trouble) in troubles.iter().filter(|(path, trouble)| self.troubles.get(*path) != Some(*trouble)) {
            tracing::warn!(path = %path.display(), trouble, "certificates of authorities cannot be read");
        }
        self.troubles = troubles;
    }
}

impl Found {
    fn add(&mut self, path: &Path, metadata: &Metadata) {
        if self.seen.insert((metadata.dev(), metadata.ino())) {
            self.stamps.insert(path.to_owned(), Some(Stamp::of(metadata)));
        }
    }

    fn add_unread(&mut self, path: &Path, why: &dyn std::fmt::Display) {
        self.stamps.insert(path.to_owned(), None);
        self.troubles.insert(path.to_owned(), why.to_string());
    }

    fn add_folder(&mut self, folder: &Path) -> io::Result<()> {
        let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<BTreeSet<_>>>()?;
        for path in entries {
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => self.add(&path, &metadata),
                Ok(_) => {}
                // Where a link leads nowhere there is nothing.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => self.add_unread(&path, &error),
            }
        }
        Ok(())
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// The certificates of a file, or those that it had before when it is broken or empty now; and what is wrong with it. What
/// lies in a folder need not be certificates, what is `named` shall be.
fn read_or_keep(
    path: &Path,
    bytes: u64,
    former: &[CertificateDer<'static>],
    is_named: bool,
) -> (Vec<CertificateDer<'static>>, Option<String>) {
    let (certificates, trouble) = read(path, bytes);
    let trouble = match trouble {
        None if certificates.is_empty() && (is_named || !former.is_empty()) => Some("there is none in it".to_owned()),
        trouble => trouble,
    };
    match trouble {
        Some(trouble) if !former.is_empty() => (former.to_vec(), Some(format!("{trouble}; those of before are kept"))),
        trouble => (certificates, trouble),
    }
}

/// The certificates that can be read in a file, and the first thing that is wrong with it.
fn read(path: &Path, bytes: u64) -> (Vec<CertificateDer<'static>>, Option<String>) {
    if bytes > FILE_MAX {
        return (Vec::new(), Some(too_large()));
    }
    let content = match content(path) {
        Ok(content) => content,
        Err(error) => return (Vec::new(), Some(error.to_string())),
    };
    let (mut certificates, mut trouble) = (Vec::new(), None);
    for section in CertificateDer::pem_slice_iter(content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&content)) {
        match section {
            Ok(certificate) if is_authority(&certificate) => certificates.push(certificate),
            Ok(_) => trouble = trouble.or_else(|| Some("a certificate in it is none".to_owned())),
            Err(error) => trouble = trouble.or_else(|| Some(text(&error))),
        }
    }
    (certificates, trouble)
}

/// No more than may be, even if it has become longer.
fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(FILE_MAX).read_to_end(&mut content)?;
    Ok(content)
}

fn too_large() -> String {
    format!("it has more than {} MB", FILE_MAX >> 20)
}

fn is_authority(certificate: &CertificateDer<'static>) -> bool {
    RootCertStore::empty().add(certificate.clone()).is_ok()
}

fn text(error: &pem::Error) -> String {
    match error {
        pem::Error::Io(error) => error.to_string(),
        // The others quote the file, whose lines may be a key.
        _ => "it is not PEM as it should be".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused_before_it_is_read() {
        let check = |file: &str| Places { file: Some(file.into()), folders: Vec::new() }.check();
        assert_eq!(check("/dev/zero").expect_err("it has no end").message, "/dev/zero: it is no file");
        // One that comes later is read then.
        check("/nowhere/ca.pem").expect("it is not there");
    }

    #[test]
    fn missing_folders_are_left_out_beside_others() {
        let there = those_there(OsStr::new("/nowhere:/tmp:"));
        assert_eq!(there.as_deref(), Some(OsStr::new("/tmp")));
        assert_eq!(those_there(OsStr::new("/nowhere")), None);
    }
}
