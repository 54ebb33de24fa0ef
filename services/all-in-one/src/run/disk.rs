//! Whether there is room for what is kept on this machine.

use std::{borrow::Cow, future::ready, path::PathBuf};

use armada_runtime::{
    Error, Result, disk,
    health::{Health, Part},
};

use crate::config::Config;

/// Of this machine alone.
const DISK: Part = Part::required(Cow::Borrowed("disk"));

/// Has the disks of databases and streams looked at, those that are in the data folder.
pub(super) fn watch(health: &Health, config: &Config, stores: bool) {
    if !config.needs_data_dir(stores) {
        return;
    }
    let mut folders = vec![config.data_dir.clone()];
    if !config.has_own_nats() {
        folders.push(config.nats_folder());
    }
    health.check(DISK, &[], move || ready(check_disks(&folders)));
}

/// What is said of the disk with the least room.
fn check_disks(folders: &[PathBuf]) -> Result<Option<String>> {
    let looked = folders.iter().filter_map(|folder| Some((disk::free(folder)?, folder)));
    let Some((free, folder)) = looked.min_by_key(|(free, _)| *free) else { return Ok(None) };
    let message = format!("{} MB are free in {}", free >> 20, folder.display());
    if free < disk::FULL { Err(Error::unavailable(message)) } else { Ok(Some(message)) }
}
