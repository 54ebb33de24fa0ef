//! The copy of the erase ledger that stands beside copies of databases: one for all of them, as new as the newest. What a
//! restored database brings back it takes away again, so it must not be as old as the copy that is restored.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufReader, ErrorKind},
    path::Path,
};

use anyhow::{Context as _, Result};
use armada_proto::TenantId;
use armada_runtime::Erasures;

use super::digest;
use crate::erasures::{self, Line};

/// Its name beside the folders of copies.
pub(super) const FILE: &str = "erasures.jsonl";

/// Brings the copy in a folder to what the ledger says; how many tenants it names. What the ledger has lost stays in it.
pub(super) async fn copy(ledger: &Erasures, folder: &Path) -> Result<usize> {
    let path = folder.join(FILE);
    let before = match File::open(&path) {
        Ok(file) => erasures::read(BufReader::new(file)).collect::<Result<Vec<_>>>(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    };
    let before = before.with_context(|| path.display().to_string())?;
    let lines = merged(before, erasures::lines(ledger).await?);
    let mut text = String::new();
    for line in lines.values() {
        text += &(serde_json::to_string(line)? + "\n");
    }
    digest::write(&path, &text)?;
    Ok(lines.len())
}

/// Whoever was erased stays erased.
fn merged(before: Vec<Line>, now: Vec<Line>) -> BTreeMap<TenantId, Line> {
    let mut lines: BTreeMap<_, _> = before.into_iter().map(|line| (line.tenant, line)).collect();
    for line in now {
        if !lines.get(&line.tenant).is_some_and(Line::is_erased) {
            lines.insert(line.tenant, line);
        }
    }
    lines
}

/// Enters into the ledger what the copy beside a backup says and it does not know. False when there is no such copy.
pub(super) async fn restore(ledger: &Erasures, backup: &Path) -> Result<bool> {
    let backup = fs::canonicalize(backup).with_context(|| backup.display().to_string())?;
    let path = backup.with_file_name(FILE);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    erasures::import(ledger, BufReader::new(file)).await.with_context(|| path.display().to_string())?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_ledger_keeps_erasures() {
        let line = |tenant: u8, state: &str, at: i64| {
            format!(
                r#"{{"tenant":"01900000-0000-7000-8000-00000000000{tenant}","state":"{state}","deleted_at":{at},"erase_after":{at}}}"#
            )
        };
        let read = |lines: &[String]| {
            erasures::read(lines.join("\n").as_bytes()).collect::<Result<Vec<_>>>().expect("they are lines")
        };
        let before = [line(1, "erased", 1), line(2, "deleted", 1), line(3, "deleted", 1)];
        let now = [line(1, "deleted", 2), line(2, "restored", 1), line(4, "deleted", 3)];
        let merged = merged(read(&before), read(&now));
        let merged: Vec<_> = merged.values().map(|line| serde_json::to_string(line).expect("JSON")).collect();
        assert_eq!(
            merged,
            [line(1, "erased", 1), line(2, "restored", 1), line(3, "deleted", 1), line(4, "deleted", 3)]
        );
    }
}
