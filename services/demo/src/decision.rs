//! What was decided about the demonstration in a data folder, so that no start makes again what somebody removed.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// It was made once, and is what its users make of it.
    Made,
    /// It was removed.
    Removed,
}

impl Decision {
    const ALL: [Self; 2] = [Self::Made, Self::Removed];

    const fn word(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Removed => "removed",
        }
    }

    /// None when nothing was decided yet.
    pub(super) fn read(data_dir: &Path) -> Result<Option<Self>> {
        let file = file(data_dir);
        match fs::read_to_string(&file) {
            Ok(text) => Ok(Self::ALL.into_iter().find(|decision| decision.word() == text.trim())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| file.display().to_string()),
        }
    }

    /// Keeps it.
    pub(super) fn write(self, data_dir: &Path) -> Result<()> {
        let file = file(data_dir);
        fs::write(&file, format!("{}\n", self.word())).with_context(|| file.display().to_string())
    }
}

fn file(data_dir: &Path) -> PathBuf {
    data_dir.join("demo")
}
