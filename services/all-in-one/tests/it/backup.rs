//! A backup that is made while positions come, and its restore: whatever was acknowledged is in history once, people sign
//! in, files answer, and whoever was erased since stays erased.

use std::{
    collections::BTreeSet,
    fs,
    ops::Range,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Output,
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_testkit::{Api, Gateway, both_databases, eventually};
use http::StatusCode;
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::{
    SOON, history,
    site::Site,
    trace::{Expected, Track},
};

const TENANT: &str = "Harbour";
const EMAIL: &str = "sari@harbour.example.org";
const PASSWORD: &str = "horse staple battery";
const DELETED_TENANT: &str = "Gone Logistics";
const IMEI: &str = "356938035643809";
/// A backup of years ago.
const OLDEST: &str = "armada-2020-01-01T00-00-00Z";
/// The name that a file of a document could have.
const OBSTACLE: &str = "01900000-0000-7000-8000-00000000000a";
const SCAN: &[u8] = b"%PDF-1.7 a scan";
/// 2024-05-01 00:00 UTC.
const BEGIN: i64 = 1_714_521_600_000;

/// Sends fixes, a second and some metres from each other, and notes those that were acknowledged.
async fn report(gateway: &Gateway, numbers: Range<i64>, acknowledged: &mut Track) -> Result<()> {
    for n in numbers {
        let (at, lat, lng) = (BEGIN + n * 1000, -62_000_000 + n * 1000, 1_068_000_000 + n * 1000);
        let recorded_at = Timestamp::from_millis(at).to_rfc3339();
        let fix =
            json!({ "recorded_at": recorded_at, "lat": lat as f64 / 1e7, "lng": lng as f64 / 1e7, "speed": 36.0 });
        gateway.report(IMEI, &fix).await?;
        acknowledged.entry(at).or_default().insert((lat as i32, lng as i32));
    }
    Ok(())
}

/// Makes something; its id.
async fn create(api: &Api, path: &str, body: Value) -> Result<String> {
    let row = api.post(path, body).await?.expect(StatusCode::CREATED);
    Ok(row["id"].as_str().context("an id")?.to_owned())
}

async fn device(owner: &Api, tenant: &str, imei: &str, name: &str) -> Result<String> {
    create(owner, "/api/v1/devices", json!({ "tenant_id": tenant, "imei": imei, "name": name })).await
}

/// What a command that ended well has printed.
fn printed(output: Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The last line of a command that was refused.
fn refusal(output: Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    text.lines().last().unwrap_or_default().to_owned()
}

/// Runs `armada backup` while fixes come from number `next` on; the folder of the backup, and the number after the last one.
async fn back_up(site: &Site, gateway: &Gateway, mut next: i64, acknowledged: &mut Track) -> Result<(PathBuf, i64)> {
    let folder = site.folder().join("backups");
    let mut command = site.command(&["backup", folder.to_str().context("text")?]);
    let backup = tokio::task::spawn_blocking(move || command.output());
    while !backup.is_finished() {
        report(gateway, next..next + 1, acknowledged).await?;
        next += 1;
    }
    let text = printed(backup.await??);
    let path = PathBuf::from(text.lines().last().context("the last line")?);
    ensure!(path.starts_with(&folder) && path.join("manifest.json").is_file(), "{text}");
    Ok((path, next))
}

/// Nobody else may read any of it.
fn is_private(path: &Path) -> Result<()> {
    ensure!(fs::metadata(path)?.permissions().mode() & 0o077 == 0, "{}", path.display());
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            is_private(&entry?.path())?;
        }
    }
    Ok(())
}

/// Has the device and the tenant erased at once.
async fn erase(owner: &Api, device: &str, tenant: &str) -> Result<()> {
    let erasure = |what: &str, id: &str| format!("/api/v1/{what}/{id}/erasure");
    let replies = [
        owner.delete(&format!("/api/v1/devices/{device}")).await?,
        owner.post(&erasure("devices", device), json!({ "name": "Lost" })).await?,
        owner.delete(&format!("/api/v1/tenants/{tenant}?name=Gone+Logistics")).await?,
        owner.post(&erasure("tenants", tenant), json!({ "name": DELETED_TENANT })).await?,
    ];
    for reply in replies {
        ensure!(reply.status.is_success(), "{} {}", reply.status, reply.text);
    }
    Ok(())
}

/// Refuses what is not to be restored, and leaves everything as it is.
fn refuses(site: &Site, backup: &Path) -> Result<()> {
    let path = backup.to_str().context("text")?;
    let refused = refusal(site.output(&["restore", path]));
    ensure!(refused.contains("--replace"), "{refused}");
    let manifest: Value = serde_json::from_slice(&fs::read(backup.join("manifest.json"))?)?;
    let part = backup.join(manifest["parts"][0]["name"].as_str().context("a part")?);
    let whole = fs::read(&part)?;
    fs::write(&part, [&whole[..], b"x"].concat())?;
    let refused = refusal(site.output(&["restore", "--replace", path]));
    ensure!(refused.contains("damaged"), "{refused}");
    fs::write(&part, whole)?;
    let mut another = site.command(&["restore", "--replace", path]);
    let refused = refusal(another.env("ARMADA_SECRET_KEY", "another key of an installation elsewhere").output()?);
    ensure!(refused.contains("secret key is not the one of the backup"), "{refused}");
    Ok(())
}

/// Refuses to leave out files without a word, as with the configuration of a process that has none.
fn misses_files(site: &Site, folder: &Path) -> Result<()> {
    let mut elsewhere = site.command(&["backup", folder.to_str().context("text")?]);
    let nowhere = format!("file://{}", site.folder().join("nothing-here").display());
    let refused = refusal(elsewhere.env("ARMADA_FLEET__FILES__URL", nowhere).output()?);
    ensure!(refused.contains("files of documents are known"), "{refused}");
    Ok(())
}

fn names(folder: &Path) -> Result<BTreeSet<String>> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry?.file_name().into_string().ok().context("text");
    fs::read_dir(folder)?.map(name).collect()
}

/// Removes old backups when a newer one is complete and not before, and nothing else that is beside them.
fn keeps_the_newest(site: &Site, tenant: &str, backup: &Path) -> Result<()> {
    let folder = backup.parent().context("the folder of backups")?;
    for name in [OLDEST, "before-upgrade"] {
        fs::create_dir(folder.join(name))?;
        fs::copy(backup.join("manifest.json"), folder.join(name).join("manifest.json"))?;
    }
    misses_files(site, folder)?;
    let mut expected = names(folder)?;
    let path = folder.to_str().context("text")?;
    // What is no file cannot be copied.
    let obstacle = site.data().join("files").join(tenant).join(OBSTACLE);
    fs::create_dir(&obstacle)?;
    let refused = refusal(site.output(&["backup", "--keep", "1", path]));
    ensure!(refused.contains(OBSTACLE), "{refused}");
    ensure!(names(folder)? == expected, "a backup that failed has changed something: {:?}", names(folder)?);

    fs::remove_dir(&obstacle)?;
    let text = printed(site.output(&["backup", "--keep", "2", path]));
    let created = Path::new(text.lines().last().context("the last line")?).strip_prefix(folder)?;
    expected.remove(OLDEST);
    expected.insert(created.to_str().context("text")?.to_owned());
    ensure!(names(folder)? == expected, "{:?} instead of {expected:?}", names(folder)?);
    ensure!(text.contains(&format!("{} is removed", folder.join(OLDEST).display())), "{text}");
    Ok(())
}

both_databases! {
    async fn restore_recovers_backup_and_later_history(kind: Kind) -> Result<()> {
        let mut site = Site::new(kind).await;
        site.set("ARMADA_DEMO", "0");
        let armada = site.run().await;
        let owner = site.owner().await?;
        let tenant = create(&owner, "/api/v1/tenants", json!({ "name": TENANT })).await?;
        let gone = create(&owner, "/api/v1/tenants", json!({ "name": DELETED_TENANT })).await?;
        let sari = json!({ "tenant_id": tenant, "name": "Sari", "email": EMAIL, "is_tenant_admin": true });
        site.invited(&owner, sari, PASSWORD).await?;
        let sari = site.sign_in(EMAIL, PASSWORD).await?;
        let scan = sari.upload("/api/v1/files?name=stnk.pdf", "application/pdf", SCAN.to_vec()).await?;
        let scan = scan.expect(StatusCode::CREATED)["id"].as_str().context("an id")?.to_owned();
        device(&owner, &tenant, IMEI, "Truck").await?;
        let lost = device(&owner, &tenant, "356938035643817", "Lost").await?;
        let hidden = device(&owner, &gone, "356938035643825", "Theirs").await?;
        // Nobody hears the tracker, so that this waits.
        let waits = owner.post(&format!("/api/v1/devices/{lost}/commands"), json!({ "kind": "reboot" })).await?;
        assert_eq!(waits.expect(StatusCode::OK)["state"], "queued");
        let parked = device(&owner, &tenant, "356938035643833", "Parked").await?;
        let waits = owner.post(&format!("/api/v1/devices/{parked}/commands"), json!({ "kind": "reboot" })).await?;
        let command = waits.expect(StatusCode::OK)["id"].as_str().context("an id")?.to_owned();

        let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", site.nats_port), "local").await;
        let mut acknowledged = Track::new();
        report(&gateway, 0..30, &mut acknowledged).await?;
        printed(site.output(&["history", "seal"]));
        report(&gateway, 30..40, &mut acknowledged).await?;
        let (backup, next) = back_up(&site, &gateway, 40, &mut acknowledged).await?;
        is_private(&backup)?;
        report(&gateway, next..next + 40, &mut acknowledged).await?;
        let expected = Expected::from([(IMEI.to_owned(), acknowledged)]);
        history::equals(&owner, TENANT, &expected, SOON).await;

        let later = device(&owner, &tenant, "356938035643841", "Later").await?;
        erase(&owner, &lost, &gone).await?;
        let path = backup.to_str().context("text")?;
        let refused = refusal(site.output(&["restore", "--replace", path]));
        assert!(refused.contains("another armada runs"), "{refused}");
        armada.stop(Signal::SIGTERM).await?;

        refuses(&site, &backup)?;
        fs::remove_dir_all(site.data().join("files"))?;
        let text = printed(site.output(&["restore", "--replace", path]));
        assert!(text.contains("are taken in again at the start") && !text.contains("\n0 messages"), "{text}");
        assert!(text.contains("\n1 files were missing"), "{text}");

        let armada = site.run().await;
        let owner = site.owner().await?;
        let tenants = owner.get("/api/v1/tenants?page_size=500").await?.expect(StatusCode::OK);
        let deleted = owner.get("/api/v1/tenants?page_size=500&deleted=true").await?.expect(StatusCode::OK);
        assert!(!tenants.to_string().contains(&gone) && !deleted.to_string().contains(&gone), "{tenants} {deleted}");
        for gone in [&hidden, &later] {
            assert_eq!(owner.get(&format!("/api/v1/devices/{gone}")).await?.status, StatusCode::NOT_FOUND, "{gone}");
        }
        eventually("the device is erased again", SOON, async || {
            let status = owner.get(&format!("/api/v1/devices/{lost}")).await?.status;
            ensure!(status == StatusCode::NOT_FOUND, "{status}");
            Ok(())
        })
        .await;
        history::equals(&owner, TENANT, &expected, SOON).await;
        let sari = site.sign_in(EMAIL, PASSWORD).await?;
        let (_, content) = sari.file(&format!("/api/v1/files/{scan}/content"), &[]).await?;
        assert_eq!(content, SCAN);
        let command = owner.get(&format!("/api/v1/commands/{command}")).await?.expect(StatusCode::OK);
        assert_eq!(command["state"], "unknown", "whether it was sent since, nobody knows");
        keeps_the_newest(&site, &tenant, &backup)?;
        armada.stop(Signal::SIGTERM).await?;
        Ok(())
    }
}
