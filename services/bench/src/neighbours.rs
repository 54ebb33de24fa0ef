//! `armada-bench neighbours`: some tenants take in the largest files there may be, and try them out before; what a tenant
//! beside them waits for its own reads and writes.

use std::{
    convert::Infallible,
    fmt::Write as _,
    ops::Range,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use clap::Args;
use futures::future::try_join_all;
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::{
    delays::Delays,
    report::{add_rows, machine},
    site::{Site, Target},
};

/// How the head of its table in the history begins.
const TABLE: &str = "| date | machine | database | tenants, rows | resource";
/// How often the quiet tenant asks for something.
const EVERY: Duration = Duration::from_millis(50);
/// How long a job may take.
const DEADLINE: Duration = Duration::from_secs(900);
const PASSWORD: &str = "measured and thrown away";

/// What is measured.
#[derive(Args)]
pub struct NeighboursArgs {
    /// Rows of each file.
    #[arg(long, default_value_t = 10_000)]
    rows: usize,
    /// Tenants that take in files at the same time.
    #[arg(long, default_value_t = 4)]
    tenants: usize,
    /// Resources to leave out, by their paths: what comes after them is measured sooner.
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
}

/// What is taken in, in this order: later files name what is in the ones before.
const RESOURCES: [Resource; 5] = [
    Resource { path: "drivers", service: "fleet", file: drivers },
    Resource { path: "devices", service: "fleet", file: devices },
    Resource { path: "users", service: "identity", file: users },
    Resource { path: "device-members", service: "fleet", file: members },
    Resource { path: "maintenance", service: "fleet", file: maintenance },
];

struct Resource {
    path: &'static str,
    service: &'static str,
    /// Rows of the file of a tenant, which is told by its number.
    file: fn(usize, Range<usize>) -> Result<String>,
}

/// Measures, prints and remembers.
pub async fn run(args: &NeighboursArgs, target: &Target) -> Result<()> {
    ensure!(args.rows > 0 && args.tenants > 0, "nothing to measure");
    let mut site = Site::start(target).await?;
    let database = if site.is_postgres() { "PostgreSQL" } else { "SQLite" };
    let measured = measure(args, &site, database).await;
    site.stop().await?;
    measured
}

/// Adds a line for each resource as soon as it is measured, so that a later one that does not end takes none away.
async fn measure(args: &NeighboursArgs, site: &Site, database: &str) -> Result<()> {
    let quiet = Tenant::make(site, "quiet").await?;
    let names = (0..args.tenants).map(|n| format!("loud{n}"));
    let loud = try_join_all(names.map(|name| async move { Tenant::make(site, &name).await })).await?;
    let record = |what: &str, took: &str, waited: Waited| {
        let line = waited.line(&[
            &Timestamp::now().to_rfc3339()[..10],
            &machine(),
            database,
            &format!("{}, {}", args.tenants, args.rows),
            what,
            took,
        ])?;
        add_rows(TABLE, vec![line])
    };
    for resource in RESOURCES.iter().filter(|resource| !args.without.iter().any(|path| path == resource.path)) {
        let imports = loud.iter().enumerate().map(|(n, tenant)| tenant.import(site, n, resource, args.rows));
        let (times, waited) = quiet.beside(site, try_join_all(imports)).await?;
        let (tried, done): (Vec<_>, Vec<_>) = times.into_iter().unzip();
        record(resource.path, &format!("{}, {}", slowest(tried), slowest(done)), waited)?;
    }
    let links = loud.iter().enumerate().map(|(n, tenant)| tenant.link(site, n, args.rows));
    let (times, waited) = quiet.beside(site, try_join_all(links)).await?;
    record("owner of all", &slowest(times), waited)?;
    let floods = loud.iter().map(|tenant| tenant.command_all(site));
    let (times, waited) = quiet.beside(site, try_join_all(floods)).await?;
    record("commands to all", &slowest(times), waited)
}

/// The time of the tenant that took longest, as it stands in the table.
fn slowest(times: Vec<Duration>) -> String {
    format!("{:.1} s", times.into_iter().max().unwrap_or_default().as_secs_f64())
}

/// A company and its admin.
struct Tenant {
    name: String,
    email: String,
}

impl Tenant {
    async fn make(site: &Site, name: &str) -> Result<Self> {
        let owner = site.token().await?;
        let tenant = site.post("/api/v1/tenants", Some(&owner), json!({ "name": name }).to_string()).await?;
        let email = format!("{name}@example.com");
        let admin = json!({
            "tenant_id": tenant["id"], "name": "Admin", "email": email, "is_tenant_admin": true, "invite": true,
        });
        let admin = site.post("/api/v1/users", Some(&owner), admin.to_string()).await?;
        let links = format!("/api/v1/users/{}/links", admin["id"].as_str().context("an id")?);
        let sent = site.post(&links, Some(&owner), json!({ "purpose": "invitation" }).to_string()).await?;
        let (_, token) = sent["link"].as_str().and_then(|link| link.split_once('#')).context("a link")?;
        let used = json!({ "token": token, "new_password": PASSWORD }).to_string();
        site.post("/auth/links/use", None, used).await?;
        Ok(Self { name: name.to_owned(), email })
    }

    async fn token(&self, site: &Site) -> Result<String> {
        let body = json!({ "email": self.email, "password": PASSWORD }).to_string();
        let reply = site.post("/auth/login", None, body).await?;
        Ok(reply["token"].as_str().context("a token")?.to_owned())
    }

    /// Tries out a file and takes it in; how long each took.
    async fn import(
        &self,
        site: &Site,
        number: usize,
        resource: &Resource,
        rows: usize,
    ) -> Result<(Duration, Duration)> {
        let file = (resource.file)(number, 0..rows)?;
        let tried = self.upload(site, resource, "dry_run", &file).await?;
        Ok((tried, self.upload(site, resource, "all", &file).await?))
    }

    async fn upload(&self, site: &Site, resource: &Resource, mode: &str, file: &str) -> Result<Duration> {
        let begun = Instant::now();
        let path = format!("/api/v1/{}/import?mode={mode}", resource.path);
        let token = self.token(site).await?;
        let job = site.upload_as(&path, "text/csv", file.to_owned(), &token).await?;
        let path = format!("/api/v1/jobs/{}/{}", resource.service, job["id"].as_str().context("a job")?);
        while begun.elapsed() < DEADLINE {
            let job = site.get_with(&path, &self.token(site).await?).await?;
            if job["finished_at"].is_string() {
                ensure!(job["status"] == "completed" && job["failed"] == 0, "{} {mode}: {job}", self.name);
                return Ok(begun.elapsed());
            }
            sleep(Duration::from_secs(1)).await;
        }
        anyhow::bail!("{} {mode}: not over after {DEADLINE:?}", resource.path)
    }

    /// Makes a user the owner of all devices that there are; how long that took.
    async fn link(&self, site: &Site, number: usize, rows: usize) -> Result<Duration> {
        let token = self.token(site).await?;
        let mut devices = Vec::with_capacity(rows);
        let mut next = Some(String::new());
        while let Some(after) = next {
            let (page, behind) = page_of_devices(site, &token, &after).await?;
            devices.extend(page);
            next = behind;
        }
        let user = site.get_with(&format!("/api/v1/users?name={}", email(number, 0)), &token).await?;
        let request = json!({ "user_id": user["items"][0]["id"], "role": "owner", "device_ids": devices });
        let begun = Instant::now();
        let report = site.post("/api/v1/device-members/link", Some(&token), request.to_string()).await?;
        ensure!(report["succeeded"] == rows, "{} of {rows}", report["succeeded"]);
        Ok(begun.elapsed())
    }

    /// Sends commands to trackers that are all silent, as many as may wait; how long that took.
    async fn command_all(&self, site: &Site) -> Result<Duration> {
        let (token, begun) = (self.token(site).await?, Instant::now());
        let mut next = Some(String::new());
        while let Some(after) = next {
            let (devices, behind) = page_of_devices(site, &token, &after).await?;
            let request = json!({ "device_ids": devices, "command": { "kind": "reboot" } });
            let sent = site.post("/api/v1/commands", Some(&token), request.to_string()).await?;
            ensure!(sent["failed"] == 0, "{}: {} commands were refused", self.name, sent["failed"]);
            next = behind;
        }
        Ok(begun.elapsed())
    }

    /// Reads and writes until something else is done; what came of that, and how long one waited.
    async fn beside<T>(&self, site: &Site, noise: impl Future<Output = Result<T>>) -> Result<(T, Waited)> {
        let mut waited = Waited::default();
        let done = tokio::select! {
            done = noise => done?,
            failed = self.work(site, &mut waited) => return Err(failed.err().context("it goes on")?),
        };
        Ok((done, waited))
    }

    async fn work(&self, site: &Site, waited: &mut Waited) -> Result<Infallible> {
        let (mut token, mut signed_in) = (self.token(site).await?, Instant::now());
        let driver = json!({ "name": format!("Driver of {}", self.name) }).to_string();
        let driver = site.post("/api/v1/drivers", Some(&token), driver).await?;
        let path = format!("/api/v1/drivers/{}", driver["id"].as_str().context("an id")?);
        let commands = self.commands(site, &token).await?;
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for n in 0_u64.. {
            ticks.tick().await;
            if signed_in.elapsed() > Duration::from_secs(300) {
                (token, signed_in) = (self.token(site).await?, Instant::now());
            }
            let begun = Instant::now();
            let delays = match n % 3 {
                0 => {
                    site.get_with("/api/v1/drivers", &token).await?;
                    &mut waited.reads
                }
                1 => {
                    site.put(&path, &token, json!({ "phone": n.to_string() }).to_string()).await?;
                    &mut waited.writes
                }
                _ => {
                    let sent = site.post(&commands, Some(&token), json!({ "kind": "reboot" }).to_string()).await?;
                    waited.commands.add(begun.elapsed().as_millis() as i64);
                    // Few may wait for one tracker.
                    let cancel = format!("/api/v1/commands/{}/cancel", sent["id"].as_str().context("an id")?);
                    site.post(&cancel, Some(&token), json!({}).to_string()).await?;
                    continue;
                }
            };
            delays.add(begun.elapsed().as_millis() as i64);
        }
        anyhow::bail!("nothing is left to count")
    }

    /// Where commands are sent to a tracker of its own.
    async fn commands(&self, site: &Site, token: &str) -> Result<String> {
        let known = site.get_with("/api/v1/devices", token).await?;
        let device = match known["items"][0]["id"].as_str() {
            Some(id) => id.to_owned(),
            None => {
                let device = json!({ "imei": "350999999999990", "name": "Truk" }).to_string();
                let made = site.post("/api/v1/devices", Some(token), device).await?;
                made["id"].as_str().context("an id")?.to_owned()
            }
        };
        Ok(format!("/api/v1/devices/{device}/commands"))
    }
}

/// The ids of the devices behind a row, and behind which one the next page begins.
async fn page_of_devices(site: &Site, token: &str, after: &str) -> Result<(Vec<Value>, Option<String>)> {
    let list = site.get_with(&format!("/api/v1/devices?page_size=500&after={after}"), token).await?;
    let ids = list["items"].as_array().context("a list")?.iter().map(|device| device["id"].clone()).collect();
    Ok((ids, list["next"].as_str().map(str::to_owned)))
}

/// How long the quiet tenant waited, milliseconds.
#[derive(Default)]
struct Waited {
    reads: Delays,
    writes: Delays,
    commands: Delays,
}

impl Waited {
    #[allow(clippy::print_stdout, reason = "it takes long")]
    fn line(&self, begin: &[&str]) -> Result<String> {
        let figures = |delays: &Delays| {
            anyhow::Ok(format!("{} ms, {} ms, {} ms", delays.at(0.5)?, delays.at(0.95)?, delays.at(1.0)?))
        };
        let (reads, writes, commands) = (figures(&self.reads)?, figures(&self.writes)?, figures(&self.commands)?);
        let line = format!("| {} | {reads} | {writes} | {commands} |", begin.join(" | "));
        println!("{line}");
        Ok(line)
    }
}

fn email(tenant: usize, n: usize) -> String {
    format!("user{n}@loud{tenant}.example.com")
}

fn drivers(_: usize, rows: Range<usize>) -> Result<String> {
    lines("name,phone,identification", rows, |n| format!("Driver {n},0812{n:08},RF{n:08}"))
}

fn devices(tenant: usize, rows: Range<usize>) -> Result<String> {
    let head = "imei,name,vehicle_code,vehicle_model,gps_model,primary_driver";
    lines(head, rows, |n| {
        let imei = 350_000_000_000_000 + (tenant as u64) * 1_000_000 + n as u64;
        format!("{imei},Truk {n},B {} KXT,Toyota Avanza,Teltonika FMB920,Driver {n}", 1_000 + n)
    })
}

fn users(tenant: usize, rows: Range<usize>) -> Result<String> {
    lines("name,email", rows, |n| format!("User {n},{}", email(tenant, n)))
}

fn members(tenant: usize, rows: Range<usize>) -> Result<String> {
    lines("device_id,user_id,role", rows, |n| format!("Truk {n},{},viewer", email(tenant, n)))
}

fn maintenance(_: usize, rows: Range<usize>) -> Result<String> {
    lines("device_id,title,interval_days", rows, |n| format!("Truk {n},Oil,90"))
}

fn lines(head: &str, rows: Range<usize>, line: impl Fn(usize) -> String) -> Result<String> {
    let mut text = format!("{head}\n");
    for n in rows {
        writeln!(text, "{}", line(n))?;
    }
    Ok(text)
}
