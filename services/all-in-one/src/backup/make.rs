//! `armada backup`: databases first, then files, so that each row of the copy has its file; the ledger after both.

use std::{
    fs,
    num::NonZeroUsize,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use armada_fleet as fleet;
use armada_proto::Timestamp;
use armada_runtime::db::Location;
use clap::Args;

use super::{
    digest,
    files::{self, Place},
    key_mark, ledger,
    manifest::Manifest,
    postgres, report, retention, sqlite, unfinished, verify,
};
use crate::{
    config::Config,
    data_dir::{self, SECRET_KEY},
    erasures,
    nats::Nats,
};

/// Copy all that is stored, while Armada runs or not.
#[derive(Args)]
pub(crate) struct BackupArgs {
    /// The folder of backups, which is made if need be. The new one is a folder in it with the time as its name.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Copy the secret key as well, which then is kept together with what it seals.
    #[arg(long)]
    with_secret_key: bool,
    /// Keep this many of the newest backups in the folder, the new one among them: older ones are removed when the new one is
    /// complete and, read again, is what was copied.
    #[arg(long, value_name = "N")]
    keep: Option<NonZeroUsize>,
}

/// Does it.
pub(crate) async fn run(args: BackupArgs, config: &Config) -> Result<()> {
    let made_at = Timestamp::from_millis(Timestamp::now().millis() / 1000 * 1000);
    let folder = std::path::absolute(&args.folder).context("the folder of backups")?;
    unfinished::refuse(&config.data_dir)?;
    let key = if args.with_secret_key { Some(key(config)?) } else { None };
    if let Location::Sqlite(data) = config.location() {
        sqlite::must_be_there(&data)?;
    }
    // The ledger is believed only by whoever knows identity's secret. A key that was made now would be another one.
    ensure!(
        config.identity.secret_key.is_some() || data_dir::has_secret_key(&config.data_dir),
        "ARMADA_SECRET_KEY is not set, and there is no {SECRET_KEY} in {}: the erase ledger cannot be read",
        config.data_dir.display()
    );
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-backup").await?;
    let erased = erasures::open(config, &bus).await?;

    digest::folder(&folder)?;
    let backup = folder.join(retention::name(made_at));
    ensure!(!backup.exists(), "{} is there already", backup.display());
    let part = backup.with_extension("incomplete");
    fs::DirBuilder::new().mode(0o700).create(&part).with_context(|| part.display().to_string())?;
    let made = async {
        let (manifest, notes) = fill(&part, made_at, key.as_deref(), config).await?;
        eprintln!("copies the erase ledger");
        let tenants = ledger::copy(&erased, &folder).await?;
        manifest.write(&part)?;
        if args.keep.is_some() {
            verify::whole(&Manifest::read(&part)?, &part)?;
        }
        anyhow::Ok((manifest, notes, tenants))
    };
    let made = match made.await {
        Ok(made) => made,
        Err(error) => {
            // What is left would only be in the way; without a manifest it is no backup.
            let _ = fs::remove_dir_all(&part);
            return Err(error);
        }
    };
    fs::rename(&part, &backup).with_context(|| backup.display().to_string())?;
    digest::sync_folder(&folder)?;
    let (manifest, mut notes, tenants) = made;
    report::parts(&manifest);
    if let Some(keep) = args.keep {
        let removed = retention::prune(&folder, made_at, keep);
        let removed = removed
            .with_context(|| format!("{} is complete, but older ones could not be removed", backup.display()))?;
        notes.extend(removed.iter().map(|older| format!("{} is removed", older.display())));
    }
    notes.push(format!("{}: {tenants} tenants; keep the newest with all backups", folder.join(ledger::FILE).display()));
    notes.push(backup.display().to_string());
    report::notes(&notes);
    Ok(())
}

/// Everything but the manifest, and what is not in it.
async fn fill(
    backup: &Path,
    made_at: Timestamp,
    key: Option<&Path>,
    config: &Config,
) -> Result<(Manifest, Vec<String>)> {
    let mut notes = Vec::new();
    let mut manifest = match config.location() {
        Location::Sqlite(data) => sqlite::copy(&data, backup, made_at).await?,
        Location::Postgres(logins) => postgres::copy(&logins, backup, made_at).await?,
    };
    manifest.key_mark = Some(key_mark::of(&config.secret_key()?)?);
    let rows = manifest.rows(fleet::NAME, "file");
    match Place::of(config) {
        Place::Folder(folder) => {
            eprintln!("copies files");
            let copied = files::copy(&folder, backup)?;
            ensure!(
                rows == 0 || copied.count > 0,
                "{rows} files of documents are known, and there is none in {}: ARMADA_FLEET__FILES__URL says where they are",
                folder.display()
            );
            manifest.files = Some(copied);
            manifest.add(backup, files::LIST)?;
        }
        Place::Bucket(url) => notes.push(format!("files are not in it: they are kept in {url}")),
        Place::Nowhere => ensure!(
            rows == 0,
            "{rows} files of documents are known, and nobody says where they are: ARMADA_FLEET__FILES__URL of fleet is missing"
        ),
    }
    match key {
        Some(key) => {
            digest::copy(key, &backup.join(SECRET_KEY))?;
            manifest.add(backup, SECRET_KEY)?;
        }
        None => notes.push("the secret key is not in it: keep a copy of that one elsewhere".to_owned()),
    }
    Ok((manifest, notes))
}

/// The file of the secret key.
fn key(config: &Config) -> Result<PathBuf> {
    ensure!(
        config.identity.secret_key.is_none(),
        "--with-secret-key: the secret key is configured (ARMADA_SECRET_KEY), and in no file of the data folder"
    );
    ensure!(data_dir::has_secret_key(&config.data_dir), "there is no {SECRET_KEY} in {}", config.data_dir.display());
    Ok(config.data_dir.join(SECRET_KEY))
}
