//! A tenant that is deleted: a token kept from before, a socket that was open, a tracker that goes on sending, and a backup
//! that is restored.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_runtime::{
    Database, Scope,
    db::{Location, Logins},
};
use armada_testkit::{Api, Gateway, Kind, Socket, both_databases, eventually, eventually_equal};
use http::StatusCode;
use nix::sys::signal::Signal;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use super::support::{SOON, history::track, site::Site};

const NAME: &str = "Gone Logistics";
const EMAIL: &str = "sari@gone.example.org";
const PASSWORD: &str = "horse staple battery";
const IMEI: &str = "356938035643809";

/// What there is of the tenant.
struct Prey {
    tenant: String,
    device: String,
}

impl Prey {
    async fn new(site: &Site, owner: &Api) -> Result<Self> {
        let made = async |path: &str, body: Value| {
            let row = owner.post(path, body).await?.expect(StatusCode::CREATED);
            Ok::<_, anyhow::Error>(row["id"].as_str().context("an id")?.to_owned())
        };
        let tenant = made("/api/v1/tenants", json!({ "name": NAME })).await?;
        let user = json!({ "tenant_id": tenant, "name": "Sari", "email": EMAIL, "is_tenant_admin": true });
        site.invited(owner, user, PASSWORD).await?;
        let device = json!({ "tenant_id": tenant, "imei": IMEI, "name": "Truck" });
        let device = made("/api/v1/devices", device).await?;
        Ok(Self { tenant, device })
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/v1/tenants/{}{rest}", self.tenant)
    }

    async fn delete(&self, owner: &Api) -> Result<()> {
        let reply = owner.delete(&self.path("?name=gone")).await?;
        assert!(reply.expect(StatusCode::UNPROCESSABLE_ENTITY)["fields"]["name"].is_string());
        let deleted = owner.delete(&self.path("?name=Gone+Logistics")).await?.expect(StatusCode::OK);
        assert!(deleted["erase_after"].is_string(), "{deleted}");
        Ok(())
    }

    /// The ids in the list of tenants, or in that of deleted ones.
    async fn is_listed(&self, owner: &Api, deleted: bool) -> Result<bool> {
        let list = owner.get(&format!("/api/v1/tenants?page_size=500&deleted={deleted}")).await?.expect(StatusCode::OK);
        let items = list["items"].as_array().context("items")?;
        Ok(items.iter().any(|tenant| tenant["id"] == self.tenant.as_str()))
    }
}

async fn socket(api: &Api) -> Result<Socket> {
    let ticket = api.post("/api/v1/ws-ticket", json!({})).await?.expect(StatusCode::OK);
    let ticket = ticket["ticket"].as_str().context("a ticket")?;
    Socket::open(&api.url(&format!("/ws?token={ticket}&userId=&context=maps"))).await
}

async fn report(site: &Site) -> Result<String> {
    let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", site.nats_port), "local").await;
    let now = Timestamp::now().millis() / 1000 * 1000 - 1000;
    let at = Timestamp::from_millis(now).to_rfc3339();
    gateway.report(IMEI, &json!({ "recorded_at": at, "lat": -6.2, "lng": 106.8, "speed": 36.0 })).await?;
    Ok(at)
}

/// Waits until the track has a fix of this instant.
async fn is_stored(owner: &Api, prey: &Prey, at: &str) {
    eventually("the fix is stored", SOON, async || {
        let found = track(owner, &prey.device).await?;
        ensure!(found.iter().any(|fix| fix.recorded_at == at), "{found:?}");
        Ok(())
    })
    .await;
}

/// How many fixes were refused for want of a device.
async fn unknown(owner: &Api) -> Result<i64> {
    let list = owner.get("/api/v1/position-rejections").await?.expect(StatusCode::OK);
    let counts = list["counts"].as_array().context("counts")?;
    let of_reason = counts.iter().filter(|count| count["reason"] == "unknown_device");
    Ok(of_reason.filter_map(|count| count["count"].as_i64()).sum())
}

/// What the audit says of the tenant.
async fn entries(owner: &Api, prey: &Prey) -> Result<String> {
    Ok(owner.get(&format!("/api/v1/audit?tenant_id={}", prey.tenant)).await?.text)
}

/// A copy of the databases of a program that does not run.
async fn back_up(site: &Site) {
    match &site.postgres {
        Some(postgres) => postgres.copy_database(&database_of(site), "backup").await,
        None => copy_files(&site.data(), &site.folder().join("backup")),
    }
}

/// The databases as they were; nothing else.
async fn restore(site: &Site) {
    match &site.postgres {
        Some(postgres) => postgres.copy_database("backup", &database_of(site)).await,
        None => copy_files(&site.folder().join("backup"), &site.data()),
    }
}

fn logins(site: &Site) -> &Logins {
    site.logins.as_ref().expect("PostgreSQL")
}

fn database_of(site: &Site) -> String {
    logins(site).services.rsplit('/').next().expect("a name").to_owned()
}

/// The files of SQLite and what goes with them, in the place of those that are there.
fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    let of = |folder: &Path| {
        let names = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").file_name());
        let names = names.filter_map(|name| name.into_string().ok());
        names.filter(|name| name.contains(".db")).collect::<Vec<_>>()
    };
    of(to).iter().for_each(|name| fs::remove_file(to.join(name)).expect("it goes"));
    for name in of(from) {
        fs::copy(from.join(&name), to.join(&name)).expect("a copy");
    }
}

/// Rows that name the tenant in a table of a service.
async fn rows(site: &Site, prey: &Prey, service: &str, table: &str) -> Result<i64> {
    let location = match site.logins.clone() {
        Some(logins) => Location::Postgres(logins),
        None => Location::Sqlite(site.data()),
    };
    let db = Database::open(&location, service).await?;
    let tx = db.read(&Scope::Platform).await?;
    let tenant: armada_proto::TenantId = prey.tenant.parse()?;
    let sql = format!("SELECT count(*) FROM \"{table}\" WHERE tenant_id = $1");
    let row = tx.query_one_raw(Statement::from_sql_and_values(db.backend(), sql, [tenant.into()])).await?;
    let count = row.context("a count")?.try_get_by_index(0)?;
    tx.commit().await?;
    db.close().await?;
    Ok(count)
}

const TABLES: [(&str, &str); 6] = [
    ("identity", "user"),
    ("identity", "role"),
    ("identity", "session"),
    ("fleet", "device"),
    ("fleet", "imei_binding"),
    ("position-ingest", "track_block"),
];

async fn is_erased(site: &Site, prey: &Prey) {
    for (service, table) in TABLES {
        eventually_equal(table, SOON, 0, async || rows(site, prey, service, table).await).await;
    }
}

/// Of whoever belongs to it nobody comes in any more.
async fn assert_unreachable(site: &Site) -> Result<()> {
    let sign_in = async |email: &str, password: &str| {
        let reply = site.anybody().post("/auth/login", json!({ "email": email, "password": password })).await?;
        Ok::<_, anyhow::Error>((reply.status, reply.text))
    };
    assert_eq!(sign_in(EMAIL, PASSWORD).await?, sign_in("nobody@example.org", PASSWORD).await?);
    assert_eq!(sign_in(EMAIL, PASSWORD).await?.0, StatusCode::UNAUTHORIZED);
    Ok(())
}

/// Another cluster that the databases are moved to knows nothing of what was erased unless it is told.
#[tokio::test(flavor = "multi_thread")]
async fn erase_ledger_is_restored_in_another_cluster() -> Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let line = |state: &str, at: i64| json!({ "tenant": "01900000-0000-7000-8000-000000000000", "state": state, "deleted_at": at, "erase_after": at });
    let import = |lines: &[Value]| {
        let file = site.folder().join("ledger");
        let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
        fs::write(&file, lines.join("\n")).expect("a file");
        let input = fs::File::open(&file).expect("a file");
        let output = site.command(&["erasures", "import"]).stdin(input).output().expect("the program starts");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let export = || {
        let output = site.output(&["erasures", "export"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).expect("a line")
    };
    assert!(!import(&[json!({ "tenant": "nobody" })]).0);
    let (taken, stderr_text) = import(&[line("deleted", 5), line("erased", 7)]);
    assert!(taken, "{stderr_text}");
    assert_eq!(export(), line("erased", 7));
    // What is gone does not come back by an older copy.
    assert!(import(&[line("deleted", 5)]).0);
    assert_eq!(export(), line("erased", 7));
    Ok(())
}

both_databases! {
    async fn deleted_tenant_is_unreachable(kind: Kind) -> Result<()> {
        let mut site = Site::new(kind).await;
        site.set("ARMADA_DEMO", "0");
        let armada = site.run().await;
        let owner = site.owner().await?;
        let prey = Prey::new(&site, &owner).await?;
        let first = report(&site).await?;
        is_stored(&owner, &prey, &first).await;
        let sari = site.sign_in(EMAIL, PASSWORD).await?;
        let mut open = socket(&sari).await?;

        prey.delete(&owner).await?;
        open.closed(SOON).await?;
        // The token would be good for minutes.
        eventually_equal("the token is refused", SOON, StatusCode::UNAUTHORIZED, async || {
            Ok(sari.get("/api/v1/devices").await?.status)
        })
        .await;
        for path in ["/api/v1/auth/me", "/api/v1/last-positions", "/api/v1/account"] {
            assert_eq!(sari.get(path).await?.status, StatusCode::UNAUTHORIZED, "{path}");
        }
        assert_unreachable(&site).await?;
        assert!(!prey.is_listed(&owner, false).await? && prey.is_listed(&owner, true).await?);
        let device = format!("/api/v1/devices/{}", prey.device);
        eventually_equal("the device is hidden", SOON, StatusCode::NOT_FOUND, async || {
            Ok(owner.get(&device).await?.status)
        })
        .await;
        let last = format!("/api/v1/last-positions?tenant_id={}", prey.tenant);
        // The tracker goes on: what it sends is nobody's, and is counted so.
        let before = unknown(&owner).await?;
        eventually("its fixes are those of an unknown device", SOON, async || {
            report(&site).await?;
            let count = unknown(&owner).await?;
            ensure!(count > before, "{count}");
            Ok(())
        })
        .await;
        assert_eq!(owner.get(&last).await?.expect(StatusCode::OK)["total"], 0);

        owner.post(&prey.path("/restore"), json!({})).await?.expect(StatusCode::OK);
        eventually_equal("the device is back", SOON, StatusCode::OK, async || Ok(owner.get(&device).await?.status)).await;
        let sari = site.sign_in(EMAIL, PASSWORD).await?;
        is_stored(&sari, &prey, &first).await;
        let again = eventually("it is heard again", SOON, async || {
            let at = report(&site).await?;
            let last = sari.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
            ensure!(last["items"][0]["recorded_at"].as_str() > Some(first.as_str()), "{last}");
            Ok(at)
        })
        .await;
        is_stored(&sari, &prey, &again).await;
        armada.stop(Signal::SIGTERM).await?;
        Ok(())
    }

    async fn restored_backup_keeps_tenant_erased(kind: Kind) -> Result<()> {
        let mut site = Site::new(kind).await;
        site.set("ARMADA_DEMO", "0");
        let armada = site.run().await;
        let owner = site.owner().await?;
        let prey = Prey::new(&site, &owner).await?;
        let first = report(&site).await?;
        is_stored(&owner, &prey, &first).await;
        let sealed = site.output(&["history", "seal"]);
        assert!(sealed.status.success(), "{}", String::from_utf8_lossy(&sealed.stderr));
        site.sign_in(EMAIL, PASSWORD).await?;
        // What services told of it and identity has not entered yet would be in no backup.
        eventually("the audit tells of its people", SOON, async || {
            let entries = entries(&owner, &prey).await?;
            ensure!(entries.contains("Sari") && entries.contains(EMAIL), "{entries}");
            Ok(())
        })
        .await;
        armada.stop(Signal::SIGTERM).await?;
        back_up(&site).await;
        assert_eq!(rows(&site, &prey, "position-ingest", "track_block").await?, 1);

        let armada = site.run().await;
        let owner = site.owner().await?;
        prey.delete(&owner).await?;
        let named = json!({ "name": NAME });
        let wrong = owner.post(&prey.path("/erasure"), json!({ "name": "Gone" })).await?;
        wrong.expect(StatusCode::UNPROCESSABLE_ENTITY);
        owner.post(&prey.path("/erasure"), named.clone()).await?.expect(StatusCode::NO_CONTENT);
        assert_eq!(owner.post(&prey.path("/restore"), json!({})).await?.status, StatusCode::NOT_FOUND);
        is_erased(&site, &prey).await;
        let ledger = site.output(&["erasures", "export"]);
        let ledger = String::from_utf8_lossy(&ledger.stdout).into_owned();
        assert!(ledger.contains(&prey.tenant) && ledger.contains("\"erased\""), "{ledger}");
        eventually("each service has entered what it erased", SOON, async || {
            let list = owner.get("/api/v1/audit?act=tenant:erase").await?.expect(StatusCode::OK);
            let entries = list["items"].as_array().context("items")?;
            let has = |field: &str| entries.iter().any(|entry| entry["after"][field].as_i64() == Some(1));
            ensure!(["users", "devices", "track_blocks"].into_iter().all(has), "{list}");
            Ok(())
        })
        .await;
        armada.stop(Signal::SIGTERM).await?;

        restore(&site).await;
        for (service, table) in TABLES.iter().filter(|(_, table)| *table != "imei_binding") {
            assert!(rows(&site, &prey, service, table).await? > 0, "the backup has {table}");
        }
        let armada = site.run().await;
        assert_unreachable(&site).await?;
        let owner = site.owner().await?;
        assert!(!prey.is_listed(&owner, false).await? && !prey.is_listed(&owner, true).await?);
        assert_eq!(owner.get(&format!("/api/v1/devices/{}", prey.device)).await?.status, StatusCode::NOT_FOUND);
        is_erased(&site, &prey).await;
        let chain = owner.get(&format!("/api/v1/audit/verification?tenant_id={}", prey.tenant)).await?;
        let chain = chain.expect(StatusCode::OK);
        assert!(chain["checked"].as_i64() > Some(0) && chain["defect"].is_null(), "{chain}");
        let entries = entries(&owner, &prey).await?;
        assert!(!entries.contains("Sari") && !entries.contains(EMAIL), "{entries}");
        armada.stop(Signal::SIGTERM).await?;
        Ok(())
    }
}
