//! `armada restore`: a copy in the place of what is there. Everything that can be found wrong is found before anything is
//! touched.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use armada_fleet as fleet;
use armada_notification as notification;
use armada_position_ingest::{self as ingest, admin::RawAfterRestore};
use armada_proto::Timestamp;
use armada_runtime::{Bus, Database, db::Location};
use clap::Args;

use super::{
    digest,
    files::{self, Place},
    key_mark, ledger,
    manifest::{Kind, Manifest},
    postgres, report, sqlite,
    unfinished::Mark,
    verify,
};
use crate::{
    config::Config,
    data_dir::{self, Lock, SECRET_KEY},
    erasures,
    nats::Nats,
    services::{self, Role},
};

/// Put a backup in the place of what is stored, while Armada does not run.
#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// The folder of the backup.
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
    /// Although there are databases: those of SQLite are moved aside, those of PostgreSQL are dropped.
    #[arg(long)]
    replace: bool,
}

/// Does it.
pub(crate) async fn run(args: RestoreArgs, config: &Config) -> Result<()> {
    let backup = std::path::absolute(&args.backup).context("the folder of the backup")?;
    let manifest = Manifest::read(&backup)?;
    manifest.fits_this_version()?;
    let location = config.location();
    match (&location, manifest.database) {
        (Location::Sqlite(_), Kind::Sqlite) | (Location::Postgres(_), Kind::Postgres(_)) => {}
        (Location::Sqlite(_), _) => bail!("the backup is of PostgreSQL: DATABASE_URL says where it is to be restored"),
        (Location::Postgres(_), _) => bail!("the backup is of SQLite files, and DATABASE_URL names PostgreSQL"),
    }
    let has_folder = config.needs_data_dir(true);
    if has_folder {
        data_dir::create(&config.data_dir)?;
    }
    let _lock = if has_folder { Some(Lock::take(&config.data_dir)?) } else { None };
    is_free(&location, args.replace, config).await?;
    let key = Key::of(&manifest, config)?;
    verify::whole(&manifest, &backup)?;
    // Without NATS it could not be completed.
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-restore").await?;

    let mark = if has_folder { Some(Mark::set(&config.data_dir, &backup)?) } else { None };
    let mut notes = databases(&manifest, &backup, &location).await?;
    if let Key::Restored = key {
        digest::copy(&backup.join(SECRET_KEY), &config.data_dir.join(SECRET_KEY))?;
    }
    notes.extend(restore_files(&manifest, &backup, config)?);
    eprintln!("brings schemas, streams and buckets up to date");
    services::migrate(config, &bus).await?;
    notes.extend(settle(&backup, &location, &bus, config).await?);
    if let Some(mark) = mark {
        mark.remove()?;
    }
    report::parts(&manifest);
    notes.push(format!("the backup of {} is restored; Armada can be started", manifest.made_at.to_rfc3339()));
    report::notes(&notes);
    Ok(())
}

/// Fails while services run, and when there is something that nobody has said to replace.
async fn is_free(location: &Location, replace: bool, config: &Config) -> Result<()> {
    let is_there = match location {
        Location::Sqlite(data) => sqlite::is_there(data),
        Location::Postgres(logins) => {
            postgres::nobody_serves(logins).await?;
            postgres::is_there(logins).await?
        }
    };
    ensure!(
        replace || !is_there,
        "{}: not empty; `--replace` puts the backup in the place of what is there",
        config.database_name()
    );
    Ok(())
}

/// The secret key that the databases of the copy are sealed with.
enum Key {
    /// It is known here.
    There,
    /// The copy has it, and the data folder has none.
    Restored,
}

impl Key {
    fn of(manifest: &Manifest, config: &Config) -> Result<Self> {
        if config.identity.secret_key.is_some() || data_dir::has_secret_key(&config.data_dir) {
            let fits = match &manifest.key_mark {
                Some(mark) => key_mark::is_of(mark, &config.secret_key()?)?,
                None => true,
            };
            ensure!(fits, "the secret key is not the one of the backup: what its databases seal would be lost");
            return Ok(Self::There);
        }
        // Armada would make another one, which opens nothing of what was sealed.
        ensure!(
            manifest.has(SECRET_KEY),
            "the secret key is missing, without which what the databases seal is lost: put the copy of it into {}",
            config.data_dir.join(SECRET_KEY).display()
        );
        Ok(Self::Restored)
    }
}

async fn databases(manifest: &Manifest, backup: &Path, location: &Location) -> Result<Vec<String>> {
    match (location, manifest.database) {
        (Location::Postgres(logins), Kind::Postgres(made_with)) => {
            postgres::restore(logins, backup, made_with).await?;
            Ok(Vec::new())
        }
        (Location::Sqlite(data), _) => {
            let aside = data.join(format!("replaced-{}", Timestamp::now().to_rfc3339().replace(':', "-")));
            sqlite::restore(manifest, backup, data, &aside)?;
            let moved = aside
                .exists()
                .then(|| format!("what was there is in {}: remove it when it is not needed any more", aside.display()));
            Ok(moved.into_iter().collect())
        }
        (Location::Postgres(_), Kind::Sqlite) => bail!("the backup is of SQLite files"),
    }
}

fn restore_files(manifest: &Manifest, backup: &Path, config: &Config) -> Result<Option<String>> {
    if manifest.files.is_none() {
        return Ok(Some(
            "files were not in the backup: those that are kept elsewhere are as they were left".to_owned(),
        ));
    }
    match Place::of(config) {
        Place::Folder(folder) => {
            eprintln!("restores files");
            let added = files::add(backup, &folder)?;
            Ok(Some(format!("{} files were missing in {} and are back", added.count, folder.display())))
        }
        Place::Bucket(url) => Ok(Some(format!("files of the backup are to be copied into {url} by other means"))),
        Place::Nowhere => Ok(Some("files of the backup are restored nowhere: fleet.files.url is not set".to_owned())),
    }
}

/// What the databases must learn before anybody is served, and what whoever restores must know.
async fn settle(backup: &Path, location: &Location, bus: &Bus, config: &Config) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    notification::take_in_again(bus).await?;
    eprintln!("compares the erase ledger with its copy");
    if !ledger::restore(&erasures::open(config, bus).await?, backup).await? {
        notes.push(format!("there is no {} beside the backup: NATS alone says who was erased", ledger::FILE));
    }
    eprintln!("compares what others know of devices");
    let context = services::context(config, bus.clone(), HashMap::new(), &[Role::Fleet], "restore").await?;
    let left = fleet::settle_restored(&context).await?;
    if left > 0 {
        notes.push(format!("{left} commands that waited are unknown now: whether they were sent since, people decide"));
    }
    let db = Database::open(location, ingest::NAME).await?;
    notes.push(match ingest::admin::raw_after_restore(bus, &db, &config.position_ingest).await? {
        RawAfterRestore::Another => {
            "the stream of positions is not the one of the backup: run `armada positions adopt-stream` before the start"
                .to_owned()
        }
        RawAfterRestore::GoesOn { again, lost: 0 } => {
            format!("{again} messages of positions came after the backup and are taken in again at the start")
        }
        RawAfterRestore::GoesOn { again, lost } => format!(
            "{again} messages of positions that came after the backup are taken in again at the start; {lost} before them \
             are not in the stream any more"
        ),
    });
    db.close().await?;
    Ok(notes)
}
